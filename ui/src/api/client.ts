import createClient from "openapi-fetch";
import { heard } from "../words";
import type { components, paths } from "./schema";

export type Shapes = components["schemas"];
export type Problem = Shapes["Problem"];

/** What the gateway answered instead of doing it; `problem.now` is how a stale card stands. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super([problem.detail, problem.kept, problem.do].filter(Boolean).map(heard).join(" "));
  }
}

export const api = createClient<paths>({ baseUrl: "" });

/** The data of an answer, or a `Refused` thrown. */
export async function got<T>(
  asked: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await asked;
  if (error !== undefined || !response.ok) {
    const problem = (error ?? {}) as Partial<Problem>;
    throw new Refused({
      type: "about:blank",
      title: problem.title ?? response.statusText,
      status: response.status,
      detail: problem.detail ?? response.statusText,
      kept: problem.kept ?? "",
      do: problem.do ?? "",
      fields: problem.fields ?? [],
      now: problem.now ?? null,
    });
  }
  return data as T;
}
