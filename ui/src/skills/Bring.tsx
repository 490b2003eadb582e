import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useNavigate } from "react-router";
import { api, got } from "../api/client";
import { base64 } from "../chat/attach";
import { useWords } from "../words";

/** Brings in a skill from a zip of its folder, or from its SKILL.md alone; it is off until turned on. */
export function Bring() {
  const { t } = useWords();
  const go = useNavigate();
  const queries = useQueryClient();
  const picker = useRef<HTMLInputElement>(null);
  const bring = useMutation({
    mutationFn: async (file: File) => {
      const data = await base64(file);
      const body = /\.zip$/i.test(file.name) ? { name: file.name, zip: data, files: [] } : { name: file.name, zip: "", files: [{ path: file.name, data }] };
      return got(api.POST("/api/skills/import", { body }));
    },
    onSuccess: (skill) => {
      void queries.invalidateQueries({ queryKey: ["skills"] });
      go(`/skills/${skill.source}/${encodeURIComponent(skill.name)}`);
    },
  });
  return (
    <>
      <Button size="xs" variant="default" loading={bring.isPending} onClick={() => picker.current?.click()}>{t("skill.bring")}</Button>
      <input ref={picker} type="file" hidden accept=".zip,.md" aria-label={t("skill.bring")} onChange={(event) => {
        const file = event.currentTarget.files?.[0];
        if (file) bring.mutate(file);
        event.currentTarget.value = "";
      }} />
      {bring.error && <p className="error" role="alert" style={{ order: 9, flexBasis: "100%" }}>{bring.error.message}</p>}
    </>
  );
}
