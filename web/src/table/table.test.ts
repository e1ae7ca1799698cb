import { describe, expect, it } from "vitest";
import type { Schemas } from "../api/client";
import { Speech } from "../text";
import * as table from "../text/table";
import { LONGEST_PAUSE, played, written } from "./clock";
import { frames } from "./frames";
import { letter, LETTERS } from "./keys";
import { address, dealName, linked, MOST_MOVES, parse } from "./share";
import { brief, label, left, sentence } from "./tell";

describe("the clock", () => {
  it("goes on while the player does something, and stops in a pause", () => {
    const reading = { seconds: 60, at: 1_000_000, running: true };
    expect(played(reading, 1_000_000 + 5_500)).toBe(65.5);
    expect(played(reading, 1_000_000 + 3_600_000)).toBe(60 + LONGEST_PAUSE);
    expect(played({ ...reading, running: false }, 2_000_000)).toBe(60);
    expect(played(reading, 999_000)).toBe(60);
  });

  it("is written as people write it", () => {
    expect([0, 7.9, 247, 3847].map(written)).toEqual(["0:00", "0:07", "4:07", "1:04:07"]);
  });
});

describe("a link", () => {
  const told = (query: string): unknown => parse(new URLSearchParams(query));

  it("names a deal, or a line", () => {
    expect(told("game=klondike&deal=ms:617")).toEqual({
      game: "klondike",
      deal: "ms:617",
      line: null,
    });
    expect(told("game=golf&deck=AS+TC&line=deal%3B+a.1+%3E+b.2%3B")).toEqual({
      game: "golf",
      deck: "AS TC",
      line: ["deal", "a.1 > b.2"],
    });
  });

  it("says what is wrong with it", () => {
    expect(told("deal=ms:617")).toBe("linkGame");
    expect(told("game=golf")).toBe("linkDeal");
    expect(told("game=golf&deal=&deck= ")).toBe("linkDeal");
    expect(told("game=golf&deal=ms:1&deck=AS")).toBe("linkBoth");
    expect(told(`game=golf&deal=ms:1&line=${"deal;".repeat(MOST_MOVES + 1)}`)).toBe("linkLong");
  });

  it("leads to this page, and is found again in a text", () => {
    const made = address("game=golf&deal=ms%3A1", { origin: "http://x:7617", pathname: "/" });
    expect(made).toBe("http://x:7617/#/share?game=golf&deal=ms%3A1");
    expect(linked(` ${made}\n`)).toBe("#/share?game=golf&deal=ms%3A1");
    expect(linked("http://x:7617/#/rules/golf")).toBeNull();
    expect(linked("deal")).toBeNull();
  });

  it("knows a deal by its number alone", () => {
    expect(dealName(" 617 ")).toBe("cadogan:617");
    expect(dealName("1,000,000")).toBe("cadogan:1000000");
    expect(dealName("ms : 617")).toBe("ms:617");
    expect(dealName("what")).toBe("what");
  });
});

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
  it("have a plain label on their button", () => {
    expect(label(en, "turn")).toBe("Turn the stock");
    expect(label(en, "redeal", 1)).toBe("Redeal (1 left)");
    expect(label(de, "redeal", 1)).toBe("Neu geben (noch 1)");
    expect(label(en, "shake-well")).toBe("Shake well");
    const move = { text: "redeal", rule: "second", kind: "word" } as Schemas["Move"];
    expect(left([{ word: "redeal", rule: "second", left: 2 }], move)).toBe(2);
    expect(left([{ word: "redeal", rule: "second", left: null }], move)).toBeNull();
  });

  it("are short in a list", () => {
    expect(brief(en, "garden.2 > garden.5", ["9H"])).toBe("9♥ garden 2 → garden 5");
    expect(brief(en, "a.1 > b.2 x3", ["9H", "*", "7C", "6C", "5C"])).toBe("9♥ … 5♣ a 1 → b 2 x3");
    expect(brief(en, "a.1 > f.1 + a.2 > f.2", ["KH", "KD"])).toBe("K♥ K♦ a 1 → f 1, a 2 → f 2");
    expect(brief(en, "deal", ["4H"])).toBe("Deal");
    expect(brief(de, "deal", [])).toBe("Geben");
  });

  it("are read aloud with their cards, and who made them", () => {
    const transfers = [{ from: "stock", count: 1, to: "waste" }];
    const piles = [{ name: "waste", cards: ["-", "4H"] }];
    expect(sentence(en, step({ transfers, piles }))).toBe("four of hearts to waste");
    expect(sentence(en, step({ transfers, piles: [{ name: "waste", cards: ["*"] }] }))).toBe(
      "a card to waste",
    );
    const forced = step({
      text: "turn up tableau.3",
      by: "rules",
      piles: [{ name: "tableau.3", cards: ["*", "9C"] }],
    });
    expect(sentence(en, forced)).toBe("nine of clubs turned up on tableau 3 (by the rules)");
    const packet = [{ from: "a.1", count: 3, to: "a.2" }];
    const heap = [{ name: "a.2", cards: ["9H", "8C", "7H", "6C"] }];
    expect(sentence(de, step({ transfers: packet, piles: heap, by: "autoplay" }))).toBe(
      "3 Karten, oben Kreuz Sechs, nach a 2 (sicher)",
    );
  });

  it("are counted", () => {
    expect(en.count("moves", 1)).toBe("1 move");
    expect(en.count("moves", 1200)).toBe("1,200 moves");
    expect(de.count("moves", 1200)).toBe("1.200 Züge");
  });
});

