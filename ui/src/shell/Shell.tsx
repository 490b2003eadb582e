import { ActionIcon, Button, SegmentedControl, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { spotlight } from "@mantine/spotlight";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { NavLink, useLocation, useNavigate } from "react-router";
import { api, got } from "../api/client";
import { usePages } from "../api/pages";
import { useWords } from "../words";
import { More } from "./More";
import { Palette } from "./Palette";

const MAC = /Mac|iPhone|iPad/.test(navigator.platform);

const OpenSide = createContext<() => void>(() => {});

/** The bar on top of a page: the menu on phones, a title, and what belongs to the page. `plain`:
 * the page says its title itself. */
export function Bar({ title, plain = false, children }: { title: string; plain?: boolean; children?: ReactNode }) {
  const { t } = useWords();
  const open = useContext(OpenSide);
  useEffect(() => {
    document.title = `${title} · Conch`;
  }, [title]);
  return (
    <header className={plain ? "bar plain" : "bar"}>
      <ActionIcon className="only-phone" variant="subtle" aria-label={t("app.menu")} onClick={open}>☰</ActionIcon>
      {!plain && <h1>{title}</h1>}
      {children}
    </header>
  );
}

export function Shell({ children }: { children: ReactNode }) {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  const [archived, setArchived] = useState(false);
  const [wanted] = useDebouncedValue(query, 200);
  const at = useLocation();
  const go = useNavigate();
  const chats = usePages(["chats", wanted, archived], (offset) => got(api.GET("/api/chats", { params: { query: { query: wanted, archived, offset, limit: 50 } } })));
  useEffect(() => setOpen(false), [at]);
  useEffect(() => {
    const escape = (event: KeyboardEvent) => event.key === "Escape" && setOpen(false);
    window.addEventListener("keydown", escape);
    return () => window.removeEventListener("keydown", escape);
  }, []);
  return (
    <OpenSide.Provider value={() => setOpen(true)}>
      <a className="skip" href="#main">{t("app.skip")}</a>
      <div className="shell">
        <button type="button" className={open ? "veil open" : "veil"} aria-label={t("app.close")} onClick={() => setOpen(false)} />
        <nav className={open ? "side open" : "side"} aria-label={t("nav.chats")}>
          <div className="brand"><img src="/conch.svg" alt="" width="22" height="22" />Conch</div>
          <Button variant="light" onClick={() => go("/")}>{t("chat.new")}</Button>
          <TextInput type="search" size="xs" aria-label={t("chat.search")} placeholder={t("chat.search")} value={query} onChange={(event) => setQuery(event.currentTarget.value)} />
          <SegmentedControl size="xs" aria-label={t("nav.chats")} value={archived ? "archived" : "current"} onChange={(value) => setArchived(value === "archived")}
            data={[{ value: "current", label: t("chat.current") }, { value: "archived", label: t("chat.archived") }]} />
          <ul className="list">
            {chats.pages.flatMap((page) => page.chats).map((chat) => (
              <li key={chat.id}>
                <NavLink to={`/chats/${chat.id}${chat.seq ? `?at=${chat.seq}` : ""}`}>
                  {chat.title || t("chat.untitled")}
                  {chat.snippet && <small>{chat.snippet}</small>}
                </NavLink>
              </li>
            ))}
            {chats.first?.chats.length === 0 && <li className="soft" style={{ padding: 10 }}>{t(wanted ? "chat.nothing" : "chat.none")}</li>}
            {chats.more && <li><More {...chats} /></li>}
          </ul>
          <div className="nav">
            <Button fullWidth size="xs" variant="default" justify="space-between" rightSection={<kbd>{MAC ? "⌘K" : "Ctrl K"}</kbd>} onClick={() => spotlight.open()}>{t("nav.search")}</Button>
            <NavLink to="/memory">{t("nav.memory")}</NavLink>
            <NavLink to="/skills">{t("nav.skills")}</NavLink>
            <NavLink to="/settings">{t("nav.settings")}</NavLink>
            <NavLink to="/health">{t("nav.health")}</NavLink>
          </div>
        </nav>
        <main className="main" id="main" tabIndex={-1}>{children}</main>
      </div>
      <Palette />
    </OpenSide.Provider>
  );
}
