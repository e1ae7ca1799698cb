import { describe, expect, it } from "vitest";
import type { Schemas } from "../api/client";
import {
  findGames,
  fold,
  foundAlias,
  gameOfTheDay,
  level,
  matchesName,
  NO_FILTER,
  shelves,
} from "./game-search";

function game(name: string, more: Partial<Schemas["GameSummary"]> = {}): Schemas["GameSummary"] {
  return {
    name,
    title: name,
    names: { en: name },
    aliases: [],
    family: { name: "golf", title: "Golf", place: 11 },
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
  it("ignores capitals, accents and punctuation", () => {
    expect(fold("  Fortune’s FAVOR ")).toBe("fortunes favor");
    expect(fold("Größe")).toBe("grosse");
    expect(fold("Größe", true)).toBe("groesse");
    expect(matchesName(game("x", { title: "La Belle Lucie à la Française" }), "francaise")).toBe(
      true,
    );
  });

  it("finds umlauts however they are typed, in every language", () => {
    const garden = game("flower-garden", { names: { en: "Flower Garden", de: "Blumengärtchen" } });
    for (const typed of ["gärt", "gart", "gaert", "BLUMENGÄ", "flow gard", "ga\u0308rt", ""]) {
      expect(matchesName(garden, typed), typed).toBe(true);
    }
    expect(matchesName(garden, "rose")).toBe(false);
    expect(matchesName(garden, "flower rose")).toBe(false);
  });
});

describe("other titles", () => {
  const clock = game("clock", { aliases: ["Travellers", "Hidden Cards"] });

  it("find a game, and are shown if its own titles do not have the text", () => {
    expect(matchesName(clock, "hidden")).toBe(true);
    expect(foundAlias(clock, "hidden")).toBe("Hidden Cards");
    expect(foundAlias(clock, "cl")).toBeUndefined();
    expect(foundAlias(clock, "")).toBeUndefined();
    expect(foundAlias(clock, "klondike")).toBeUndefined();
  });
});

describe("families", () => {
  const fans = { name: "fan", title: "Fans", place: 8 };
  const others = { name: "", title: "Other games", place: 23 };
  const games = [
    game("z", { family: others }),
    game("b"),
    game("c", { family: fans }),
    game("a", { favourite: true }),
  ];

  it("are shelves in their order", () => {
    const found = shelves(findGames(games, NO_FILTER, "family"));
    expect(found.map((shelf) => [shelf.title, ...names(shelf.games)])).toEqual([
      ["Fans", "c"],
      ["Golf", "a", "b"],
      ["Other games", "z"],
    ]);
  });

  it("can be chosen", () => {
    expect(names(findGames(games, { ...NO_FILTER, family: "fan" }, "name"))).toEqual(["c"]);
  });
});

describe("filtering games", () => {
  const games = [
    game("b", { packs: 2, open: false, difficulty: 0.9, last_played: "2026-01-02T00:00:00Z" }),
    game("c", { favourite: true, difficulty: 0.1 }),
    game("a", { origin: "upload", packs: 3, last_played: "2026-01-03T00:00:00Z" }),
  ];

  it("filters", () => {
    const by = (wanted: object): string[] =>
      names(findGames(games, { ...NO_FILTER, ...wanted }, "name"));
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

  it("sorts; games without a difficulty come last either way", () => {
    expect(names(findGames(games, NO_FILTER, "played"))).toEqual(["a", "b", "c"]);
    expect(names(findGames(games, NO_FILTER, "easy"))).toEqual(["c", "b", "a"]);
    expect(names(findGames(games, NO_FILTER, "hard"))).toEqual(["b", "c", "a"]);
  });

  it("has three levels of difficulty", () => {
    expect([0, 0.4, 0.5, null].map(level)).toEqual(["easy", "middling", "hard", "unknown"]);
  });
});

describe("the game of the day", () => {
  const chances = (low: number): Schemas["Chances"] => ({
    deals: 100,
    won: 100 * low,
    undecided: 0,
    low,
    high: 1,
    seen_deals: 0,
    seen_won: 0,
  });
  const some = Array.from({ length: 12 }, (_, at) => game(`g${at}`, { chances: chances(0.5) }));
  const on = (day: number): string | undefined =>
    gameOfTheDay(some, new Date(2026, 10, day, 23, 59))?.name;

  it("is every game once before one comes again", () => {
    expect(new Set(Array.from({ length: 12 }, (_, day) => on(day + 1))).size).toBe(12);
    expect(on(13)).toBe(on(1));
  });

  it("does not depend on the time of day or the order of the list", () => {
    expect(gameOfTheDay([...some].reverse(), new Date(2026, 10, 3, 0, 1))?.name).toBe(on(3));
  });

  it("comes out now and then, and is of the catalogue", () => {
    const others = [
      game("hard", { chances: chances(0.01) }),
      game("unknown"),
      game("own", { origin: "upload", chances: chances(0.5) }),
    ];
    expect(gameOfTheDay(others, new Date())).toBeUndefined();
    expect(gameOfTheDay([...others, some[0]], new Date())?.name).toBe("g0");
    expect(gameOfTheDay([], new Date())).toBeUndefined();
  });
});
