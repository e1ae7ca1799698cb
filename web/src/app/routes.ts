/** The addresses of the pages: the part after `#`. */

import type { Speech } from "../text/speech";

export interface Route {
  /** "" is the list of games. */
  page: string;
  /** The game or the table that the page shows. */
  name: string;
  query: URLSearchParams;
}

/** Splits an address; one that is malformed leads to the page "?". */
export function parseRoute(hash: string): Route {
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
export function splitVariants(game: string): { base: string; variants: string[] } {
  const [base, variants = ""] = game.split(":");
  return { base, variants: variants.split("+").filter((each) => each !== "") };
}

/** The title of a game, with its variants in brackets. */
export function titleWithVariants(
  title: string,
  game: string,
  speech: Pick<Speech, "variant">,
): string {
  const { variants } = splitVariants(game);
  if (variants.length === 0) return title;
  return `${title} (${variants.map((name) => speech.variant(name)).join(", ")})`;
}

/** Game and variants as one name. */
export function joinVariants(base: string, variants: readonly string[]): string {
  return variants.length > 0 ? `${base}:${variants.join("+")}` : base;
}
