import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, got } from "../api/client";
import { useWords, type Key } from "../words";

/** How each use of a skill went, as a small chart, and the skill beside the chat that used it last. */
export function Uses({ source, name }: { source: string; name: string }) {
  const { t, day } = useWords();
  const params = { path: { source, name } };
  const uses = useQuery({ queryKey: ["skills", "uses", source, name], queryFn: () => got(api.GET("/api/skills/{source}/{name}/uses", { params })) });
  const compare = useMutation({ mutationFn: () => got(api.GET("/api/skills/{source}/{name}/compare", { params })) });
  const came = uses.data?.uses ?? [];
  if (!came.length) return null;
  const well = came.filter((one) => one.went_well).length;
  return (
    <section>
      <h2>{t("uses.title")}</h2>
      <p>{t("uses.well", { n: well, of: came.length })}</p>
      <ol style={{ display: "flex", gap: 3, padding: 0, margin: "6px 0", listStyle: "none" }} aria-label={t("uses.title")}>
        {[...came].reverse().map((one, at) => (
          <li key={at}>
            <Link to={`/chats/${one.chat}`} title={`${one.at ? day(one.at.slice(0, 10)) : ""} · ${t(`came.${one.came}` as Key)}`} aria-label={t(`came.${one.came}` as Key)}
              style={{ display: "block", width: 12, height: one.went_well ? 24 : 12, marginTop: one.went_well ? 0 : 12, borderRadius: 3, background: one.went_well ? "var(--mantine-color-teal-6)" : "var(--mantine-color-orange-6)" }} />
          </li>
        ))}
      </ol>
      <Button size="compact-sm" variant="default" loading={compare.isPending} onClick={() => compare.mutate()}>{t("compare.press")}</Button>
      {compare.error && <p className="error" role="alert">{compare.error.message}</p>}
      {compare.data && (
        <div className="thing" role="status">
          <p className="soft">{compare.data.same ? t("compare.same") : t("compare.about")} <Link to={`/chats/${compare.data.chat}`}>{compare.data.chat_title || t("chat.untitled")}</Link></p>
          <ul>{compare.data.lines.map((one, at) => <li key={at}>{one.done ? "✓ " : "– "}{one.text} {!one.done && <span className="soft">{t("compare.not_done")}</span>}</li>)}</ul>
          {compare.data.steps.some((one) => !one.in_skill || !one.ok) && (
            <>
              <h3>{t("compare.besides")}</h3>
              <ul>{compare.data.steps.filter((one) => !one.in_skill || !one.ok).map((one, at) => <li key={at}>{one.summary} <span className="soft">{[!one.ok && t("compare.failed"), !one.in_list && t("compare.not_in_list")].filter(Boolean).join(" · ")}</span></li>)}</ul>
            </>
          )}
        </div>
      )}
    </section>
  );
}
