import { ActionIcon, Button, Menu, Modal, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNavigate, useParams } from "react-router";
import { api, got, type Shapes } from "../api/client";
import { Bar } from "../shell/Shell";
import { HeldTo } from "../skills/HeldTo";
import { OfferInChat } from "../skills/Offer";
import { useWords } from "../words";
import { begunIn, forgetBegun, keepBegun } from "./begun";
import { Composer } from "./Composer";
import { FilesBack } from "./FilesBack";
import { Thread } from "./Thread";
import { type Asked, useTurn } from "./useTurn";

export function ChatPage() {
  const { chat } = useParams();
  return chat ? <OneChat key={chat} id={chat} /> : <NewChat />;
}

function useEngines() {
  const engines = useQuery({ queryKey: ["engines"], queryFn: () => got(api.GET("/api/engines")) });
  return { all: engines.data?.engines ?? [], now: engines.data?.engines.find((one) => one.default) };
}

function ModelPicker() {
  const { t } = useWords();
  const queries = useQueryClient();
  const { all, now } = useEngines();
  const use = useMutation({
    mutationFn: (value: string) => {
      const [id = "", ...model] = value.split("\n");
      return got(api.POST("/api/engines/use", { body: { id, model: model.join("\n") } }));
    },
    onSettled: () => ["engines", "settings"].forEach((key) => void queries.invalidateQueries({ queryKey: [key] })),
  });
  return (
    <Select size="xs" w={170} aria-label={t("chat.model")} allowDeselect={false} searchable value={now ? `${now.id}\n${now.model}` : null} onChange={(value) => value && use.mutate(value)}
      data={all.map((one) => ({ group: one.name, items: [...new Set([one.model, ...one.models])].map((model) => ({ value: `${one.id}\n${model}`, label: model || one.name })) }))} />
  );
}

function NewChat() {
  const { t } = useWords();
  const go = useNavigate();
  const { now } = useEngines();
  const start = useMutation({
    mutationFn: async (asked: Asked) => {
      const chat = await got(api.POST("/api/chats", { body: { title: "" } }));
      keepBegun(chat.id, asked);
      return chat;
    },
    onSuccess: (chat) => go(`/chats/${chat.id}`),
  });
  return (
    <>
      <Bar title={t("chat.new")}><ModelPicker /></Bar>
      <div className="empty"><h2>{t("chat.empty")}</h2><p className="about">{t("chat.empty.about")}</p></div>
      {start.error && <p className="error composer" role="alert">{start.error.message}</p>}
      <Composer busy={start.isPending} seesImages={now?.sees_images ?? false} editing={null} onCancelEdit={() => {}}
        onSend={(words, files) => start.mutate({ words, files, edits: null, keep_files: [] })} />
    </>
  );
}

function OneChat({ id }: { id: string }) {
  const { t, heard } = useWords();
  const queries = useQueryClient();
  const { now } = useEngines();
  const [editing, setEditing] = useState<Shapes["Said"] | null>(null);
  const view = useQuery({
    queryKey: ["chat", id],
    queryFn: () => got(api.GET("/api/chats/{chat}", { params: { path: { chat: id }, query: { limit: 200 } } })),
  });
  const turn = useTurn(id, view.data?.chat.running ?? false);
  const sent = useRef(false);
  useEffect(() => {
    const first = begunIn(id);
    if (!first || !view.data) return;
    if (view.data.chat.running || view.data.entries.length > 0) forgetBegun(id);
    else if (!sent.current) {
      sent.current = true;
      void turn.send(first);
    }
  }, [id, view.data]); // eslint-disable-line
  // An answered question goes at once, not when the turn has written the answer down: pressed again it would answer nothing.
  const [answered, setAnswered] = useState<string[]>([]);
  const allow = useMutation({
    mutationFn: (body: Shapes["Allowed"]) => got(api.POST("/api/chats/{chat}/allow", { params: { path: { chat: id } }, body })),
    onSuccess: (_, { approval }) => setAnswered((before) => [...before, approval]),
    onSettled: () => queries.invalidateQueries({ queryKey: ["chat", id] }),
  });
  if (!view.data) return <><Bar title={t("chat.untitled")} /><p className="inner soft" role="status">{view.error?.message ?? t("app.loading")}</p></>;
  const { chat, asks } = view.data;
  return (
    <>
      <Bar title={chat.title || t("chat.untitled")}><ModelPicker /><ChatMenu chat={chat} /></Bar>
      <Thread view={view.data} turn={turn} onEdit={setEditing} after={!turn.busy && <OfferInChat chat={id} />} />
      <HeldTo chat={id} />
      {asks.filter((ask) => !answered.includes(ask.approval)).map((ask) => (
        <div className="composer" key={ask.approval} data-approval={ask.approval} role="group" aria-label={t("chat.asks")}>
          <div className="week" style={{ marginTop: 0 }}>
            <div>{t("chat.asks")} <strong>{ask.summary}</strong></div>
            {ask.why && <div className="soft">{heard(ask.why)}</div>}
            {ask.detail && <pre tabIndex={0} style={{ maxHeight: "40vh", overflow: "auto", whiteSpace: "pre-wrap" }}>{ask.detail}</pre>}
            <div className="row" style={{ marginTop: 8 }}>
              <Button size="xs" disabled={allow.isPending} onClick={() => allow.mutate({ approval: ask.approval, allowed: true })}>{t("chat.allow")}</Button>
              <Button size="xs" variant="default" disabled={allow.isPending} onClick={() => allow.mutate({ approval: ask.approval, allowed: false })}>{t("chat.refuse")}</Button>
            </div>
          </div>
        </div>
      ))}
      {allow.error && <p className="error composer" role="alert">{allow.error.message}</p>}
      {turn.error && <p className="error composer" role="alert">{turn.error.message}</p>}
      <Composer busy={turn.busy} seesImages={now?.sees_images ?? false} editing={editing} onCancelEdit={() => setEditing(null)} onStop={() => void turn.stop()}
        onSend={(words, files, keep_files) => { void turn.send({ words, files, edits: editing?.seq ?? null, keep_files }); setEditing(null); }} />
      <Cost id={id} />
    </>
  );
}

