import { api, got } from "../api/client";
import { usePages } from "../api/pages";
import { More } from "../shell/More";
import { useWords } from "../words";
import { OneMemory } from "./OneMemory";

/** What used to be true, with a small timeline a subject. */
export function Earlier() {
  const { t, month } = useWords();
  const earlier = usePages(["earlier"], (offset) => got(api.GET("/api/memory/earlier", { params: { query: { offset, limit: 50 } } })));
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier">{t("earlier.title")}</h2>
      <p className="soft">{t("earlier.about")}</p>
      <div className="cards">
        {earlier.pages.flatMap((page) => page.items).map(({ memory, timeline }) => (
          <div key={memory.id} style={{ borderBottom: "1px solid var(--line)" }}>
            <OneMemory item={memory} />
            {timeline.length > 1 && (
              <ol className="time" style={{ margin: "0 18px 12px" }}>
                {timeline.map((moment) => (
                  <li key={moment.memory} className={moment.until ? undefined : "now"}>
                    {moment.text} <span className="soft">{moment.until ? t("memory.until", { date: month(moment.until) }) : t("memory.since", { date: month(moment.since) })}</span>
                  </li>
                ))}
              </ol>
            )}
          </div>
        ))}
        {earlier.first?.items.length === 0 && <div className="card soft">{t("earlier.none")}</div>}
      </div>
      <More {...earlier} />
    </section>
  );
}
