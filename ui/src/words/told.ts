/** The gateway's own sentences in another language. A table's keys are the sentences as the source
 * has them, with {} for what varies; a sentence it doesn't hold is shown as it came. */
export type Table = Record<string, string>;

type Template = { pattern: RegExp; says: string };

const GENERIC = 6;
const READ = /^(read|downloaded|was given|got a message from) /;
const known = new WeakMap<Table, Template[]>();

function templates(table: Table): Template[] {
  let found = known.get(table);
  if (!found) {
    const literal = (key: string) => key.replaceAll("{}", "").length;
    found = Object.entries(table)
      .filter(([key]) => key.includes("{}") && literal(key) >= GENERIC - 1)
      .sort(([one], [other]) => literal(other) - literal(one))
      .map(([key, says]) => ({ pattern: new RegExp(`^${key.split("{}").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("([\\s\\S]*?)")}$`), says }));
    known.set(table, found);
  }
  return found;
}

/** "read a.example, downloaded b.zip and 2 more" */
function list(table: Table, text: string): string {
  const parts = text.split(/(, | and )/);
  return parts.map((part, at) => (at % 2 ? (part === " and " ? " und " : part) : (whole(table, part) ?? part))).join("");
}

function whole(table: Table, text: string): string | undefined {
  const exact = table[text];
  if (exact !== undefined) return exact;
  for (const { pattern, says } of templates(table)) {
    const found = pattern.exec(text);
    if (!found) continue;
    let gap = 0;
    return says.replaceAll("{}", () => {
      const part = found[++gap] ?? "";
      const blank = part.startsWith(" ") ? " " : "";
      const words = part.trimStart();
      if (READ.test(words)) return blank + list(table, words);
      return blank + (words && told(table, words));
    });
  }
  return undefined;
}

/** What the gateway said, sentence by sentence where it isn't known as a whole. */
export function told(table: Table | undefined, text: string): string {
  if (!table || !text) return text;
  const all = whole(table, text);
  if (all !== undefined) return all;
  const sentences = text.split(/(?<=[.!?]) (?=[A-Z“])/);
  return sentences.length > 1 ? sentences.map((one) => whole(table, one) ?? one).join(" ") : text;
}
