/** The clock of a table. */

/** Seconds: the clock stops when the player has paused for so long. The server counts the same. */
export const LONGEST_PAUSE = 120;

export interface ClockReading {
  /** Seconds played, as the server reported them. */
  seconds: number;
  /** When the report arrived, in milliseconds. */
  receivedAt: number;
  running: boolean;
}

/** Seconds played by now. */
export function secondsPlayed(reading: ClockReading, now: number): number {
  if (!reading.running) return reading.seconds;
  const since = Math.max(0, (now - reading.receivedAt) / 1000);
  return reading.seconds + Math.min(since, LONGEST_PAUSE);
}
