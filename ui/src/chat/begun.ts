import type { Asked } from "./useTurn";

/** The first words of a chat just begun, until the server has them: a reload on the way to the
 * chat's page must not lose them. Files too large for the tab's storage last until the reload. */
const here = new Map<string, Asked>();
const key = (chat: string) => `begun.${chat}`;

export function keepBegun(chat: string, asked: Asked) {
  here.set(chat, asked);
  try {
    sessionStorage.setItem(key(chat), JSON.stringify(asked));
  } catch {
    // Full or switched off.
  }
}

export function begunIn(chat: string): Asked | undefined {
  const held = here.get(chat);
  if (held) return held;
  try {
    const kept = sessionStorage.getItem(key(chat));
    return kept === null ? undefined : (JSON.parse(kept) as Asked);
  } catch {
    return undefined;
  }
}

export function forgetBegun(chat: string) {
  here.delete(chat);
  try {
    sessionStorage.removeItem(key(chat));
  } catch {
    // Switched off: nothing is there.
  }
}
