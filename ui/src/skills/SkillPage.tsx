import { Button, SegmentedControl } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { api, got } from "../api/client";
import { Markdown } from "../chat/Markdown";
import { Bar } from "../shell/Shell";
import { useWords } from "../words";
import { Delete } from "./Delete";
import { MayDo } from "./MayDo";
import { Uses } from "./Uses";

export default function SkillPage() {
  const { t, heard } = useWords();
  const queries = useQueryClient();
  const { source = "", name = "" } = useParams();
  const params = { path: { source, name } };
  const asked = useQuery({ queryKey: ["skills", "one", source, name], queryFn: () => got(api.GET("/api/skills/{source}/{name}", { params })) });
  const skill = asked.data;
  const choose = useMutation({
    mutationFn: ({ mode, looked_at }: { mode: "auto" | "manual" | "off"; looked_at: boolean }) =>
      got(api.POST("/api/skills/{source}/{name}/mode", { params, body: { mode, looked_at, words_hash: skill?.words_hash ?? "" } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["skills"] }),
  });
  if (!skill) return <><Bar plain title={t("nav.skills")} /><p className="inner soft" role="status">{asked.error?.message ?? t("app.loading")}</p></>;
  return (
    <>
      <Bar plain title={skill.title}>{skill.source === "own" && <><Delete skill={skill} /><Button size="xs" variant="default" component={Link} to={`/skills/own/${encodeURIComponent(skill.name)}/edit`}>{t("skill.edit")}</Button></>}</Bar>
      <div className="page"><div className="inner">
        <h1>{skill.title}</h1>
        <p className="about">{skill.description}</p>
        <SegmentedControl size="xs" aria-label={t("skill.mode")} value={skill.mode} onChange={(mode) => choose.mutate({ mode: mode as "auto", looked_at: false })}
          data={(["auto", "manual", "off"] as const).map((value) => ({ value, label: t(`mode.${value}`) }))} />
        {skill.why_off && <p className="soft">{heard(skill.why_off)}</p>}
        {choose.error && (
          <div role="alert">
            <p className="error">{choose.error.message}</p>
            {skill.findings.length > 0 && choose.variables && <Button size="compact-sm" variant="default" onClick={() => choose.mutate({ ...choose.variables!, looked_at: true })}>{t("skill.even_so")}</Button>}
          </div>
        )}
        <section><h2>{t("skill.words")}</h2><Markdown text={skill.instructions} /></section>
        <Uses source={source} name={name} />
        <section><h2>{t("skill.safety")}</h2>
          <MayDo may={skill.may} />
          <p>{t(`scan.${skill.verdict}`)}</p>
          {skill.findings.length > 0 && <ul>{skill.findings.map((one, at) => <li key={at}>{one.sentence} <span className="soft">{one.file}{one.line > 0 && `:${one.line}`}</span></li>)}</ul>}
          <p className="soft">{skill.signature} {t("skill.used", { n: skill.times })}</p>
        </section>
      </div></div>
    </>
  );
}
