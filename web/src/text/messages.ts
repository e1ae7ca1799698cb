/** All texts of the page itself; those about a game come from the server. */

import { accounts } from "./accounts";
import { common } from "./common";
import { daily } from "./daily";
import { editor } from "./editor";
import { pages } from "./pages";
import { puzzle } from "./puzzle";
import { review } from "./review";
import { table } from "./table";
import type { Text } from "./text";

const TEXTS = {
  ...pages,
  ...editor,
  ...table,
  ...review,
  ...puzzle,
  ...daily,
  ...accounts,
  ...common,
};

/** The name of a text. */
export type Key = keyof typeof TEXTS;

export const MESSAGES: Readonly<Record<Key, Text>> = TEXTS;

export type Language = "en" | "de";
