/** Dealing a game, with the variants played last. */

import { api } from "../api/client";
import { joinVariants, to } from "./routes";
import { app } from "./state.svelte";

/** Games whose variants are stored. */
const MAX_STORED = 100;

type Stored = Record<string, string[]>;

/** Deals a game, any deal or that of a name, at a new table and goes there. */
export function deal(game: string, name?: string): Promise<void> {
  return app.attempt(async () => {
    const table = await api.deal(name === undefined ? { game } : { game, deal: name });
    location.hash = to("table", table.id);
  });
}

/** The variants of a game that were played last and still exist. */
export function lastVariants(game: string, variants: readonly { name: string }[]): string[] {
  const stored = app.pageSetting<Stored>("variants", {})[game];
  if (!Array.isArray(stored)) return [];
  return variants.map((each) => each.name).filter((name) => stored.includes(name));
}

/** Stores the variants with which a game was played. */
export function saveVariants(game: string, variants: readonly string[]): Promise<void> {
  const stored = app.pageSetting<Stored>("variants", {});
  const entries = Object.entries(stored).filter(([name]) => name !== game);
  if (variants.length > 0) entries.push([game, [...variants]]);
  const latest = Object.fromEntries(entries.slice(-MAX_STORED));
  if (JSON.stringify(latest) === JSON.stringify(stored)) return Promise.resolve();
  return app.savePageSetting("variants", latest);
}

/** The name of a game with the variants that were played last. */
export function withLastVariants(game: {
  name: string;
  variants: readonly { name: string }[];
}): string {
  return joinVariants(game.name, lastVariants(game.name, game.variants));
}
