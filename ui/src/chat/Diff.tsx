import { diffWords } from "diff";

/** Before and after as one small diff. */
export function Diff({ before, after }: { before: string; after: string }) {
  return (
    <p className="words" style={{ margin: "2px 0" }}>
      {diffWords(before, after).map((part, at) =>
        part.added ? <ins key={at} className="d">{part.value}</ins> : part.removed ? <del key={at} className="d">{part.value}</del> : <span key={at}>{part.value}</span>,
      )}
    </p>
  );
}
