/** Where piles and cards lie, in pixels. Nothing here knows a rule, or the document. */

import { FACE_DOWN, ROOMY, room, spread, type Piles, type Plan } from "./plan";

export interface Place {
  pile: string;
  group: string;
  role: string;
  row: number;
  column: number;
  fan: "none" | "down" | "right";
}

export interface Grid {
  rows: number;
  columns: number;
  /** Whether the rules show the table as a picture, which is then to be kept. */
  pictured?: boolean;
  places: Place[];
}

export interface Point {
  x: number;
  y: number;
}

export interface Spot extends Point {
  width: number;
  height: number;
  /** One point for each card, bottom card first. */
  cards: Point[];
  fan: Place["fan"];
  /** How much is seen of a card under another. */
  step: number;
  /** How high letters may be so that those of a card under another can be read. */
  index: number;
}

export interface Geometry {
  card: { width: number; height: number };
  width: number;
  height: number;
  spots: Map<string, Spot>;
}

/** The least height of letters, and the usual one in widths of a card. */
const LEGIBLE = 12.5;
const CRAMPED = 11;
const LETTERS = 0.29;
const HIGHEST = 36;
/** How high letters are, in steps of the fan that shows them: rank above suit where it goes right. */
const BY_STEP = { none: 1, down: 1.08, right: 0.74 };

/** Lays the cards out as a plan has it. */
export function arrange(made: Plan, piles: Piles): Geometry {
  const { width: wide, height: high } = made.card;
  const usual = Math.min(HIGHEST, Math.max(LEGIBLE, wide * LETTERS));
  const spots = new Map<string, Spot>();
  for (const place of made.grid.places) {
    const { row, column, fan } = made.cells.get(place.pile)!;
    const x = made.left + column * made.pitch;
    const y = made.tops[row];
    const held = piles.get(place.pile) ?? [];
    const { taken, under } = spread(place, held);
    const points: Point[] = held.map(() => ({ x, y }));
    let at = 0;
    let index = usual;
    let step = 0;
    if (fan !== "none" && taken > 0) {
      const most = fan === "down" ? ROOMY.down * high : ROOMY.right * wide;
      step = Math.max(0, Math.min(most, room(made, place.pile) / taken));
      for (let card = under + 1; card < held.length; card++) {
        at += held[card - 1] === "*" ? step * FACE_DOWN : step;
        points[card] = fan === "down" ? { x, y: y + at } : { x: x + at, y };
      }
      index = Math.min(usual, Math.max(CRAMPED, step * BY_STEP[fan]));
    }
    spots.set(place.pile, {
      x,
      y,
      width: wide + (fan === "right" ? at : 0),
      height: high + (fan === "down" ? at : 0),
      cards: points,
      fan,
      step,
      index,
    });
  }
  return { card: made.card, width: made.width, height: made.height, spots };
}

const slack = 0.51;

/** The pile that lies next in a direction, as somebody sees it who looks at the table. */
export function neighbour(
  spots: ReadonlyMap<string, Spot>,
  from: string,
  key: "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown",
): string {
  const here = spots.get(from);
  if (here === undefined) return from;
  const across = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  let best = from;
  let least = Infinity;
  for (const [pile, spot] of spots) {
    const along = sign * (across ? spot.x - here.x : spot.y - here.y);
    const aside = Math.abs(across ? spot.y - here.y : spot.x - here.x);
    if (along < 1 || (across && aside > slack * here.height + 1)) continue;
    const distance = along + 3 * aside;
    if (distance < least) {
      least = distance;
      best = pile;
    }
  }
  return best;
}
