/** Drafts of rules files, stored in the browser until the server has them. */

const PREFIX = "cadogan-draft:";

/** The draft of a game's rules ("" for a new game); null if there is none. */
export function loadDraft(game: string): string | null {
  try {
    return localStorage.getItem(PREFIX + game);
  } catch {
    return null;
  }
}

/** Stores a draft, or removes it for null. Returns whether the browser could store it. */
export function saveDraft(game: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(PREFIX + game);
    else localStorage.setItem(PREFIX + game, text);
    return true;
  } catch {
    return false;
  }
}
