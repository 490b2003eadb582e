import { Button, Modal } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { api, got, Refused, type Shapes } from "../api/client";
import { type Key, useWords } from "../words";
import { Diff } from "./Diff";

export type OneThing = Pick<Shapes["LearnedThing"], "record" | "text" | "state" | "waits" | "words_hash" | "was" | "otherwise">;

/** One thing that was learned: its words, Undo or Keep and Forget, and Why? A stale card shows the
 * words as they are now and asks again. */
export function Thing({ thing, extra }: { thing: OneThing; extra?: ReactNode }) {
  const { t, heard } = useWords();
  const queries = useQueryClient();
  const [why, setWhy] = useState(false);
  const [now, setNow] = useState<Shapes["Standing"] | null>(null);
  const [note, setNote] = useState("");
  const shown = now ? { ...thing, text: now.text || thing.text, words_hash: now.words_hash, state: now.state as OneThing["state"] } : thing;
  const answer = useMutation({
    mutationFn: (pressed: "undo" | "keep" | "forget") =>
      got(api.POST("/api/learning/answer", { body: { record: thing.record, answer: pressed, words_hash: shown.words_hash } })),
    onSuccess: (done) => {
      setNow(null);
      setNote(done.note);
    },
    onError: (error) => {
      if (error instanceof Refused && error.problem.now) setNow(error.problem.now);
    },
    onSettled: () => ["learning", "chat", "memory", "earlier"].forEach((key) => void queries.invalidateQueries({ queryKey: [key] })),
  });
  const stale = now !== null && now.words_hash !== thing.words_hash;
  const press = (pressed: "undo" | "keep" | "forget", label: Key) => (
    <Button size="compact-xs" variant="default" disabled={answer.isPending} onClick={() => answer.mutate(pressed)} aria-label={`${t(label)}: ${shown.text}`}>{t(label)}</Button>
  );
  const standing = shown.state === "applied" || shown.state === "kept";
  return (
    <div className="thing" data-record={thing.record}>
      {shown.was ? <Diff before={shown.was} after={shown.text} /> : <div className="words">{shown.text}</div>}
      {shown.waits.length > 0 && shown.state === "waiting" && <div className="soft">{shown.waits.map(heard).join(" ")}</div>}
      {shown.otherwise && <div className="soft">{t(`otherwise.${shown.otherwise}`)}</div>}
      <div className="row" style={{ marginTop: 4 }}>
        <span className={extra ? "soft grow" : "soft"}><span role="status">{t(`state.${shown.state}` as Key)}</span>{extra && <> · {extra}</>}</span>
        {standing && press("undo", "learned.undo")}
        {shown.state === "waiting" && press("keep", "learned.keep")}
        {shown.state === "waiting" && press("forget", "learned.forget")}
        <Button size="compact-xs" variant="subtle" onClick={() => setWhy(true)}>{t("learned.why")}</Button>
      </div>
      {stale && <div role="alert" className="error">{t("learned.changed")}</div>}
      {answer.error && !stale && <div role="alert" className="error">{answer.error.message}</div>}
      {note && <div role="status" className="soft">{note}</div>}
      <Modal opened={why} onClose={() => setWhy(false)} title={t("why.title")} closeButtonProps={{ "aria-label": t("app.close") }}>
        {why && <Why record={thing.record} onJump={() => setWhy(false)} />}
      </Modal>
    </div>
  );
}

function Why({ record, onJump }: { record: string; onJump: () => void }) {
  const { t, heard, day } = useWords();
  const why = useQuery({
    queryKey: ["why", record],
    queryFn: () => got(api.GET("/api/learning/{record}/why", { params: { path: { record } } })),
  });
  if (!why.data) return <p className="soft">{why.error?.message ?? t("app.loading")}</p>;
  const { learned, found_in, quotes, steps, said_at, signals, model, engine, waits, seen, because, by_assistant } = why.data;
  return (
    <div>
      <p className="words" style={{ marginTop: 0 }}>{learned.text}</p>
      {learned.otherwise && <p className="soft">{t(`otherwise.${learned.otherwise}`)}</p>}
      {because && <p className="soft">{because}</p>}
      {by_assistant && <p className="soft">{t("why.assistant")}</p>}
      <h3>{t("why.chat")}</h3>
      {learned.chat_there ? <Link to={`/chats/${learned.chat}`} onClick={onJump}>{learned.chat_title || t("chat.untitled")}</Link> : <span className="soft">{t("why.gone")}</span>}
      {steps.length > 0 && (
        <>
          <h3>{t("why.steps")}</h3>
          <ul>{steps.map((step, at) => <li key={at}>{t(step.ok ? "why.step.ok" : "why.step.failed", { step: step.summary })}</li>)}</ul>
        </>
      )}
      {(steps.length === 0 || quotes.length > 0) && <h3>{said_at ? t("why.words.on", { day: day(said_at) }) : t("why.words")}</h3>}
      {found_in.map((one) => (
        <blockquote key={one.seq} className="words" style={{ margin: "0 0 8px" }}>
          {one.start > 160 && "… "}{[...one.text].slice(Math.max(0, one.start - 160), one.start).join("")}
          <mark>{[...one.text].slice(one.start, one.end).join("")}</mark>
          {[...one.text].slice(one.end, one.end + 160).join("")}{" "}
          <Link to={`/chats/${one.chat}?at=${one.seq}`} onClick={onJump}>{t("why.jump")}</Link>
        </blockquote>
      ))}
      {found_in.length === 0 && quotes.map((quote) => <blockquote key={quote} className="words"><mark>{quote}</mark></blockquote>)}
      <h3>{t("why.signals")}</h3>
      <span>{signals.map((signal) => t(`signal.${signal}` as Key)).join(", ") || t("why.none")}</span>
      <h3>{t("why.model")}</h3>
      <span>{model ? [model, engine].filter(Boolean).join(" · ") : t("why.no_model")}</span>
      {waits.length > 0 && <><h3>{t("why.waits")}</h3><span>{waits.map(heard).join(" ")}</span></>}
      <p className="soft">{t("why.seen", { n: seen })}</p>
    </div>
  );
}

/** The lines a person opened: rows of a long chat come and go, what was opened stays open. */
const opened = new Set<string>();

/** An opened line is seen whole, with its buttons. */
function toggled(line: HTMLDetailsElement, id: string) {
  if (!line.open) return void opened.delete(id);
  if (!opened.has(id)) requestAnimationFrame(() => line.scrollIntoView({ block: "nearest" }));
  opened.add(id);
}

/** The quiet line at a chat's end: folded, opens to each thing. */
export function QuietLine({ line }: { line: Shapes["LearnedLine"] }) {
  const { t } = useWords();
  const waiting = line.things.filter((thing) => thing.state === "waiting").length;
  const id = line.things[0]?.record ?? "";
  return (
    <details className="quiet learned" open={opened.has(id)} onToggle={(event) => toggled(event.currentTarget, id)}>
      <summary>
        {t("learned.line", { n: line.things.length })}
        {waiting > 0 && ` · ${t("learned.waiting", { n: waiting })}`}
      </summary>
      {line.things.map((thing) => <Thing key={thing.record} thing={thing} />)}
    </details>
  );
}
