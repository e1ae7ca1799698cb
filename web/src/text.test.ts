import { describe, expect, it } from "vitest";
import { blocks, spans } from "./prose";
import { chosen, learn, Speech } from "./text";

describe("what the page says", () => {
  it("names piles in both languages", () => {
    const cards = ["2C", "9H"];
    expect(new Speech("en").pile("garden.3", cards, [])).toBe(
      "garden 3: 2 cards, top nine of hearts",
    );
    expect(new Speech("de").pile("garden.3", cards, [])).toBe("garden 3: 2 Karten, oben Herz Neun");
    expect(new Speech("en").pile("f.1", [], ["AS"])).toBe("f 1: empty, wants ace of spades");
  });

  it("calls piles as the server does", () => {
    learn("de", [{ name: "red-waste", label: "roter Abwurf" }]);
    learn("de", [{ name: "columns", label: "Spalte" }]);
    expect(new Speech("de").name("red-waste")).toBe("roter Abwurf");
    expect(new Speech("de").name("columns.3")).toBe("Spalte 3");
    expect(new Speech("en").name("columns.3")).toBe("columns 3");
  });

  it("speaks as it is set, else as the browser does", () => {
    expect(chosen("auto", "de-AT")).toBe("de");
    expect(chosen("auto", "fr")).toBe("en");
    expect(chosen("en", "de")).toBe("en");
  });
});

describe("the rules in words", () => {
  it("are taken apart", () => {
    const made = blocks(
      "# Golf\n\nA game\nof luck.\n\n- one\n  more\n- two\n\n    A . B\n    C . D\n",
    );
    expect(made).toEqual([
      { kind: "h1", lines: ["Golf"] },
      { kind: "text", lines: ["A game", "of luck."] },
      { kind: "list", lines: ["one more", "two"] },
      { kind: "code", lines: ["A . B", "C . D"] },
    ]);
    expect(spans("a **b** `c`").map((span) => span.kind)).toEqual([
      "plain",
      "strong",
      "plain",
      "code",
    ]);
  });
});
