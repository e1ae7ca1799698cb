/** Files that the player uploads: rules and games. They are read here and checked by the server. */

import { api, type Schemas } from "../api/client";
import type { Key } from "../text/messages";
import { to } from "./routes";
import { app } from "./state.svelte";

/** The server accepts no more bytes. */
export const MAX_SIZE = 256 * 1024;

export type FileKind = "rules" | "game";

/** A file of a game says so at its beginning; every other file is read as rules. */
export function fileKind(text: string): FileKind {
  return /^\uFEFF?#\s*Cadogan game\b/.test(text) ? "game" : "rules";
}

/** The text of a file, or the message why it cannot be read. */
export async function readText(file: Blob): Promise<{ text: string } | { fault: Key }> {
  if (file.size > MAX_SIZE) return { fault: "fileLarge" };
  try {
    const bytes = await file.arrayBuffer();
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { fault: "fileNoText" };
  }
}

interface Result {
  file: string;
  kind: FileKind;
  text: string;
  message: string;
  faults: Schemas["Fault"][];
  game: Schemas["GameSummary"] | null;
}

class Upload {
  /** What the dialog shows of the last file; null closes it. */
  result = $state.raw<Result | null>(null);
  busy = $state(false);
  /** Incremented when a file goes to the editor, which may be open already. */
  edits = $state(0);

  async take(file: File): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const read = await readText(file);
    const text = "text" in read ? read.text : "";
    const kind = fileKind(text);
    const result: Result = { file: file.name, kind, text, message: "", faults: [], game: null };
    try {
      if ("fault" in read) this.result = { ...result, message: app.speech.say(read.fault) };
      else if (kind === "game") location.hash = to("table", (await api.import(text)).id);
      else {
        const { game, warnings } = await api.upload({ text, file_name: file.name.slice(0, 200) });
        this.result = { ...result, game, faults: warnings };
      }
    } catch (fault) {
      app.handle(fault, ({ message, problem }) => {
        this.result = { ...result, message, faults: problem.faults ?? [] };
      });
    } finally {
      this.busy = false;
    }
  }
}

export const upload = new Upload();
