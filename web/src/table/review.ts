/** The plot of a review: for each position a stack of the moves that keep the win and the others. */

import type { Schemas } from "../api/client";
import type { Key } from "../text/messages";

type Turn = Schemas["ReviewTurn"];

export const STATUS_TEXT: Record<Turn["status"], Key> = {
  winnable: "couldBeWon",
  unwinnable: "couldNotBeWon",
  unknown: "isUndecided",
};

export interface Bar {
  status: Turn["status"];
  kept: number;
  open: number;
  lost: number;
  /** Where the parts begin, from the top. */
  keptTop: number;
  openTop: number;
  lostTop: number;
}

/** The height for bars, of 100; below them is the band of verdicts. */
const HEIGHT = 88;

/** The bars of the positions, with moves that keep the win at the bottom. */
export function bars(turns: readonly Turn[]): Bar[] {
  const most = Math.max(1, ...turns.map((turn) => turn.legal));
  const scale = HEIGHT / most;
  return turns.map(({ status, legal, kept, lost }) => {
    const open = legal - kept - lost;
    return {
      status,
      kept: kept * scale,
      open: open * scale,
      lost: lost * scale,
      keptTop: HEIGHT - kept * scale,
      openTop: HEIGHT - (kept + open) * scale,
      lostTop: HEIGHT - legal * scale,
    };
  });
}
