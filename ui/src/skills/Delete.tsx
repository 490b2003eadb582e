import { Button, Modal } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api, got, type Shapes } from "../api/client";
import { useWords } from "../words";

/** Deletes one of the person's own skills, as it was seen, once they said so twice. */
export function Delete({ skill }: { skill: Shapes["SkillView"] }) {
  const { t } = useWords();
  const go = useNavigate();
  const queries = useQueryClient();
  const [sure, setSure] = useState(false);
  const gone = useMutation({
    mutationFn: () => got(api.POST("/api/skills/{source}/{name}/delete", { params: { path: { source: skill.source, name: skill.name } }, body: { words_hash: skill.words_hash } })),
    onSuccess: () => {
      go("/skills");
      void queries.invalidateQueries({ queryKey: ["skills", "list"] });
    },
  });
  return (
    <>
      <Button size="xs" variant="subtle" onClick={() => setSure(true)}>{t("skill.delete")}</Button>
      <Modal opened={sure} onClose={() => setSure(false)} title={t("skill.delete")} closeButtonProps={{ "aria-label": t("app.close") }}>
        <p>{t("skill.delete.sure", { title: skill.title })}</p>
        {gone.error && <p className="error" role="alert">{gone.error.message}</p>}
        <div className="row"><Button loading={gone.isPending} onClick={() => gone.mutate()}>{t("skill.delete")}</Button><Button variant="default" onClick={() => setSure(false)}>{t("app.cancel")}</Button></div>
      </Modal>
    </>
  );
}
