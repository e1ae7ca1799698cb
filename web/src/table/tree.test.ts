import { describe, expect, it } from "vitest";
import type { Schemas } from "../api/client";
import { initialFolds, MANY, rows } from "./tree";

/** A tree given by the parents of its positions; position 0 is the deal. */
function tree(parents: number[], at: number, ahead: number[] = []): Schemas["Tree"] {
  const turns = [0];
  const nodes = [-1, ...parents].map((parent, node) => {
    if (node > 0) turns[node] = turns[parent] + 1;
    return {
      node,
      parent: node === 0 ? null : parent,
      move: node === 0 ? null : `move ${node}`,
      cards: [],
      turn: turns[node],
      outcome: null,
      bookmark: null,
      at: "2026-01-01T00:00:00Z",
    };
  });
  const path = [at];
  while (path[0] !== 0) path.unshift(parents[path[0] - 1]);
  return { nodes, node: at, path, ahead };
}

const shown = (made: ReturnType<typeof rows>): string[] =>
  made.map((row) => `${" ".repeat(row.depth)}${row.node.turn}:${row.node.node}`);

describe("the tree of positions", () => {
  it("shows a single line as it was played", () => {
    expect(shown(rows(tree([0, 1, 2], 3), new Set()))).toEqual(["0:0", "1:1", "2:2", "3:3"]);
  });

  it("indents a branch below the move that was played instead", () => {
    // 0 - 1 - 2 - 3, from 1 also 4 - 5, and the player is at 6, which follows 4 too.
    const made = rows(tree([0, 1, 2, 1, 4, 4], 6), new Set());
    expect(shown(made)).toEqual(["0:0", "1:1", "2:4", " 2:2", " 3:3", "3:6", " 3:5"]);
    expect(made.filter((row) => row.branch).map((row) => row.node.node)).toEqual([2, 5]);
    expect(made.filter((row) => row.path).map((row) => row.node.node)).toEqual([0, 1, 4, 6]);
  });

  it("continues along the moves that redo would make", () => {
    const made = rows(tree([0, 0, 2], 0, [2, 3]), new Set());
    expect(shown(made)).toEqual(["0:0", "1:2", " 1:1", "2:3"]);
  });

  it("folds a branch, and counts what is below it", () => {
    const made = rows(tree([0, 1, 2, 1, 4], 3), new Set([4]));
    expect(shown(made)).toEqual(["0:0", "1:1", "2:2", " 2:4", "3:3"]);
    expect(made.map((row) => row.hidden)).toEqual([0, 0, 0, 1, 0]);
  });

  it("folds a large tree at first, at any depth", () => {
    const long = Array.from({ length: 40_000 }, (_, index) => index);
    const made = tree([...long, 5, 40_001], 40_000);
    expect([...initialFolds(made)]).toEqual([40_001]);
    expect(rows(made, initialFolds(made))).toHaveLength(40_002);
    expect(initialFolds(tree(long.slice(0, MANY - 1), 1)).size).toBe(0);
  });
});
