import { describe, expect, it } from "vitest";
import { addPileLabels, addVariantLabels, chooseLanguage, Speech } from "./speech";

const en = new Speech("en");
const de = new Speech("de");

describe("speech", () => {
  it("describes piles in both languages", () => {
    const cards = ["2C", "9H"];
    expect(en.pile("garden.3", cards, [])).toBe("garden 3: 2 cards, top nine of hearts");
    expect(de.pile("garden.3", cards, [])).toBe("garden 3: 2 Karten, oben Herz Neun");
    expect(en.pile("f.1", [], ["AS"])).toBe("f 1: empty, wants ace of spades");
    const any = Array.from({ length: 52 }, () => "AS");
    expect(en.pile("f.1", [], any)).toBe("f 1: empty");
  });

  it("uses the server's labels, each in its language", () => {
    addPileLabels("de", [{ name: "red-waste", label: "roter Abwurf" }]);
    addPileLabels("de", [{ name: "columns", label: "Spalte" }]);
    expect(de.name("red-waste")).toBe("roter Abwurf");
    expect(de.name("columns.3")).toBe("Spalte 3");
    expect(en.name("columns.3")).toBe("columns 3");
    addVariantLabels("de-AT", [{ name: "draw-three", label: "drei Karten" }]);
    expect(de.variant("draw-three")).toBe("drei Karten");
    expect(en.variant("draw-three")).toBe("draw three");
  });

  it("counts", () => {
    expect(en.count("moves", 1)).toBe("1 move");
    expect(en.count("moves", 1200)).toBe("1,200 moves");
    expect(de.count("moves", 1200)).toBe("1.200 Züge");
  });

  it("follows the setting, and for auto the browser", () => {
    expect(chooseLanguage("auto", "de-AT")).toBe("de");
    expect(chooseLanguage("auto", "fr")).toBe("en");
    expect(chooseLanguage("en", "de")).toBe("en");
  });
});
