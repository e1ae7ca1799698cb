/** The tree of positions as a list of lines: how what was played is shown. */

import type { Schemas } from "../api/client";

export type Node = Schemas["TreeNode"];

export interface Row {
  node: Node;
  /** How often one has turned off the main line to come here. */
  depth: number;
  /** Whether another way begins here. */
  branch: boolean;
  /** Positions that are folded away under it. */
  hidden: number;
  /** Whether it lies between the deal and where the player is. */
  path: boolean;
}

/** More rows than that are not shown at once: other ways are folded then. */
export const MANY = 400;

/** What follows each position, the way that is gone first. */
function follow(tree: Schemas["Tree"]): Map<number, Node[]> {
  const gone = new Set([...tree.path, ...tree.ahead]);
  const found = new Map<number, Node[]>();
  for (const node of tree.nodes) {
    if (node.parent === null || node.parent === undefined) continue;
    const beside = found.get(node.parent) ?? [];
    if (gone.has(node.node)) beside.unshift(node);
    else beside.push(node);
    found.set(node.parent, beside);
  }
  return found;
}

/**
 * The rows of a tree: the way that was gone, move by move; where another way went off, it stands
 * indented after the move that was made instead.
 */
export function rows(tree: Schemas["Tree"], folded: ReadonlySet<number>): Row[] {
  const after = follow(tree);
  const sizes = sizesOf(tree);
  const path = new Set(tree.path);
  const found: Row[] = [];
  const put = (node: Node, depth: number, branch: boolean): boolean => {
    const away = branch && folded.has(node.node);
    const hidden = away ? sizes.get(node.node)! - 1 : 0;
    found.push({ node, depth, branch, hidden, path: path.has(node.node) });
    return !away;
  };
  // No recursion: a line may have thousands of moves.
  const open: { node: Node; depth: number; branch: boolean; shown: boolean }[] = [];
  put(tree.nodes[0], 0, false);
  open.push({ node: tree.nodes[0], depth: 0, branch: false, shown: true });
  while (open.length > 0) {
    const { node, depth, branch, shown } = open.pop()!;
    if (!shown && !put(node, depth, branch)) continue;
    const [main, ...others] = after.get(node.node) ?? [];
    if (main === undefined) continue;
    put(main, depth, false);
    open.push({ node: main, depth, branch: false, shown: true });
    for (const other of others.reverse()) {
      open.push({ node: other, depth: depth + 1, branch: true, shown: false });
    }
  }
  return found;
}

function sizesOf(tree: Schemas["Tree"]): Map<number, number> {
  const sizes = new Map<number, number>(tree.nodes.map((node) => [node.node, 1]));
  // A position comes after the one it was played from.
  for (const node of [...tree.nodes].reverse()) {
    if (node.parent === null || node.parent === undefined) continue;
    sizes.set(node.parent, sizes.get(node.parent)! + sizes.get(node.node)!);
  }
  return sizes;
}

/** What is folded when a tree is opened: nothing, or all other ways if there is much of it. */
export function folds(tree: Schemas["Tree"]): Set<number> {
  if (tree.nodes.length <= MANY) return new Set();
  return new Set(
    rows(tree, new Set())
      .filter((row) => row.branch)
      .map((row) => row.node.node),
  );
}
