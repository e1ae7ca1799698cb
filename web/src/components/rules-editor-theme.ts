/** What the editor of rules looks like: in the colours of the page, light and dark. */

import { EditorView } from "@codemirror/view";

const RAISED = {
  color: "var(--ink)",
  backgroundColor: "var(--panel)",
  border: "1px solid var(--edge)",
  borderRadius: "8px",
};

export const rulesEditorTheme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--panel)", fontSize: "14px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: '"DejaVu Sans Mono", ui-monospace, monospace',
    lineHeight: "1.45",
    overflow: "auto",
  },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  "&.cm-focused .cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--faint)", backgroundColor: "var(--panel)", border: "0" },
  ".cm-activeLine": { backgroundColor: "var(--code-line)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":
    { backgroundColor: "var(--code-selection)" },
  ".cm-selectionMatch, .cm-searchMatch": { backgroundColor: "var(--code-selection)" },
  ".cm-lintRange": { backgroundImage: "none", textDecoration: "underline wavy 1.5px" },
  ".cm-lintRange-error": { textDecorationColor: "var(--bad)" },
  ".cm-lintRange-warning": { textDecorationColor: "var(--code-warning)" },
  ".cm-tooltip": { ...RAISED, fontFamily: "system-ui, sans-serif", zIndex: "50" },
  ".cm-diagnostic": { padding: "4px 10px", whiteSpace: "pre-line" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--bad)" },
  ".cm-diagnostic-warning": { borderLeft: "4px solid var(--code-warning)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "inherit", maxHeight: "14em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px", minHeight: "24px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    color: "var(--main-ink)",
    backgroundColor: "var(--main)",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-tooltip.cm-completionInfo": { maxWidth: "24em", padding: "6px 10px" },
  ".cm-completionInfo p": { margin: "0" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--paper)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--edge)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--edge)" },
  ".cm-textfield, .cm-button": { ...RAISED, backgroundImage: "none", fontSize: "14px" },
});
