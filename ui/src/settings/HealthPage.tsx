import { useQuery } from "@tanstack/react-query";
import { api, got } from "../api/client";
import { Bar } from "../shell/Shell";
import { useWords } from "../words";

export default function HealthPage() {
  const { t, day, known } = useWords();
  const health = useQuery({ queryKey: ["health"], queryFn: () => got(api.GET("/api/health")), staleTime: 0 });
  return (
    <>
      <Bar plain title={t("nav.health")} />
      <div className="page"><div className="inner">
        <h1>{t("health.title")}</h1>
        <p className="about">{t("health.about")}</p>
        <div className="cards">
          {health.data?.checks.map((check) => (
            <div className="card row" key={check.id}>
              <span className="grow">{known(`check.${check.id}.${check.code}`, check.sentence, { n: check.count })}</span>
              <span className={check.ok ? "soft" : "error"}>{t(check.ok ? "health.ok" : "health.look")}</span>
            </div>
          ))}
        </div>
        <h2>{t("health.notes")}</h2>
        <div className="cards">
          {health.data?.notes.map((note, at) => <div className="card" key={at}>{note.text} <span className="soft">{day(note.at)} · {note.where}</span></div>)}
          {health.data?.notes.length === 0 && <div className="card soft">{t("health.none")}</div>}
        </div>
      </div></div>
    </>
  );
}
