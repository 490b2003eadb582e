import { useQuery } from "@tanstack/react-query";
import { api, got } from "../api/client";
import { useWords } from "../words";
import { OneMemory } from "./OneMemory";

/** What used to be true, with a small timeline a subject. */
export function Earlier() {
  const { t, month } = useWords();
  const earlier = useQuery({ queryKey: ["earlier"], queryFn: () => got(api.GET("/api/memory/earlier", { params: { query: { limit: 50 } } })) });
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier">{t("earlier.title")}</h2>
      <p className="soft">{t("earlier.about")}</p>
      <div className="cards">
        {earlier.data?.items.map(({ memory, timeline }) => (
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
        {earlier.data?.items.length === 0 && <div className="card soft">{t("earlier.none")}</div>}
      </div>
    </section>
  );
}
