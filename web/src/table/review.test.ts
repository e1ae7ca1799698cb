import { describe, expect, it } from "vitest";
import { bars } from "./review";

const why = { key: "", text: "" };

describe("the plot of a review", () => {
  it("stacks the moves that keep the win, those not decided and those that lose", () => {
    const [first, last] = bars([
      { status: "winnable", why, legal: 4, kept: 2, lost: 1 },
      { status: "unwinnable", why, legal: 2, kept: 0, lost: 2 },
    ]);
    expect(first).toMatchObject({ kept: 44, open: 22, lost: 22 });
    expect([first.keptTop, first.openTop, first.lostTop]).toEqual([44, 22, 0]);
    expect(last).toMatchObject({ status: "unwinnable", kept: 0, open: 0, lost: 44, lostTop: 44 });
  });

  it("draws a game without a move", () => {
    const [only] = bars([{ status: "winnable", why, legal: 0, kept: 0, lost: 0 }]);
    expect(only).toMatchObject({ kept: 0, open: 0, lost: 0 });
  });
});