describe("the letters", () => {
  const pressed = (key: string, target: Element = document.body): string | undefined => {
    const event = new KeyboardEvent("keydown", { key });
    Object.defineProperty(event, "target", { value: target });
    return letter(event)?.key;
  };

  it("are each taken once", () => {
    expect(new Set(LETTERS.map((each) => each.key)).size).toBe(LETTERS.length);
    expect(pressed("u")).toBe("u");
    expect(pressed("U")).toBe("u");
    expect(pressed("x")).toBeUndefined();
  });

  it("mean nothing where a person writes", () => {
    expect(pressed("u", document.createElement("input"))).toBeUndefined();
    const dialog = document.createElement("dialog");
    dialog.append(document.createElement("button"));
    expect(pressed("u", dialog.firstElementChild!)).toBeUndefined();
  });
});

describe("a replay", () => {
  it("is a picture a move, with what each forced", () => {
    const pile = (name: string, cards: string[]): Schemas["Pile"] => ({
      name,
      cards,
      wanted: [],
      closed: false,
    });
    const move = (...steps: Schemas["Step"][]): Schemas["ReplayMove"] => ({
      text: "a",
      node: null,
      bookmark: null,
      cards: [],
      outcome: null,
      steps,
    });
    const made = frames({
      game: "x",
      title: "X",
      deal: "cadogan:1",
      deck: null,
      piles: [pile("a", ["2C", "AH"]), pile("b", []), pile("c", ["9S"])],
      moves: [
        move(
          step({ piles: [pile("a", ["2C"]), pile("b", ["AH"])] }),
          step({ by: "rules", piles: [pile("a", []), pile("b", ["AH", "2C"])] }),
        ),
        move(step({ piles: [pile("c", [])] })),
      ],
      at: 0,
    });
    expect(made.map((frame) => frame.map((each) => each.cards.join(" ")))).toEqual([
      ["2C AH", "", "9S"],
      ["", "AH 2C", "9S"],
      ["", "AH 2C", ""],
    ]);
  });
});

describe("the words of a table", () => {
  it("have the same gaps in both languages", () => {
    const gaps = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const [key, text] of Object.entries(table.en)) {
      expect([key, gaps(table.de[key as keyof typeof table.de])]).toEqual([key, gaps(text)]);
    }
  });
});
