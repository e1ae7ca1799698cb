import { expect, it } from "vitest";
import { arrange } from "./geometry";
import { fitTable } from "./fit";
import { grid } from "./board.fixture";
import { mirrored } from "./mirror";

it("mirrors a table, and fans still show the left edges of their cards", () => {
  const piles = new Map([["waste", ["2C", "9H", "KS"]]]);
  const usual = arrange(fitTable(grid, piles, { width: 800, height: 400 }), piles);
  const left = mirrored(usual);
  const [stock, waste, home] = ["stock", "waste", "home"].map((pile) => left.spots.get(pile)!);
  expect(home.x).toBeLessThan(waste.x);
  expect(waste.x + waste.width).toBeLessThanOrEqual(stock.x);
  expect(waste.cards.map((at) => at.x)).toEqual(
    [...waste.cards.map((at) => at.x)].sort((a, b) => a - b),
  );
  expect(waste.cards[2].x + usual.card.width).toBeCloseTo(waste.x + waste.width);
  const back = mirrored(left);
  for (const [pile, spot] of usual.spots) expect(back.spots.get(pile)!.x).toBeCloseTo(spot.x);
});
