/** Where a fault is in its file. */

import type { Schemas } from "../api/client";

type Fault = Pick<Schemas["Fault"], "line" | "column" | "end">;

/** Longer lines are cut. */
const MAX_WIDTH = 160;

/** The line of a fault, with the faulty part underlined; columns count characters from 1. */
export function excerpt(lines: readonly string[], fault: Fault): string {
  const letters = [...(lines[fault.line - 1] ?? "").replace(/\r$/, "")].map((letter) =>
    letter === "\t" ? " " : letter,
  );
  const number = String(fault.line);
  const start = Math.max(0, fault.column - 1);
  const cut = start > MAX_WIDTH - 20 ? start - 20 : 0;
  const shown = letters.slice(cut, cut + MAX_WIDTH).join("");
  const length = Math.max(1, Math.min(fault.end - fault.column, MAX_WIDTH + cut - start));
  const margin = " ".repeat(number.length);
  return `${number} | ${shown}\n${margin} | ${" ".repeat(start - cut)}${"^".repeat(length)}`;
}

/** The start and end of a fault in a text, in UTF-16 units as a selection needs them. */
export function selectionRange(text: string, fault: Fault): [number, number] {
  const lines = text.split("\n");
  const before = lines.slice(0, fault.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const letters = [...(lines[fault.line - 1] ?? "")];
  const from = before + letters.slice(0, fault.column - 1).join("").length;
  const to = before + letters.slice(0, fault.end - 1).join("").length;
  return [Math.min(from, text.length), Math.min(Math.max(from, to), text.length)];
}

/** The line and column of an offset in a text, counted from 1. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: [...before[before.length - 1]].length + 1 };
}
