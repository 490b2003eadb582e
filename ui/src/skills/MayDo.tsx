import type { Shapes } from "../api/client";
import { useWords } from "../words";

/** What a skill may do, line by line, in the person's language. */
export function MayDo({ may }: { may: Shapes["MayDo"][] }) {
  const { lang, t, known } = useWords();
  const list = new Intl.ListFormat(lang, { type: "conjunction" });
  return (
    <div>
      <strong style={{ fontWeight: 500 }}>{t("skill.may")}</strong>
      <ul style={{ margin: "4px 0 8px", paddingLeft: 20 }}>
        {may.map((one) => <li key={one.may}>{known(`may.${one.may}`, one.in_words, { names: list.format(one.names) })}</li>)}
      </ul>
    </div>
  );
}
