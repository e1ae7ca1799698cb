import { expect, it } from "vitest";
import { grid, position } from "./board.fixture";
import { dropTarget } from "./drag";
import { fitTable } from "./fit";
import { arrange } from "./geometry";

const piles = new Map(position.piles.map(({ name, cards }) => [name, cards]));
const geometry = arrange(fitTable(grid, piles, { width: 800, height: 600 }), piles);
const { spots, card } = geometry;
const [b, c] = [spots.get("b")!, spots.get("c")!];

it("drops a card on the pile that it covers most", () => {
  const none = new Set<string>();
  expect(dropTarget(geometry, { x: b.x + 0.3 * card.width, y: b.y }, none)).toBe("b");
  expect(dropTarget(geometry, { x: c.x - 0.3 * card.width, y: c.y }, none)).toBe("c");
  expect(dropTarget(geometry, { x: b.x, y: -2 * card.height }, none)).toBeNull();
});

it("prefers a pile on which the card can go", () => {
  const pitch = c.x - b.x;
  const at = { x: b.x + 0.4 * pitch, y: b.y };
  expect(dropTarget(geometry, at, new Set())).toBe("b");
  expect(dropTarget(geometry, at, new Set(["c"]))).toBe("c");
});
