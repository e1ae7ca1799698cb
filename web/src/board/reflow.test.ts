import { describe, expect, it } from "vitest";
import { grid } from "./board.fixture";
import type { Grid } from "./grid";
import { narrowReflows, reflows } from "./reflow";

/** Twelve piles of a group in two rows. */
const garden: Grid = {
  rows: 2,
  columns: 6,
  places: Array.from({ length: 12 }, (_, at) => ({
    pile: `garden.${at + 1}`,
    group: "garden",
    role: "tableau",
    row: Math.floor(at / 6),
    column: at % 6,
    fan: "down" as const,
  })),
};

function lengths({ rows, places }: Grid): number[] {
  return Array.from({ length: rows }, (_, row) => places.filter((at) => at.row === row).length);
}

describe("reflows", () => {
  it("give a group that has its rows to itself more rows or fewer", () => {
    expect(reflows(garden).map(lengths)).toEqual([[12], [4, 4, 4], [3, 3, 3, 3]]);
  });

  it("leave groups in one row alone, and layouts that the rules draw", () => {
    expect(reflows(grid)).toEqual([]);
    expect(reflows({ ...garden, pictured: true })).toEqual([]);
    expect(narrowReflows({ ...garden, fixed: true })).toEqual([]);
  });
});

describe("narrow reflows", () => {
  it("keep every pile, in rows of at most so many", () => {
    const found = narrowReflows(garden);
    expect(found.map((each) => Math.max(...lengths(each)))).toEqual([3, 4, 4]);
    for (const { places } of found) {
      expect(places.map((place) => place.pile)).toEqual(garden.places.map((place) => place.pile));
    }
  });
});
