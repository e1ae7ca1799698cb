/** How often the deals of a game can be won, in words. */

import type { Schemas } from "../api/client";
import type { Speech } from "../text/speech";

type Chances = Schemas["Chances"];

/** A share in per cent, as the language writes it; with a decimal where it matters. */
export function percent(share: number, language: string): string {
  const digits = share > 0.001 && share < 0.1 ? 1 : share > 0.99 && share < 1 ? 1 : 0;
  return share.toLocaleString(language, { style: "percent", maximumFractionDigits: digits });
}

/** The share of deals that can be won, from the least to the most: undecided deals count both ways. */
export function winRange(chances: Chances, language: string): string {
  const low = percent(chances.won / chances.deals, language);
  const high = percent((chances.won + chances.undecided) / chances.deals, language);
  if (low === high) return low;
  // "60–93 %": the sign is written once.
  return `${low.replace(/\s?%$/, "")}–${high}`;
}

/** The win rate in a few words; with `hidden` cards, also that of a player who does not see them. */
export function winRateSummary(chances: Chances, speech: Speech, hidden = false): string {
  if (chances.won === 0 && chances.undecided === 0) return speech.say("noneWon");
  const range = speech.say("canBeWon", { share: winRange(chances, speech.language) });
  if (!hidden || chances.seen_deals === 0) return range;
  const share = percent(chances.seen_won / chances.seen_deals, speech.language);
  return `${range}, ${speech.say("wonUnseen", { share })}`;
}

/** Everything known about the win rate, a sentence each. */
export function winRateDetails(chances: Chances, speech: Speech): string[] {
  const { language } = speech;
  const sentences = [
    speech.say("measured", {
      deals: chances.deals.toLocaleString(language),
      share: winRange(chances, language),
      low: percent(chances.low, language),
      high: percent(chances.high, language),
    }),
  ];
  if (chances.seen_deals > 0) {
    const share = percent(chances.seen_won / chances.seen_deals, language);
    sentences.push(speech.say("measuredSeen", { deals: chances.seen_deals, share }));
  }
  return sentences;
}
