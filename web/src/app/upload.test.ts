// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { fileKind, MAX_SIZE, readText } from "./upload.svelte";

describe("an uploaded file", () => {
  it("holds a game if it says so, else rules", () => {
    expect(fileKind("# Cadogan game 1\n# game: golf")).toBe("game");
    expect(fileKind('name = "Golf"')).toBe("rules");
    expect(fileKind("# Cadogan gamelan")).toBe("rules");
  });

  it("is refused if it is too large or not text", async () => {
    expect(await readText(new Blob(["ä"]))).toEqual({ text: "ä" });
    expect(await readText(new Blob([new Uint8Array([0xff, 0xfe, 0x00])]))).toEqual({
      fault: "fileNoText",
    });
    expect(await readText(new Blob(["x".repeat(MAX_SIZE + 1)]))).toEqual({ fault: "fileLarge" });
  });
});
