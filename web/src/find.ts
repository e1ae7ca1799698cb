/** Finding games in the list: by letters as one types, and by what kind of game is wanted. */

import type { Schemas } from "./api/client";

type Summary = Schemas["GameSummary"];

export type Level = "easy" | "middling" | "hard" | "unknown";
export type Sort = "name" | "played" | "easy" | "hard";

export interface Wanted {
  sought: string;
  which: "all" | "favourites" | "own" | "new";
  packs: "any" | "1" | "2" | "more";
  cards: "any" | "open" | "hidden";
  level: "any" | Level;
}

export const anything: Wanted = {
  sought: "",
  which: "all",
  packs: "any",
  cards: "any",
  level: "any",
};

const UMLAUTS: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue" };

/** A word without capitals, accents and signs; umlauts as base letters, or written out. */
export function fold(text: string, written = false): string {
  let low = text.toLowerCase().normalize("NFC").replaceAll("ß", "ss");
  if (written) low = low.replace(/[äöü]/g, (letter) => UMLAUTS[letter]);
  return low
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Whether all that is sought, word by word, begins a word of a name or stands within one. */
export function named(game: Pick<Summary, "name" | "title" | "names">, sought: string): boolean {
  const words = fold(sought).split(" ");
  const names = [game.name, game.title, ...Object.values(game.names)];
  const texts = names.flatMap((name) => [fold(name), fold(name, true)]);
  const written = fold(sought, true).split(" ");
  return texts.some(
    (text) =>
      words.every((word) => text.includes(word)) || written.every((word) => text.includes(word)),
  );
}

/** What is lost less often than one time in six is easy; hard is what is lost more often than not. */
const EASY = 1 / 6;
const HARD = 1 / 2;

/** How hard a game is, in three steps; its difficulty is the share that a player loses. */
export function level(difficulty: number | null | undefined): Level {
  if (difficulty === null || difficulty === undefined) return "unknown";
  return difficulty < EASY ? "easy" : difficulty < HARD ? "middling" : "hard";
}

/** The games that are wanted, in the order that is wanted; favourites come first in order of name. */
export function find(games: readonly Summary[], wanted: Wanted, sort: Sort): Summary[] {
  const kept = games.filter(
    (game) =>
      named(game, wanted.sought) &&
      (wanted.which === "all" ||
        (wanted.which === "favourites" && game.favourite) ||
        (wanted.which === "own" && game.origin === "upload") ||
        (wanted.which === "new" && !game.last_played)) &&
      (wanted.packs === "any" ||
        (wanted.packs === "more" ? game.packs > 2 : game.packs === Number(wanted.packs))) &&
      (wanted.cards === "any" || game.open === (wanted.cards === "open")) &&
      (wanted.level === "any" || level(game.difficulty) === wanted.level),
  );
  const byName = (a: Summary, b: Summary): number => a.title.localeCompare(b.title);
  const orders: Record<Sort, (a: Summary, b: Summary) => number> = {
    name: (a, b) => Number(b.favourite) - Number(a.favourite) || byName(a, b),
    played: (a, b) => (b.last_played ?? "").localeCompare(a.last_played ?? "") || byName(a, b),
    easy: (a, b) => (a.difficulty ?? 9) - (b.difficulty ?? 9) || byName(a, b),
    hard: (a, b) => (b.difficulty ?? -9) - (a.difficulty ?? -9) || byName(a, b),
  };
  return kept.sort(orders[sort]);
}

/** The variants in force when one is turned on or off: it puts those out that it excludes. */
export function turned(
  variants: readonly Schemas["Variant"][],
  chosen: readonly string[],
  name: string,
  on: boolean,
): string[] {
  const out = variants.find((each) => each.name === name)?.excludes ?? [];
  const names = variants.map((each) => each.name);
  if (!on) return names.filter((each) => chosen.includes(each) && each !== name);
  return names.filter(
    (each) =>
      each === name || (chosen.includes(each) && !out.some((other) => other.variant === each)),
  );
}

/** Of variants that were chosen those that go together; of two that do not, the later one. */
export function together(
  variants: readonly Schemas["Variant"][],
  chosen: readonly string[],
): string[] {
  return chosen.reduce<string[]>((kept, name) => turned(variants, kept, name, true), []);
}

/** Why a variant cannot be chosen with those that are; undefined if it can. */
export function excluded(
  variant: Schemas["Variant"],
  chosen: readonly string[],
): Schemas["Exclusion"] | undefined {
  if (chosen.includes(variant.name)) return undefined;
  return variant.excludes.find((each) => chosen.includes(each.variant));
}
