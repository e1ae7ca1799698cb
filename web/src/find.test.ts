import { describe, expect, it } from "vitest";
import type { Schemas } from "./api/client";
import { anything, excluded, find, fold, level, named, together, turned } from "./find";

function game(name: string, more: Partial<Schemas["GameSummary"]> = {}): Schemas["GameSummary"] {
  return {
    name,
    title: name,
    names: { en: name },
    source: "",
    origin: "catalogue",
    packs: 1,
    cards: 52,
    piles: 1,
    open: true,
    variants: [],
    favourite: false,
    last_played: null,
    table: null,
    played: 0,
    won: 0,
    difficulty: null,
    chances: null,
    fault: null,
    ...more,
  };
}

const names = (found: Schemas["GameSummary"][]): string[] => found.map((each) => each.name);

describe("finding games by name", () => {
  it("takes letters without accents, signs and capitals", () => {
    expect(fold("  Fortune’s FAVOR ")).toBe("fortunes favor");
    expect(fold("Größe")).toBe("grosse");
    expect(fold("Größe", true)).toBe("groesse");
    expect(named(game("x", { title: "La Belle Lucie à la Française" }), "francaise")).toBe(true);
  });

  it("finds umlauts however they are typed, in every language of the names", () => {
    const garden = game("flower-garden", { names: { en: "Flower Garden", de: "Blumengärtchen" } });
    for (const typed of ["gärt", "gart", "gaert", "BLUMENGÄ", "flow gard", "ga\u0308rt", ""]) {
      expect(named(garden, typed), typed).toBe(true);
    }
    expect(named(garden, "rose")).toBe(false);
    expect(named(garden, "flower rose")).toBe(false);
  });
});

describe("choosing among games", () => {
  const games = [
    game("b", { packs: 2, open: false, difficulty: 0.9, last_played: "2026-01-02T00:00:00Z" }),
    game("c", { favourite: true, difficulty: 0.1 }),
    game("a", { origin: "upload", packs: 3, last_played: "2026-01-03T00:00:00Z" }),
  ];

  it("filters", () => {
    const by = (wanted: object): string[] => names(find(games, { ...anything, ...wanted }, "name"));
    expect(by({})).toEqual(["c", "a", "b"]);
    expect(by({ packs: "2" })).toEqual(["b"]);
    expect(by({ packs: "more" })).toEqual(["a"]);
    expect(by({ cards: "hidden" })).toEqual(["b"]);
    expect(by({ which: "favourites" })).toEqual(["c"]);
    expect(by({ which: "own" })).toEqual(["a"]);
    expect(by({ which: "new" })).toEqual(["c"]);
    expect(by({ level: "unknown" })).toEqual(["a"]);
    expect(by({ level: "hard", packs: "1" })).toEqual([]);
  });

  it("sorts; what was not measured comes last either way", () => {
    expect(names(find(games, anything, "played"))).toEqual(["a", "b", "c"]);
    expect(names(find(games, anything, "easy"))).toEqual(["c", "b", "a"]);
    expect(names(find(games, anything, "hard"))).toEqual(["b", "c", "a"]);
  });

  it("knows three levels", () => {
    expect([0, 0.4, 0.5, null].map(level)).toEqual(["easy", "middling", "hard", "unknown"]);
  });
});

it("says which variant stands in the way", () => {
  const message = { key: "x", text: "both say so" };
  const variant = { name: "a", label: "a", why: "", excludes: [{ variant: "b", message }] };
  expect(excluded(variant, ["c"])).toBeUndefined();
  expect(excluded(variant, ["c", "b"])?.message.text).toBe("both say so");
  expect(excluded(variant, ["a", "b"])).toBeUndefined();
});

it("puts out what excludes a variant that is chosen, and keeps the order of the file", () => {
  const message = { key: "x", text: "" };
  const variants = [
    { name: "a", label: "a", why: "", excludes: [{ variant: "b", message }] },
    { name: "b", label: "b", why: "", excludes: [{ variant: "a", message }] },
    { name: "c", label: "c", why: "", excludes: [] },
  ];
  expect(turned(variants, ["c"], "a", true)).toEqual(["a", "c"]);
  expect(turned(variants, ["a", "c"], "b", true)).toEqual(["b", "c"]);
  expect(turned(variants, ["b", "c"], "b", false)).toEqual(["c"]);
  expect(together(variants, ["a", "b", "c"])).toEqual(["b", "c"]);
});
