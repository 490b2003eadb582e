import { ActionIcon, Button, Textarea } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Shapes } from "../api/client";
import { useWords } from "../words";
import { type Attached, attached, FILES_AT_MOST, type Refusal } from "./attach";
import { SlashList, useSlash } from "./Slash";

/** Where a message is written. `editing` holds the message these words will stand in for; `kept`
 * says which of its files go along again. */
export function Composer({ busy, seesImages, editing, onCancelEdit, onSend, onStop }: {
  busy: boolean; seesImages: boolean; editing: Shapes["Said"] | null; onCancelEdit: () => void;
  onSend: (words: string, files: Attached[], kept: number[]) => void; onStop?: () => void;
}) {
  const { t } = useWords();
  const [words, setWords] = useState("");
  const [files, setFiles] = useState<Attached[]>([]);
  const [kept, setKept] = useState<number[]>([]);
  const [problems, setProblems] = useState<Refusal[]>([]);
  const box = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const slash = useSlash(words, setWords);
  useEffect(() => {
    if (editing) setWords(editing.text);
    setKept(editing ? editing.files.map((_, at) => at) : []);
    box.current?.focus();
  }, [editing]);
  const attach = async (picked: File[]) => {
    const refused: Refusal[] = [];
    for (const [at, file] of picked.entries()) {
      const one = at < FILES_AT_MOST - files.length - kept.length ? await attached(file, seesImages) : { key: "chat.refused.many" as const, name: file.name };
      if ("key" in one) refused.push(one);
      else setFiles((before) => [...before, one]);
    }
    setProblems(refused);
  };
  const empty = !words.trim() && files.length + kept.length === 0;
  const clear = () => (setWords(""), setFiles([]), setProblems([]));
  const cancel = () => (clear(), onCancelEdit());
  const send = () => {
    if (busy || empty) return;
    onSend(words, files, kept);
    clear();
  };
  const chip = (key: string, name: string, drop: () => void) => (
    <span className="chip" key={key}>{name}{" "}<button type="button" aria-label={t("chat.remove", { name })} onClick={drop}>×</button></span>
  );
  return (
    <form className="composer" onSubmit={(event) => (event.preventDefault(), send())}
      onDragOver={(event) => event.preventDefault()} onDrop={(event) => (event.preventDefault(), void attach([...event.dataTransfer.files]))}>
      {editing && <div className="row soft">{t("chat.editing")}<Button size="compact-xs" variant="subtle" onClick={cancel}>{t("app.cancel")}</Button></div>}
      <div role="alert">{problems.map((one, at) => <p key={at} className="error">{t(one.key, { name: one.name })}</p>)}</div>
      <SlashList found={slash.found} now={slash.now} take={slash.take} />
      <div className="box">
        {files.length + kept.length > 0 && (
          <div className="chips">
            {kept.map((at) => chip(`kept-${at}`, editing?.files[at]?.name ?? "", () => setKept(kept.filter((other) => other !== at))))}
            {files.map((file, at) => chip(`new-${at}`, file.name, () => setFiles(files.filter((_, other) => other !== at))))}
          </div>
        )}
        <div className="row" style={{ flexWrap: "nowrap", alignItems: "flex-end" }}>
          <ActionIcon variant="subtle" size="lg" aria-label={t("chat.attach")} onClick={() => picker.current?.click()}><svg width="18" height="18" viewBox="0 0 18 18" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" aria-hidden="true"><path d="M9 3v12M3 9h12" /></svg></ActionIcon>
          <input ref={picker} type="file" multiple hidden aria-label={t("chat.attach")} onChange={(event) => (void attach([...(event.currentTarget.files ?? [])]), (event.currentTarget.value = ""))} />
          <Textarea ref={box} className="grow" style={{ flex: 1 }} variant="unstyled" autosize minRows={1} maxRows={10} aria-label={t("chat.write")} placeholder={t("chat.write")} value={words}
            {...(slash.found.length > 0 && { role: "combobox", "aria-expanded": true, "aria-controls": "slash", "aria-activedescendant": `slash-${slash.now}` })}
            onChange={(event) => setWords(event.currentTarget.value)}
            onPaste={(event) => {
              const pasted = [...event.clipboardData.files];
              if (pasted.length > 0) (event.preventDefault(), void attach(pasted));
            }}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return;
              if (!event.shiftKey && slash.onKey(event.key)) return event.preventDefault();
              if (event.key === "Enter" && !event.shiftKey) (event.preventDefault(), send());
              if (event.key === "Escape" && editing) cancel();
            }} />
          {busy ? <Button variant="default" disabled={!onStop} onClick={onStop}>{t("chat.stop")}</Button> : <Button type="submit" disabled={empty}>{t("chat.send")}</Button>}
        </div>
      </div>
    </form>
  );
}
