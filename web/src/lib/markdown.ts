/** The part of Markdown that the rules in words use. */

export interface Block {
  kind: "h1" | "h2" | "list" | "ordered" | "code" | "text";
  lines: string[];
}

function isList(block: Block | null): boolean {
  return block?.kind === "list" || block?.kind === "ordered";
}

/** Splits a text into headings, lists, code and paragraphs. */
export function parseBlocks(markdown: string): Block[] {
  const found: Block[] = [];
  let open = null as Block | null;
  let fenced = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) {
      fenced = !fenced;
      open = fenced ? { kind: "code", lines: [] } : null;
      if (open) found.push(open);
    } else if (fenced) open!.lines.push(line);
    else if (line.trim() === "") open = null;
    else if (/^ {4}/.test(line) && !isList(open)) {
      if (open?.kind !== "code") found.push((open = { kind: "code", lines: [] }));
      open.lines.push(line.slice(4));
    } else if (line.startsWith("#")) {
      const kind = line.startsWith("# ") ? "h1" : "h2";
      found.push({ kind, lines: [line.replace(/^#+\s*/, "")] });
      open = null;
    } else if (/^\s*([-*]|\d+\.) /.test(line)) {
      const kind = /^\s*\d/.test(line) ? "ordered" : "list";
      if (open?.kind !== kind) found.push((open = { kind, lines: [] }));
      open.lines.push(line.replace(/^\s*([-*]|\d+\.) /, ""));
    } else if (open !== null && isList(open))
      open.lines[open.lines.length - 1] += ` ${line.trim()}`;
    else {
      if (open === null) found.push((open = { kind: "text", lines: [] }));
      open.lines.push(line.trim());
    }
  }
  return found;
}

export interface Span {
  kind: "plain" | "strong" | "em" | "code";
  text: string;
}

/** Splits a line into plain and emphasized text. */
export function parseSpans(line: string): Span[] {
  return line
    .split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)/)
    .filter((part) => part !== "")
    .map((part): Span => {
      if (/^\*\*.+\*\*$/.test(part)) return { kind: "strong", text: part.slice(2, -2) };
      if (/^\*.+\*$/.test(part)) return { kind: "em", text: part.slice(1, -1) };
      if (/^`.+`$/.test(part)) return { kind: "code", text: part.slice(1, -1) };
      return { kind: "plain", text: part };
    });
}
