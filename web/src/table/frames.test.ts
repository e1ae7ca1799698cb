import { expect, it } from "vitest";
import type { Schemas } from "../api/client";
import { frames } from "./frames";

const step = (part: Partial<Schemas["Step"]>): Schemas["Step"] => ({
  text: "deal",
  rule: "deal",
  by: "player",
  transfers: [],
  piles: [],
  ...part,
});

it("makes a frame of each move and all that it forces", () => {
  const pile = (name: string, cards: string[]): Schemas["Pile"] => ({
    name,
    cards,
    wanted: [],
    closed: false,
  });
  const move = (...steps: Schemas["Step"][]): Schemas["ReplayMove"] => ({
    text: "a",
    node: null,
    bookmark: null,
    cards: [],
    outcome: null,
    steps,
  });
  const made = frames({
    game: "x",
    title: "X",
    deal: "cadogan:1",
    deck: null,
    piles: [pile("a", ["2C", "AH"]), pile("b", []), pile("c", ["9S"])],
    moves: [
      move(
        step({ piles: [pile("a", ["2C"]), pile("b", ["AH"])] }),
        step({ by: "rules", piles: [pile("a", []), pile("b", ["AH", "2C"])] }),
      ),
      move(step({ piles: [pile("c", [])] })),
    ],
    at: 0,
  });
  expect(made.map((frame) => frame.map((each) => each.cards.join(" ")))).toEqual([
    ["2C AH", "", "9S"],
    ["", "AH 2C", "9S"],
    ["", "AH 2C", ""],
  ]);
});
