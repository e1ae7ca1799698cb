import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FELTS } from "./appearance";

const css = readFileSync("src/app.css", "utf8") + readFileSync("src/pages.css", "utf8");
const board = readFileSync("src/board/board.css", "utf8");
const deck = readFileSync("decks.ts", "utf8");

type Colour = [number, number, number];

function colour(hex: string): Colour {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Colour;
}

/** A colour seen through another, "#ffffff99". */
function over(hex: string, under: Colour): Colour {
  const alpha = hex.length > 7 ? Number.parseInt(hex.slice(7), 16) / 255 : 1;
  return colour(hex).map((part, at) => part * alpha + under[at] * (1 - alpha)) as Colour;
}

function luminance(parts: Colour): number {
  const [red, green, blue] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Colour, other: Colour): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function variable(name: string): string {
  return new RegExp(`--${name}: (#[0-9a-f]+);`).exec(css)![1];
}

/** A colour in the light theme and in the dark one. */
function pair(pattern: string): [Colour, Colour] {
  const found = new RegExp(`${pattern}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css)!;
  return [colour(found[1]), colour(found[2])];
}

describe("colours are distinguishable (WCAG AA)", () => {
  it.each(FELTS.map(([id]) => id))("on the %s cloth", (id) => {
    for (const felt of pair(`data-felt="${id}"\\] \\{\\s+--felt`)) {
      const slot = over(variable("slot"), felt);
      expect(contrast(over(variable("slot-ink"), slot), slot)).toBeGreaterThan(4.5);
      for (const mark of ["line", "take", "goal", "hint", "focus"]) {
        expect(contrast(over(variable(mark), felt), felt), mark).toBeGreaterThan(3);
      }
    }
  });

  it("on cards", () => {
    const inks = [...board.matchAll(/card[^{]*\{\s+color: (#[0-9a-f]{6})/g)].map(
      (found) => found[1],
    );
    expect(inks).toHaveLength(4);
    const pictures = [/RED = "(#\w+)"/.exec(deck)![1], "#0000ff", "#008000"];
    for (const ink of [...inks, ...pictures]) {
      expect(contrast(colour(ink), colour("#ffffff")), ink).toBeGreaterThan(4.5);
    }
  });

  it.each([0, 1])("on the page (theme %i)", (theme) => {
    for (const ground of ["paper", "panel"].map((name) => pair(`--${name}`)[theme])) {
      for (const ink of ["ink", "faint", "main", "bad"]) {
        expect(contrast(pair(`--${ink}`)[theme], ground), ink).toBeGreaterThan(4.5);
      }
    }
    expect(contrast(pair("--main-ink")[theme], pair("--main")[theme])).toBeGreaterThan(4.5);
  });
});
