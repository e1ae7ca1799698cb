/** Links to a deal, or to a line of moves. */

import { parseRoute, routeOfAddress } from "../app/routes";
import type { Key } from "../text/messages";

/** A deal by its name or by its deck. */
export type DealSource = { deal: string } | { deck: string };

export interface SharedLink {
  game: string;
  source: DealSource;
  /** The moves; null if the link has none. */
  line: string[] | null;
}

export const MAX_MOVES = 2000;

/** Parses the query of a link, or returns the message that says what is wrong with it. */
export function parseLink(query: URLSearchParams): SharedLink | Key {
  const part = (name: string): string | undefined => query.get(name)?.trim() || undefined;
  const [game, deal, deck] = [part("game"), part("deal"), part("deck")];
  if (game === undefined) return "linkGame";
  if (deal !== undefined && deck !== undefined) return "linkBoth";
  const source = deal !== undefined ? { deal } : deck !== undefined ? { deck } : null;
  if (source === null) return "linkDeal";
  const moves = (query.get("line") ?? "").split(";").map((move) => move.trim());
  const line = moves.filter((move) => move !== "");
  if (line.length > MAX_MOVES) return "linkLong";
  return { game, source, line: line.length > 0 ? line : null };
}

/** The route in a text that is a link to a game; null if the text is none. */
export function routeOfLink(text: string): string | null {
  const found = /#\/share\?\S*/.exec(text.trim());
  if (found !== null) return parseRoute(found[0]).page === "share" ? found[0] : null;
  const address = URL.parse(text.trim());
  return address && routeOfAddress(address);
}
