// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import type { Schemas } from "../api/client";
import type { Board } from "../board/board";
import { showSteps } from "./steps";

const lay = vi.fn();
const board = { lay } as unknown as Board;
const steps = ["a", "b", "c"].map(
  (name) => ({ piles: [{ name, cards: [] }] }) as unknown as Schemas["Step"],
);
const FAST = 1000;

beforeEach(() => lay.mockClear());

it("shows all steps but the last", async () => {
  await showSteps(board, steps, FAST, () => true);
  expect(lay.mock.calls.map(([piles]) => (piles as { name: string }[])[0].name)).toEqual([
    "a",
    "b",
  ]);
});

it("stops when the board shows something else", async () => {
  await showSteps(board, steps, FAST, () => false);
  expect(lay).toHaveBeenCalledTimes(1);
});

it("shows no steps at speed 0, and no endless rows of them", async () => {
  await showSteps(board, steps, 0, () => true);
  expect(lay).not.toHaveBeenCalled();
  await showSteps(board, Array<Schemas["Step"]>(200).fill(steps[0]), FAST, () => true);
  expect(lay).toHaveBeenCalledTimes(40);
});
