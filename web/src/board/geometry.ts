/** Where piles and cards lie, in pixels. It knows neither rules nor the document. */

import { FACE_DOWN, fanLength, fanRoom, WIDE_STEP, type Fit } from "./fit";
import type { FanDirection, Piles, Point, Size } from "./grid";

export interface Spot extends Point, Size {
  /** One point for each card, bottom card first. */
  cards: Point[];
  fan: FanDirection;
  /** How much is visible of a covered card. */
  step: number;
  /** How high the index may be so that it can be read on a covered card. */
  index: number;
}

export interface Geometry extends Size {
  card: Size;
  spots: Map<string, Spot>;
}

/** The height of an index: its bounds, on a tight fan at least `CRAMPED`, and in widths of a card. */
const LEGIBLE = 12.5;
const CRAMPED = 11;
const HIGHEST = 36;
const PER_WIDTH = 0.29;
/** The same in steps of the fan; where it goes right, the rank stands above the suit. */
const PER_STEP = { none: 1, down: 0.96, right: 0.74 };

/** A smaller step shows no index of a covered card, as on a pile that is squared. */
const SQUARED = 4;

/** Lays out the cards in a fit. */
export function arrange(fit: Fit, piles: Piles): Geometry {
  const { width: wide, height: high } = fit.card;
  const usual = Math.min(HIGHEST, Math.max(LEGIBLE, wide * PER_WIDTH));
  const spots = new Map<string, Spot>();
  for (const place of fit.grid.places) {
    const { row, column, fan } = fit.cells.get(place.pile)!;
    const x = fit.left + column * fit.pitch;
    const y = fit.tops[row];
    const held = piles.get(place.pile) ?? [];
    const { steps, squared } = fanLength(place, held);
    const points: Point[] = held.map(() => ({ x, y }));
    let at = 0;
    let index = usual;
    let step = 0;
    if (fan !== "none" && steps > 0) {
      const most = fan === "down" ? WIDE_STEP.down * high : WIDE_STEP.right * wide;
      step = Math.max(0, Math.min(most, fanRoom(fit, place.pile) / steps));
      for (let card = squared + 1; card < held.length; card++) {
        at += held[card - 1] === "*" ? step * FACE_DOWN : step;
        points[card] = fan === "down" ? { x, y: y + at } : { x: x + at, y };
      }
      if (step >= SQUARED) index = Math.min(usual, Math.max(CRAMPED, step * PER_STEP[fan]));
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
  return { card: fit.card, width: fit.width, height: fit.height, spots };
}

/** How far aside a pile may be to count as beside another, in heights. */
const SLACK = 0.51;
/** How much more it counts to be aside than to be far; a pile of the same row comes first. */
const ASIDE = { across: 8, along: 1.5 };

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

/** The next pile in the direction of an arrow key, as it looks on the screen. */
export function neighbour(spots: ReadonlyMap<string, Spot>, from: string, key: Arrow): string {
  const here = spots.get(from);
  if (here === undefined) return from;
  const across = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  let best = from;
  let least = Infinity;
  for (const [pile, spot] of spots) {
    const along = sign * (across ? spot.x - here.x : spot.y - here.y);
    const aside = Math.abs(across ? spot.y - here.y : spot.x - here.x);
    if (along < 1 || (across && aside > SLACK * here.height + 1)) continue;
    const distance = along + (across ? ASIDE.across : ASIDE.along) * aside;
    if (distance < least) {
      least = distance;
      best = pile;
    }
  }
  return best;
}
