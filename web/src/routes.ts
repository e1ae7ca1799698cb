/** The addresses of the pages: what stands after `#`. */

import type { Speech } from "./text";

export interface Route {
  /** "" is the list of games. */
  page: string;
  /** What it is a page of: a game, a table. */
  name: string;
  query: URLSearchParams;
}

/** Takes an address apart; one that cannot be read is of no page. */
export function read(hash: string): Route {
  const [path, query = ""] = hash.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const [page, ...rest] = path.split("/");
  try {
    return { page, name: decodeURIComponent(rest.join("/")), query: new URLSearchParams(query) };
  } catch {
    return { page: "?", name: "", query: new URLSearchParams() };
  }
}

/** An address: `to("rules", "golf")` is `#/rules/golf`. */
export function to(page: string, name = "", query: Record<string, string> = {}): string {
  const tail = new URLSearchParams(query).toString();
  return `#/${page}${name ? `/${encodeURIComponent(name)}` : ""}${tail ? `?${tail}` : ""}`;
}

/** "klondike:draw-three+no-return" as game and variants. */
export function split(game: string): { base: string; variants: string[] } {
  const [base, variants = ""] = game.split(":");
  return { base, variants: variants.split("+").filter((each) => each !== "") };
}

/** The title of a game, and the variants it is played with. */
export function titled(title: string, game: string, speech: Pick<Speech, "variant">): string {
  const { variants } = split(game);
  if (variants.length === 0) return title;
  return `${title} (${variants.map((name) => speech.variant(name)).join(", ")})`;
}

/** Game and variants as one name. */
export function join(base: string, variants: readonly string[]): string {
  return variants.length > 0 ? `${base}:${variants.join("+")}` : base;
}
