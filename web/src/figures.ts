/** Figures for people: shares, times, and what plots are made of. */

import type { Schemas } from "./api/client";
import type { Speech } from "./text";

type Result = Schemas["Result"];
type Chances = Schemas["Chances"];

/** A share in per cent, as the language writes it; with a digit after the point where it matters. */
export function percent(share: number, language: string): string {
  const digits = share > 0.001 && share < 0.1 ? 1 : share > 0.99 && share < 1 ? 1 : 0;
  return share.toLocaleString(language, { style: "percent", maximumFractionDigits: digits });
}

/** The share of deals that can be won, from what is known at least to what is possible at most. */
export function span(chances: Chances, language: string): string {
  const low = percent(chances.won / chances.deals, language);
  const high = percent((chances.won + chances.undecided) / chances.deals, language);
  if (low === high) return low;
  // "60–93 %": the sign is written once.
  return `${low.replace(/\s?%$/, "")}–${high}`;
}

/** How often a game comes out, in a few words; and by sight alone, where cards are hidden. */
export function chancesInShort(chances: Chances, speech: Speech, hidden = false): string {
  if (chances.won === 0 && chances.undecided === 0) return speech.say("noneWon");
  const told = speech.say("canBeWon", { share: span(chances, speech.language) });
  if (!hidden || chances.seen_deals === 0) return told;
  const share = percent(chances.seen_won / chances.seen_deals, speech.language);
  return `${told}, ${speech.say("wonUnseen", { share })}`;
}

/** How often a game comes out, with all that is known of it. */
export function chancesAtLength(chances: Chances, speech: Speech): string[] {
  const { language } = speech;
  const told = [
    speech.say("measured", {
      deals: chances.deals.toLocaleString(language),
      share: span(chances, language),
      low: percent(chances.low, language),
      high: percent(chances.high, language),
    }),
  ];
  if (chances.seen_deals > 0) {
    const share = percent(chances.seen_won / chances.seen_deals, language);
    told.push(speech.say("measuredSeen", { deals: chances.seen_deals, share }));
  }
  return told;
}

/** Seconds as 4:05 or 1:04:05; a dash where there are none. */
export function time(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return "–";
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const last = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${last}` : `${minutes}:${last}`;
}

export interface Bin {
  from: number;
  to: number;
  count: number;
}

/** Steps that people count in. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const TIMES = [10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200];

/** Counts numbers in about `most` bins of a round width. */
export function bins(numbers: readonly number[], timely = false, most = 10): Bin[] {
  if (numbers.length === 0) return [];
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const steps = timely ? TIMES : STEPS;
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

export interface Stand {
  played: number;
  won: number;
  /** Share won of the last games. */
  share: number;
}

/** How the share of games won has gone: after each game, of the last `window`. */
export function course(results: readonly Pick<Result, "result">[], window = 20): Stand[] {
  const over = results.filter((each) => each.result !== "open");
  let won = 0;
  return over.map((each, index) => {
    won += Number(each.result === "won");
    const last = over.slice(Math.max(0, index + 1 - window), index + 1);
    const share = last.filter((one) => one.result === "won").length / last.length;
    return { played: index + 1, won, share };
  });
}

export interface Total {
  played: number;
  won: number;
  streak: number;
  best: number;
  seconds: number;
}

/** What games of all kinds come to, in the order in which they ended. */
export function total(results: readonly Result[]): Total {
  const found = { played: 0, won: 0, streak: 0, best: 0, seconds: 0 };
  for (const each of results) {
    found.seconds += each.seconds;
    if (each.result === "open") continue;
    const won = each.result === "won";
    found.played++;
    found.won += Number(won);
    found.streak = won ? Math.max(found.streak, 0) + 1 : Math.min(found.streak, 0) - 1;
    found.best = Math.max(found.best, found.streak);
  }
  return found;
}

/** Games by what the verdict on their deals was. */
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
