/** The mirrored table, for the left hand. */

import type { Geometry } from "./geometry";

/**
 * Mirrors a table. Fans still go to the right, since a card is read in its upper left corner: a fan
 * moves as a whole.
 */
export function mirrored(geometry: Geometry): Geometry {
  const spots = new Map(
    [...geometry.spots].map(([pile, spot]) => {
      const x = geometry.width - spot.x - spot.width;
      const by = x - spot.x;
      return [pile, { ...spot, x, cards: spot.cards.map((at) => ({ x: at.x + by, y: at.y })) }];
    }),
  );
  return { ...geometry, spots };
}
