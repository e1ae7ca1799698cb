// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api, Refused, type Table, type TableNews } from "../api/client";
import * as client from "../api/client";
import { app } from "../app/state.svelte";
import type { Board } from "../board/board";
import { TableSession } from "./table-session.svelte";

const board = { set: vi.fn(), hint: vi.fn(), lay: vi.fn() };
let session: TableSession;
let receive: (news: TableNews) => void;
const stop = vi.fn();

function table(version: number, more: object = {}): Table {
  return {
    id: "t",
    game: "golf",
    version,
    node: version,
    turn: version,
    undo: true,
    redo: true,
    verdict: { mode: "none", status: "unknown", message: { key: "x", text: "" } },
    position: { piles: [], moves: [], outcome: null, score: null, choice: null },
    ...more,
  } as unknown as Table;
}

function refused(code: string, more: object = {}): Refused {
  return new Refused({ code, message: { key: "x", text: "no" }, ...more } as Refused["problem"]);
}

beforeEach(async () => {
  app.settings = { speed: 0, winnable_only: false, page: {} } as unknown as typeof app.settings;
  vi.spyOn(api, "table").mockResolvedValue(table(1));
  vi.spyOn(api, "game").mockResolvedValue({} as never);
  vi.spyOn(client, "listen").mockImplementation((_, hear) => {
    receive = hear;
    return stop;
  });
  session = new TableSession("t");
  await session.open();
  session.board = board as unknown as Board;
});
afterEach(() => {
  vi.restoreAllMocks();
  board.set.mockClear();
});

describe("actions", () => {
  it("run one after the other, each with the version of the one before", async () => {
    const undo = vi
      .spyOn(api, "undo")
      .mockImplementation((_, version) => Promise.resolve(table(version + 1)));
    await Promise.all([session.undo(), session.undo(), session.undo()]);
    expect(undo.mock.calls.map(([, version]) => version)).toEqual([1, 2, 3]);
    expect(session.table?.version).toBe(4);
  });

  it("are dropped when the player is too far ahead", async () => {
    const undo = vi
      .spyOn(api, "undo")
      .mockImplementation((_, version) => Promise.resolve(table(version + 1)));
    await Promise.all(Array.from({ length: 20 }, () => session.undo()));
    expect(undo).toHaveBeenCalledTimes(8);
  });

  it("that wait are cancelled by a refusal", async () => {
    const undo = vi.spyOn(api, "undo").mockRejectedValue(refused("illegal"));
    await Promise.all([session.undo(), session.undo()]);
    expect(undo).toHaveBeenCalledTimes(1);
    expect([session.message, session.refusal]).toEqual(["no", true]);
  });

  it("that are refused by the disk say what helps", async () => {
    const hint = "make room on the disk of the data folder, and try again";
    const message = { key: "disk.full", text: "the disk is full, so nothing was saved" };
    vi.spyOn(api, "undo").mockRejectedValue(refused("unavailable", { message, hint }));
    await session.undo();
    expect(session.message).toBe(
      "The disk is full, so nothing was saved. Make room on the disk of the data folder, and try again.",
    );
    expect(session.table?.version).toBe(1);
  });

  it("show the current table if theirs was stale", async () => {
    vi.spyOn(api, "undo").mockRejectedValue(refused("stale", { table: table(9) }));
    await session.undo();
    expect(session.table?.version).toBe(9);
    expect(session.message).toBe(app.speech.say("stale"));
  });

  it("ask the player which of several moves is meant", async () => {
    const moves = ["a > b", "a > b x2", "deal"].map((text) => ({ text, transfers: [] }));
    const position = { ...table(1).position, moves };
    receive({ type: "table", table: table(2, { position }) } as unknown as TableNews);
    vi.spyOn(api, "move").mockRejectedValue(refused("ambiguous", { moves: ["a > b", "a > b x2"] }));
    await session.play({ from: "a", to: "b" });
    expect(session.choices.map((move) => move.text)).toEqual(["a > b", "a > b x2"]);
  });
});

describe("news", () => {
  it("of another window is shown", () => {
    receive({ type: "table", table: table(5) } as TableNews);
    expect(session.table?.version).toBe(5);
    expect(board.set).toHaveBeenCalledTimes(1);
    receive({ type: "table", table: table(4) } as TableNews);
    expect(session.table?.version).toBe(5);
  });

  it("waits for a running action, which may bring it itself", async () => {
    vi.spyOn(api, "undo").mockImplementation(() => {
      receive({ type: "table", table: table(2) } as TableNews);
      expect(session.table?.version).toBe(1);
      return Promise.resolve(table(2));
    });
    await session.undo();
    expect(session.table?.version).toBe(2);
    expect(board.set).toHaveBeenCalledTimes(1);
  });

  it("of a verdict counts only for the current position", () => {
    const verdict = { mode: "thoughtful", status: "winnable", message: { key: "x", text: "yes" } };
    receive({ type: "verdict", node: 7, verdict } as unknown as TableNews);
    expect(session.table?.verdict.status).toBe("unknown");
    receive({ type: "verdict", node: 1, verdict } as unknown as TableNews);
    expect(session.table?.verdict.status).toBe("winnable");
    expect(session.aloud).toBe("yes");
  });

  it("ends when the session is closed", () => {
    session.close();
    expect(stop).toHaveBeenCalled();
    receive({ type: "table", table: table(5) } as TableNews);
    expect(session.table?.version).toBe(1);
  });
});

describe("a move", () => {
  const played = (more: object): never =>
    ({ steps: [], table: table(2, more) }) as unknown as never;

  it("that ends the game says so", async () => {
    const position = { ...table(1).position, outcome: "won" };
    vi.spyOn(api, "move").mockResolvedValue(played({ position }));
    await session.play({ text: "a > b" });
    await new Promise((done) => setTimeout(done, 5));
    expect(session.ended).toBe("won");
  });

  it("finishes the game automatically only if the player wants that", async () => {
    vi.spyOn(api, "move").mockResolvedValue(played({ finish: true }));
    const finish = vi.spyOn(api, "finish").mockResolvedValue(played({}));
    await session.play({ text: "a > b" });
    expect(finish).not.toHaveBeenCalled();
    app.settings = { ...app.settings!, page: { finishes: true } };
    await session.play({ text: "a > b" });
    expect(finish).toHaveBeenCalledTimes(1);
  });
});

it("searches for a new deal if only deals that can be won are wanted", async () => {
  const deal = vi.spyOn(api, "deal").mockResolvedValue(table(1, { id: "other" }));
  await session.newDeal();
  expect(deal).toHaveBeenCalledWith({ game: "golf", closes: "t" });
  expect(location.hash).toBe("#/table/other");
  app.settings = { ...app.settings!, winnable_only: true };
  await session.newDeal();
  expect(session.searching).toBe(true);
  expect(deal).toHaveBeenCalledTimes(1);
});
