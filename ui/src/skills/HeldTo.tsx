import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, got } from "../api/client";
import { useWords } from "../words";
import { MayDo } from "./MayDo";

/** The skills a chat is held to, with Stop. */
export function HeldTo({ chat }: { chat: string }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const params = { path: { chat } };
  const held = useQuery({ queryKey: ["chat", chat, "skills"], queryFn: () => got(api.GET("/api/chats/{chat}/skills", { params })) });
  const stop = useMutation({
    mutationFn: (skill: string) => got(api.POST("/api/chats/{chat}/skills/stop", { params, body: { skill } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["chat", chat, "skills"] }),
  });
  if (!held.data || held.data.skills.length === 0) return null;
  return (
    <div className="composer">
      <details className="quiet">
        <summary>{t("held.line", { titles: held.data.skills.map((one) => one.title).join(", ") })}</summary>
        <p className="soft">{t("held.about")}</p>
        <MayDo may={held.data.may} />
        <div className="row">
          {held.data.skills.map((one) => <Button key={one.id} size="compact-xs" variant="default" onClick={() => stop.mutate(one.id)}>{t("held.stop", { title: one.title })}</Button>)}
        </div>
      </details>
    </div>
  );
}
