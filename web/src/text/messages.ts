/** All texts of the page itself; those about a game come from the server. */

import * as common from "./common";
import * as pages from "./pages";
import * as table from "./table";

const en = { ...pages.en, ...table.en, ...common.en };
const de = { ...pages.de, ...table.de, ...common.de };

/** The name of a text. */
export type Key = keyof typeof en;
export type Language = "en" | "de";

export const MESSAGES: Record<Language, Record<Key, string>> = { en, de };
