/** Rules that are being written: the browser keeps them until the server has them. */

const HEAD = "cadogan-draft:";

/** The draft of a game, or that of a new one; null if there is none. */
export function draft(name: string): string | null {
  try {
    return localStorage.getItem(HEAD + name);
  } catch {
    return null;
  }
}

/** Keeps a draft; null throws it away. Says whether it is kept. */
export function keepDraft(name: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(HEAD + name);
    else localStorage.setItem(HEAD + name, text);
    return true;
  } catch {
    return false;
  }
}
