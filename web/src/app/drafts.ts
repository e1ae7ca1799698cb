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

/** What the form of a new game holds. */
export interface FormDraft {
  answers: Record<string, string>;
  /** The text that it has written. */
  written: string;
  /** Texts written by hand that it has replaced, the latest last. */
  replaced: string[];
}

const FORM = "cadogan-form";

/** The form as it was left; null if there is none. */
export function loadForm(): FormDraft | null {
  try {
    const form = JSON.parse(localStorage.getItem(FORM) ?? "null") as Partial<FormDraft> | null;
    if (form === null) return null;
    const answers = Object.entries(form.answers ?? {}).filter(
      ([, answer]) => typeof answer === "string",
    );
    const replaced = (form.replaced ?? []).filter((text) => typeof text === "string");
    return { answers: Object.fromEntries(answers), written: String(form.written ?? ""), replaced };
  } catch {
    return null;
  }
}

/** Stores the form, or removes it for null. Returns whether the browser could store it. */
export function saveForm(form: FormDraft | null): boolean {
  try {
    if (form === null) localStorage.removeItem(FORM);
    else localStorage.setItem(FORM, JSON.stringify(form));
    return true;
  } catch {
    return false;
  }
}
