import { Button, SegmentedControl } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { api, got, type Shapes } from "../api/client";
import { Bar } from "../shell/Shell";
import { useWords } from "../words";
import { Bring } from "./Bring";
import { Offer, useHabits, useOffers } from "./Offer";

export default function SkillsPage() {
  const { t } = useWords();
  const [search, setSearch] = useSearchParams();
  const show = search.get("show") === "off" ? "off" : "all";
  const offers = [...(useOffers().data?.offers ?? []), ...(useHabits().data?.offers ?? [])];
  const skills = useQuery({ queryKey: ["skills", "list", show], queryFn: () => got(api.GET("/api/skills", { params: { query: { show } } })) });
  return (
    <>
      <Bar plain title={t("nav.skills")}><Bring /><Button size="xs" variant="default" component={Link} to="/skills/new">{t("skill.new")}</Button></Bar>
      <div className="page"><div className="inner">
        <h1>{t("nav.skills")}</h1>
        <p className="about">{t("skills.about")}</p>
        {offers.length > 0 && (
          <section><h2>{t("skills.offers")}</h2><div className="cards">{offers.map((one) => <Offer key={one.id} offer={one} />)}</div></section>
        )}
        <Shelf />
        <section>
          <h2>{t("skills.own")}</h2>
          <SegmentedControl size="xs" mb="sm" aria-label={t("skills.show")} value={show} onChange={(value) => setSearch(value === "off" ? { show: "off" } : {})}
            data={[{ value: "all", label: t("kind.all") }, { value: "off", label: t("mode.off") }]} />
          <Lines skills={skills.data?.own} />
        </section>
        {skills.data && skills.data.others.length > 0 && <section><h2>{t("skills.others")}</h2><Lines skills={skills.data.others} /></section>}
      </div></div>
    </>
  );
}

function Lines({ skills }: { skills: Shapes["SkillLine"][] | undefined }) {
  const { t, heard } = useWords();
  return (
    <div className="cards">
      {skills?.map((one) => (
        <div className="card" key={one.id} data-skill={one.id}>
          <Link to={`/skills/${one.source}/${encodeURIComponent(one.name)}`}>{one.title}</Link>
          <div className="words">{one.description}</div>
          <div className="soft">{t(`mode.${one.mode}`)}{one.source !== "own" && ` · ${one.source}`} · {t("skill.used", { n: one.times })}</div>
          {one.why_off && <div className="soft">{heard(one.why_off)}</div>}
        </div>
      ))}
      {skills?.length === 0 && <div className="card soft">{t("memory.none")}</div>}
    </div>
  );
}

function Shelf() {
  const { t } = useWords();
  const queries = useQueryClient();
  const shelf = useQuery({ queryKey: ["skills", "shelf"], queryFn: () => got(api.GET("/api/skills/shelf")) });
  const answer = useMutation({
    mutationFn: (action: "off" | "keep") => got(api.POST("/api/skills/shelf", { body: { action, skills: (shelf.data?.skills ?? []).map((one) => one.id) } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["skills"] }),
  });
  if (!shelf.data || shelf.data.skills.length === 0) return null;
  return (
    <section>
      <h2>{t("shelf.title")}</h2>
      <div className="cards"><div className="card">
        <div>{shelf.data.skills.map((one) => one.title).join(", ")}</div>
        <div className="row" style={{ marginTop: 6 }}>
          <Button size="compact-sm" variant="default" onClick={() => answer.mutate("off")}>{t("shelf.off")}</Button>
          <Button size="compact-sm" variant="subtle" onClick={() => answer.mutate("keep")}>{t("shelf.keep")}</Button>
        </div>
      </div></div>
    </section>
  );
}
