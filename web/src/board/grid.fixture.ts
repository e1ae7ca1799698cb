import type { Grid } from "./geometry";

/** A small table that tests lay cards on. */
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
