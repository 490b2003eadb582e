import { describe, expect, it } from "vitest";
import { CATALOGUES, type Key, say } from ".";

const gaps = (entry: string | { one: string; other: string }) =>
  [...new Set((typeof entry === "string" ? entry : entry.other).match(/\{\w+\}/g) ?? [])].sort();

describe("the catalogue", () => {
  const keys = Object.keys(CATALOGUES.en) as Key[];
  it("has the same keys in every language", () => {
    for (const words of Object.values(CATALOGUES)) expect(Object.keys(words).sort()).toEqual([...keys].sort());
  });
  it.each(keys)("has the same gaps in every language: %s", (key) => {
    for (const words of Object.values(CATALOGUES)) expect(gaps(words[key])).toEqual(gaps(CATALOGUES.en[key]));
  });
  it("says the spec's words", () => {
    expect(say("en", "learned.line", { n: 2 })).toBe("Learned 2 things");
    expect(say("en", "learned.line", { n: 1 })).toBe("Learned 1 thing");
    expect(say("en", "week.learned", { n: 6 })).toBe("This week Conch learned 6 things.");
    expect(say("en", "chat.quiet")).toBe("Don't learn from this chat");
    expect(say("de", "learned.line", { n: 2 })).toBe("2 Sachen gelernt");
  });
});
