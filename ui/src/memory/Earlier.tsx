import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, got, type Shapes } from "../api/client";
import { usePages } from "../api/pages";
import { More } from "../shell/More";
import { useWords } from "../words";

/** What used to be true, a small timeline a subject; each copy can be forgotten. */
export function Earlier() {
  const { t, month } = useWords();
  const earlier = usePages(["earlier"], (offset) => got(api.GET("/api/memory/earlier", { params: { query: { offset, limit: 50 } } })));
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier">{t("earlier.title")}</h2>
      <p className="soft">{t("earlier.about")}</p>
      <div className="cards">
        {earlier.pages.flatMap((page) => page.items).map(({ copies, now }) => (
          <ol className="card time" key={copies[0]!.id}>
            {copies.map((copy) => <Copy key={copy.id} copy={copy} />)}
            {now && <li className="now"><span className="words">{now.text}</span> <span className="soft">{t("memory.since", { date: month(now.since) })}</span></li>}
          </ol>
        ))}
        {earlier.first?.items.length === 0 && <div className="card soft">{t("earlier.none")}</div>}
      </div>
      <More {...earlier} />
    </section>
  );
}

function Copy({ copy }: { copy: Shapes["MemoryItem"] }) {
  const { t, heard, month } = useWords();
  const queries = useQueryClient();
  const forget = useMutation({
    mutationFn: () => got(api.DELETE("/api/memory/earlier/{memory}", { params: { path: { memory: copy.id }, query: { words_hash: copy.words_hash, until: copy.invalid_at! } } })),
    onSettled: () => ["earlier", "memory", "learning"].forEach((key) => void queries.invalidateQueries({ queryKey: [key] })),
  });
  const since = month(copy.created);
  const until = copy.invalid_at ? month(copy.invalid_at) : since;
  return (
    <li>
      <div className="row">
        <span className="grow"><span className="words">{copy.text}</span> <span className="soft">{since === until ? t("memory.until", { date: until }) : t("earlier.span", { since, until })}</span></span>
        <Button size="compact-xs" variant="default" disabled={forget.isPending} aria-label={`${t("memory.forget")}: ${copy.text}`} onClick={() => forget.mutate()}>{t("memory.forget")}</Button>
      </div>
      {copy.held.map((reason) => <div key={reason} className="soft">{heard(reason)}</div>)}
      {forget.error && <div className="error" role="alert">{forget.error.message}</div>}
    </li>
  );
}
