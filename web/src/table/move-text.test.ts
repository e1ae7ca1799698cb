import { describe, expect, it } from "vitest";
import type { Schemas } from "../api/client";
import { Speech } from "../text/speech";
import { moveLabel, movesLeft, stepSentence, wordLabel } from "./move-text";

const en = new Speech("en");
const de = new Speech("de");
const step = (part: Partial<Schemas["Step"]>): Schemas["Step"] => ({
  text: "deal",
  rule: "deal",
  by: "player",
  transfers: [],
  piles: [],
  ...part,
});

describe("moves in words", () => {
  it("are labelled plainly on buttons", () => {
    expect(wordLabel(en, "turn")).toBe("Turn");
    expect(wordLabel(en, "redeal", 1)).toBe("Redeal (1 left)");
    expect(wordLabel(de, "redeal", 1)).toBe("Neu geben (noch 1)");
    expect(wordLabel(en, "shake-well")).toBe("Shake well");
    const move = { text: "redeal", rule: "second", kind: "word" } as Schemas["Move"];
    expect(movesLeft([{ word: "redeal", rule: "second", left: 2 }], move)).toBe(2);
    expect(movesLeft([{ word: "redeal", rule: "second", left: null }], move)).toBeNull();
  });

  it("are short in a list", () => {
    expect(moveLabel(en, "garden.2 > garden.5", ["9H"])).toBe("9♥ garden 2 → garden 5");
    expect(moveLabel(en, "a.1 > b.2 x3", ["9H", "*", "7C", "6C", "5C"])).toBe(
      "9♥ … 5♣ a 1 → b 2 x3",
    );
    expect(moveLabel(en, "a.1 > f.1 + a.2 > f.2", ["KH", "KD"])).toBe("K♥ K♦ a 1 → f 1, a 2 → f 2");
    expect(moveLabel(en, "deal", ["4H"])).toBe("Deal");
    expect(moveLabel(de, "deal", [])).toBe("Geben");
  });

  it("name their cards and who made them", () => {
    const transfers = [{ from: "stock", count: 1, to: "waste" }];
    const piles = [{ name: "waste", cards: ["-", "4H"] }];
    expect(stepSentence(en, step({ transfers, piles }))).toBe("four of hearts to waste");
    expect(stepSentence(en, step({ transfers, piles: [{ name: "waste", cards: ["*"] }] }))).toBe(
      "a card to waste",
    );
    const forced = step({
      text: "turn up tableau.3",
      by: "rules",
      piles: [{ name: "tableau.3", cards: ["*", "9C"] }],
    });
    expect(stepSentence(en, forced)).toBe("nine of clubs turned up on tableau 3 (by the rules)");
    const packet = [{ from: "a.1", count: 3, to: "a.2" }];
    const cards = [{ name: "a.2", cards: ["9H", "8C", "7H", "6C"] }];
    expect(stepSentence(de, step({ transfers: packet, piles: cards, by: "autoplay" }))).toBe(
      "3 Karten, oben Kreuz Sechs, nach a 2 (sicher)",
    );
  });
});
