/** Moves in words: on buttons, in lists, and for screen readers. */

import type { Schemas } from "../api/client";
import { cardSymbol } from "../board/card";
import type { Key } from "../text/messages";
import type { Speech } from "../text/speech";

type Step = Schemas["Step"];

/** The usual words of rules files for moves without a choice. */
const WORDS: Record<string, Key> = {
  deal: "wordDeal",
  turn: "wordTurn",
  redeal: "wordRedeal",
  gather: "wordGather",
};

/** The label of a move that is a single word; unknown words are capitalized. */
export function wordLabel(speech: Speech, text: string, left: number | null = null): string {
  const key = WORDS[text];
  const plain = text.replaceAll("-", " ");
  const word = key ? speech.say(key) : plain.charAt(0).toUpperCase() + plain.slice(1);
  return left === null ? word : speech.say("wordLeft", { word, number: left });
}

/** How often a move that is a single word may still be made; null without a limit. */
export function movesLeft(limits: Schemas["Limit"][], move: Schemas["Move"]): number | null {
  const found = limits.find((limit) => limit.rule === move.rule);
  return found?.left ?? null;
}

/** A move in a list: "9♥ garden 2 → garden 5". */
export function moveLabel(speech: Speech, text: string, cards: readonly string[]): string {
  const transfers = text
    .replace(/ #\d+$/, "")
    .split(" + ")
    .map((part) => part.split(" > "));
  if (transfers.some((ends) => ends.length !== 2)) {
    return text in WORDS || !/[.<>]/.test(text) ? wordLabel(speech, text) : speech.name(text);
  }
  const parts = transfers
    .map((ends) => ends.map((pile) => speech.name(pile)).join(" → "))
    .join(", ");
  const shown = cards.filter((card) => card !== "*" && card !== "-").map(cardSymbol);
  if (shown.length === 0) return parts;
  const few = shown.length > 3 ? [shown[0], "…", shown[shown.length - 1]] : shown;
  return `${few.join(" ")} ${parts}`;
}

/** A step of a move, for screen readers. */
export function stepSentence(speech: Speech, step: Step): string {
  const event = stepEvent(speech, step);
  if (step.by === "player") return event;
  return `${event} (${speech.say(step.by === "rules" ? "byRules" : "byAutoplay")})`;
}

function stepEvent(speech: Speech, step: Step): string {
  const piles = new Map(step.piles.map((pile) => [pile.name, pile.cards]));
  const { transfers } = step;
  if (transfers.length === 0) {
    const [turned] = step.piles;
    const card = turned?.cards.at(-1);
    if (turned === undefined || card === undefined || card === "*" || card === "-") {
      return wordLabel(speech, step.text);
    }
    return speech.say("turnsUp", { card: speech.card(card), pile: speech.name(turned.name) });
  }
  if (transfers.length > 4) {
    const number = transfers.reduce((sum, each) => sum + each.count, 0);
    return speech.say("cardsMove", { number });
  }
  return transfers.map((each) => transferText(speech, each, piles.get(each.to) ?? [])).join(", ");
}

function transferText(
  speech: Speech,
  transfer: Schemas["Transfer"],
  cards: readonly string[],
): string {
  const pile = speech.name(transfer.to);
  const top = cards.at(-1) ?? "*";
  const seen = top !== "*" && top !== "-";
  const number = transfer.count;
  if (number === 1) {
    return seen
      ? speech.say("cardGoes", { card: speech.card(top), pile })
      : speech.say("cardHidden", { pile });
  }
  if (seen) return speech.say("cardsGo", { number, card: speech.card(top), pile });
  return speech.say("cardsHidden", { number, pile });
}
