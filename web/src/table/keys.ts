/** The letters of the page of a table, each once: they are taken by this list and told by it. */

import type { Key } from "../text";
import type { Seat } from "./seat.svelte";

export interface Letter {
  key: string;
  tells: Key;
  does: (seat: Seat, open: (dialog: Opened) => void) => unknown;
}

/** The dialogs of the page of a table. */
export type Opened = "tree" | "name" | "number" | "share" | "keys";

export const LETTERS: readonly Letter[] = [
  { key: "u", tells: "undo", does: (seat) => seat.undo() },
  { key: "r", tells: "redo", does: (seat) => seat.redo() },
  { key: "h", tells: "hint", does: (seat) => seat.hint() },
  { key: "d", tells: "keyDeal", does: dealFrom },
  { key: "f", tells: "keyFinish", does: (seat) => seat.table?.finish && seat.finish() },
  { key: "n", tells: "keyNew", does: (seat) => seat.newDeal() },
  { key: "m", tells: "keyMoves", does: (_, open) => open("tree") },
  { key: "b", tells: "keyBookmark", does: (_, open) => open("name") },
  { key: "s", tells: "keyShare", does: (_, open) => open("share") },
  { key: "p", tells: "keyReplay", does: (seat) => (location.hash = `#/replay/${seat.id}`) },
  { key: "?", tells: "keyHelp", does: (_, open) => open("keys") },
];

/** Deals from the stock, or makes whatever other move is one word. */
function dealFrom(seat: Seat): unknown {
  const words = seat.table?.position.moves.filter((move) => move.kind === "word") ?? [];
  const word = words.find((move) => move.text === "deal") ?? words[0];
  return word && seat.play({ text: word.text });
}

/** What a key pressed on the page means; nothing where a person writes or a dialog is open. */
export function letter(event: KeyboardEvent): Letter | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const at = event.target;
  if (at instanceof Element && at.closest("dialog, input, select, textarea")) return undefined;
  return LETTERS.find((each) => each.key === event.key.toLowerCase());
}
