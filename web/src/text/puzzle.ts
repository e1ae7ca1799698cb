/** Texts of puzzles, in English and in German. */

import type { Text } from "./text";

export const puzzle = {
  puzzles: ["Puzzles", "Aufgaben"],
  puzzleOf: ["Puzzle: {title}", "Aufgabe: {title}"],
  puzzleAsks: [
    "Find the only move that keeps the win.",
    "Gesucht ist der einzige Zug, der den Gewinn wahrt.",
  ],
  puzzleAgain: [
    "Find the only move that keeps the win. You have tried this puzzle before, so it does not count.",
    "Gesucht ist der einzige Zug, der den Gewinn wahrt. Diese Aufgabe war schon da und zählt nicht.",
  ],
  puzzleGrade: ["Puzzle {rating}", "Aufgabe {rating}"],
  yourRating: ["You {rating}", "Du {rating}"],
  solvedOf: ["{solved} of {tried} solved", "{solved} von {tried} gelöst"],
  nextPuzzle: ["Next puzzle", "Nächste Aufgabe"],
  otherPuzzle: ["Another puzzle", "Andere Aufgabe"],
  showSolution: ["Show the solution", "Lösung zeigen"],
  solution: ["Solution", "Lösung"],
  tryIt: ["Try again.", "Noch einmal!"],
  anyOfThem: ["any game", "alle Spiele"],
  hiddenCards: ["Face-down cards", "Verdeckte Karten"],
  hiddenWhy: [
    "The proof sees them, so you may see them, too. The card that comes first is first.",
    "Der Beweis sieht sie; also darfst du sie auch sehen. Die nächste Karte steht vorn.",
  ],
} satisfies Record<string, Text>;
