// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Board } from "./board";
import { fitTable } from "./fit";
import { arrange, type Geometry } from "./geometry";
import { grid, position } from "./board.fixture";
import type { MoveRequest } from "./state";

describe("the board", () => {
  let root: HTMLElement;
  let board: Board;
  let requests: MoveRequest[];

  beforeEach(() => {
    // Without it, a board takes the usual size at once.
    vi.stubGlobal("ResizeObserver", undefined);
    document.body.innerHTML = "<div><div></div></div>";
    root = document.body.querySelector("div div")!;
    requests = [];
    board = new Board(root, {
      grid,
      describe: (pile, cards) => `${pile}: ${cards.length}`,
      say: (card) => `card ${card}`,
      play: (request) => requests.push(request),
    });
    board.speed = 0;
    board.set(position);
  });
  afterEach(() => {
    board.destroy();
    vi.unstubAllGlobals();
  });

  const pile = (name: string): HTMLElement => root.querySelector(`.pile[data-pile="${name}"]`)!;
  const card = (text: string): HTMLElement => root.querySelector(`[data-card="${text}"]`)!;
  const press = (key: string): boolean =>
    root.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));

  function laid(): Geometry {
    const piles = new Map(position.piles.map(({ name, cards }) => [name, cards]));
    return arrange(fitTable(grid, piles, { width: 800, height: 600 }), piles);
  }
  function point(type: string, target: HTMLElement, x = 0, y = 0): void {
    const event = new PointerEvent(type, {
      bubbles: true,
      button: 0,
      pointerId: 1,
      clientX: x,
      clientY: y,
    });
    target.dispatchEvent(event);
  }
  function click(target: HTMLElement): void {
    point("pointerdown", target);
    point("pointerup", target);
  }

  it("labels every pile", () => {
    expect(pile("a").getAttribute("aria-label")).toBe("a: 3");
    expect(pile("a").getAttribute("role")).toBe("button");
    expect(card("9H").title).toBe("a: 3");
  });

  it("labels every pile before its size is known", () => {
    class NeverCalled {
      observe(): void {}
      disconnect(): void {}
    }
    vi.stubGlobal("ResizeObserver", NeverCalled);
    const undrawn = document.createElement("div");
    const early = new Board(undrawn, {
      grid,
      describe: (pile, cards) => `${pile}: ${cards.length}`,
      say: (card) => `card ${card}`,
      play: () => undefined,
    });
    early.set(position);
    const labels = [...undrawn.querySelectorAll(".pile")].map((pile) =>
      pile.getAttribute("aria-label"),
    );
    expect(labels).toContain("a: 3");
    expect(labels).not.toContain(null);
    early.destroy();
  });

  it("labels every visible card, and puts it after its pile", () => {
    expect(card("9H").getAttribute("aria-label")).toBe("card 9H");
    expect(card("9H").getAttribute("role")).toBe("img");
    const order = root.getAttribute("aria-owns")!.split(" ");
    expect(order.every((id) => document.getElementById(id) !== null)).toBe(true);
    const after = order[order.indexOf(pile("a").id) + 1];
    expect(document.getElementById(after)!.dataset.pile).toBe("a");
    expect(order).toContain(card("9H").id);
  });

  it("takes a card by a click, marks where it can go, and puts it there", () => {
    click(card("9H"));
    expect(card("9H").classList).toContain("taken");
    expect(card("8S").classList).toContain("taken");
    expect(card("TC").classList).toContain("target");
    click(card("TC"));
    expect(requests).toEqual([{ text: "a > b 2" }]);
  });

  it("asks the server about a move that it does not know", () => {
    click(card("TC"));
    click(card("AH"));
    expect(requests).toEqual([{ from: "b", to: "c", count: 1 }]);
  });

  it("does the same by keyboard", () => {
    pile("c").focus();
    press("Enter");
    expect(pile("home").classList).toContain("target");
    press("ArrowUp");
    press("ArrowRight");
    press("Enter");
    expect(requests).toEqual([{ text: "c > home" }]);
  });

  it("takes as many cards as a digit says, and one more or less", () => {
    pile("a").focus();
    press("Enter");
    press("2");
    expect(card("9H").classList).toContain("taken");
    expect(card("TC").classList).toContain("target");
    press("-");
    expect(card("9H").classList).not.toContain("taken");
    press("9");
    expect(root.querySelectorAll(".taken")).toHaveLength(3);
    press("-");
    pile("b").focus();
    press("Enter");
    expect(requests).toEqual([{ text: "a > b 2" }]);
  });

  it("releases cards at Escape", () => {
    pile("c").focus();
    press("Enter");
    press("Escape");
    expect(root.querySelectorAll(".taken, .target")).toHaveLength(0);
  });

  it("sends a card home by a double click, and deals by a click on the stock", () => {
    click(card("AH"));
    click(card("AH"));
    click(pile("stock"));
    expect(requests).toEqual([{ text: "c > home" }, { text: "deal" }]);
  });

  it("drags a hidden card if a move takes it, and does not mistake a drag for a click", () => {
    const { spots } = laid();
    const hidden = pile("stock").parentElement!.querySelector<HTMLElement>(
      '.card[data-pile="stock"]',
    )!;
    const away = spots.get("b")!;
    const from = spots.get("stock")!;
    const drag = (): void => {
      point("pointerdown", hidden, from.x + 5, from.y + 5);
      point("pointermove", hidden, away.x + 5, away.y + 5);
      point("pointerup", hidden, away.x + 5, away.y + 5);
    };
    drag();
    expect(requests).toEqual([]);
    const transfer = { from: "stock", count: 1, to: "b" };
    const carried = { text: "stock > b", kind: "cards" as const, transfers: [transfer], piles: [] };
    board.set({ ...position, moves: [...position.moves, carried] });
    drag();
    expect(requests).toEqual([{ text: "stock > b" }]);
  });

  it("is dragged", () => {
    const { spots } = laid();
    const dx = spots.get("b")!.x - spots.get("a")!.x;
    point("pointerdown", card("9H"), 10, 10);
    point("pointermove", card("9H"), 30, 10);
    expect(card("8S").classList).toContain("dragged");
    point("pointermove", card("9H"), 10 + dx, 10);
    point("pointerup", card("9H"), 10 + dx, 10);
    expect(requests).toEqual([{ text: "a > b 2" }]);
    expect(root.querySelectorAll(".dragged")).toHaveLength(0);
  });

  it("returns cards that are dropped beside the piles", () => {
    const lay = card("8S").style.transform;
    point("pointerdown", card("8S"), 10, 10);
    point("pointermove", card("8S"), 500, 900);
    point("pointerup", card("8S"), 500, 900);
    expect(requests).toEqual([]);
    expect(card("8S").style.transform).toBe(lay);
  });

  it("deals a few cards in each frame, and all at once when the game goes on", () => {
    const frames: FrameRequestCallback[] = [];
    vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame));
    const animate = vi.fn();
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    const before = HTMLElement.prototype.animate;
    HTMLElement.prototype.animate = animate;
    board.destroy();
    document.body.innerHTML = "<div><div></div></div>";
    root = document.body.querySelector("div div")!;
    const packs = Array.from({ length: 20 }, () => "9H");
    const dealt = { piles: [{ name: "a", cards: packs, wanted: [] }], moves: [] };
    board = new Board(root, {
      grid,
      describe: (pile) => pile,
      say: (card) => card,
      play: () => undefined,
    });
    const seen = (): number => root.querySelectorAll(".card").length;
    board.deal(dealt);
    expect(seen()).toBe(0);
    frames.shift()!(1000);
    expect(seen()).toBe(1);
    frames.shift()!(5000);
    expect(seen()).toBe(5);
    expect(animate).toHaveBeenCalledTimes(5);
    board.set(dealt);
    expect(seen()).toBe(20);
    expect(root.getAttribute("aria-owns")!.split(" ")).toHaveLength(20 + grid.places.length);
    HTMLElement.prototype.animate = before;
  });
});
