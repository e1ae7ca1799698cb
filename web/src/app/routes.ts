/** The addresses of the pages: the part after `#`. */

import type { Speech } from "../text/speech";

export interface Route {
  /** "" is the list of games. */
  page: string;
  /** The game or the table that the page shows. */
  name: string;
  query: URLSearchParams;
}

/** Pages of something that the server names by a key, and what a key looks like. */
const WITH_KEY = ["table", "replay", "review", "challenge"];
const KEY = /^[a-z0-9]{16}$/;

/** Splits an address; one that is malformed leads to the page "?". */
export function parseRoute(hash: string): Route {
  const [path, query = ""] = hash.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const [page, ...rest] = path.split("/");
  try {
    const name = decodeURIComponent(rest.join("/"));
    const isWrong = WITH_KEY.includes(page) && name !== "" && !KEY.test(name);
    return { page: isWrong ? "?" : page, name, query: new URLSearchParams(query) };
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

/** Links for others have addresses of their own, so that the server can give a preview of them. */
const PATHS: Record<string, string> = { c: "challenge", w: "watch", s: "share" };

/** A link for others: `linkTo("challenge", "k3v9")` is `http://host/c/k3v9`. */
export function linkTo(page: string, name = "", query = "", language = "en"): string {
  const [start] = Object.entries(PATHS).find(([, each]) => each === page)!;
  const parts = [query, language === "en" ? "" : `lang=${language}`].filter((part) => part !== "");
  const tail = parts.length > 0 ? `?${parts.join("&")}` : "";
  return `${location.origin}/${start}${name ? `/${encodeURIComponent(name)}` : ""}${tail}`;
}

/** The part after `#` for the address of a link; null if it is none of these. */
export function routeOfAddress(address: URL): string | null {
  const [, start = "", name = "", ...rest] = address.pathname.split("/");
  const page = PATHS[start];
  if (page === undefined || rest.length > 0 || (page === "share") !== (name === "")) return null;
  return `#/${page}${page === "share" ? address.search : `/${name}`}`;
}

/** The first route of the page; the address becomes one with `#`. */
export function firstRoute(): string {
  const hash = location.hash || routeOfAddress(new URL(location.href)) || "";
  if (location.pathname !== "/") history.replaceState(null, "", `/${hash}`);
  return hash;
}