function Cost({ id }: { id: string }) {
  const { t, usd } = useWords();
  const cost = useQuery({
    queryKey: ["chat", id, "cost"],
    queryFn: () => got(api.GET("/api/chats/{chat}/cost", { params: { path: { chat: id } } })),
  });
  if (!cost.data) return null;
  const { replies_usd, learning_usd, unknown } = cost.data;
  return (
    <p className="soft" style={{ textAlign: "center", margin: "0 0 8px" }}>
      {t(unknown ? "chat.cost.unknown" : "chat.cost", { usd: usd(replies_usd + learning_usd) })}
      {learning_usd > 0 && `, ${t("chat.cost.learning", { usd: usd(learning_usd) })}`}
    </p>
  );
}

function ChatMenu({ chat }: { chat: Shapes["Chat"] }) {
  const { t } = useWords();
  const go = useNavigate();
  const queries = useQueryClient();
  const [open, setOpen] = useState<"rename" | "delete" | null>(null);
  const [files, setFiles] = useState<"undo" | "redo" | null>(null);
  const [title, setTitle] = useState(chat.title);
  const path = { params: { path: { chat: chat.id } } };
  const act = useMutation({
    mutationFn: async (what: "rename" | "archive" | "unarchive" | "quiet" | "delete") => {
      if (what === "rename") await got(api.POST("/api/chats/{chat}/rename", { ...path, body: { title } }));
      if (what === "archive") await got(api.POST("/api/chats/{chat}/archive", path));
      if (what === "unarchive") await got(api.POST("/api/chats/{chat}/unarchive", path));
      if (what === "quiet") await got(api.POST("/api/chats/{chat}/quiet", { ...path, body: { on: !chat.quiet } }));
      if (what === "delete") await got(api.DELETE("/api/chats/{chat}", path));
      return what;
    },
    onSuccess: (what) => {
      setOpen(null);
      void queries.invalidateQueries({ queryKey: ["chats"] });
      if (what === "delete") go("/");
      else void queries.invalidateQueries({ queryKey: ["chat", chat.id] });
    },
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target><ActionIcon variant="subtle" aria-label={t("chat.menu")}>⋯</ActionIcon></Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => (setTitle(chat.title), setOpen("rename"))}>{t("chat.rename")}</Menu.Item>
          <Menu.Item onClick={() => act.mutate("quiet")}>{t(chat.quiet ? "chat.unquiet" : "chat.quiet")}</Menu.Item>
          <Menu.Item onClick={() => act.mutate(chat.archived ? "unarchive" : "archive")}>{t(chat.archived ? "chat.unarchive" : "chat.archive")}</Menu.Item>
          <Menu.Item onClick={() => setFiles("undo")}>{t("files.undo")}</Menu.Item>
          <Menu.Item onClick={() => setFiles("redo")}>{t("files.redo")}</Menu.Item>
          <Menu.Item onClick={() => setOpen("delete")}>{t("chat.delete")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FilesBack chat={chat.id} direction={files} onClose={() => setFiles(null)} />
      <Modal opened={open === "rename"} onClose={() => setOpen(null)} title={t("chat.rename")} closeButtonProps={{ "aria-label": t("app.close") }}>
        <form onSubmit={(event) => (event.preventDefault(), act.mutate("rename"))}>
          <TextInput label={t("chat.title")} value={title} maxLength={200} required onChange={(event) => setTitle(event.currentTarget.value)} error={act.error?.message} data-autofocus />
          <Button type="submit" mt="md">{t("app.save")}</Button>
        </form>
      </Modal>
      <Modal opened={open === "delete"} onClose={() => setOpen(null)} title={t("chat.delete")} closeButtonProps={{ "aria-label": t("app.close") }}>
        <p>{t("chat.delete.sure")}</p>
        <div className="row"><Button onClick={() => act.mutate("delete")}>{t("chat.delete")}</Button><Button variant="default" onClick={() => setOpen(null)}>{t("app.cancel")}</Button></div>
      </Modal>
    </>
  );
}
