/** Texts of the deals of the day, in English and in German. */

import type { Text } from "./text";

export const daily = {
  daily: ["Daily deals", "Tagesspiele"],
  dailyPage: ["Daily", "Täglich"],
  dailyWhy: [
    "The same deals for everybody, each proved to be winnable. No hint, no verdict, no undo: then your result is marked clean.",
    "Für alle dieselben Spiele, jedes nachweislich zu gewinnen. Ohne Tipp, ohne Urteil, ohne Zurücknehmen ist das Ergebnis sauber.",
  ],
  playerName: ["Your name in the tables", "Dein Name in den Ranglisten"],
  dayBefore: ["Day before", "Tag davor"],
  dayAfter: ["Day after", "Tag danach"],
  todaysDeals: ["Today", "Heute"],
  dailySearching: ["This deal is being searched for …", "Dieses Spiel wird noch gesucht …"],
  dailyNone: ["No deal was found for this day.", "Für diesen Tag wurde kein Spiel gefunden."],
  enterResult: ["Enter my result", "Mein Ergebnis eintragen"],
  nameFirst: ["Give a name first.", "Gib zuerst einen Namen an."],
  yourResult: ["You: {moves}, {time}", "Du: {moves}, {time}"],
  clean: ["clean", "sauber"],
  late: ["later", "später"],
  dailyTable: ["Results: {title}", "Rangliste: {title}"],
  dailyResults: ["Results ({number})", "Rangliste ({number})"],
  noResults: ["Nobody has won this deal yet.", "Noch niemand hat dieses Spiel gewonnen."],
  byMoves: ["By moves", "Nach Zügen"],
  byTime: ["By time", "Nach Zeit"],
  rank: ["Rank", "Platz"],
  player: ["Player", "Name"],
  calendar: ["Calendar", "Kalender"],
  streakOf: [
    "Days in a row: {number}. Longest: {best}.",
    "Tage in Folge: {number}. Längste Folge: {best}.",
  ],
  wonThatDay: ["{day}: won {number}", "{day}: {number} gewonnen"],
} satisfies Record<string, Text>;
