/** Moves in words: on buttons, in lists, and read aloud. */

import type { Schemas } from "../api/client";
import { face } from "../board/card";
import type { Key, Speech } from "../text";

type Step = Schemas["Step"];

/** Words that rules files use for moves in which there is nothing to choose. */
const WORDS: Record<string, Key> = {
  deal: "wordDeal",
  turn: "wordTurn",
  redeal: "wordRedeal",
  gather: "wordGather",
};

/** A move that is one word, as its button says it; a word of somebody's own stays as it is. */
export function label(speech: Speech, text: string, left: number | null = null): string {
  const key = WORDS[text];
  const plain = text.replaceAll("-", " ");
  const word = key ? speech.say(key) : plain.charAt(0).toUpperCase() + plain.slice(1);
  return left === null ? word : speech.say("wordLeft", { word, number: left });
}

/** How often a move that is one word may still be made; null if that has no end. */
export function left(limits: Schemas["Limit"][], move: Schemas["Move"]): number | null {
  const found = limits.find((limit) => limit.rule === move.rule);
  return found?.left ?? null;
}

/** A move in a list: "9♥ garden 2 → garden 5". */
export function brief(speech: Speech, text: string, cards: readonly string[]): string {
  const ways = text.split(" + ").map((part) => part.split(" > "));
  if (ways.some((way) => way.length !== 2)) {
    return text in WORDS || !/[.<>]/.test(text) ? label(speech, text) : speech.name(text);
  }
  const parts = ways.map((way) => way.map((pile) => speech.name(pile)).join(" → ")).join(", ");
  const shown = cards.filter((card) => card !== "*" && card !== "-").map(face);
  if (shown.length === 0) return parts;
  const few = shown.length > 3 ? [shown[0], "…", shown[shown.length - 1]] : shown;
  return `${few.join(" ")} ${parts}`;
}

/** One thing that happened, to be read aloud. */
export function sentence(speech: Speech, step: Step): string {
  const said = happened(speech, step);
  if (step.by === "player") return said;
  return `${said} (${speech.say(step.by === "rules" ? "byRules" : "byAutoplay")})`;
}

function happened(speech: Speech, step: Step): string {
  const heaps = new Map(step.piles.map((pile) => [pile.name, pile.cards]));
  const ways = step.transfers;
  if (ways.length === 0) {
    const [turned] = step.piles;
    const card = turned?.cards.at(-1);
    if (turned === undefined || card === undefined || card === "*" || card === "-") {
      return label(speech, step.text);
    }
    return speech.say("turnsUp", { card: speech.card(card), pile: speech.name(turned.name) });
  }
  if (ways.length > 4) {
    const number = ways.reduce((sum, way) => sum + way.count, 0);
    return speech.say("cardsMove", { number });
  }
  return ways.map((way) => transfer(speech, way, heaps.get(way.to) ?? [])).join(", ");
}

function transfer(speech: Speech, way: Schemas["Transfer"], heap: readonly string[]): string {
  const pile = speech.name(way.to);
  const top = heap.at(-1) ?? "*";
  const seen = top !== "*" && top !== "-";
  const number = way.count;
  if (number === 1) {
    return seen
      ? speech.say("cardGoes", { card: speech.card(top), pile })
      : speech.say("cardHidden", { pile });
  }
  if (seen) return speech.say("cardsGo", { number, card: speech.card(top), pile });
  return speech.say("cardsHidden", { number, pile });
}
