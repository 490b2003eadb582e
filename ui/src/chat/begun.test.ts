import { beforeEach, expect, test, vi } from "vitest";

const asked = { words: "count to 12", files: [], edits: null, keep_files: [] };
let kept: Map<string, string>;

beforeEach(() => {
  kept = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.resetModules();
});

test("the first words outlast a reload, until the server has them", async () => {
  (await import("./begun")).keepBegun("c_1", asked);
  vi.resetModules();
  const reloaded = await import("./begun");
  expect(reloaded.begunIn("c_1")).toEqual(asked);
  expect(reloaded.begunIn("c_2")).toBeUndefined();
  reloaded.forgetBegun("c_1");
  expect(reloaded.begunIn("c_1")).toBeUndefined();
});

test("without room they last until the reload", async () => {
  vi.stubGlobal("sessionStorage", {
    getItem: () => null,
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
    removeItem: () => {},
  });
  const begun = await import("./begun");
  begun.keepBegun("c_1", asked);
  expect(begun.begunIn("c_1")).toEqual(asked);
});

test("what cannot be read is nothing", async () => {
  kept.set("begun.c_1", "{half");
  expect((await import("./begun")).begunIn("c_1")).toBeUndefined();
});
