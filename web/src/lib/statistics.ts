/** Totals of the player's results, and the data of the charts. */

import type { Schemas } from "../api/client";

type Result = Schemas["Result"];

export interface Bin {
  from: number;
  to: number;
  count: number;
}

/** Round widths of a bin. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const TIME_STEPS = [10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200];

/** Counts numbers in at most about `most` bins of a round width; `times` are seconds. */
export function histogram(
  numbers: readonly number[],
  { times = false, most = 10 }: { times?: boolean; most?: number } = {},
): Bin[] {
  if (numbers.length === 0) return [];
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const steps = times ? TIME_STEPS : STEPS;
  const fits = (step: number): boolean =>
    Math.floor(high / step) - Math.floor(low / step) + 1 <= most;
  const step =
    steps.find(fits) ?? steps[steps.length - 1] * Math.ceil(high / steps[steps.length - 1] / most);
  const first = Math.floor(low / step);
  const found = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => ({
    from: (first + index) * step,
    to: (first + index + 1) * step,
    count: 0,
  }));
  for (const number of numbers) found[Math.floor(number / step) - first].count++;
  return found;
}

/** Whether a game was won or lost: it is over, and has more than points. */
export function isDecided(each: Pick<Result, "result">): boolean {
  return each.result === "won" || each.result === "lost";
}

export interface WinShare {
  played: number;
  won: number;
  /** The share won of the last games. */
  share: number;
}

/** The share of games won, after each game, of the last `window`. */
export function winShares(results: readonly Pick<Result, "result">[], window = 20): WinShare[] {
  const over = results.filter(isDecided);
  let won = 0;
  return over.map((each, index) => {
    won += Number(each.result === "won");
    const last = over.slice(Math.max(0, index + 1 - window), index + 1);
    const share = last.filter((one) => one.result === "won").length / last.length;
    return { played: index + 1, won, share };
  });
}

export interface Totals {
  played: number;
  /** Those that were won or lost. */
  decided: number;
  won: number;
  streak: number;
  best: number;
  seconds: number;
}

/** Totals of results, which must be in the order in which the games ended. */
export function totals(results: readonly Result[]): Totals {
  const found = { played: 0, decided: 0, won: 0, streak: 0, best: 0, seconds: 0 };
  for (const each of results) {
    found.seconds += each.seconds;
    if (each.result === "open") continue;
    found.played++;
    if (!isDecided(each)) continue;
    const won = each.result === "won";
    found.decided++;
    found.won += Number(won);
    found.streak = won ? Math.max(found.streak, 0) + 1 : Math.min(found.streak, 0) - 1;
    found.best = Math.max(found.best, found.streak);
  }
  return found;
}

/** Games by the verdict on their deals. */
export function byVerdict(
  results: readonly Result[],
): { verdict: Result["deal_verdict"]; won: number; lost: number }[] {
  return (["winnable", "unwinnable", "unknown"] as const).map((verdict) => {
    const those = results.filter((each) => each.deal_verdict === verdict);
    return {
      verdict,
      won: those.filter((each) => each.result === "won").length,
      lost: those.filter((each) => each.result === "lost").length,
    };
  });
}

/** The points of the games that are over, in the order in which they ended. */
export function pointsOf(results: readonly Pick<Result, "result" | "points">[]): number[] {
  return results.flatMap((each) =>
    each.result === "open" || each.points === null ? [] : [each.points],
  );
}
