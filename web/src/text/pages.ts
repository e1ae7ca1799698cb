/** What the pages beside the table say, in English and in German. */

export const en = {
  skip: "Skip to the page",
  pages: "Pages",
  again: "Try again",
  giveUp: "Give up",
  lostPage: "There is no such page",
  lostWhy: "Nothing is to be found at",
  toGames: "To the games",
  seeking: "Looking for a deal that can be won",
  sought: "{tried} deals looked at: {lost} cannot be won, {unknown} left aside",
  positions: "{number} positions",
} as const;

export const de: Record<keyof typeof en, string> = {
  skip: "Zum Inhalt",
  pages: "Seiten",
  again: "Noch einmal versuchen",
  giveUp: "Aufgeben",
  lostPage: "Diese Seite gibt es nicht",
  lostWhy: "Hier ist nichts zu finden:",
  toGames: "Zu den Spielen",
  seeking: "Es wird ein Spiel gesucht, das zu gewinnen ist",
  sought: "{tried} Spiele angesehen: {lost} sind nicht zu gewinnen, {unknown} blieben offen",
  positions: "{number} Stellungen",
};
