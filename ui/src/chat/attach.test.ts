import { expect, test } from "vitest";
import { attached } from "./attach";

const file = (bytes: BlobPart, name: string, type = "") => new File([bytes], name, { type });

test("a text file goes as its words", async () => {
  expect(await attached(file("Ship on Friday.", "notes.md", "text/markdown"), false)).toEqual({ kind: "text", name: "notes.md", media_type: "text/markdown", text: "Ship on Friday." });
});

test("an image goes as its bytes where the model can see", async () => {
  expect(await attached(file(new Uint8Array([1, 2, 3]), "a.png", "image/png"), true)).toMatchObject({ kind: "image", data: btoa("\u0001\u0002\u0003") });
});

test.each([
  ["a model that can't see", file(new Uint8Array([1]), "a.png", "image/png"), false, "chat.refused.blind"],
  ["an image that is too large", file(new Uint8Array(5_000_001), "a.png", "image/png"), true, "chat.refused.image_size"],
  ["a text that is too long", file("a".repeat(200_001), "a.txt", "text/plain"), true, "chat.refused.text_size"],
  ["neither text nor image", file(new Uint8Array([0x25, 0x50, 0xff, 0xfe]), "a.pdf", "application/pdf"), true, "chat.refused.kind"],
  ["zeros in it", file("a\0b", "a.bin"), true, "chat.refused.kind"],
])("refused, and says why: %s", async (_, given, sees, key) => {
  expect(await attached(given, sees)).toEqual({ key, name: given.name });
});
