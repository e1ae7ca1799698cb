/** A replay as a list of frames: the piles before the first move and after each move. */

import type { Schemas } from "../api/client";

export type Frame = Pick<Schemas["Pile"], "name" | "cards" | "wanted">[];

export function frames(
  replay: Partial<Schemas["Replay"]> & Pick<Schemas["Replay"], "piles" | "moves">,
): Frame[] {
  let now: Frame = replay.piles.map(({ name, cards, wanted }) => ({ name, cards, wanted }));
  const all = [now];
  for (const move of replay.moves) {
    const changed = new Map<string, string[]>();
    for (const step of move.steps)
      for (const pile of step.piles) changed.set(pile.name, pile.cards);
    now = now.map((pile) => ({ ...pile, cards: changed.get(pile.name) ?? pile.cards }));
    all.push(now);
  }
  return all;
}
