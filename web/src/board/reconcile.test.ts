import { describe, expect, it } from "vitest";
import { reconcile } from "./reconcile";

describe("reconcile", () => {
  it("keeps every card that is still there, also cards turned over", () => {
    const before = new Map([
      ["a", [{ text: "*" }, { text: "9H" }]],
      ["b", [{ text: "TC" }]],
    ]);
    const [turned, nine] = before.get("a")!;
    const after = new Map([
      ["a", ["5D"]],
      ["b", ["TC", "9H"]],
    ]);
    const { piles, gone } = reconcile(before, after, () => {
      throw new Error("no card should be made");
    });
    expect(piles.get("b")![1]).toBe(nine);
    expect(piles.get("a")![0]).toBe(turned);
    expect(turned.text).toBe("5D");
    expect(gone).toEqual([]);
  });

  it("makes new cards and returns those that are gone", () => {
    const gonePile = new Map([["a", [{ text: "2C" }]]]);
    const { piles, gone } = reconcile(gonePile, new Map([["a", ["3C"]]]), (text) => ({ text }));
    expect(piles.get("a")).toEqual([{ text: "3C" }]);
    expect(gone).toEqual([{ text: "2C" }]);
  });
});
