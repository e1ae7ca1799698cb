/** Texts of the page on which rules are written, in English and in German. */

import type { Text } from "./text";

export const editor = {
  editorFailed: [
    "The editor could not be loaded. Reload the page.",
    "Der Editor konnte nicht geladen werden. Bitte die Seite neu laden.",
  ],
  editorKeys: [
    "Tab leaves the editor. Ctrl+Space suggests words, F8 goes to the next problem.",
    "Tab verlässt den Editor. Strg+Leertaste schlägt Wörter vor, F8 geht zum nächsten Fehler.",
  ],
  draftPicture: ["The table after the deal {deal}", "Die Auslage von {deal}"],
  anotherDeal: ["Another deal", "Andere Karten"],
  playThis: ["Save and play this deal", "Übernehmen und dies spielen"],
  rulesInWords: ["The rules in words", "Die Regeln in Worten"],
  howOften: ["How often it comes out", "Wie oft es aufgeht"],
  rateBegins: ["The first deals are being searched.", "Die ersten Spiele werden durchsucht."],
  rateShare: [
    "{low} to {high} % of all deals can be won.",
    "{low} bis {high} % aller Spiele können aufgehen.",
  ],
  rateDeals: [
    "{deals} deals searched: {won} won, {lost} lost, {undecided} undecided",
    "{deals} durchsucht: {won} gewonnen, {lost} verloren, {undecided} offen",
  ],
  rateDone: ["The search has ended.", "Die Suche ist zu Ende."],
} satisfies Record<string, Text>;
