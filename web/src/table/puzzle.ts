/** The rating of a player who solves puzzles. */

/** How a rating has changed: "+12", "−7", "±0". */
export function ratingChange(before: number, after: number): string {
  const change = after - before;
  if (change === 0) return "±0";
  return change > 0 ? `+${change}` : `−${-change}`;
}
