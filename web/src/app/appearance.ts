/** What the player can choose about the appearance. The colours are in `app.css`. */

import type { Key } from "../text/messages";

/** An option, and the text that names it. */
export type Choice = readonly [id: string, word: Key];

export const THEMES: readonly Choice[] = [
  ["auto", "auto"],
  ["light", "light"],
  ["dark", "dark"],
];
export const FELTS: readonly Choice[] = [
  ["green", "feltGreen"],
  ["blue", "feltBlue"],
  ["red", "feltRed"],
  ["grey", "feltGrey"],
  ["sand", "feltSand"],
];
export const DECKS: readonly Choice[] = [
  ["two-colour", "deckUsual"],
  ["four-colour", "deckFour"],
  ["large-two-colour", "deckLarge"],
  ["large-four-colour", "deckLargeFour"],
  ["plain", "deckPlain"],
  ["plain-four-colour", "deckPlainFour"],
];
export const DEFAULT_BACK = "lattice";
export const BACKS: readonly Choice[] = [
  ["lattice", "backLattice"],
  ["red", "backRed"],
  ["stripes", "backStripes"],
  ["scales", "backScales"],
  ["quiet", "backQuiet"],
];
