/** Texts of challenges, in English and in German. */

import type { Text } from "./text";

export const challenge = {
  challenge: ["Challenge", "Herausforderung"],
  challengeFriend: ["Challenge a friend", "Jemanden herausfordern"],
  challengeWhy: [
    "Those who open the link play the same deal. They see your result when theirs is in.",
    "Wer den Link öffnet, spielt dasselbe Spiel und sieht dein Ergebnis, sobald das eigene eingetragen ist.",
  ],
  challengeName: ["Your name", "Dein Name"],
  challengeMake: ["Make the link", "Link erstellen"],
  challengeFrom: ["{player} challenges you", "{player} fordert dich heraus"],
  challengeOf: ["Challenge by {player}", "Herausforderung von {player}"],
  challengeHidden: [
    "Play the same deal. The results are hidden until yours is in. No hint, no verdict, no undo: then yours is marked clean.",
    "Spiel dasselbe Spiel. Die Ergebnisse bleiben verborgen, bis deines eingetragen ist. Ohne Tipp, ohne Urteil, ohne Zurücknehmen ist es sauber.",
  ],
  challengeResults: ["Results", "Ergebnisse"],
  challengePoints: ["Points", "Punkte"],
  challengeWon: ["won", "gewonnen"],
  challengeLost: ["not won", "nicht gewonnen"],
} satisfies Record<string, Text>;
