import { expect, it } from "vitest";
import { arrange } from "./geometry";
import { grid } from "./grid.fixture";
import { mirrored } from "./mirror";
import { plan } from "./plan";

it("mirrors a table, and fans still show the left edges of their cards", () => {
  const piles = new Map([["waste", ["2C", "9H", "KS"]]]);
  const usual = arrange(plan(grid, piles, { width: 800, height: 400 }), piles);
  const turned = mirrored(usual);
  const [stock, waste, home] = ["stock", "waste", "home"].map((pile) => turned.spots.get(pile)!);
  expect(home.x).toBeLessThan(waste.x);
  expect(waste.x + waste.width).toBeLessThanOrEqual(stock.x);
  expect(waste.cards.map((at) => at.x)).toEqual(
    [...waste.cards.map((at) => at.x)].sort((a, b) => a - b),
  );
  expect(waste.cards[2].x + usual.card.width).toBeCloseTo(waste.x + waste.width);
  const back = mirrored(turned);
  for (const [pile, spot] of usual.spots) expect(back.spots.get(pile)!.x).toBeCloseTo(spot.x);
});
