/** Texts of the page on which rules are written, in English and in German. */

import type { Text } from "./text";

export const editor = {
  editorFailed: [
    "The editor could not be loaded. Reload the page.",
    "Der Editor konnte nicht geladen werden. Bitte die Seite neu laden.",
  ],
  editorKeys: [
    "Tab leaves the editor. Ctrl+Space suggests words, F8 goes to the next problem.",
    "Tab verlässt den Editor. Strg+Leertaste schlägt Wörter vor, F8 geht zum nächsten Fehler.",
  ],
} satisfies Record<string, Text>;
