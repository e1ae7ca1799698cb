import { beforeEach, describe, expect, it } from "vitest";
import { grid, position } from "./board.fixture";
import {
  type Drag,
  type State,
  canTake,
  cardsOf,
  changePiles,
  defaults,
  isAlone,
  isCovered,
  isTaken,
  moveHome,
  movesFrom,
  requestTo,
  select,
  selectCount,
  setPosition,
  takeMore,
  targets,
  wordOf,
} from "./state";

let state: State;

beforeEach(() => {
  state = defaults(grid);
  setPosition(state, position);
});

const drag: Drag = {
  pile: "a",
  index: 1,
  x: 0,
  y: 0,
  pointer: 1,
  moved: true,
  far: true,
  again: false,
};

describe("defaults", () => {
  it("are an empty board with the focus on the tableau", () => {
    const empty = defaults(grid);
    expect(empty.focus).toBe("a");
    expect(empty.speed).toBe(1);
    expect(targets(empty)).toEqual([]);
    expect(cardsOf(empty, "a")).toEqual([]);
  });

  it("focus the first pile of a game without a tableau", () => {
    const places = grid.places.filter((place) => place.role !== "tableau");
    expect(defaults({ ...grid, places }).focus).toBe("stock");
  });
});

describe("a position", () => {
  it("ends a selection, and says what empty piles want", () => {
    select(state, "a", 1);
    setPosition(state, position);
    expect(state.selection).toBeNull();
    expect(state.wanted.get("home")).toEqual(["AH"]);
    expect(state.wanted.get("c")).toEqual([]);
  });

  it("changes only the piles that it names", () => {
    changePiles(state, [{ name: "b", cards: ["TC", "9H"] }]);
    expect(cardsOf(state, "b")).toEqual(["TC", "9H"]);
    expect(cardsOf(state, "a")).toEqual(["*", "9H", "8S"]);
  });

  it("says which piles others cover: until all piles of a set are empty", () => {
    const places = grid.places.map((place) =>
      place.pile === "home" ? { ...place, free_when: [["a", "b"], ["waste"]] } : place,
    );
    const covering = { ...state, grid: { ...grid, places } };
    expect(isCovered(covering, "a")).toBe(false);
    changePiles(covering, [{ name: "waste", cards: ["2H"] }]);
    expect(isCovered(covering, "home")).toBe(true);
    changePiles(covering, [{ name: "a", cards: [] }]);
    expect(isCovered(covering, "home")).toBe(true);
    changePiles(covering, [{ name: "b", cards: [] }]);
    expect(isCovered(covering, "home")).toBe(false);
    changePiles(covering, [
      { name: "b", cards: ["2H"] },
      { name: "waste", cards: [] },
    ]);
    expect(isCovered(covering, "home")).toBe(false);
  });

  it("ends a drag of cards, but not a press", () => {
    state.drag = { ...drag, moved: false };
    changePiles(state, []);
    expect(state.drag).not.toBeNull();
    state.drag = { ...drag };
    changePiles(state, []);
    expect(state.drag).toBeNull();
  });
});

describe("a selection", () => {
  it("needs cards", () => {
    expect(select(state, "waste", null)).toBe(false);
    expect(state.selection).toBeNull();
    expect(select(state, "a", null)).toBe(true);
  });

  it("has at least one card, and at most those of the pile", () => {
    select(state, "a", null);
    selectCount(state, 9);
    expect(state.selection).toEqual({ pile: "a", count: 3, others: [] });
    selectCount(state, 0);
    expect(state.selection).toEqual({ pile: "a", count: 1, others: [] });
  });

  it("knows its targets", () => {
    select(state, "a", 2);
    expect(targets(state)).toEqual(["b"]);
    select(state, "b", null);
    expect(targets(state)).toEqual([]);
  });

  it("looks for moves with as many cards, and takes others if there are none", () => {
    const one = { from: "a", count: 1, to: "c" };
    const moves = [...position.moves, { ...position.moves[1], text: "a > c", transfers: [one] }];
    setPosition(state, { ...position, moves });
    expect(movesFrom(state, "a", 1).map((move) => move.text)).toEqual(["a > c"]);
    expect(movesFrom(state, "a", 3).map((move) => move.text)).toEqual(["a > b 2", "a > c"]);
    expect(movesFrom(state, "a", null)).toHaveLength(2);
  });
});

