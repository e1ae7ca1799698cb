import { expect, it } from "vitest";
import { formatDuration } from "./duration";

it("writes seconds as a clock shows them", () => {
  const written = [0, 7.9, 65.4, 247, 3665, 3847].map(formatDuration);
  expect(written).toEqual(["0:00", "0:07", "1:05", "4:07", "1:01:05", "1:04:07"]);
  expect([null, undefined].map(formatDuration)).toEqual(["–", "–"]);
});
