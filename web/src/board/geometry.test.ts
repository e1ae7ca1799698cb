import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { grid } from "./board.fixture";
import { fitTable, NARROW, SMALLEST, SMALLEST_FIXED, smallestStep, type Fit } from "./fit";
import { arrange, neighbour, type Geometry, type Spot } from "./geometry";
import type { Grid } from "./grid";

interface Table {
  name: string;
  layout: Grid;
  positions: Record<string, string[]>[];
}

const WINDOWS = [
  [360, 560],
  [768, 850],
  [1100, 568],
  [1280, 648],
  [1920, 928],
  [2560, 1300],
].map(([width, height]) => ({ width, height }));

const tables = JSON.parse(
  execFileSync(process.env.PYTHON ?? ".venv/bin/python", ["-m", "tests.web.tables"], {
    cwd: "..",
    encoding: "utf8",
    maxBuffer: 1 << 26,
  }),
) as Table[];

function expectApart(geometry: Geometry, fit: Fit): void {
  const rowOf = (spot: Spot): number => fit.tops.indexOf(spot.y);
  /** Whether one of two cards lies on the other, of which enough is seen. */
  const covers = (one: Spot, other: Spot): boolean => {
    const [upper, lower] = one.y < other.y ? [one, other] : [other, one];
    return (
      fit.grid.overlapping?.includes(rowOf(lower)) === true &&
      rowOf(lower) === rowOf(upper) + 1 &&
      lower.y - upper.y > upper.index
    );
  };
  const isOutside = ({ x, y, width, height }: Spot): boolean =>
    x < 0 || y < 0 || x + width > geometry.width + 0.01 || y + height > geometry.height + 0.01;
  const isBefore = (one: Spot, other: Spot): boolean =>
    one.x + one.width <= other.x + 0.01 || one.y + one.height <= other.y + 0.01;
  const spots = [...geometry.spots];
  // One expectation for all pairs of piles: each of them takes time.
  const outside = spots.filter(([, spot]) => isOutside(spot)).map(([pile]) => pile);
  const overlapping = spots.flatMap(([pile, spot]) =>
    spots
      .filter(
        ([other, its]) =>
          other !== pile && !isBefore(spot, its) && !isBefore(its, spot) && !covers(its, spot),
      )
      .map(([other]) => `${pile} and ${other}`),
  );
  expect({ outside, overlapping }).toEqual({ outside: [], overlapping: [] });
}

/** Every covered card in a fan shows enough of itself to be read. */
function expectLegible(geometry: Geometry, fit: Fit, piles: Map<string, string[]>): void {
  for (const [pile, spot] of geometry.spots) {
    const { fan } = spot;
    if (fan === "none" || fit.grid.places.find((at) => at.pile === pile)!.fan === "right") {
      continue;
    }
    const cards = piles.get(pile)!;
    for (let at = 0; at + 1 < cards.length; at++) {
      const [card, next] = [spot.cards[at], spot.cards[at + 1]];
      const step = next.x - card.x + next.y - card.y;
      const wanted = smallestStep(fan, geometry.card.width) * (cards[at] === "*" ? 0.5 : 1);
      expect(step, `${pile} ${at}`).toBeGreaterThan(wanted - 0.75);
    }
  }
}

describe.each(tables)("$name", (table) => {
  const positions = table.positions.map((position) => new Map(Object.entries(position)));

  it.each(WINDOWS)("fits into a window of $width by $height", (window) => {
    let fit: Fit | undefined;
    for (const piles of positions) {
      fit = fitTable(table.layout, piles, window, fit);
      const laid = arrange(fit, piles);
      expectApart(laid, fit);
      expectLegible(laid, fit, piles);
      expect(laid.width).toBe(window.width);
      if (laid.height > window.height) expect(laid.card.width).toBeLessThan(60);
      else {
        const { fixed, overlapping } = table.layout;
        // Rows that lie over others keep all their places.
        const least = fixed ? SMALLEST_FIXED : overlapping?.length ? SMALLEST : NARROW;
        expect(laid.card.width).toBeGreaterThanOrEqual(least);
      }
    }
  });

  it("is centred", () => {
    const [piles] = positions;
    const fit = fitTable(table.layout, piles, { width: 1280, height: 648 });
    const { spots, width } = arrange(fit, piles);
    const left = Math.min(...[...spots.values()].map((spot) => spot.x));
    // A fan to the right may grow up to the next column.
    const ends = [...spots.values()].map(
      ({ x, fan }) => x + (fan === "right" ? fit.pitch - fit.gap : fit.card.width),
    );
    const right = Math.max(...ends);
    expect(Math.abs(left - (width - right))).toBeLessThan(width / 12);
  });

  it.each(WINDOWS)("can be reached by arrow keys at $width by $height", (window) => {
    const { spots } = arrange(fitTable(table.layout, positions[0], window), positions[0]);
    const [first] = spots.keys();
    const seen = new Set([first]);
    for (const pile of seen) {
      for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const) {
        seen.add(neighbour(spots, pile, key));
      }
    }
    expect(seen.size).toBe(spots.size);
  });

  it("keeps the size of its cards while it is played", () => {
    let fit: Fit | undefined;
    const sizes = new Set<number>();
    for (const piles of positions) {
      fit = fitTable(table.layout, piles, { width: 1280, height: 648 }, fit);
      sizes.add(fit.card.width);
    }
    // Moves made at random build longer fans than a player does.
    expect(sizes.size).toBeLessThanOrEqual(5);
  });
});

describe("a table", () => {
  const many = (count: number): string[] => Array.from({ length: count }, () => "9H");

  it.each(WINDOWS)("keeps long fans and a waste apart at $width by $height", (window) => {
    const piles = new Map([
      ["a", many(19)],
      ["waste", many(24)],
    ]);
    const fit = fitTable(grid, piles, window);
    expectApart(arrange(fit, piles), fit);
  });

  it("moves the cards of a fan closer together when it grows", () => {
    const step = (count: number): number => {
      const piles = new Map([["a", many(count)]]);
      const fit = fitTable(grid, piles, { width: 1000, height: 560 });
      const { cards } = arrange(fit, piles).spots.get("a")!;
      return cards[1].y - cards[0].y;
    };
    expect(step(18)).toBeLessThan(step(4));
  });

  it("finds the next pile", () => {
    const { spots } = arrange(fitTable(grid, new Map(), { width: 800, height: 600 }), new Map());
    expect(neighbour(spots, "a", "ArrowRight")).toBe("b");
    expect(neighbour(spots, "b", "ArrowUp")).toBe("waste");
    expect(neighbour(spots, "waste", "ArrowRight")).toBe("home");
    expect(neighbour(spots, "a", "ArrowLeft")).toBe("a");
  });
});
