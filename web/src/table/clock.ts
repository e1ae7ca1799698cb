/** The clock of a table. */

/** Seconds; who does nothing for longer is not at the table. The server counts so, too. */
export const LONGEST_PAUSE = 120;

export interface Reading {
  /** Seconds played, as the server told them. */
  seconds: number;
  /** When it told them, in milliseconds. */
  at: number;
  running: boolean;
}

/** Seconds played by now: they go on until the player has paused for too long. */
export function played(reading: Reading, now: number): number {
  if (!reading.running) return reading.seconds;
  const since = Math.max(0, (now - reading.at) / 1000);
  return reading.seconds + Math.min(since, LONGEST_PAUSE);
}

/** "4:07", "1:04:07". */
export function written(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map(String);
  const hours = Math.floor(whole / 3600);
  if (hours > 0) return `${hours}:${parts.map((part) => part.padStart(2, "0")).join(":")}`;
  return `${parts[0]}:${parts[1].padStart(2, "0")}`;
}
