import { Button, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { api, got, type Shapes } from "../api/client";
import { Bar } from "../shell/Shell";
import { useWords } from "../words";
import { MayDo } from "./MayDo";

type Words = { title: string; description: string; instructions: string; permissions: string[] | null };

/** New skill (filled in from `?offer=`), or new words for one: saved only as previewed. */
export default function SkillForm() {
  const { t } = useWords();
  const { name = "" } = useParams();
  const offer = useSearchParams()[0].get("offer") ?? "";
  const before = useQuery({
    queryKey: ["skills", "form", name, offer],
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    queryFn: async (): Promise<Words & { seen: string; note: string }> => {
      if (name) {
        const skill = await got(api.GET("/api/skills/{source}/{name}", { params: { path: { source: "own", name } } }));
        return { ...skill, permissions: skill.declares ? skill.permissions : null, seen: skill.words_hash, note: "" };
      }
      if (offer) return { ...(await got(api.GET("/api/skills/suggestions/{offer}", { params: { path: { offer } } }))), seen: "" };
      return { title: "", description: "", instructions: "", permissions: null, seen: "", note: "" };
    },
  });
  const title = t(name ? "skill.edit" : "skill.new");
  return (
    <>
      <Bar plain title={title} />
      <div className="page"><div className="inner">
        <h1>{title}</h1>
        {before.error && <p className="error" role="alert">{before.error.message}</p>}
        {before.data?.note && <p className="soft">{before.data.note} {t("skill.slip")}</p>}
        {before.data && <Form before={before.data} name={name} offer={offer} />}
      </div></div>
    </>
  );
}

function Form({ before, name, offer }: { before: Words & { seen: string }; name: string; offer: string }) {
  const { t } = useWords();
  const go = useNavigate();
  const queries = useQueryClient();
  const [words, setWords] = useState<Words>({ title: before.title, description: before.description, instructions: before.instructions, permissions: before.permissions });
  const [shown, setShown] = useState<Shapes["SkillPreview"] | null>(null);
  const set = (part: Partial<Words>) => (setWords({ ...words, ...part }), setShown(null));
  const preview = useMutation({
    mutationFn: () => got(api.POST("/api/skills/preview", { body: { ...words, skill: name } })),
    onSuccess: setShown,
  });
  const save = useMutation({
    mutationFn: () => {
      const words_hash = shown?.words_hash ?? "";
      return name
        ? got(api.POST("/api/skills/{source}/{name}/edit", { params: { path: { source: "own", name } }, body: { ...words, seen: before.seen, words_hash } }))
        : got(api.POST("/api/skills", { body: { ...words, offer, mode: "manual", words_hash } }));
    },
    onSuccess: (skill) => {
      void queries.invalidateQueries({ queryKey: ["skills"] });
      go(`/skills/${skill.source}/${encodeURIComponent(skill.name)}`);
    },
  });
  const error = save.error ?? preview.error;
  return (
    <form onSubmit={(event) => (event.preventDefault(), preview.mutate())}>
      <TextInput label={t("skill.title")} required withAsterisk={false} maxLength={120} value={words.title} onChange={(event) => set({ title: event.currentTarget.value })} />
      <Textarea mt="sm" autosize label={t("skill.description")} required withAsterisk={false} maxLength={1024} value={words.description} onChange={(event) => set({ description: event.currentTarget.value })} />
      <Textarea mt="sm" autosize minRows={6} label={t("skill.instructions")} required withAsterisk={false} maxLength={60_000} value={words.instructions} onChange={(event) => set({ instructions: event.currentTarget.value })} />
      <TagsInput mt="sm" label={t("skill.may")} description={t("skill.list.about")} value={words.permissions ?? []} onChange={(list) => set({ permissions: list.length ? list : null })} />
      <Button mt="md" type="submit" variant="default" loading={preview.isPending}>{t("skill.preview")}</Button>
      {shown && (
        <section className="week" aria-live="polite">
          <MayDo may={shown.may} />
          <p>{t(`scan.${shown.verdict}`)}</p>
          {[...shown.problems, ...shown.findings.map((one) => one.sentence)].map((one, at) => <p key={at} className="error">{one}</p>)}
          {shown.verdict === "danger" && <p className="soft">{t("skill.saved_off")}</p>}
          <Button loading={save.isPending} disabled={shown.problems.length > 0} onClick={() => save.mutate()}>{t("app.save")}</Button>
        </section>
      )}
      {error && <p className="error" role="alert">{error.message}</p>}
    </form>
  );
}