describe("a pair that leaves the game", () => {
  const transfers = [
    { from: "a", count: 1, to: "home" },
    { from: "b", count: 1, to: "home" },
  ];
  const pair = { text: "a + b", kind: "joint" as const, transfers, piles: [] };

  it("is played by putting one card on the other, or both away", () => {
    setPosition(state, { ...position, moves: [pair] });
    select(state, "b", 1);
    expect(targets(state)).toEqual(["home", "a"]);
    expect(requestTo(state, "a")).toEqual({ text: "a + b" });
    expect(requestTo(state, "home")).toEqual({ text: "a + b" });
  });

  it("is no such move if its cards go to different piles", () => {
    const apart = [transfers[0], { ...transfers[1], to: "c" }];
    setPosition(state, { ...position, moves: [{ ...pair, transfers: apart }] });
    select(state, "b", 1);
    expect(targets(state)).toEqual(["c"]);
  });
});

describe("a set of three that leaves the game", () => {
  const transfers = ["a", "b", "c"].map((from) => ({ from, count: 1, to: "home" }));
  const set = { text: "a + b + c", kind: "joint" as const, transfers, piles: [] };

  it("is taken card by card", () => {
    setPosition(state, { ...position, moves: [set] });
    changePiles(state, [{ name: "c", cards: ["5H"] }]);
    select(state, "b", 1);
    expect(targets(state)).toEqual(["home", "a", "c"]);
    expect(takeMore(state, "c")).toBe(true);
    expect(targets(state)).toEqual(["home", "a"]);
    expect([isTaken(state, "b"), isTaken(state, "c"), isTaken(state, "a")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(takeMore(state, "a")).toBe(false);
    expect(requestTo(state, "a")).toEqual({ text: "a + b + c" });
  });

  it("names all cards that were taken where it is refused", () => {
    setPosition(state, { ...position, moves: [set] });
    select(state, "b", 1);
    takeMore(state, "c");
    expect(takeMore(state, "stock")).toBe(false);
    expect(requestTo(state, "stock")).toEqual({ text: "b + c + stock" });
  });
});

describe("a request", () => {
  it("is the legal move, if there is exactly one", () => {
    select(state, "a", 2);
    expect(requestTo(state, "b")).toEqual({ text: "a > b 2" });
  });

  it("names piles and cards where the server must decide", () => {
    select(state, "b", 1);
    expect(requestTo(state, "c")).toEqual({ from: "b", to: "c", count: 1 });
    select(state, "b", null);
    expect(requestTo(state, "c")).toEqual({ from: "b", to: "c" });
  });

  it("leaves the choice among several moves to the player", () => {
    const other = { ...position.moves[1], text: "a > b 3" };
    setPosition(state, { ...position, moves: [...position.moves, other] });
    select(state, "a", 2);
    expect(requestTo(state, "b")).toEqual({ from: "a", to: "b" });
  });
});

it("finds the word of a pile, and the way to a foundation", () => {
  expect(wordOf(state, "stock")?.text).toBe("deal");
  expect(wordOf(state, "a")).toBeUndefined();
  expect(moveHome(state, "c")?.text).toBe("c > home");
  expect(moveHome(state, "a")).toBeUndefined();
});

it("takes a card face down only if a move does", () => {
  expect(canTake(state, "a", 1)).toBe(true);
  expect(canTake(state, "a", 0)).toBe(false);
  expect(canTake(state, "a", 3)).toBe(false);
  expect(canTake(state, "stock", 1)).toBe(false);
  const transfers = [{ from: "stock", count: 1, to: "b" }];
  const moves = [{ text: "stock > b", kind: "cards" as const, transfers, piles: [] }];
  setPosition(state, { ...position, moves });
  expect(canTake(state, "stock", 1)).toBe(true);
  expect(canTake(state, "stock", 0)).toBe(false);
});

describe("a card from under others", () => {
  const deep = { from: "a", count: 1, to: "home", depth: 2 };
  const move = { text: "a > home #2", kind: "cards" as const, transfers: [deep], piles: [] };

  it("is taken alone", () => {
    setPosition(state, { ...position, moves: [move] });
    expect(isAlone(state, "a", 1)).toBe(false);
    expect(isAlone(state, "a", 2)).toBe(true);
    select(state, "a", 2);
    expect(targets(state)).toEqual(["home"]);
    expect(requestTo(state, "home")).toEqual({ text: "a > home #2" });
  });

  it("takes those on it along where a move needs them", () => {
    setPosition(state, position);
    expect(isAlone(state, "a", 2)).toBe(false);
  });
});
