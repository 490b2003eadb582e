import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, got } from "../api/client";
import { useWords } from "../words";

/** The person's skills that fit "/na…" while a message is nothing but that. */
export function useSlash(words: string, pick: (words: string) => void) {
  const typed = words.match(/^\/([\p{L}\p{N}-]*)$/u)?.[1]?.toLowerCase();
  const [at, setAt] = useState(0);
  const [closed, setClosed] = useState("");
  const skills = useQuery({
    queryKey: ["skills", "list", "all"],
    queryFn: () => got(api.GET("/api/skills", { params: { query: { show: "all" } } })),
    enabled: typed !== undefined,
  });
  const all = skills.data ? [...skills.data.own, ...skills.data.others].filter((one) => one.mode !== "off") : [];
  const found = typed === undefined || closed === words ? [] : all.filter((one) => one.name.startsWith(typed) || one.title.toLowerCase().includes(typed)).slice(0, 8);
  const now = found.length ? Math.min(at, found.length - 1) : 0;
  const take = (place: number) => {
    const one = found[place];
    if (one) (pick(`/${one.name} `), setAt(0));
  };
  /** True when the key was for the list. */
  const onKey = (name: string): boolean => {
    if (found.length === 0) return false;
    if (name === "ArrowDown") setAt((now + 1) % found.length);
    else if (name === "ArrowUp") setAt((now + found.length - 1) % found.length);
    else if (name === "Tab" || name === "Enter") take(now);
    else if (name === "Escape") setClosed(words);
    else return false;
    return true;
  };
  return { found, now, take, onKey };
}

/** Above the message while it begins with a slash: what can be taken, by arrows and Enter or a press. */
export function SlashList({ found, now, take }: Pick<ReturnType<typeof useSlash>, "found" | "now" | "take">) {
  const { t } = useWords();
  if (found.length === 0) return null;
  return (
    <ul className="slash" id="slash" role="listbox" aria-label={t("nav.skills")}>
      {found.map((one, place) => (
        <li key={one.id} id={`slash-${place}`} role="option" aria-selected={place === now} onMouseDown={(event) => (event.preventDefault(), take(place))}>
          <span>/{one.name}</span> <span className="soft">{one.description}</span>
        </li>
      ))}
    </ul>
  );
}
