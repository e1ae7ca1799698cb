import { describe, expect, it } from "vitest";
import { daysLater, longDay, weeksUntil } from "./days";

describe("a day", () => {
  it("has a next one, also at the end of a month and of a year", () => {
    expect(daysLater("2026-02-28", 1)).toBe("2026-03-01");
    expect(daysLater("2026-12-31", 1)).toBe("2027-01-01");
    expect(daysLater("2026-03-01", -1)).toBe("2026-02-28");
  });

  it("stands in a week that begins on Monday", () => {
    const weeks = weeksUntil("2026-11-25", 2);
    expect(weeks).toHaveLength(14);
    expect(weeks[0]).toBe("2026-11-16");
    expect(weeks[13]).toBe("2026-11-29");
    expect(weeksUntil("2026-11-29", 1)[6]).toBe("2026-11-29");
  });

  it("has a name in both languages", () => {
    expect(longDay("2026-11-23", "en")).toContain("23 November 2026");
    expect(longDay("2026-11-23", "de")).toBe("Montag, 23. November 2026");
  });
});
