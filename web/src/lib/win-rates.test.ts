import { expect, it } from "vitest";
import { Speech } from "../text/speech";
import { percent, winRange, winRateDetails, winRateSummary } from "./win-rates";

const chances = {
  deals: 100,
  won: 60,
  undecided: 33,
  low: 0.5,
  high: 0.97,
  seen_deals: 50,
  seen_won: 10,
};
const speech = new Speech("en");

it("writes shares as the language does", () => {
  expect(percent(0.5, "en")).toBe("50%");
  expect(percent(0.0213, "de")).toBe("2,1\u00a0%");
  expect(percent(0.999, "en")).toBe("99.9%");
  expect(winRange(chances, "en")).toBe("60–93%");
  expect(winRange({ ...chances, undecided: 0 }, "en")).toBe("60%");
});

it("says when no deal was won", () => {
  const none = { ...chances, won: 0, undecided: 0 };
  expect(winRateSummary(none, speech)).toBe(speech.say("noneWon"));
});

it("shows both rates where cards are hidden", () => {
  expect(winRateSummary(chances, speech)).toContain("60–93%");
  expect(winRateSummary(chances, speech)).not.toContain("20%");
  expect(winRateSummary(chances, speech, true)).toContain("20%");
  expect(winRateDetails(chances, speech)).toHaveLength(2);
  expect(winRateDetails({ ...chances, seen_deals: 0 }, speech)).toHaveLength(1);
});
