/** The keyboard shortcuts of a table. The page and its list of keys both read them from here. */

import type { Key } from "../text/messages";
import { to } from "../app/routes";
import type { TableSession } from "./table-session.svelte";

/** The dialogs that the player can open. */
export type DialogName = "tree" | "name" | "number" | "share" | "keys";

export interface Shortcut {
  key: string;
  label: Key;
  run: (session: TableSession, open: (dialog: DialogName) => void) => unknown;
}

export const SHORTCUTS: readonly Shortcut[] = [
  { key: "u", label: "undo", run: (session) => session.undo() },
  { key: "r", label: "redo", run: (session) => session.redo() },
  { key: "h", label: "hint", run: (session) => session.hint() },
  { key: "d", label: "keyDeal", run: dealFromStock },
  { key: "f", label: "keyFinish", run: (session) => session.table?.finish && session.finish() },
  { key: "n", label: "keyNew", run: (session) => session.newDeal() },
  { key: "m", label: "keyMoves", run: (_, open) => open("tree") },
  { key: "b", label: "keyBookmark", run: (_, open) => open("name") },
  { key: "s", label: "keyShare", run: (_, open) => open("share") },
  { key: "p", label: "keyReplay", run: (session) => (location.hash = to("replay", session.id)) },
  { key: "v", label: "keyReview", run: (session) => (location.hash = to("review", session.id)) },
  { key: "?", label: "keyHelp", run: (_, open) => open("keys") },
];

/** Deals from the stock, or makes another move that is a single word. */
function dealFromStock(session: TableSession): unknown {
  const words = session.table?.position.moves.filter((move) => move.kind === "word") ?? [];
  const word = words.find((move) => move.text === "deal") ?? words[0];
  return word && session.play({ text: word.text });
}

/** The shortcut of a key press; none in a text field or a dialog. */
export function shortcut(event: KeyboardEvent): Shortcut | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const at = event.target;
  if (at instanceof Element && at.closest("dialog, input, select, textarea")) return undefined;
  return SHORTCUTS.find((each) => each.key === event.key.toLowerCase());
}
