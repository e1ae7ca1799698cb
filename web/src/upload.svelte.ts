/** Files that are brought to the page: rules files and games. They are read here, and judged there. */

import { api, Refused, type Schemas } from "./api/client";
import { to } from "./routes";
import { shared } from "./state.svelte";
import type { Key } from "./text";

/** The server takes no more characters. */
export const LARGEST = 256 * 1024;

export type Kind = "rules" | "game";

/** A file of a game begins so; every other one is taken for rules. */
export function kind(text: string): Kind {
  return /^\uFEFF?#\s*Cadogan game\b/.test(text) ? "game" : "rules";
}

/** The text of a file; what cannot be read is told as the key of a message. */
export async function textOf(file: Blob): Promise<{ text: string } | { fault: Key }> {
  if (file.size > LARGEST) return { fault: "fileLarge" };
  try {
    const bytes = await file.arrayBuffer();
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { fault: "fileNoText" };
  }
}

class Upload {
  /** What is told in the dialog; null if there is nothing to tell. */
  said = $state.raw<{
    file: string;
    kind: Kind;
    text: string;
    message: string;
    faults: Schemas["Fault"][];
    game: Schemas["GameSummary"] | null;
  } | null>(null);
  busy = $state(false);
  /** Grows when a file goes to the editor, which may be open already. */
  edits = $state(0);

  async take(file: File): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const read = await textOf(file);
    const text = "text" in read ? read.text : "";
    const said = { file: file.name, kind: kind(text), text, message: "", faults: [], game: null };
    try {
      if ("fault" in read) this.said = { ...said, message: shared.speech.say(read.fault) };
      else if (said.kind === "game") location.hash = to("table", (await api.import(text)).id);
      else {
        const { game, warnings } = await api.upload({ text, file_name: file.name.slice(0, 200) });
        this.said = { ...said, game, faults: warnings };
      }
    } catch (fault) {
      if (fault instanceof Refused) {
        const { message, faults } = fault.problem;
        this.said = { ...said, message: message.text, faults: faults ?? [] };
      } else if (fault instanceof TypeError) shared.lost();
      else throw fault;
    } finally {
      this.busy = false;
    }
  }
}

export const upload = new Upload();
