/** Where in a TOML file an offset is, even while the file is being written. */

export interface Place {
  kind: "header" | "key" | "value";
  /** The keys that lead to the table of the offset; of a header, those before it. */
  table: readonly string[];
  /** The key whose value is written; empty for other kinds. */
  key: string;
  /** What was typed so far, without an opening quote. */
  typed: string;
  /** Where the word or text begins and ends, without its quotes. */
  from: number;
  to: number;
  /** The quote that the text was begun with; empty if there is none. */
  quote: string;
  /** Whether the text has its second quote. */
  closed: boolean;
  /** The keys that the table has already. */
  used: readonly string[];
}

/** Enough of TOML to know what is quoted, what is nested and where statements end. */
const TOKEN =
  /(?<comment>#[^\n]*)|(?<text>"""(?:[^\\]|\\[^])*?(?:"{3,5}|$)|'''[^]*?(?:'{3,5}|$)|"(?:[^"\\\n]|\\[^\n])*"?|'[^'\n]*'?)|(?<word>[\p{L}\p{N}_+\-:]+)|(?<sign>[[\]{}.,=\n])/gu;
/** A line that begins a statement: whatever was open before has been forgotten. */
const STATEMENT = /^[ \t]*(?:\[\[?[\p{L}\p{N}_."'-]+\]|[\p{L}\p{N}_-]+[ \t]*=)/u;

interface Text {
  content: string;
  quote: string;
  closed: boolean;
}

interface Frame {
  sign: "[" | "{";
  /** The key under which it was opened. */
  path: string[];
  used: string[];
}

function read(token: string): Text {
  const quote = /^("""|'''|"|')/.exec(token)?.[1] ?? "";
  const closed = quote !== "" && token.length >= 2 * quote.length && token.endsWith(quote);
  const end = closed ? token.length - quote.length : token.length;
  return { quote, content: token.slice(quote.length, end), closed };
}

/** Reads a file from its beginning, statement by statement. */
class Reader {
  header: string[] = [];
  frames: Frame[] = [];
  /** The keys of the present statement. */
  path: string[] = [];
  used: string[] = [];
  state: "key" | "header" | "value" = "key";
  /** Whether the key or value is there, and only a sign can follow. */
  done = false;

  constructor(private readonly text: string) {}

  /** The keys of the table that is read. */
  keys(): string[] {
    return this.frames.findLast((frame) => frame.sign === "{")?.used ?? this.used;
  }

  table(): string[] {
    const inline = this.frames.filter((frame) => frame.sign === "{").flatMap(({ path }) => path);
    return [...this.header, ...inline, ...this.path.slice(0, -1)];
  }

  word(content: string): void {
    if (this.state !== "value") this.path = [...this.path, content];
    this.done = true;
  }

  sign(sign: string, end: number): void {
    if (sign === "\n") this.newLine(end);
    else if (this.state === "header") {
      if (sign !== "]") this.done = false;
    } else if (sign === "[" && this.state === "key" && this.frames.length === 0) {
      [this.state, this.done] = ["header", false];
    } else if (sign === "[" || sign === "{") {
      this.frames.push({ sign, path: this.path, used: [] });
      if (sign === "{") [this.state, this.path] = ["key", []];
      this.done = false;
    } else if (sign === "]" || sign === "}") {
      this.path = this.frames.pop()?.path ?? [];
      [this.state, this.done] = ["value", true];
    } else {
      this.done = false;
      if (sign === "=") {
        this.keys().push(this.path[0] ?? "");
        this.state = "value";
      } else if (sign === "," && this.frames.at(-1)?.sign === "{") {
        [this.state, this.path] = ["key", []];
      }
    }
  }

  private newLine(end: number): void {
    // Lists go on in the next line; inline tables do not.
    const goesOn = this.frames.length > 0 && this.frames.at(-1)!.sign === "[";
    if (goesOn && !STATEMENT.test(this.text.slice(end, end + 200))) return;
    if (this.state === "header") [this.header, this.used] = [this.path, []];
    [this.state, this.path, this.frames, this.done] = ["key", [], [], false];
  }
}

/** The keys of the statements from an offset up to the next header. */
function keysAfter(text: string, offset: number): string[] {
  const rest = text
    .slice(offset)
    .split(/^[ \t]*\[/m)[0]
    .split("\n")
    .slice(1);
  return rest.flatMap((line) => /^[ \t]*([\p{L}\p{N}_-]+)[ \t]*=/u.exec(line)?.[1] ?? []);
}

/** The place of an offset; null in a comment, and where nothing can be completed. */
export function placeAt(text: string, offset: number): Place | null {
  const reader = new Reader(text);
  let here: (Text & { from: number; to: number }) | null = null;
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const [from, end] = [match.index, match.index + token.length];
    if (from >= offset) break;
    const { comment, text: quoted, word, sign } = match.groups!;
    if (comment !== undefined && end >= offset) return null;
    if (sign !== undefined) reader.sign(sign, end);
    if (word === undefined && quoted === undefined) continue;
    const found = read(token);
    if (end > offset || (end === offset && !found.closed)) {
      const start = from + found.quote.length;
      here = { ...found, from: start, to: start + found.content.length };
      break;
    }
    reader.word(found.content);
  }
  if (reader.done || (here?.quote.length ?? 0) > 1 || (here?.from ?? 0) > offset) return null;
  const { state, path } = reader;
  const isPlain = state === "key" && reader.frames.length === 0;
  return {
    kind: state,
    table:
      state === "header"
        ? path
        : state === "value"
          ? reader.table()
          : [...reader.table(), ...path.slice(-1)],
    key: state === "value" ? (path.at(-1) ?? "") : "",
    typed: here === null ? "" : text.slice(here.from, offset),
    from: here?.from ?? offset,
    to: here === null ? offset : Math.max(here.to, offset),
    quote: here?.quote ?? "",
    closed: here?.closed ?? false,
    used: isPlain ? [...reader.keys(), ...keysAfter(text, offset)] : reader.keys(),
  };
}
