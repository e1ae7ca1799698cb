/** What keys do on a board. */

import { neighbour, type Arrow, type Spot } from "./geometry";
import type { State } from "./state";

export type KeyAction =
  | { kind: "focus"; pile: string }
  | { kind: "press" }
  | { kind: "release" }
  | { kind: "count"; count: number };

const ARROWS: readonly string[] = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** The action of a key press; null for a key that the board leaves to the page. */
export function keyAction(
  press: KeyPress,
  state: State,
  spots: ReadonlyMap<string, Spot>,
): KeyAction | null {
  const { key } = press;
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  if (ARROWS.includes(key)) {
    return { kind: "focus", pile: neighbour(spots, state.focus, key as Arrow) };
  }
  if (key === "Enter" || key === " ") return { kind: "press" };
  if (state.selection === null) return null;
  if (key === "Escape") return { kind: "release" };
  if (!/^[1-9+-]$/.test(key)) return null;
  const now = state.selection.count ?? 1;
  return { kind: "count", count: key === "+" ? now + 1 : key === "-" ? now - 1 : Number(key) };
}
