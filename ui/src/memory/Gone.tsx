import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useState } from "react";
import { api, got } from "../api/client";
import { useWords } from "../words";

type Gone = { undo: string; text: string };
const Forgotten = createContext<{ gone: Gone[]; add: (one: Gone) => void; drop: (undo: string) => void }>({ gone: [], add: () => {}, drop: () => {} });

export const useForgotten = () => useContext(Forgotten);

/** Remembers what was forgotten on this page: the lists are read anew, Undo stays where it is. */
export function WithUndo({ children }: { children: ReactNode }) {
  const [gone, setGone] = useState<Gone[]>([]);
  const add = (one: Gone) => setGone((before) => [one, ...before]);
  const drop = (undo: string) => setGone((before) => before.filter((one) => one.undo !== undo));
  return <Forgotten.Provider value={{ gone, add, drop }}>{children}</Forgotten.Provider>;
}

/** What was forgotten just now, each with Undo. */
export function JustForgotten() {
  const { gone } = useForgotten();
  return gone.length > 0 && <div className="cards" style={{ marginTop: 10 }}>{gone.map((one, at) => <One key={one.undo} {...one} newest={at === 0} />)}</div>;
}

function One({ undo, text, newest }: Gone & { newest: boolean }) {
  const { t } = useWords();
  const { drop } = useForgotten();
  const queries = useQueryClient();
  const back = useMutation({
    mutationFn: () => got(api.POST("/api/memory/bring-back", { body: { undo } })),
    onSuccess: () => drop(undo),
    onSettled: () => ["memory", "learning", "earlier", "chat"].forEach((key) => void queries.invalidateQueries({ queryKey: [key] })),
  });
  return (
    <div className="card row" role="status">
      <span className="grow soft words">{t("memory.forgotten", { text })}</span>
      <Button size="compact-xs" variant="default" autoFocus={newest} disabled={back.isPending} aria-label={`${t("learned.undo")}: ${text}`} onClick={() => back.mutate()}>{t("learned.undo")}</Button>
      {back.error && <span className="error" role="alert">{back.error.message}</span>}
    </div>
  );
}
