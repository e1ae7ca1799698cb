/** Links to a deal, or to a line of moves. */

import { read } from "../routes";
import type { Key } from "../text";

/** What a link tells; `line` is null where it tells no moves. */
export interface Shared {
  game: string;
  deal?: string;
  deck?: string;
  line: string[] | null;
}

export const MOST_MOVES = 2000;

/** Reads what stands after `?` in a link, or says what is wrong with it. */
export function parse(query: URLSearchParams): Shared | Key {
  const part = (name: string): string | undefined => query.get(name)?.trim() || undefined;
  const game = part("game");
  const deal = part("deal");
  const deck = part("deck");
  if (game === undefined) return "linkGame";
  if (deal === undefined && deck === undefined) return "linkDeal";
  if (deal !== undefined && deck !== undefined) return "linkBoth";
  const moves = (query.get("line") ?? "").split(";").map((move) => move.trim());
  const line = moves.filter((move) => move !== "");
  if (line.length > MOST_MOVES) return "linkLong";
  const cards = deal === undefined ? { deck } : { deal };
  return { game, ...cards, line: line.length > 0 ? line : null };
}

/** The link to what the server has put into words. */
export function address(query: string, here: { origin: string; pathname: string }): string {
  return `${here.origin}${here.pathname}#/share?${query}`;
}

/** The part of a text that is a link to a game, as an address of this page; null if it is none. */
export function linked(text: string): string | null {
  const found = /#\/share\?\S*/.exec(text.trim());
  if (found === null || read(found[0]).page !== "share") return null;
  return found[0];
}

/** A deal as the player types it: a number alone is one of ours. */
export function dealName(typed: string): string {
  const wanted = typed.trim().replace(/\s*:\s*/, ":");
  return /^[\d\s.,']+$/.test(wanted) ? `cadogan:${wanted.replace(/\D/g, "")}` : wanted;
}
