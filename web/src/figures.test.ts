import { describe, expect, it } from "vitest";
import type { Schemas } from "./api/client";
import { bins, byVerdict, chancesInShort, course, percent, span, time, total } from "./figures";
import { Speech } from "./text";

const chances = {
  deals: 100,
  won: 60,
  undecided: 33,
  low: 0.5,
  high: 0.97,
  seen_deals: 0,
  seen_won: 0,
};

function result(how: "won" | "lost" | "open", more: object = {}): Schemas["Result"] {
  return {
    table: "t",
    game: "golf",
    begun: "2026-01-01T00:00:00Z",
    ended: "2026-01-01T00:00:00Z",
    result: how,
    seconds: 60,
    moves: 50,
    deal: null,
    deal_verdict: "unknown",
    ...more,
  };
}

describe("figures", () => {
  it("are written as the language writes them", () => {
    expect(percent(0.5, "en")).toBe("50%");
    expect(percent(0.0213, "de")).toBe("2,1\u00a0%");
    expect(percent(0.999, "en")).toBe("99.9%");
    expect(span(chances, "en")).toBe("60–93%");
    expect(span({ ...chances, undecided: 0 }, "en")).toBe("60%");
    expect(time(65.4)).toBe("1:05");
    expect(time(3665)).toBe("1:01:05");
    expect(time(null)).toBe("–");
  });

  it("say when no deal was won", () => {
    const speech = new Speech("en");
    const none = { ...chances, won: 0, undecided: 0 };
    expect(chancesInShort(none, speech)).toBe(speech.say("noneWon"));
    expect(chancesInShort(chances, speech)).toContain("60–93%");
  });
});

describe("plots", () => {
  it("count in round steps and lose nothing", () => {
    expect(bins([])).toEqual([]);
    expect(bins([7])).toEqual([{ from: 7, to: 8, count: 1 }]);
    const found = bins([50, 99, 100, 187]);
    expect(found[0]).toEqual({ from: 40, to: 60, count: 1 });
    expect(found.length).toBeLessThanOrEqual(10);
    expect(found.reduce((sum, bin) => sum + bin.count, 0)).toBe(4);
    expect(bins([100, 200], true)[0].from % 10).toBe(0);
    expect(bins([1, 900_000]).length).toBeLessThanOrEqual(11);
  });

  it("follow the share that was won", () => {
    const stands = course([result("won"), result("open"), result("lost"), result("lost")], 2);
    expect(stands.map((each) => each.share)).toEqual([1, 0.5, 0]);
    expect(stands[2]).toEqual({ played: 3, won: 1, share: 0 });
  });

  it("sum up", () => {
    const found = [result("lost"), result("won"), result("won"), result("open"), result("won")];
    expect(total(found)).toEqual({ played: 4, won: 3, streak: 3, best: 3, seconds: 300 });
    expect(total([result("won"), result("lost"), result("lost")]).streak).toBe(-2);
    const split = byVerdict([
      result("won", { deal_verdict: "winnable" }),
      result("lost", { deal_verdict: "winnable" }),
      result("open", { deal_verdict: "winnable" }),
    ]);
    expect(split[0]).toEqual({ verdict: "winnable", won: 1, lost: 1 });
  });
});
