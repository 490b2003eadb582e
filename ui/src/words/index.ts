import { useSyncExternalStore } from "react";
import { de } from "./de";
import { en } from "./en";
import { type Table, told } from "./told";

export type Key = keyof typeof en;
export type Catalogue = { [K in Key]: (typeof en)[K] extends string ? string : { one: string; other: string } };
export type Language = "en" | "de";
type Values = Record<string, string | number>;

export const CATALOGUES: Record<Language, Catalogue> = { en, de };
let language: Language = "en";
let sentences: Table | undefined;
const listeners = new Set<() => void>();

/** The language of a tag as "de-AT", else the browser's, else English. */
export function languageOf(tag: string): Language {
  const wanted = (tag || navigator.language || "en").slice(0, 2).toLowerCase();
  return wanted === "de" ? "de" : "en";
}

/** Speak `next` from now on. The gateway's sentences in it are fetched before. */
export async function speak(next: Language): Promise<void> {
  if (next === language) return;
  sentences = next === "de" ? (await import("./told.de.json")).default : undefined;
  language = next;
  document.documentElement.lang = next;
  listeners.forEach((listener) => listener());
}

/** The words of `key` in `lang`; `{n}` picks the plural. */
export function say(lang: Language, key: Key, values: Values = {}): string {
  const entry = CATALOGUES[lang][key];
  let text: string;
  if (typeof entry === "string") text = entry;
  else text = new Intl.PluralRules(lang).select(Number(values.n)) === "one" ? entry.one : entry.other;
  return text.replace(/\{(\w+)\}/g, (gap, name: string) => String(values[name] ?? gap));
}

/** What the gateway said, in the language that is spoken. */
export function heard(text: string): string {
  return told(sentences, text);
}

export function useWords() {
  const lang = useSyncExternalStore(
    (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    () => language,
  );
  return {
    lang,
    t: (key: Key, values?: Values) => say(lang, key, values),
    heard,
    /** The words for what the gateway names by a code; its own where the catalogue has none. */
    known: (key: string, otherwise: string, values?: Values) => (key in en ? say(lang, key as Key, values) : heard(otherwise)),
    usd: (amount: number) =>
      new Intl.NumberFormat(lang, { style: "currency", currency: "USD", maximumFractionDigits: amount > 0 && amount < 0.1 ? 4 : 2 }).format(amount),
    day: (at: string) => new Intl.DateTimeFormat(lang, { dateStyle: "medium" }).format(new Date(at)),
    month: (at: string) => new Intl.DateTimeFormat(lang, { month: "long", year: "numeric" }).format(new Date(at)),
  };
}
