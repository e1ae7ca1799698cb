import { describe, expect, it } from "vitest";
import { excerpt, lineAndColumn, selectionRange } from "./fault-location";

const TEXT = 'name = "Ü 🂡"\npils = 6\r\n\tx = 1';

describe("a fault of a file", () => {
  it("is shown with its line", () => {
    const lines = TEXT.split("\n");
    expect(excerpt(lines, { line: 2, column: 1, end: 5 })).toBe("2 | pils = 6\n  | ^^^^");
    expect(excerpt(lines, { line: 3, column: 2, end: 2 })).toBe("3 |  x = 1\n  |  ^");
    expect(excerpt(lines, { line: 9, column: 1, end: 1 })).toBe("9 | \n  | ^");
    const long = `${"a".repeat(500)}b`;
    const shown = excerpt([long], { line: 1, column: 501, end: 502 });
    expect(shown.length).toBeLessThan(400);
    expect(shown.split("\n")[1].indexOf("^")).toBe(shown.split("\n")[0].indexOf("b"));
  });

  it("is selected where it is, however many units its characters have", () => {
    const [from, to] = selectionRange(TEXT, { line: 1, column: 11, end: 12 });
    expect(TEXT.slice(from, to)).toBe("🂡");
    const [start, end] = selectionRange(TEXT, { line: 2, column: 1, end: 5 });
    expect(TEXT.slice(start, end)).toBe("pils");
    expect(lineAndColumn(TEXT, start)).toEqual({ line: 2, column: 1 });
    expect(lineAndColumn(TEXT, 10)).toEqual({ line: 1, column: 11 });
  });
});
