/** Showing what a move forces, step by step. */

import type { Schemas } from "../api/client";
import type { Board } from "../board/board";
import { isStill } from "../board/motion";

/** Milliseconds between two steps at normal speed. */
const PAUSE = 130;
/** A move shows no more of its steps. */
const MAX_STEPS = 40;

/**
 * Shows the steps of a move one after the other, except the last, which the caller shows as the
 * whole table.
 *
 * @param current Whether the board still shows this move; if not, no more steps are shown.
 */
export async function showSteps(
  board: Board | null,
  steps: readonly Schemas["Step"][],
  speed: number,
  current: () => boolean,
): Promise<void> {
  if (isStill(speed)) return;
  for (const step of steps.slice(0, -1).slice(0, MAX_STEPS)) {
    board?.lay(step.piles);
    await new Promise((done) => setTimeout(done, PAUSE / speed));
    if (!current()) return;
  }
}
