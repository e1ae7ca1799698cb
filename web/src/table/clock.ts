/** The clock of a table. */

/** The clock stops after a pause of this many seconds. The server counts in the same way. */
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
