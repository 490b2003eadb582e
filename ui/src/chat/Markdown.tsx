import { lazy, memo, Suspense } from "react";

const Rich = lazy(() => import("./Rich"));

/** Markdown as text until its reader has come. Raw HTML is never taken; images of other hosts are
 * shown as links, so that reading a reply tells nobody anything. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="md">
      <Suspense fallback={<div className="words">{text}</div>}>
        <Rich text={text} />
      </Suspense>
    </div>
  );
});
