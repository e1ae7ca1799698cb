import { describe, expect, it } from "vitest";
import type { Schemas } from "../api/client";
import { byVerdict, histogram, pointsOf, totals, winShares } from "./statistics";

function result(how: Schemas["Result"]["result"], more: object = {}): Schemas["Result"] {
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
    scoring: "none",
    points: null,
    ...more,
  };
}

describe("statistics", () => {
  it("count in round bins and lose nothing", () => {
    expect(histogram([])).toEqual([]);
    expect(histogram([7])).toEqual([{ from: 7, to: 8, count: 1 }]);
    const found = histogram([50, 99, 100, 187]);
    expect(found[0]).toEqual({ from: 40, to: 60, count: 1 });
    expect(found.length).toBeLessThanOrEqual(10);
    expect(found.reduce((sum, bin) => sum + bin.count, 0)).toBe(4);
    expect(histogram([100, 200], { times: true })[0].from % 10).toBe(0);
    expect(histogram([1, 900_000]).length).toBeLessThanOrEqual(11);
  });

  it("follow the share won", () => {
    const shares = winShares([result("won"), result("open"), result("lost"), result("lost")], 2);
    expect(shares.map((each) => each.share)).toEqual([1, 0.5, 0]);
    expect(shares[2]).toEqual({ played: 3, won: 1, share: 0 });
  });

  it("add up", () => {
    const found = [result("lost"), result("won"), result("won"), result("open"), result("won")];
    expect(totals(found)).toEqual({
      played: 4,
      decided: 4,
      won: 3,
      streak: 3,
      best: 3,
      seconds: 300,
    });
    expect(totals([result("won"), result("lost"), result("lost")]).streak).toBe(-2);
    const split = byVerdict([
      result("won", { deal_verdict: "winnable" }),
      result("lost", { deal_verdict: "winnable" }),
      result("open", { deal_verdict: "winnable" }),
    ]);
    expect(split[0]).toEqual({ verdict: "winnable", won: 1, lost: 1 });
  });

  it("know games that have only points", () => {
    const found = [
      result("won"),
      result("over", { scoring: "most", points: -12 }),
      result("open", { scoring: "most", points: 30 }),
      result("over", { scoring: "most", points: 9 }),
      result("won"),
    ];
    expect(totals(found)).toMatchObject({ played: 4, decided: 2, won: 2, streak: 2, best: 2 });
    expect(winShares(found).map((each) => each.share)).toEqual([1, 1]);
    expect(pointsOf(found)).toEqual([-12, 9]);
    const bins = histogram(pointsOf(found), { most: 8 });
    expect(bins[0]).toEqual({ from: -15, to: -10, count: 1 });
    expect(bins[bins.length - 1]).toEqual({ from: 5, to: 10, count: 1 });
  });
});
