import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { arrange, neighbour, type Geometry, type Grid } from "./geometry";
import { grid } from "./grid.fixture";
import { least, NARROW, plan, type Plan } from "./plan";

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

/** The felt of the windows named, in which the games of the catalogue are laid. */
function games(): [string, Table][] {
  return tables.map((table) => [table.name, table]);
}

function apart(made: Geometry): void {
  const spots = [...made.spots];
  for (const [pile, spot] of spots) {
    expect(spot.x, pile).toBeGreaterThanOrEqual(0);
    expect(spot.y, pile).toBeGreaterThanOrEqual(0);
    expect(spot.x + spot.width, pile).toBeLessThanOrEqual(made.width + 0.01);
    expect(spot.y + spot.height, pile).toBeLessThanOrEqual(made.height + 0.01);
    for (const [other, its] of spots) {
      if (other === pile) continue;
      const clear =
        spot.x + spot.width <= its.x + 0.01 ||
        its.x + its.width <= spot.x + 0.01 ||
        spot.y + spot.height <= its.y + 0.01 ||
        its.y + its.height <= spot.y + 0.01;
      expect(clear, `${pile} and ${other}`).toBe(true);
    }
  }
}

/** Every card that lies face up under another shows enough of itself to be read. */
function legible(made: Geometry, made_by: Plan, piles: Map<string, string[]>): void {
  for (const [pile, spot] of made.spots) {
    const { fan } = spot;
    if (fan === "none" || made_by.grid.places.find((at) => at.pile === pile)!.fan === "right") {
      continue;
    }
    const cards = piles.get(pile)!;
    for (let at = 0; at + 1 < cards.length; at++) {
      const [card, next] = [spot.cards[at], spot.cards[at + 1]];
      const step = next.x - card.x + next.y - card.y;
      const wanted = least(fan, made.card.width) * (cards[at] === "*" ? 0.5 : 1);
      expect(step, `${pile} ${at}`).toBeGreaterThan(wanted - 0.6);
    }
  }
}

describe.each(games())("%s", (_, table) => {
  const positions = table.positions.map((position) => new Map(Object.entries(position)));

  it.each(WINDOWS)("lies in a window of $width by $height", (window) => {
    let made: Plan | undefined;
    for (const piles of positions) {
      made = plan(table.layout, piles, window, made);
      const laid = arrange(made, piles);
      apart(laid);
      legible(laid, made, piles);
      expect(laid.width).toBe(window.width);
      if (laid.height > window.height) expect(laid.card.width).toBeLessThan(60);
      else expect(laid.card.width).toBeGreaterThanOrEqual(NARROW);
    }
  });

  it("stands in the middle", () => {
    const [piles] = positions;
    const { spots, width } = arrange(
      plan(table.layout, piles, { width: 1280, height: 648 }),
      piles,
    );
    const left = Math.min(...[...spots.values()].map((spot) => spot.x));
    const right = Math.max(...[...spots.values()].map((spot) => spot.x + spot.width));
    expect(Math.abs(left - (width - right))).toBeLessThan(width / 12);
  });

  it.each(WINDOWS)("is gone about by arrows at $width by $height", (window) => {
    const { spots } = arrange(plan(table.layout, positions[0], window), positions[0]);
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
    let made: Plan | undefined;
    const sizes = new Set<number>();
    for (const piles of positions) {
      made = plan(table.layout, piles, { width: 1280, height: 648 }, made);
      sizes.add(made.card.width);
    }
    expect(sizes.size).toBeLessThanOrEqual(3);
  });
});

describe("a table", () => {
  const many = (count: number): string[] => Array.from({ length: count }, () => "9H");

  it.each(WINDOWS)("lays long fans and a waste apart at $width by $height", (window) => {
    const piles = new Map([
      ["a", many(19)],
      ["waste", many(24)],
    ]);
    apart(arrange(plan(grid, piles, window), piles));
  });

  it("makes a fan closer when it grows", () => {
    const step = (count: number): number => {
      const piles = new Map([["a", many(count)]]);
      const made = plan(grid, piles, { width: 1000, height: 560 });
      const { cards } = arrange(made, piles).spots.get("a")!;
      return cards[1].y - cards[0].y;
    };
    expect(step(18)).toBeLessThan(step(4));
  });

  it("keeps its cards as large as they are until a fan has no more room", () => {
    const window = { width: 1000, height: 560 };
    let made = plan(grid, new Map([["a", many(4)]]), window);
    const first = made.card.width;
    made = plan(grid, new Map([["a", many(7)]]), window, made);
    expect(made.card.width).toBe(first);
    made = plan(grid, new Map([["a", many(22)]]), window, made);
    expect(made.card.width).toBeLessThan(first);
    made = plan(grid, new Map([["a", many(20)]]), window, made);
    const small = made.card.width;
    made = plan(grid, new Map([["a", many(20)]]), { width: 1600, height: 900 }, made);
    expect(made.card.width).toBeGreaterThan(small);
  });

  it("finds the pile that lies next", () => {
    const { spots } = arrange(plan(grid, new Map(), { width: 800, height: 600 }), new Map());
    expect(neighbour(spots, "a", "ArrowRight")).toBe("b");
    expect(neighbour(spots, "b", "ArrowUp")).toBe("waste");
    expect(neighbour(spots, "waste", "ArrowRight")).toBe("home");
    expect(neighbour(spots, "a", "ArrowLeft")).toBe("a");
  });
});
