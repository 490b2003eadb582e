import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from "@mantine/spotlight";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { api, got } from "../api/client";
import { useOffers } from "../skills/Offer";
import { useWords } from "../words";

/** ⌘K: chats, memories, pages, settings and the commands of spec 0088 §9 by their names. */
export function Palette() {
  const { t } = useWords();
  const go = useNavigate();
  const at = useLocation();
  const queries = useQueryClient();
  const [query, setQuery] = useState("");
  const id = at.pathname.match(/^\/chats\/(.+)$/)?.[1] ?? "";
  const asked = query.trim();
  const chats = useQuery({
    queryKey: ["chats", "find", asked],
    queryFn: () => got(api.GET("/api/chats", { params: { query: { query: asked, limit: 20 } } })),
    placeholderData: (before) => before,
  });
  const memories = useQuery({
    queryKey: ["memory", "find", asked],
    queryFn: () => got(api.GET("/api/memory", { params: { query: { query: asked, limit: 20 } } })),
    placeholderData: (before) => before,
  });
  const here = useQuery({
    queryKey: ["chat", id, "head"],
    queryFn: () => got(api.GET("/api/chats/{chat}", { params: { path: { chat: id }, query: { limit: 1 } } })),
    enabled: id !== "",
  });
  const offers = useOffers(id || "-");
  const to = (id: string, label: string, path: string): SpotlightActionData => ({ id, label, onClick: () => go(path) });
  const commands: SpotlightActionData[] = [
    to("learned", t("find.learned"), "/memory#recent"),
    ...(here.data
      ? [{
          id: "quiet",
          label: t(here.data.chat.quiet ? "chat.unquiet" : "chat.quiet"),
          onClick: async () => {
            await got(api.POST("/api/chats/{chat}/quiet", { params: { path: { chat: id } }, body: { on: !here.data.chat.quiet } }));
            void queries.invalidateQueries({ queryKey: ["chat", id] });
          },
        }]
      : []),
    ...(offers.data?.offers.length ? [to("offer", t("offer.save"), `/skills/new?offer=${offers.data.offers[0]!.id}`)] : []),
    { ...to("off", t("find.off"), "/skills?show=off"), keywords: ["archived"] },
    to("spend", t("find.spend"), "/settings#spend"),
    to("never", t("find.never"), "/memory#never"),
  ];
  const actions: SpotlightActionGroupData[] = [
    { group: t("find.commands"), actions: commands },
    { group: t("find.pages"), actions: [to("new", t("chat.new"), "/"), to("memory", t("nav.memory"), "/memory"), to("skills", t("nav.skills"), "/skills"), to("skill-new", t("skill.new"), "/skills/new"), to("settings", t("nav.settings"), "/settings"), to("health", t("nav.health"), "/health")] },
    { group: t("find.settings"), actions: [to("s-learn", t("settings.learn"), "/settings#learning"), to("s-engines", t("settings.engines"), "/settings#engines"), to("s-safety", t("settings.safety"), "/settings#safety"), to("s-profile", t("settings.profile"), "/settings#profile")] },
    { group: t("find.chats"), actions: (chats.data?.chats ?? []).map((chat) => ({ ...to(`chat-${chat.id}`, chat.title || t("chat.untitled"), `/chats/${chat.id}`), keywords: chats.isPlaceholderData ? [] : [asked], description: chat.snippet || undefined })) },
    { group: t("find.memories"), actions: (memories.data?.items ?? []).map((one) => ({ ...to(`memory-${one.id}`, one.text, `/memory?q=${encodeURIComponent(one.text)}`), keywords: memories.isPlaceholderData ? [] : [asked] })) },
  ];
  return (
    <Spotlight actions={actions} shortcut={["mod + K"]} tagsToIgnore={[]} triggerOnContentEditable query={query} onQueryChange={setQuery} scrollable maxHeight={420} highlightQuery
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }} nothingFound={t("find.nothing")} searchProps={{ placeholder: t("nav.search"), "aria-label": t("nav.search") }} />
  );
}
