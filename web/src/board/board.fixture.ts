import type { Grid } from "./grid";
import type { BoardPosition } from "./state";

/** A small table for tests. */
export const grid: Grid = {
  rows: 2,
  columns: 4,
  places: [
    { pile: "stock", group: "stock", role: "stock", row: 0, column: 0, fan: "none" },
    { pile: "waste", group: "waste", role: "waste", row: 0, column: 1, fan: "right" },
    { pile: "home", group: "home", role: "foundation", row: 0, column: 3, fan: "none" },
    { pile: "a", group: "a", role: "tableau", row: 1, column: 0, fan: "down" },
    { pile: "b", group: "b", role: "tableau", row: 1, column: 1, fan: "down" },
    { pile: "c", group: "c", role: "tableau", row: 1, column: 2, fan: "down" },
  ],
};

/** Cards on it, and its legal moves. */
export const position: BoardPosition = {
  piles: [
    { name: "stock", cards: ["*", "*"], wanted: [] },
    { name: "waste", cards: [], wanted: [] },
    { name: "home", cards: [], wanted: ["AH"] },
    { name: "a", cards: ["*", "9H", "8S"], wanted: [] },
    { name: "b", cards: ["TC"], wanted: [] },
    { name: "c", cards: ["AH"], wanted: [] },
  ],
  moves: [
    { text: "deal", kind: "word", transfers: [], piles: ["stock"] },
    { text: "a > b 2", kind: "cards", transfers: [{ from: "a", count: 2, to: "b" }], piles: [] },
    {
      text: "c > home",
      kind: "cards",
      transfers: [{ from: "c", count: 1, to: "home" }],
      piles: [],
    },
  ],
};
