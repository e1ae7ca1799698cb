import { beforeEach, expect, it } from "vitest";
import { grid, position } from "./board.fixture";
import { fitTable } from "./fit";
import { arrange } from "./geometry";
import { keyAction, type KeyAction } from "./keyboard";
import { defaults, select, setPosition, type State } from "./state";

let state: State;

beforeEach(() => {
  state = defaults(grid);
  setPosition(state, position);
});

function pressed(key: string, more: object = {}): KeyAction | null {
  const { spots } = arrange(fitTable(grid, state.piles, { width: 800, height: 600 }), state.piles);
  return keyAction({ key, ctrlKey: false, metaKey: false, altKey: false, ...more }, state, spots);
}

it("moves the focus by arrow keys", () => {
  expect(pressed("ArrowRight")).toEqual({ kind: "focus", pile: "b" });
  expect(pressed("ArrowLeft")).toEqual({ kind: "focus", pile: "a" });
});

it("presses a pile by Enter and Space", () => {
  expect(pressed("Enter")).toEqual({ kind: "press" });
  expect(pressed(" ")).toEqual({ kind: "press" });
});

it("releases and counts only cards that were taken", () => {
  expect(["Escape", "2", "+", "-"].map((key) => pressed(key))).toEqual([null, null, null, null]);
  select(state, "a", 2);
  expect(pressed("Escape")).toEqual({ kind: "release" });
  expect(["3", "+", "-"].map((key) => pressed(key))).toEqual(
    [3, 3, 1].map((count) => ({ kind: "count", count })),
  );
  select(state, "a", null);
  expect(pressed("+")).toEqual({ kind: "count", count: 2 });
});

it("leaves other keys to the page", () => {
  expect(pressed("u")).toBeNull();
  expect(pressed("Enter", { ctrlKey: true })).toBeNull();
});
