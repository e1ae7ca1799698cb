/** Texts of a review, in English and in German. */

import type { Text } from "./text";

export const review = {
  review: ["Review", "Rückblick"],
  reviewOf: ["Review: {title}", "Rückblick: {title}"],
  keyReview: ["review: where the game was lost", "Rückblick: wo das Spiel verloren ging"],
  reviewNodes: ["{number} positions searched", "{number} Stellungen durchsucht"],
  reviewIdle: [
    "This server does not search, so only what is known already is shown.",
    "Dieser Server sucht nicht; zu sehen ist nur, was schon bekannt ist.",
  ],
  reviewPlot: [
    "Which of the legal moves kept the win, position by position",
    "Welche der erlaubten Züge den Gewinn wahrten, Stellung für Stellung",
  ],
  keepsWin: ["keeps the win", "wahrt den Gewinn"],
  losesWin: ["loses", "verliert"],
  undecided: ["not decided", "nicht entschieden"],
  couldBeWon: ["Can be won", "Kann aufgehen"],
  couldNotBeWon: ["Cannot be won", "Kann nicht aufgehen"],
  isUndecided: ["Not decided", "Nicht entschieden"],
  keptOf: [
    "{kept} of {legal} legal moves keep the win.",
    "{kept} von {legal} erlaubten Zügen wahren den Gewinn.",
  ],
  keptOfOpen: [
    "{kept} of {legal} legal moves keep the win, {open} not decided.",
    "{kept} von {legal} erlaubten Zügen wahren den Gewinn, {open} nicht entschieden.",
  ],
  lostHere: ["lost the game", "verlor das Spiel"],
  lostProof: ["Proof: {why}", "Beweis: {why}"],
  wouldKeep: ["These moves would have kept the win:", "Diese Züge hätten den Gewinn gewahrt:"],
  maybeKept: ["Not decided:", "Nicht entschieden:"],
  showLoss: ["Show the position before it", "Die Stellung davor zeigen"],
  tryAgain: ["Try again from here", "Von hier noch einmal"],
  tryAgainWhy: [
    "A new table with this deal and the moves so far.",
    "Ein neuer Tisch mit diesem Spiel und den Zügen bis hierher.",
  ],
} satisfies Record<string, Text>;
