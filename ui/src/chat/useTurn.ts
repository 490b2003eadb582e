import { useChat } from "@ai-sdk/react";
import { useQueryClient } from "@tanstack/react-query";
import { DefaultChatTransport, type UIMessage } from "ai";
import { useEffect, useMemo, useRef } from "react";
import { api, got, type Shapes } from "../api/client";

export type Turn = UIMessage<unknown, {
  step: { call: string; summary: string; ok: boolean | null; note: string };
  ask: { approval: string; summary: string; why: string; detail: string };
  ended: Record<string, unknown>;
}>;
export type Asked = Shapes["TurnAsked"] & { edits: number | null };

/** The turn that is being written in `chat`, in the AI SDK's protocol. The run is the server's:
 * a reload or a second tab listens to it again from its start. */
export function useTurn(chat: string, running: boolean) {
  const queries = useQueryClient();
  const transport = useMemo(
    () =>
      new DefaultChatTransport<Turn>({
        prepareSendMessagesRequest: ({ body }) =>
          body && "retry" in body
            ? { api: `/api/chats/${chat}/retry`, body: {} }
            : { api: `/api/chats/${chat}/turn`, body: body ?? {} },
        prepareReconnectToStreamRequest: () => ({ api: `/api/chats/${chat}/stream` }),
      }),
    [chat],
  );
  const live = useChat<Turn>({ id: chat, transport, experimental_throttle: 40 });
  const { status, setMessages, resumeStream } = live;
  const busy = status === "submitted" || status === "streaming";

  const going = useRef(false);
  going.current = busy || running;
  /** Pressed before the server has the turn, it is asked again until there is something to stop. */
  const stop = async () => {
    while (going.current) {
      const { was_running } = await got(api.POST("/api/chats/{chat}/stop", { params: { path: { chat } } }));
      if (was_running) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };

  useEffect(() => {
    if (running && !busy) void resumeStream();
  }, [running, chat]); // eslint-disable-line

  useEffect(() => {
    if (busy || live.messages.length === 0) return;
    void queries.invalidateQueries({ queryKey: ["chat", chat] }).then(() => setMessages([]));
    void queries.invalidateQueries({ queryKey: ["chats"] });
  }, [busy]); // eslint-disable-line

  const reply = live.messages.findLast((message) => message.role === "assistant");
  const said = live.messages.findLast((message) => message.role === "user");
  return {
    busy: busy || running,
    error: live.error,
    said: said?.parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    reply,
    send: (asked: Asked) => live.sendMessage({ text: asked.words }, { body: asked }),
    retry: () => live.sendMessage({ text: "" }, { body: { retry: true } }),
    stop,
  };
}
