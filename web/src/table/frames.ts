/** A replay as pictures: how the table stood after each move. */

import type { Schemas } from "../api/client";

export interface Standing {
  name: string;
  cards: string[];
  wanted: string[];
}

/** How the table stood before the first move, and after each. */
export function frames(replay: Schemas["Replay"]): Standing[][] {
  let now = replay.piles.map(({ name, cards, wanted }) => ({ name, cards, wanted }));
  const found = [now];
  for (const move of replay.moves) {
    const changed = new Map<string, string[]>();
    for (const step of move.steps)
      for (const pile of step.piles) changed.set(pile.name, pile.cards);
    now = now.map((pile) => {
      const cards = changed.get(pile.name);
      return cards === undefined ? pile : { ...pile, cards };
    });
    found.push(now);
  }
  return found;
}
