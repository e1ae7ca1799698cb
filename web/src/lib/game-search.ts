/** Searching the list of games by name, and filtering it. */

import type { Schemas } from "../api/client";

type Summary = Schemas["GameSummary"];

export type Level = "easy" | "middling" | "hard" | "unknown";
export type Sort = "family" | "name" | "played" | "easy" | "hard";

export interface GameFilter {
  text: string;
  which: "all" | "favourites" | "own" | "new";
  packs: "any" | "1" | "2" | "more";
  cards: "any" | "open" | "hidden";
  level: "any" | Level;
  /** The name of a family, or "any". */
  family: string;
}

export const NO_FILTER: GameFilter = {
  text: "",
  which: "all",
  packs: "any",
  cards: "any",
  level: "any",
  family: "any",
};

const UMLAUTS: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue" };

/**
 * A text in lower case without accents and punctuation. Umlauts become their base letters or, if
 * `spelledOut`, two letters: "ü" becomes "u" or "ue".
 */
export function fold(text: string, spelledOut = false): string {
  let low = text.toLowerCase().normalize("NFC").replaceAll("ß", "ss");
  if (spelledOut) low = low.replace(/[äöü]/g, (letter) => UMLAUTS[letter]);
  return low
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Whether one of the names or other titles of a game contains every word that was typed. */
export function matchesName(
  game: Pick<Summary, "name" | "title" | "names" | "aliases">,
  typed: string,
): boolean {
  const words = fold(typed).split(" ");
  const names = [game.name, game.title, ...Object.values(game.names), ...game.aliases];
  const texts = names.flatMap((name) => [fold(name), fold(name, true)]);
  const spelledOut = fold(typed, true).split(" ");
  return texts.some(
    (text) =>
      words.every((word) => text.includes(word)) || spelledOut.every((word) => text.includes(word)),
  );
}

/** A game that is lost less often than one time in six is easy; one lost half the time is hard. */
const EASY = 1 / 6;
const HARD = 1 / 2;

/** How hard a game is, in three levels; its difficulty is the share of deals a player loses. */
export function level(difficulty: number | null | undefined): Level {
  if (difficulty === null || difficulty === undefined) return "unknown";
  return difficulty < EASY ? "easy" : difficulty < HARD ? "middling" : "hard";
}

/** The games that pass a filter, sorted; sorted by name, favourites come first. */
export function findGames(games: readonly Summary[], filter: GameFilter, sort: Sort): Summary[] {
  const found = games.filter(
    (game) =>
      matchesName(game, filter.text) &&
      (filter.which === "all" ||
        (filter.which === "favourites" && game.favourite) ||
        (filter.which === "own" && game.origin === "upload") ||
        (filter.which === "new" && !game.last_played)) &&
      (filter.packs === "any" ||
        (filter.packs === "more" ? game.packs > 2 : game.packs === Number(filter.packs))) &&
      (filter.cards === "any" || game.open === (filter.cards === "open")) &&
      (filter.family === "any" || game.family.name === filter.family) &&
      (filter.level === "any" || level(game.difficulty) === filter.level),
  );
  const byName = (a: Summary, b: Summary): number => a.title.localeCompare(b.title);
  const orders: Record<Sort, (a: Summary, b: Summary) => number> = {
    family: (a, b) => a.family.place - b.family.place || byName(a, b),
    name: (a, b) => Number(b.favourite) - Number(a.favourite) || byName(a, b),
    played: (a, b) => (b.last_played ?? "").localeCompare(a.last_played ?? "") || byName(a, b),
    easy: (a, b) => (a.difficulty ?? 9) - (b.difficulty ?? 9) || byName(a, b),
    hard: (a, b) => (b.difficulty ?? -9) - (a.difficulty ?? -9) || byName(a, b),
  };
  return found.sort(orders[sort]);
}

export interface Shelf {
  name: string;
  title: string;
  games: Summary[];
}

/** Games in the order of their families, as one shelf for each family. */
export function shelves(games: readonly Summary[]): Shelf[] {
  const found: Shelf[] = [];
  for (const game of games) {
    const { name, title } = game.family;
    if (found.at(-1)?.name !== name) found.push({ name, title, games: [] });
    found.at(-1)!.games.push(game);
  }
  return found;
}

/** The other title of a game that a text finds, if its own titles do not have it. */
export function foundAlias(game: Summary, typed: string): string | undefined {
  if (!fold(typed) || matchesName({ ...game, aliases: [] }, typed)) return undefined;
  return game.aliases.find((alias) =>
    matchesName({ name: "", title: alias, names: {}, aliases: [] }, typed),
  );
}

/**
 * The game of the day: the same for everybody with the same games, each day another one. Games that
 * hardly ever come out are left out.
 */
export function gameOfTheDay(games: readonly Summary[], day: Date): Summary | undefined {
  const known = games
    .filter((game) => game.origin === "catalogue" && (game.chances?.low ?? 0) >= 0.2)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const number = Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()) / 86_400_000;
  // A step that shares no divisor with their number visits all of them.
  let step = Math.floor(known.length * 0.618) + 1;
  while (divisor(step, known.length) > 1) step += 1;
  return known[(number * step) % known.length];
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other);
}
