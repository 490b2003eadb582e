import type { Shapes } from "../api/client";
import type { Key } from "../words";

export type Attached = NonNullable<Shapes["TurnAsked"]["files"]>[number];
export type Refusal = { key: Key; name: string };

const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
export const FILES_AT_MOST = 8;
const IMAGE_BYTES = 5_000_000;
const TEXT_CHARACTERS = 200_000;

export async function base64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}

/** A file as it is sent, or why it is not: too large, no image for this model, or neither text nor image. */
export async function attached(file: File, seesImages: boolean): Promise<Attached | Refusal> {
  const refused = (key: Key): Refusal => ({ key, name: file.name });
  if (IMAGES.includes(file.type)) {
    if (!seesImages) return refused("chat.refused.blind");
    if (file.size > IMAGE_BYTES) return refused("chat.refused.image_size");
    return { kind: "image", name: file.name, media_type: file.type as "image/png", data: await base64(file) };
  }
  if (file.size > 4 * TEXT_CHARACTERS) return refused("chat.refused.text_size");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return refused("chat.refused.kind");
  }
  if (text.includes("\0")) return refused("chat.refused.kind");
  if (text.length > TEXT_CHARACTERS) return refused("chat.refused.text_size");
  return { kind: "text", name: file.name, media_type: file.type || "text/plain", text };
}
