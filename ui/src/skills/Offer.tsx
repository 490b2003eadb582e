import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { api, got, type Shapes } from "../api/client";
import { Markdown } from "../chat/Markdown";
import { useWords } from "../words";
import { MayDo } from "./MayDo";

/** A draft from work that went well: looked at here, and saved as it is shown. */
export function Offer({ offer, inChat = false }: { offer: Shapes["OfferItem"]; inChat?: boolean }) {
  const { t } = useWords();
  const go = useNavigate();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const path = { params: { path: { offer: offer.id } } };
  const answer = useMutation({
    mutationFn: async (what: "save" | "not-now" | "never") => {
      if (what === "save") return got(api.POST("/api/skills/suggestions/{offer}/save", { ...path, body: { words_hash: offer.words_hash } }));
      if (what === "not-now") await got(api.POST("/api/skills/suggestions/{offer}/not-now", path));
      else await got(api.POST("/api/skills/suggestions/{offer}/never", path));
      return null;
    },
    onSuccess: (skill) => skill && go(`/skills/${skill.source}/${encodeURIComponent(skill.name)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: ["skills"] }),
  });
  return (
    <div className={inChat ? "learned" : "card"} data-offer={offer.id}>
      <div className={inChat ? "soft" : undefined}>
        {inChat ? t("offer.line", { n: offer.steps }) : offer.signal === "habit" ? t("offer.habit", { n: offer.chats, title: offer.title }) : t("offer.from", { chat: offer.chat_title || t("chat.untitled"), title: offer.title })}
        {!inChat && offer.chat_there && <> <Link className="soft" to={`/chats/${offer.chat}`}>{t("why.jump")}</Link></>}
      </div>
      {offer.note && <div className="soft">{offer.note}</div>}
      {open && (
        <div className="thing">
          <strong>{offer.title}</strong>
          <p className="soft" style={{ margin: "2px 0 8px" }}>{offer.description}</p>
          <Markdown text={offer.instructions} />
          <MayDo may={offer.may} />
          <Button size="compact-sm" loading={answer.isPending} onClick={() => answer.mutate("save")}>{t("offer.save")}</Button>{" "}
          <Button size="compact-sm" variant="default" component={Link} to={`/skills/new?offer=${offer.id}`}>{t("offer.change")}</Button>
        </div>
      )}
      <div className="row" style={{ marginTop: 4 }}>
        <Button size="compact-xs" variant="default" aria-expanded={open} onClick={() => setOpen(!open)}>{t(open ? "offer.close" : "offer.look")}</Button>
        <Button size="compact-xs" variant="subtle" onClick={() => answer.mutate("not-now")}>{t("offer.not_now")}</Button>
        <Button size="compact-xs" variant="subtle" onClick={() => answer.mutate("never")}>{t("offer.never")}</Button>
      </div>
      {answer.error && <div role="alert" className="error">{answer.error.message}</div>}
    </div>
  );
}

/** The offers that wait; with `chat` those it earned. */
export function useOffers(chat = "") {
  return useQuery({
    queryKey: ["skills", "offers", chat],
    queryFn: () => got(api.GET("/api/skills/suggestions/work", { params: { query: { chat } } })),
  });
}

/** Drafts from habits: the same asked for in several chats. */
export function useHabits() {
  return useQuery({ queryKey: ["skills", "habits"], queryFn: () => got(api.GET("/api/skills/suggestions")) });
}

/** Under the reply that earned it, until the person writes again. */
export function OfferInChat({ chat }: { chat: string }) {
  const offer = useOffers(chat).data?.offers.find((one) => !one.written_since);
  return offer ? <div className="one"><Offer offer={offer} inChat /></div> : null;
}
