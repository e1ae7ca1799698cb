/**
 * The editor of rules files, on CodeMirror. It is loaded only when somebody writes rules.
 *
 * It lives in a shadow root: there CodeMirror adopts its style sheets by script, which the strict
 * policy of the server allows. In the document it would need style elements, which that forbids.
 */

import {
  autocompletion,
  completionKeymap,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Schemas } from "../api/client";
import { selectionRange } from "../lib/fault-location";
import { offersAt, type Offer, type Vocabulary } from "../lib/rules-completion";
import { EDITOR_WORDS } from "../text/editor-words";
import { rulesEditorTheme } from "./rules-editor-theme";

export interface EditorOptions {
  text: string;
  label: string;
  /** What its keys do, for screen readers. */
  description: string;
  language: string;
  vocabulary: Vocabulary | null;
  /** Called when the text was changed, by hand or not. */
  change: (text: string) => void;
  /** Called when the caret has moved to an offset. */
  caret: (offset: number) => void;
}

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: tags.propertyName, color: "var(--code-key)" },
  { tag: tags.string, color: "var(--code-text)" },
  { tag: [tags.number, tags.atom, tags.bool], color: "var(--code-number)", fontWeight: "600" },
]);

/** How an offer is shown; the first ones come first. */
function completion(offer: Offer, index: number): Completion {
  return {
    label: offer.label,
    type: offer.kind,
    boost: Math.max(-99, 60 - index),
    // The descriptions of the schema are English.
    info: offer.about ? () => described(offer.about) : undefined,
    apply: (view, _, from, to) => {
      const end = from + offer.insert.length;
      view.dispatch({ changes: { from, to, insert: offer.insert }, selection: { anchor: end } });
      if (offer.insert.endsWith("= ")) startCompletion(view);
    },
  };
}

function described(about: string): HTMLElement {
  const element = document.createElement("p");
  element.lang = "en";
  element.textContent = about;
  return element;
}

function completions(vocabulary: Vocabulary) {
  return (context: CompletionContext): CompletionResult | null => {
    const found = offersAt(context.state.doc.toString(), context.pos, vocabulary);
    if (found === null) return null;
    const { place, offers } = found;
    const began = place.typed !== "" || place.quote !== "" || place.kind !== "key";
    if (!began && !context.explicit) return null;
    const validFor = place.quote ? /^[^"'\n]*$/ : /^[\p{L}\p{N}_-]*$/u;
    return { from: place.from, to: place.to, options: offers.map(completion), validFor };
  };
}

/**
 * Writes over a selection. Chromium would give the new text the style of the old one in a style
 * attribute, which the policy of the server forbids.
 */
function writeOver(event: InputEvent, view: EditorView): boolean {
  const { data } = event;
  const isPlain = event.inputType === "insertText" && data !== null && !event.isComposing;
  if (!isPlain || view.state.selection.main.empty) return false;
  view.dispatch(view.state.replaceSelection(data), {
    userEvent: "input.type",
    scrollIntoView: true,
  });
  event.preventDefault();
  return true;
}

export class RulesEditor {
  private readonly view: EditorView;

  constructor(host: HTMLElement, options: EditorOptions) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const { vocabulary } = options;
    const state = EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        search({ top: true }),
        StreamLanguage.define(toml),
        syntaxHighlighting(COLOURS),
        vocabulary ? autocompletion({ override: [completions(vocabulary)], icons: false }) : [],
        // Tab is not among the keys: it leaves the editor, as it leaves every field.
        keymap.of([
          ...completionKeymap,
          ...lintKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorState.phrases.of(options.language === "de" ? EDITOR_WORDS : {}),
        EditorView.contentAttributes.of({
          "aria-label": options.label,
          "aria-description": options.description,
          autocapitalize: "off",
          spellcheck: "false",
          tabindex: "0",
        }),
        EditorView.domEventHandlers({ beforeinput: writeOver }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.change(update.state.doc.toString());
          if (update.docChanged || update.selectionSet)
            options.caret(update.state.selection.main.head);
        }),
        rulesEditorTheme,
      ],
    });
    this.view = new EditorView({ state, root, parent: root });
  }

  destroy(): void {
    this.view.destroy();
  }

  /** Replaces what differs in the text; the caret stays where it can. */
  setText(wanted: string): void {
    const now = this.view.state.doc.toString();
    if (now === wanted) return;
    const shorter = Math.min(now.length, wanted.length);
    let from = 0;
    while (from < shorter && now[from] === wanted[from]) from += 1;
    let rest = 0;
    while (rest < shorter - from && now.at(-1 - rest) === wanted.at(-1 - rest)) rest += 1;
    const insert = wanted.slice(from, wanted.length - rest);
    this.view.dispatch({ changes: { from, to: now.length - rest, insert } });
  }

  /** Underlines faults in place of the earlier ones. */
  showFaults(text: string, faults: readonly Schemas["Fault"][]): void {
    if (this.view.state.doc.toString() !== text) return;
    const found = faults.map((fault): Diagnostic => {
      const [from, to] = selectionRange(text, fault);
      const message = fault.hint ? `${fault.title}\n${fault.hint}` : fault.title;
      return { from, to, severity: fault.severity, message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  focus(): void {
    this.view.focus();
  }

  /** Selects a part of the text, brings it into view and focuses it. */
  select(from: number, to: number): void {
    this.view.dispatch({
      selection: { anchor: from, head: Math.max(from, to) },
      effects: EditorView.scrollIntoView(from, { y: "center" }),
    });
    this.view.focus();
  }
}
