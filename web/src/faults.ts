/** Where the faults of a file are. */

import type { Schemas } from "./api/client";

type Fault = Pick<Schemas["Fault"], "line" | "column" | "end">;

const WIDEST = 160;

/** The line of a fault, and under it what is meant; columns are counted in characters from 1. */
export function marked(lines: readonly string[], fault: Fault): string {
  const letters = [...(lines[fault.line - 1] ?? "").replace(/\r$/, "")].map((letter) =>
    letter === "\t" ? " " : letter,
  );
  const number = String(fault.line);
  const start = Math.max(0, fault.column - 1);
  const cut = start > WIDEST - 20 ? start - 20 : 0;
  const shown = letters.slice(cut, cut + WIDEST).join("");
  const length = Math.max(1, Math.min(fault.end - fault.column, WIDEST + cut - start));
  const margin = " ".repeat(number.length);
  return `${number} | ${shown}\n${margin} | ${" ".repeat(start - cut)}${"^".repeat(length)}`;
}

/** Where a fault stands in a text, for a selection: counted as JavaScript counts. */
export function range(text: string, fault: Fault): [number, number] {
  const lines = text.split("\n");
  const before = lines.slice(0, fault.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const letters = [...(lines[fault.line - 1] ?? "")];
  const from = before + letters.slice(0, fault.column - 1).join("").length;
  const to = before + letters.slice(0, fault.end - 1).join("").length;
  return [Math.min(from, text.length), Math.min(Math.max(from, to), text.length)];
}

/** Line and column of a place in a text, counted from 1. */
export function place(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: [...before[before.length - 1]].length + 1 };
}
