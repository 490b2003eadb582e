import { Button, Menu, Progress, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import { api, got, type Shapes } from "../api/client";
import { usePages } from "../api/pages";
import { Thing } from "../chat/Thing";
import { More } from "../shell/More";
import { Bar } from "../shell/Shell";
import { type Key, useWords } from "../words";
import { Earlier } from "./Earlier";
import { JustForgotten, WithUndo } from "./Gone";
import { OneMemory } from "./OneMemory";

type Kind = Shapes["MemoryItem"]["kind"];

export default function MemoryPage() {
  const { t } = useWords();
  const { hash } = useLocation();
  const [search] = useSearchParams();
  const [query, setQuery] = useState(search.get("q") ?? "");
  const [kind, setKind] = useState<Kind | "all">("all");
  const [wanted] = useDebouncedValue(query, 200);
  useEffect(() => setQuery(search.get("q") ?? ""), [search]);
  const memory = usePages(["memory", wanted, kind], (offset) =>
    got(api.GET("/api/memory", { params: { query: { query: wanted, offset, limit: 50, ...(kind === "all" ? {} : { kind }) } } })));
  const { first } = memory;
  const there = first !== undefined;
  useEffect(() => {
    if (hash && there) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash, there]);
  const counts = first?.counts;
  return (
    <>
      <Bar plain title={t("nav.memory")}><Export /></Bar>
      <div className="page"><div className="inner">
        <h1>{t("memory.title")}</h1>
        <p className="about">{t("memory.about")}</p>
        <WithUndo>
        <Week />
        {first && first.waiting.length > 0 && <Waiting title={t("memory.waiting")} items={first.waiting} />}
        {first && first.doubles.length > 0 && <Waiting title={t("memory.doubles")} items={first.doubles} />}
        {first && first.held.length > 0 && <Waiting title={t("memory.held")} items={first.held} />}
        <section aria-labelledby="all">
          <h2 id="all">{t("memory.all")}</h2>
          <div className="row" style={{ marginBottom: 10 }}>
            <TextInput className="grow" type="search" aria-label={t("memory.search")} placeholder={t("memory.search")} value={query} onChange={(event) => setQuery(event.currentTarget.value)} />
            <Select w={170} aria-label={t("memory.kind")} allowDeselect={false} value={kind} onChange={(value) => setKind((value ?? "all") as Kind | "all")}
              data={(["all", "fact", "preference", "project", "person"] as const).map((one) => ({ value: one, label: `${t(`kind.${one}`)}${one !== "all" && counts ? ` (${counts[one]})` : ""}` }))} />
          </div>
          <AddMemory />
          <JustForgotten />
          <div className="cards" style={{ marginTop: 10 }}>
            {memory.pages.flatMap((page) => page.items).map((item) => <OneMemory key={item.id} item={item} />)}
            {first?.items.length === 0 && <div className="card soft">{t(wanted ? "memory.nothing" : "memory.none")}</div>}
          </div>
          <More {...memory} />
        </section>
        </WithUndo>
        <Recent />
        <Earlier />
        <Never />
        <SearchNow />
      </div></div>
    </>
  );
}

function Waiting({ title, items }: { title: string; items: Shapes["MemoryItem"][] }) {
  return <section><h2>{title}</h2><div className="cards">{items.map((item) => <OneMemory key={item.id} item={item} />)}</div></section>;
}

function AddMemory() {
  const { t } = useWords();
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const [kind, setKind] = useState<Kind>("fact");
  const add = useMutation({
    mutationFn: () => got(api.POST("/api/memory", { body: { text, kind } })),
    onSuccess: () => {
      setText("");
      void queries.invalidateQueries({ queryKey: ["memory"] });
    },
  });
  return (
    <form className="row" onSubmit={(event) => (event.preventDefault(), add.mutate())} style={{ alignItems: "flex-end" }}>
      <TextInput className="grow" label={t("memory.add.words")} maxLength={2000} required withAsterisk={false} value={text} onChange={(event) => setText(event.currentTarget.value)} error={add.error?.message} />
      <Select w={150} label={t("memory.kind")} allowDeselect={false} value={kind} onChange={(value) => setKind((value ?? "fact") as Kind)}
        data={(["fact", "preference", "project", "person"] as const).map((one) => ({ value: one, label: t(`kind.${one}`) }))} />
      <Button type="submit" variant="light" loading={add.isPending}>{t("memory.add")}</Button>
    </form>
  );
}

function Week() {
  const { t } = useWords();
  const { data } = useQuery({ queryKey: ["learning", "week"], queryFn: () => got(api.GET("/api/learning", { params: { query: { limit: 1 } } })) });
  if (!data) return null;
  const { week, paused } = data;
  return (
    <div className="week">
      <div>{t("week.learned", { n: week.learned })}</div>
      <div className="soft">{t("week.more", { waiting: week.waiting, undone: week.undone, dropped: week.dropped })}</div>
      {paused && <div className="soft">{t(`paused.${paused.reason}`)}</div>}
    </div>
  );
}

function Recent() {
  const { t, heard, day } = useWords();
  const [show, setShow] = useState<"all" | "applied" | "waits" | "undone">("all");
  const learned = usePages(["learning", show], (offset) => got(api.GET("/api/learning", { params: { query: { show, offset, limit: 20 } } })));
  const data = learned.first;
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">{t("recent.title")}</h2>
      <SegmentedControl size="xs" aria-label={t("recent.show")} value={show} onChange={(value) => setShow(value as typeof show)}
        data={(["all", "applied", "waits", "undone"] as const).map((one) => ({ value: one, label: t(`recent.${one}`) }))} />
      <div className="cards" style={{ marginTop: 10 }}>
        {learned.pages.flatMap((page) => page.items).map((one) => (
          <div className="card" key={one.record}>
            <Thing thing={{ ...one, text: one.words_now || one.text, was: one.before_text }} extra={<>{day(one.at)} · {one.chat_title || t("chat.untitled")}</>} />
          </div>
        ))}
        {data?.items.length === 0 && <div className="card soft">{t("memory.none")}</div>}
      </div>
      <More {...learned} />
      {data && data.dropped.length > 0 && (
        <details className="quiet" style={{ marginTop: 10 }}>
          <summary>{t("recent.dropped")}: {data.dropped.reduce((sum, one) => sum + one.count, 0)}</summary>
          <ul>{data.dropped.map((one) => <li key={one.reason} className="soft">{one.count} × {heard(one.reason)}</li>)}</ul>
        </details>
      )}
      <p className="soft">{t("recent.tidy")}</p>
    </section>
  );
}

