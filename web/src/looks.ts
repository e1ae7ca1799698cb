/** How the page can look. The colours are in `app.css`. */

import type { Key } from "./text";

type Choice = readonly [id: string, word: Key];

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
