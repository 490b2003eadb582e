import type { QueryClient } from "@tanstack/react-query";
import type { Shapes } from "./client";

type GatewayEvent = Shapes["GatewayEvent"];

/** Follows the gateway's events: what changed is read anew, so that every tab stays in step. */
export function follow(queries: QueryClient): () => void {
  const source = new EventSource("/api/events");
  const again = (...keys: string[]) =>
    keys.forEach((key) => void queries.invalidateQueries({ queryKey: [key] }));
  source.onmessage = (message: MessageEvent<string>) => {
    const event = JSON.parse(message.data) as GatewayEvent;
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
  };
  return () => source.close();
}
