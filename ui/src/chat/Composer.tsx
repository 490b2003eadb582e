import { ActionIcon, Button, Textarea } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Shapes } from "../api/client";
import { useWords } from "../words";

type File_ = Shapes["TurnAsked"]["files"] extends (infer F)[] | undefined ? F : never;
const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

async function read(file: File): Promise<File_> {
  if (!IMAGES.includes(file.type))
    return { kind: "text", name: file.name, media_type: file.type || "text/plain", text: (await file.text()).slice(0, 200_000) };
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return { kind: "image", name: file.name, media_type: file.type as "image/png", data: btoa(binary) };
}

/** Where a message is written. `editing` holds the message these words will stand in for. */
export function Composer({ busy, seesImages, editing, onCancelEdit, onSend, onStop }: {
  busy: boolean; seesImages: boolean; editing: Shapes["Said"] | null; onCancelEdit: () => void;
  onSend: (words: string, files: File_[]) => void; onStop?: () => void;
}) {
  const { t } = useWords();
  const [words, setWords] = useState("");
  const [files, setFiles] = useState<File_[]>([]);
  const [problem, setProblem] = useState("");
  const box = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (editing) setWords(editing.text);
    box.current?.focus();
  }, [editing]);
  const attach = async (picked: File[]) => {
    setProblem("");
    for (const file of picked.slice(0, 8 - files.length)) {
      if (IMAGES.includes(file.type) && (!seesImages || file.size > 5_000_000)) {
        setProblem(t("chat.no_images", { name: file.name }));
        continue;
      }
      const one = await read(file);
      setFiles((before) => [...before, one]);
    }
  };
  const send = () => {
    if (busy || (!words.trim() && files.length === 0)) return;
    onSend(words, files);
    setWords("");
    setFiles([]);
  };
  return (
    <form className="composer" onSubmit={(event) => (event.preventDefault(), send())}
      onDragOver={(event) => event.preventDefault()} onDrop={(event) => (event.preventDefault(), void attach([...event.dataTransfer.files]))}>
      {editing && <div className="row soft">{t("chat.editing")}<Button size="compact-xs" variant="subtle" onClick={() => (setWords(""), onCancelEdit())}>{t("app.cancel")}</Button></div>}
      {problem && <p className="error" role="alert">{problem}</p>}
      <div className="box">
        {files.length > 0 && (
          <div className="chips">
            {files.map((file, at) => (
              <span className="chip" key={at}>{file.name}{" "}
                <button type="button" aria-label={t("chat.remove", { name: file.name })} onClick={() => setFiles(files.filter((_, other) => other !== at))}>×</button>
              </span>
            ))}
          </div>
        )}
        <div className="row" style={{ flexWrap: "nowrap", alignItems: "flex-end" }}>
          <ActionIcon variant="subtle" size="lg" aria-label={t("chat.attach")} onClick={() => picker.current?.click()}><svg width="18" height="18" viewBox="0 0 18 18" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" aria-hidden="true"><path d="M9 3v12M3 9h12" /></svg></ActionIcon>
          <input ref={picker} type="file" multiple hidden aria-label={t("chat.attach")} onChange={(event) => (void attach([...(event.currentTarget.files ?? [])]), (event.currentTarget.value = ""))} />
          <Textarea ref={box} className="grow" style={{ flex: 1 }} variant="unstyled" autosize minRows={1} maxRows={10} aria-label={t("chat.write")} placeholder={t("chat.write")} value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) (event.preventDefault(), send());
              if (event.key === "Escape" && editing) (setWords(""), onCancelEdit());
            }} />
          {busy ? <Button variant="default" disabled={!onStop} onClick={onStop}>{t("chat.stop")}</Button> : <Button type="submit" disabled={!words.trim() && files.length === 0}>{t("chat.send")}</Button>}
        </div>
      </div>
    </form>
  );
}
