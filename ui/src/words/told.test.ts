import { expect, test } from "vitest";
import table from "./told.de.json";
import { told } from "./told";

const german = (text: string) => told(table, text);

test.each([
  ["Nothing changed.", "Nichts wurde geändert."],
  ["The words changed since you saw them. Nothing changed. Look at them again and press once more.", "Die Wörter haben sich geändert, seit du sie gesehen hast. Nichts wurde geändert. Sieh noch einmal hin und drück noch einmal."],
  ["Learned in a chat that read a.example, downloaded b.zip and 2 more.", "In einem Chat gelernt, nach: a.example gelesen, b.zip heruntergeladen und 2 weitere."],
  ["Learned in a chat that was given notes.md.", "In einem Chat gelernt, nach: notes.md erhalten."],
  ['It would replace what you wrote: "Lives in Berlin. Loves it.".', "Es würde ersetzen, was du geschrieben hast: „Lives in Berlin. Loves it.“."],
  ["OpenAI needs a key.", "OpenAI braucht einen Schlüssel."],
  ["Your own words, untouched.", "Your own words, untouched."],
])("%s", (english, expected) => expect(german(english)).toBe(expected));

test("in English nothing changes", () => expect(told(undefined, "Nothing changed.")).toBe("Nothing changed."));

test.each(Object.entries(table))("as many gaps: %s", (english, words) => {
  const gaps = (text: string) => text.split("{}").length - 1;
  expect(gaps(words)).toBeLessThanOrEqual(gaps(english));
});
