import { expect, it } from "vitest";
import { LONGEST_PAUSE, secondsPlayed } from "./clock";

it("runs while the player plays, and stops in a pause", () => {
  const reading = { seconds: 60, receivedAt: 1_000_000, running: true };
  expect(secondsPlayed(reading, 1_000_000 + 5_500)).toBe(65.5);
  expect(secondsPlayed(reading, 1_000_000 + 3_600_000)).toBe(60 + LONGEST_PAUSE);
  expect(secondsPlayed({ ...reading, running: false }, 2_000_000)).toBe(60);
  expect(secondsPlayed(reading, 999_000)).toBe(60);
});
