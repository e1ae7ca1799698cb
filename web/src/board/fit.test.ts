import { describe, expect, it } from "vitest";
import { grid } from "./board.fixture";
import { fanLength, fitTable, smallestStep } from "./fit";

const [, waste, home, tableau] = grid.places;
const many = (count: number): string[] => Array.from({ length: count }, () => "9H");

describe("the length of a fan", () => {
  it("counts a card face down as half a step, and not the top card", () => {
    expect(fanLength(tableau, ["*", "*", "9H", "8S"])).toEqual({ steps: 2, squared: 0 });
    expect(fanLength(tableau, [])).toEqual({ steps: 0, squared: 0 });
    expect(fanLength(home, many(9))).toEqual({ steps: 0, squared: 0 });
  });

  it("is that of the last cards of a waste", () => {
    expect(fanLength(waste, many(10))).toEqual({ steps: 3, squared: 6 });
  });
});

it("needs larger steps for larger cards", () => {
  expect(smallestStep("down", 40)).toBeLessThan(smallestStep("down", 60));
  expect(smallestStep("right", 60)).toBeLessThan(smallestStep("right", 160));
});

describe("a fit", () => {
  it("keeps the size of its cards until a fan has no more room", () => {
    const window = { width: 1000, height: 560 };
    const first = fitTable(grid, new Map([["a", many(4)]]), window);
    const same = fitTable(grid, new Map([["a", many(7)]]), window, first);
    expect(same).toBe(first);
    const smaller = fitTable(grid, new Map([["a", many(22)]]), window, same);
    expect(smaller.card.width).toBeLessThan(first.card.width);
  });

  it("is made again for another window", () => {
    const piles = new Map([["a", many(20)]]);
    const small = fitTable(grid, piles, { width: 1000, height: 560 });
    const large = fitTable(grid, piles, { width: 1600, height: 900 }, small);
    expect(large.card.width).toBeGreaterThan(small.card.width);
  });
});
