import type { QueryClient } from "@tanstack/react-query";
import type { Shapes } from "./client";

type GatewayEvent = Shapes["GatewayEvent"];

/** Follows the gateway's events: what changed is read anew, so that every tab stays in step. One
 * tab listens for all, since a browser keeps few connections to one address; when it closes, the
 * next goes on from the last event. Without locks (no secure address) each listens for itself. */
export function follow(queries: QueryClient): () => void {
  const tabs = "BroadcastChannel" in window && navigator.locks ? new BroadcastChannel("conch.events") : undefined;
  let source: EventSource | undefined;
  let last = "";
  const listen = () => {
    source = new EventSource(last ? `/api/events?after=${encodeURIComponent(last)}` : "/api/events");
    source.onmessage = (message: MessageEvent<string>) => {
      last = message.lastEventId;
      tabs?.postMessage({ id: last, data: message.data });
      take(queries, message.data);
    };
  };
  if (!tabs) {
    listen();
    return () => source?.close();
  }
  tabs.onmessage = ({ data }: MessageEvent<{ id: string; data: string }>) => {
    last = data.id;
    take(queries, data.data);
  };
  const leaving = new AbortController();
  let leave = () => {};
  const turn = () => {
    if (leaving.signal.aborted) return;
    listen();
    return new Promise<void>((resolve) => (leave = resolve));
  };
  navigator.locks.request("conch.events", { signal: leaving.signal }, turn).catch(() => {});
  return () => {
    leaving.abort();
    source?.close();
    leave();
    tabs.close();
  };
}

function take(queries: QueryClient, told: string) {
  const again = (...keys: string[]) =>
    keys.forEach((key) => void queries.invalidateQueries({ queryKey: [key] }));
  const event = JSON.parse(told) as GatewayEvent;
  switch (event.type) {
    case "chat":
      again("chats");
      void queries.invalidateQueries({ queryKey: ["chat", event.chat.id] });
      break;
    case "chat_gone":
      again("chats");
      break;
    case "learned":
      void queries.invalidateQueries({ queryKey: ["chat", event.chat] });
      break;
    case "learning":
      again("learning", "chat", "why");
      break;
    case "memory":
      again("memory", "earlier", "search-now");
      break;
    case "skills":
    case "skills.offered":
      again("skills");
      break;
    case "settings":
      again("settings", "engines", "health", "safety");
      break;
    case "reset":
      void queries.invalidateQueries();
      break;
  }
}
