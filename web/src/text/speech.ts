/** Texts with their numbers and names filled in, in one language. */

import { MESSAGES, type Key, type Language } from "./messages";

const RANKS: Record<Language, string[]> = {
  en: "ace two three four five six seven eight nine ten jack queen king".split(" "),
  de: "Ass Zwei Drei Vier Fünf Sechs Sieben Acht Neun Zehn Bube Dame König".split(" "),
};
const SUITS: Record<Language, Record<string, string>> = {
  en: { C: "clubs", D: "diamonds", H: "hearts", S: "spades" },
  de: { C: "Kreuz", D: "Karo", H: "Herz", S: "Pik" },
};

interface Named {
  name: string;
  label: string;
}

/** The labels of piles or of variants in each language, as the server has sent them. */
class Labels {
  private readonly known: Record<Language, Map<string, string>> = {
    en: new Map(),
    de: new Map(),
  };

  add(language: string, named: readonly Named[]): void {
    const labels = this.known[languageOf(language)];
    for (const { name, label } of named) if (label !== name) labels.set(name, label);
  }

  /** The label of a name; without one, the name with spaces for hyphens. */
  get(language: Language, name: string): string {
    return this.known[language].get(name) ?? name.replaceAll("-", " ");
  }
}

const pileLabels = new Labels();
const variantLabels = new Labels();

/** Stores the labels of a game's groups of piles. */
export function addPileLabels(language: string, groups: readonly Named[]): void {
  pileLabels.add(language, groups);
}

/** Stores the labels of a game's variants. */
export function addVariantLabels(language: string, variants: readonly Named[]): void {
  variantLabels.add(language, variants);
}

/** More cards than these, such as before a base is chosen, are too many to be named. */
const MOST_WANTED = 8;

/** Writes texts, numbers, cards and piles in a language. */
export class Speech {
  constructor(readonly language: Language) {}

  /** A text with its gaps filled: `say("named", { name: "here" })`. */
  say(key: Key, parts: Record<string, string | number> = {}): string {
    const [en, de] = MESSAGES[key];
    const text = this.language === "de" ? de : en;
    return text.replace(/\{(\w+)\}/g, (_, name: string) => String(parts[name] ?? ""));
  }

  /** Like `say`, with a number. For 1 it uses the text whose name ends in `One`, if there is one. */
  count(key: Key, number: number): string {
    const one = `${key}One`;
    if (number === 1 && one in MESSAGES) return this.say(one as Key);
    return this.say(key, { number: this.number(number) });
  }

  number(value: number): string {
    // Both languages write small ones alike. The first number that is formatted takes a whole frame.
    return Number.isInteger(value) && Math.abs(value) < 1000
      ? String(value)
      : value.toLocaleString(this.language);
  }

  /** "9H" as "nine of hearts". */
  card(text: string): string {
    if (text === "*") return this.say("faceDown");
    if (text === "-") return this.say("covered");
    if (text === "JO") return this.say("joker");
    const rank = RANKS[this.language]["A23456789TJQK".indexOf(text[0])];
    return this.say("of", { rank, suit: SUITS[this.language][text[1]] });
  }

  /** "garden.3" as "garden 3", or as the server labels such piles in this language. */
  name(pile: string): string {
    const [group, number] = pile.split(".");
    const label = pileLabels.get(this.language, group);
    return number === undefined ? label : `${label} ${number}`;
  }

  /** "draw-three" as "draw three", or as the server labels it in this language. */
  variant(name: string): string {
    return variantLabels.get(this.language, name);
  }

  /** A pile and what lies on it: "garden 3: 2 cards, top nine of hearts". */
  pile(name: string, cards: readonly string[], wanted: readonly string[], covered = false): string {
    const text = this.describePile(name, cards, wanted);
    return covered && cards.length > 0 ? this.say("pileCovered", { pile: text }) : text;
  }

  private describePile(name: string, cards: readonly string[], wanted: readonly string[]): string {
    const pile = this.name(name);
    if (cards.length === 0) {
      if (wanted.length === 0 || wanted.length > MOST_WANTED)
        return this.say("pileEmpty", { pile });
      const card = wanted.map((each) => this.card(each)).join(", ");
      return this.say("pileWants", { pile, card });
    }
    const card = this.card(cards[cards.length - 1]);
    if (cards.length === 1) return this.say("pileOne", { pile, card });
    return this.say("pileHas", { pile, number: cards.length, card });
  }
}

/** The language of the page: the one that is set or, for "auto", the browser's. */
export function chooseLanguage(set: string, browser: string): Language {
  return languageOf(set === "auto" ? browser : set);
}

function languageOf(tag: string): Language {
  return tag.toLowerCase().startsWith("de") ? "de" : "en";
}
