/** The tree of positions as a list of rows. */

import type { Schemas } from "../api/client";

export type Node = Schemas["TreeNode"];

export interface Row {
  node: Node;
  /** How many branches lead here from the main line. */
  depth: number;
  /** Whether a branch begins here. */
  branch: boolean;
  /** Positions folded away below it. */
  hidden: number;
  /** Whether it lies between the deal and the current position. */
  path: boolean;
}

/** In a tree of more rows, branches are folded at first. */
export const MANY = 400;

/** The children of each position; the one on the current line comes first. */
function childrenOf(tree: Schemas["Tree"]): Map<number, Node[]> {
  const line = new Set([...tree.path, ...tree.ahead]);
  const found = new Map<number, Node[]>();
  for (const node of tree.nodes) {
    if (node.parent === null || node.parent === undefined) continue;
    const siblings = found.get(node.parent) ?? [];
    if (line.has(node.node)) siblings.unshift(node);
    else siblings.push(node);
    found.set(node.parent, siblings);
  }
  return found;
}

/**
 * The rows of a tree: the current line move by move, each branch indented below the move that was
 * played instead.
 */
export function rows(tree: Schemas["Tree"], folded: ReadonlySet<number>): Row[] {
  const children = childrenOf(tree);
  const sizes = sizesOf(tree);
  const path = new Set(tree.path);
  const found: Row[] = [];
  const put = (node: Node, depth: number, branch: boolean): boolean => {
    const isFolded = branch && folded.has(node.node);
    const hidden = isFolded ? sizes.get(node.node)! - 1 : 0;
    found.push({ node, depth, branch, hidden, path: path.has(node.node) });
    return !isFolded;
  };
  // No recursion: a line may have thousands of moves.
  const open: { node: Node; depth: number; branch: boolean; shown: boolean }[] = [];
  put(tree.nodes[0], 0, false);
  open.push({ node: tree.nodes[0], depth: 0, branch: false, shown: true });
  while (open.length > 0) {
    const { node, depth, branch, shown } = open.pop()!;
    if (!shown && !put(node, depth, branch)) continue;
    const [main, ...others] = children.get(node.node) ?? [];
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
  // Every position comes after its parent.
  for (const node of [...tree.nodes].reverse()) {
    if (node.parent === null || node.parent === undefined) continue;
    sizes.set(node.parent, sizes.get(node.parent)! + sizes.get(node.node)!);
  }
  return sizes;
}

/** What is folded when a tree is opened: all branches if the tree is large, else nothing. */
export function initialFolds(tree: Schemas["Tree"]): Set<number> {
  if (tree.nodes.length <= MANY) return new Set();
  return new Set(
    rows(tree, new Set())
      .filter((row) => row.branch)
      .map((row) => row.node.node),
  );
}
