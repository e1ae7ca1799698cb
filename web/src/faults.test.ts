import { describe, expect, it } from "vitest";
import { marked, place, range } from "./faults";
import { kind, LARGEST, textOf } from "./upload.svelte";

const TEXT = 'name = "Ü 🂡"\npils = 6\r\n\tx = 1';

describe("faults of a file", () => {
  it("are shown with their line", () => {
    const lines = TEXT.split("\n");
    expect(marked(lines, { line: 2, column: 1, end: 5 })).toBe("2 | pils = 6\n  | ^^^^");
    expect(marked(lines, { line: 3, column: 2, end: 2 })).toBe("3 |  x = 1\n  |  ^");
    expect(marked(lines, { line: 9, column: 1, end: 1 })).toBe("9 | \n  | ^");
    const long = `${"a".repeat(500)}b`;
    const shown = marked([long], { line: 1, column: 501, end: 502 });
    expect(shown.length).toBeLessThan(400);
    expect(shown.split("\n")[1].indexOf("^")).toBe(shown.split("\n")[0].indexOf("b"));
  });

  it("are selected where they are, however wide letters are", () => {
    const [from, to] = range(TEXT, { line: 1, column: 11, end: 12 });
    expect(TEXT.slice(from, to)).toBe("🂡");
    const [start, end] = range(TEXT, { line: 2, column: 1, end: 5 });
    expect(TEXT.slice(start, end)).toBe("pils");
    expect(place(TEXT, start)).toEqual({ line: 2, column: 1 });
    expect(place(TEXT, 10)).toEqual({ line: 1, column: 11 });
  });
});

describe("a file that is brought", () => {
  it("is a game if it says so, else rules", () => {
    expect(kind("# Cadogan game 1\n# game: golf")).toBe("game");
    expect(kind('name = "Golf"')).toBe("rules");
    expect(kind("# Cadogan gamelan")).toBe("rules");
  });

  it("is refused if it is too large, or no text", async () => {
    expect(await textOf(new Blob(["ä"]))).toEqual({ text: "ä" });
    expect(await textOf(new Blob([new Uint8Array([0xff, 0xfe, 0x00])]))).toEqual({
      fault: "fileNoText",
    });
    expect(await textOf(new Blob(["x".repeat(LARGEST + 1)]))).toEqual({ fault: "fileLarge" });
  });
});
