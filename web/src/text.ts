/** What the page says, in English and in German. The server says the rest. */

import * as pages from "./text/pages";
import * as table from "./text/table";

const en = {
  ...pages.en,
  ...table.en,
  games: "Games",
  statistics: "Statistics",
  settings: "Settings",
  rules: "Rules",
  search: "Search",
  resume: "Games in play",
  favourites: "Favourites",
  all: "All games",
  nothing: "No game has such a name.",
  play: "Play",
  goOn: "Go on",
  favourite: "Favourite",
  cards: "{number} cards",
  open: "all cards open",
  hidden: "hidden cards",
  moves: "{number} moves",
  move: "Move {number}",
  variant: "Variant",
  standard: "as in the book",
  deal: "Deal",
  dealNumber: "Deal number",
  dealIt: "Deal it",
  newDeal: "New deal",
  same: "Same deal again",
  undo: "Undo",
  redo: "Redo",
  restart: "Restart",
  hint: "Hint",
  finish: "Finish",
  more: "More",
  help: "Keys",
  list: "Moves made",
  start: "The deal",
  verdict: "Can it be won?",
  verdictWhy: "The solver sees the hidden cards.",
  searching: "searching",
  autoplay: "Play safe moves by itself",
  won: "You have won!",
  lost: "No move is left.",
  choose: "Which move do you mean?",
  cancel: "Cancel",
  close: "Close",
  stale: "The game went on in another window; this is how it stands.",
  taken: "{pile} taken. It may go to: {targets}",
  takenNowhere: "{pile} taken. There is no move from here.",
  undone: "Taken back.",
  restarted: "Back at the deal.",
  byRules: "by the rules",
  byAutoplay: "safe",
  pileEmpty: "{pile}: empty",
  pileWants: "{pile}: empty, wants {card}",
  pileHas: "{pile}: {number} cards, top {card}",
  pileOne: "{pile}: {card}",
  faceDown: "face down",
  covered: "covered",
  of: "{rank} of {suit}",
  language: "Language",
  auto: "as the browser",
  theme: "Theme",
  light: "light",
  dark: "dark",
  deck: "Cards",
  speed: "Speed of the cards",
  none: "at once",
  slow: "slow",
  usual: "usual",
  fast: "fast",
  forNew: "For new games",
  game: "Game",
  playedCount: "Played",
  wonCount: "Won",
  streak: "Best streak",
  bestTime: "Best time",
  bestMoves: "Fewest moves",
  noStatistics: "A game counts when it is won or put away. None has been yet.",
  failed: "The server does not answer. Is it still running?",
  keysArrows: "arrows: from pile to pile",
  keysTake: "Enter or Space: take, put; twice on a pile: to the foundation",
  keysEscape: "Escape: let go",
  keysMouse: "Drag cards, or click them and then where they go; a double click sends one home.",
} as const;

export type Key = keyof typeof en;

const de: Record<Key, string> = {
  ...pages.de,
  ...table.de,
  games: "Spiele",
  statistics: "Statistik",
  settings: "Einstellungen",
  rules: "Regeln",
  search: "Suchen",
  resume: "Angefangene Spiele",
  favourites: "Lieblingsspiele",
  all: "Alle Spiele",
  nothing: "Kein Spiel heißt so.",
  play: "Spielen",
  goOn: "Weiterspielen",
  favourite: "Lieblingsspiel",
  cards: "{number} Karten",
  open: "alle Karten offen",
  hidden: "verdeckte Karten",
  moves: "{number} Züge",
  move: "Zug {number}",
  variant: "Variante",
  standard: "wie im Buch",
  deal: "Spiel",
  dealNumber: "Nummer",
  dealIt: "Auslegen",
  newDeal: "Neues Spiel",
  same: "Noch einmal dieses",
  undo: "Zurück",
  redo: "Wieder vor",
  restart: "Von vorn",
  hint: "Hinweis",
  finish: "Fertigspielen",
  more: "Mehr",
  help: "Tasten",
  list: "Gemachte Züge",
  start: "Die Auslage",
  verdict: "Kann das Spiel aufgehen?",
  verdictWhy: "Der Löser sieht die verdeckten Karten.",
  searching: "wird gesucht",
  autoplay: "Sichere Züge von selbst machen",
  won: "Gewonnen!",
  lost: "Es gibt keinen Zug mehr.",
  choose: "Welcher Zug ist gemeint?",
  cancel: "Abbrechen",
  close: "Schließen",
  stale: "In einem anderen Fenster ging es weiter; so steht es jetzt.",
  taken: "{pile} genommen. Mögliche Ziele: {targets}",
  takenNowhere: "{pile} genommen. Von hier gibt es keinen Zug.",
  undone: "Zurückgenommen.",
  restarted: "Zurück bei der Auslage.",
  byRules: "nach den Regeln",
  byAutoplay: "sicher",
  pileEmpty: "{pile}: leer",
  pileWants: "{pile}: leer, nimmt {card}",
  pileHas: "{pile}: {number} Karten, oben {card}",
  pileOne: "{pile}: {card}",
  faceDown: "verdeckt",
  covered: "bedeckt",
  of: "{suit} {rank}",
  language: "Sprache",
  auto: "wie im Browser",
  theme: "Farben",
  light: "hell",
  dark: "dunkel",
  deck: "Karten",
  speed: "Tempo der Karten",
  none: "sofort",
  slow: "langsam",
  usual: "normal",
  fast: "schnell",
  forNew: "Für neue Spiele",
  game: "Spiel",
  playedCount: "Gespielt",
  wonCount: "Gewonnen",
  streak: "Längste Serie",
  bestTime: "Beste Zeit",
  bestMoves: "Wenigste Züge",
  noStatistics: "Ein Spiel zählt, wenn es gewonnen oder weggelegt ist. Noch gibt es keines.",
  failed: "Der Server antwortet nicht. Läuft er noch?",
  keysArrows: "Pfeile: von Stapel zu Stapel",
  keysTake: "Eingabe oder Leertaste: nehmen, legen; zweimal auf einem Stapel: ablegen",
  keysEscape: "Escape: loslassen",
  keysMouse: "Karten ziehen, oder anklicken und dann das Ziel; ein Doppelklick legt eine ab.",
};

