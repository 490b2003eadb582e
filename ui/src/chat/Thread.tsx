import { Button } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { api, got, type Shapes } from "../api/client";
import { useWords } from "../words";
import { type Entry, entryKey, LiveReply, OneEntry } from "./Entries";
import type { useTurn } from "./useTurn";

/** A chat's entries, virtualised; earlier pages are fetched as one asks for them. */
export function Thread({ view, turn, onEdit, after }: { after?: ReactNode; view: Shapes["ChatView"]; turn: ReturnType<typeof useTurn>; onEdit: (said: Shapes["Said"]) => void }) {
  const { t } = useWords();
  const [search] = useSearchParams();
  const at = Number(search.get("at") ?? 0);
  const [older, setOlder] = useState<Entry[]>([]);
  const [before, setBefore] = useState<number | null>();
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const earlier = before === undefined ? view.before : before;
  const entries = useMemo(() => {
    const all = new Map<string, Entry>();
    for (const entry of [...older, ...view.entries]) all.set(entryKey(entry), entry);
    return [...all.values()].filter((entry) => !(turn.reply && turn.busy && entry.type === "reply" && entry.outcome === null));
  }, [older, view, turn.reply, turn.busy]);
  const live = turn.busy || turn.reply !== undefined;
  const lastSaid = entries.findLast((entry): entry is Shapes["Said"] => entry.type === "said")?.text;
  const said = turn.said && turn.said !== lastSaid ? turn.said : undefined;
  const lastReply = entries.findLast((entry) => entry.type === "reply");
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => 120,
    overscan: 6,
    getItemKey: (index) => entryKey(entries[index]!),
  });
  const load = useMutation({
    mutationFn: (from: number) => got(api.GET("/api/chats/{chat}", { params: { path: { chat: view.chat.id }, query: { before: from, limit: 200 } } })),
    onSuccess: (page) => {
      setOlder((known) => [...page.entries, ...known]);
      setBefore(page.before);
      requestAnimationFrame(() => rows.scrollToIndex(page.entries.length, { align: "start" }));
    },
  });
  const found = at ? entries.findIndex((entry) => entry.seq === at) : -1;
  useEffect(() => {
    if (!at) return;
    if (found >= 0) {
      atEnd.current = false;
      rows.scrollToIndex(found, { align: "center" });
    } else if (earlier && !load.isPending) load.mutate(earlier);
  }, [at, found, earlier]); // eslint-disable-line
  const words = turn.reply?.parts.length ?? 0;
  const size = JSON.stringify(turn.reply?.parts ?? []).length;
  useEffect(() => {
    if (atEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [entries.length, words, size, rows.getTotalSize()]); // eslint-disable-line
  return (
    <div className="thread" ref={box} tabIndex={0} role="log" aria-label={view.chat.title || t("chat.untitled")} aria-live="off"
      onScroll={(event) => {
        const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
        atEnd.current = scrollHeight - scrollTop - clientHeight < 60;
        if (scrollTop < 200 && earlier && !load.isPending && !atEnd.current) load.mutate(earlier);
      }}>
      {earlier && <div className="mark" style={{ padding: 8 }}><Button size="compact-xs" variant="subtle" loading={load.isPending} onClick={() => load.mutate(earlier)}>{t("chat.earlier")}</Button></div>}
      <div style={{ height: rows.getTotalSize(), position: "relative" }}>
        {rows.getVirtualItems().map((row) => {
          const entry = entries[row.index]!;
          return (
            <div key={row.key} data-index={row.index} ref={rows.measureElement} style={{ position: "absolute", top: 0, left: 0, width: "100%", transform: `translateY(${row.start}px)` }}>
              <div className="one"><OneEntry entry={entry} last={entry === lastReply} busy={turn.busy} onEdit={onEdit} onRetry={() => void turn.retry()} /></div>
            </div>
          );
        })}
      </div>
      {live && said && <div className="one"><div className="mine">{said}</div></div>}
      {live && <div className="one"><LiveReply turn={turn.reply} /></div>}
      {after}
      <div className="sr" role="status">{turn.busy ? t("chat.thinking") : ""}</div>
    </div>
  );
}