function Never() {
  const { t, day } = useWords();
  const queries = useQueryClient();
  const never = useQuery({ queryKey: ["learning", "never"], queryFn: () => got(api.GET("/api/learning/never")) });
  const remove = useMutation({
    mutationFn: (item: string) => got(api.DELETE("/api/learning/never/{item}", { params: { path: { item } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["learning"] }),
  });
  return (
    <section aria-labelledby="never">
      <h2 id="never">{t("never.title")}</h2>
      <div className="cards">
        {never.data?.items.map((item) => (
          <div className="card row" key={item.id}>
            <span className="grow words">{item.text}</span><span className="soft">{day(item.at)}</span>
            <Button size="compact-xs" variant="default" aria-label={`${t("never.remove")}: ${item.text}`} onClick={() => remove.mutate(item.id)}>{t("never.remove")}</Button>
          </div>
        ))}
        {never.data?.items.length === 0 && <div className="card soft">{t("never.none")}</div>}
      </div>
    </section>
  );
}

function SearchNow() {
  const { t } = useWords();
  const now = useQuery({ queryKey: ["search-now"], queryFn: () => got(api.GET("/api/memory/search-now")) });
  if (!now.data) return null;
  const { by_meaning, name, memories, encoded } = now.data;
  return (
    <section>
      <h2>{t("memory.how")}</h2>
      <p className="soft">{by_meaning ? t("memory.how.meaning", { name, n: memories, encoded }) : t("memory.how.words")}</p>
      {by_meaning && memories > encoded && <Progress value={(100 * encoded) / memories} aria-label={t("memory.how")} />}
    </section>
  );
}

function Export() {
  const { t } = useWords();
  return (
    <Menu position="bottom-end">
      <Menu.Target><Button size="xs" variant="default">{t("memory.export")}</Button></Menu.Target>
      <Menu.Dropdown>
        {(["markdown", "json"] as const).map((format) => (
          <Menu.Item key={format} component="a" href={`/api/memory/export?format=${format}`} download>{t((format === "json" ? "memory.export.json" : "memory.export.md") as Key)}</Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
