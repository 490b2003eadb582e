import { Button } from "@mantine/core";
import { useState } from "react";
import type { Shapes } from "../api/client";
import { useWords } from "../words";
import { Markdown } from "./Markdown";
import { QuietLine } from "./Thing";
import type { Turn } from "./useTurn";

export type Entry = Shapes["ChatView"]["entries"][number];

export function entryKey(entry: Entry): string {
  return entry.type === "reply" ? `reply-${entry.turn}` : `${entry.type}-${entry.seq}`;
}

export function OneEntry({ entry, last, busy, onEdit, onRetry }: {
  entry: Entry; last: boolean; busy: boolean; onEdit: (said: Shapes["Said"]) => void; onRetry: () => void;
}) {
  const { t } = useWords();
  switch (entry.type) {
    case "said":
      return (
        <div className={entry.left_out ? "left-out" : undefined} id={`seq-${entry.seq}`}>
          <div className="mine"><span className="sr">{entry.who || t("chat.you")}: </span><Mine text={entry.text} /></div>
          {entry.files.length > 0 && (
            <div className="chips" style={{ justifyContent: "flex-end" }}>
              {entry.files.map((file, at) => file.image
                ? <img key={at} src={file.image} alt={t("chat.image", { name: file.name })} style={{ maxWidth: 220, maxHeight: 180, borderRadius: 8 }} />
                : <span key={at} className="chip">{file.name}</span>)}
            </div>
          )}
          <div className="acts" style={{ justifyContent: "flex-end" }}>
            {entry.left_out ? <span className="soft">{t("chat.left_out")}</span>
              : !busy && !entry.who && <Button size="compact-xs" variant="subtle" onClick={() => onEdit(entry)}>{t("chat.edit")}</Button>}
          </div>
        </div>
      );
    case "reply":
      return (
        <div className={entry.left_out ? "left-out" : undefined}>
          <span className="sr">{t("chat.conch")}: </span>
          <Steps steps={entry.steps} />
          <Markdown text={entry.text} />
          {entry.outcome === "stopped" && <p className="soft">{t("chat.stopped")}</p>}
          {entry.outcome === "failed" && <p className="error">{entry.error || t("chat.failed")}</p>}
          <div className="acts">
            <CopyReply text={entry.text} />
            {last && !busy && !entry.left_out && <Button size="compact-xs" variant="subtle" onClick={onRetry}>{t("chat.retry")}</Button>}
          </div>
        </div>
      );
    case "learned":
      return entry.things.length > 0 ? <QuietLine line={entry} /> : null;
    case "marked":
      return <div className="mark">{t(`chat.mark.${entry.what}`)}</div>;
  }
}

/** A person's words as they wrote them; fenced code stands as code. */
function Mine({ text }: { text: string }) {
  const parts = text.split(/^```[^\n]*\n([\s\S]*?)\n?^```[ \t]*$/m);
  return <>{parts.map((part, at) => (at % 2 ? <code className="fenced" key={at}>{part}</code> : parts.length > 1 ? part.trim() : part))}</>;
}

function CopyReply({ text }: { text: string }) {
  const { t } = useWords();
  const [copied, setCopied] = useState(false);
  return (
    <Button size="compact-xs" variant="subtle" onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
      {t(copied ? "chat.copied" : "chat.copy")}
    </Button>
  );
}

function Steps({ steps }: { steps: { call: string; summary: string; ok: boolean | null }[] }) {
  const { t } = useWords();
  if (steps.length === 0) return null;
  return (
    <details className="quiet">
      <summary>{t("chat.steps", { n: steps.length })}</summary>
      <ul style={{ margin: "4px 0 8px", paddingLeft: 20 }}>
        {steps.map((step) => <li key={step.call} className="soft">{step.ok === null ? "… " : step.ok ? "✓ " : "✕ "}{step.summary}</li>)}
      </ul>
    </details>
  );
}

/** The reply that is being written. */
export function LiveReply({ turn }: { turn: Turn | undefined }) {
  const { t } = useWords();
  const parts = turn?.parts ?? [];
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).filter(Boolean).join("\n\n");
  return (
    <div aria-busy="true">
      <Steps steps={parts.flatMap((part) => (part.type === "data-step" ? [part.data] : []))} />
      {text ? <Markdown text={text} /> : <span className="soft">{t("chat.thinking")}</span>}
    </div>
  );
}
