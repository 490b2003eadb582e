import { Button, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, got, Refused, type Shapes } from "../api/client";
import { Diff } from "../chat/Diff";
import { type Key, useWords } from "../words";
import { useForgotten } from "./Gone";

/** One memory: edit in place, Forget with Undo; Keep and Forget where it waits or is held. */
export function OneMemory({ item }: { item: Shapes["MemoryItem"] }) {
  const { t, heard, day, month } = useWords();
  const queries = useQueryClient();
  const [editing, setEditing] = useState<string | null>(null);
  const { add } = useForgotten();
  const [now, setNow] = useState<Shapes["Standing"] | null>(null);
  const again = () => ["memory", "learning", "earlier", "chat"].forEach((key) => void queries.invalidateQueries({ queryKey: [key] }));
  const shown = now ? { ...item, text: now.text, words_hash: now.words_hash } : item;
  const path = { params: { path: { memory: item.id } } };
  const act = useMutation({
    mutationFn: async (what: "edit" | "forget" | "keep") => {
      const words_hash = shown.words_hash;
      if (what === "edit") await got(api.POST("/api/memory/{memory}/edit", { ...path, body: { text: editing ?? "", words_hash } }));
      if (what === "keep" && item.record) await got(api.POST("/api/learning/answer", { body: { record: item.record, answer: "keep", words_hash } }));
      else if (what === "keep") await got(api.POST("/api/memory/{memory}/keep", { ...path, body: { words_hash, anyway: false } }));
      if (what === "forget" && item.invalid_at) await got(api.DELETE("/api/memory/earlier/{memory}", { params: { ...path.params, query: { words_hash, until: item.invalid_at } } }));
      else if (what === "forget" && item.waits && item.record) await got(api.POST("/api/learning/answer", { body: { record: item.record, answer: "forget", words_hash } }));
      else if (what === "forget") add({ text: shown.text, undo: (await got(api.POST("/api/memory/{memory}/forget", { ...path, body: { words_hash } }))).undo });
    },
    onSuccess: () => {
      setNow(null);
      setEditing(null);
      again();
    },
    onError: (error) => {
      if (error instanceof Refused && error.problem.now) setNow(error.problem.now);
      else again();
    },
  });
  const press = (what: "forget" | "keep", label: Key) => (
    <Button size="compact-xs" variant="default" disabled={act.isPending} aria-label={`${t(label)}: ${shown.text}`} onClick={() => act.mutate(what)}>{t(label)}</Button>
  );
  const waits = Boolean(item.waits) || item.held.length > 0;
  return (
    <div className="card" data-memory={item.id}>
      {editing === null ? (
        <div className="words">{shown.text}</div>
      ) : (
        <form onSubmit={(event) => (event.preventDefault(), act.mutate("edit"))}>
          <Textarea autosize aria-label={t("memory.edit")} maxLength={2000} value={editing} onChange={(event) => setEditing(event.currentTarget.value)} data-autofocus autoFocus />
          <div className="row" style={{ marginTop: 6 }}><Button size="compact-sm" type="submit">{t("app.save")}</Button><Button size="compact-sm" variant="default" onClick={() => setEditing(null)}>{t("app.cancel")}</Button></div>
        </form>
      )}
      {item.replaces_text && <div className="soft">{t("memory.replaces")}: <Diff before={item.replaces_text} after={shown.text} /></div>}
      {[item.waits, ...item.held].filter(Boolean).map((reason) => <div key={reason} className="soft">{heard(reason)}</div>)}
      {item.same_as && <div className="soft">{t("memory.same_as", { id: item.same_as.slice(-6) })}</div>}
      {now && <div className="error" role="alert">{t("learned.changed")}</div>}
      {act.error && !now && <div className="error" role="alert">{act.error.message}</div>}
      {editing === null && (
        <div className="row" style={{ marginTop: 4 }}>
          <span className="soft grow">{t(`kind.${item.kind}`)} · {t(`memory.source.${item.source}` as Key)} · {item.invalid_at ? t("memory.until", { date: month(item.invalid_at) }) : day(item.updated)}</span>
          {!item.invalid_at && waits && !item.refused && press("keep", "memory.keep")}
          {!item.invalid_at && <Button size="compact-xs" variant="subtle" aria-label={`${t("memory.edit")}: ${shown.text}`} onClick={() => setEditing(shown.text)}>{t("memory.edit")}</Button>}
          {press("forget", "memory.forget")}
        </div>
      )}
    </div>
  );
}