const RANKS = {
  en: "ace two three four five six seven eight nine ten jack queen king".split(" "),
  de: "Ass Zwei Drei Vier Fünf Sechs Sieben Acht Neun Zehn Bube Dame König".split(" "),
};
const SUITS = {
  en: { C: "clubs", D: "diamonds", H: "hearts", S: "spades" } as Record<string, string>,
  de: { C: "Kreuz", D: "Karo", H: "Herz", S: "Pik" } as Record<string, string>,
};

export type Language = "en" | "de";

const CALLED: Record<Language, Map<string, string>> = { en: new Map(), de: new Map() };

/** Learns what piles are called in a language: every game tells it of its own. */
export function learn(language: string, groups: readonly { name: string; label: string }[]): void {
  for (const { name, label } of groups)
    if (label !== name) CALLED[language === "de" ? "de" : "en"].set(name, label);
}

const VARIANTS: Record<Language, Map<string, string>> = { en: new Map(), de: new Map() };

/** Learns what variants are called in a language. */
export function learnVariants(
  language: string,
  variants: readonly { name: string; label: string }[],
): void {
  for (const { name, label } of variants)
    VARIANTS[language === "de" ? "de" : "en"].set(name, label);
}

/** Says things in a language. */
export class Speech {
  constructor(readonly language: Language) {}

  say(key: Key, parts: Record<string, string | number> = {}): string {
    const text = this.language === "de" ? de[key] : en[key];
    return text.replace(/\{(\w+)\}/g, (_, name: string) => String(parts[name] ?? ""));
  }

  /** As `say`, with a number; of one thing by the text that ends on `One`, if there is one. */
  count(key: Key, number: number): string {
    const one = `${key}One`;
    if (number === 1 && one in en) return this.say(one as Key);
    return this.say(key, { number: this.number(number) });
  }

  number(value: number): string {
    return value.toLocaleString(this.language);
  }

  card(text: string): string {
    if (text === "*") return this.say("faceDown");
    if (text === "-") return this.say("covered");
    const rank = RANKS[this.language]["A23456789TJQK".indexOf(text[0])];
    return this.say("of", { rank, suit: SUITS[this.language][text[1]] });
  }

  /** "garden.3" as "garden 3", or as the server calls such piles in this language. */
  name(pile: string): string {
    const [group, number] = pile.split(".");
    const called = CALLED[this.language].get(group) ?? group.replaceAll("-", " ");
    return number === undefined ? called : `${called} ${number}`;
  }

  /** "draw-three" as "draw three", or as the server calls it in this language. */
  variant(name: string): string {
    return VARIANTS[this.language].get(name) ?? name.replaceAll("-", " ");
  }

  pile(pile: string, cards: readonly string[], wanted: readonly string[]): string {
    const called = this.name(pile);
    if (cards.length === 0) {
      if (wanted.length === 0) return this.say("pileEmpty", { pile: called });
      const card = wanted.map((each) => this.card(each)).join(", ");
      return this.say("pileWants", { pile: called, card });
    }
    const card = this.card(cards[cards.length - 1]);
    if (cards.length === 1) return this.say("pileOne", { pile: called, card });
    return this.say("pileHas", { pile: called, number: cards.length, card });
  }
}

/** The language to speak, by what is set and what the browser asks for. */
export function chosen(set: string, browser: string): Language {
  const wanted = set === "auto" ? browser : set;
  return wanted.toLowerCase().startsWith("de") ? "de" : "en";
}
