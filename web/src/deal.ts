/** Laying out a game. */

import { api } from "./api/client";
import { join, to } from "./routes";
import { shared } from "./state.svelte";

/** Lays out a game at a new table and goes there. */
export function deal(game: string, name?: string): Promise<void> {
  return shared.attempt(async () => {
    const table = await api.deal(name ? { game, deal: name } : { game });
    location.hash = to("table", table.id);
  });
}

/** "617" is a deal of our own; "ms:617" says itself whose it is. */
export function dealName(typed: string): string {
  const name = typed.trim().replace(/^#/, "");
  return name.includes(":") ? name : `cadogan:${name.replace(/[\s.,_]/g, "")}`;
}

/** The variants that were played last of a game, as far as there still are such. */
export function usual(base: string, known: readonly { name: string }[]): string[] {
  const kept = shared.own<Record<string, string[]>>("variants", {})[base];
  if (!Array.isArray(kept)) return [];
  return known.map((each) => each.name).filter((name) => kept.includes(name));
}

/** Remembers the variants of a game; those of the last hundred games. */
export function remember(base: string, variants: readonly string[]): Promise<void> {
  const all = shared.own<Record<string, string[]>>("variants", {});
  const others = Object.entries(all).filter(([name]) => name !== base);
  const entries = variants.length > 0 ? [...others, [base, [...variants]]] : others;
  const kept: unknown = Object.fromEntries(entries.slice(-100) as [string, string[]][]);
  if (JSON.stringify(kept) === JSON.stringify(all)) return Promise.resolve();
  return shared.keepOwn("variants", kept);
}

/** A game with the variants that were played last. */
export function asUsual(game: { name: string; variants: readonly { name: string }[] }): string {
  return join(game.name, usual(game.name, game.variants));
}
