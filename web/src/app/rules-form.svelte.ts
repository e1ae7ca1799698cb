/** The form of a new game: its answers, and the text that they give. */

import { api, type Schemas } from "../api/client";
import { applies, choicesOf, givenAnswers, type Choice, type Section } from "../lib/rules-form";
import { loadForm, saveForm } from "./drafts";

/** So many replaced texts are stored. */
const MOST_REPLACED = 10;

export class RulesForm {
  sections = $state.raw<readonly Section[]>([]);
  answers = $state<Record<string, string>>({});
  misfits = $state.raw<readonly Schemas["FormMisfit"][]>([]);
  /** The text of the last answers that fitted. */
  written = $state("");
  /** The text of the defaults. */
  initial = "";
  /** Texts written by hand that were replaced, the latest last. */
  replaced = $state<string[]>([]);
  private readonly choices = $derived(choicesOf(this.sections));
  private requests = 0;

  /** Fetches the choices, and restores the answers. */
  async load(): Promise<void> {
    this.sections = await api.form();
    this.initial = (await api.write({})).text ?? "";
    const left = loadForm();
    const known = Object.entries(left?.answers ?? {}).filter(([key]) => this.choices.has(key));
    this.answers = Object.fromEntries(known);
    this.replaced = left?.replaced ?? [];
    this.written = left?.written || this.initial;
    if (known.length > 0) await this.write();
  }

  /** Whether a choice is to be asked. */
  applies(choice: Choice): boolean {
    return applies(this.choices, this.answers, choice);
  }

  /** The sentences about a choice that does not fit. */
  misfitsOf(choice: Choice): string[] {
    return this.misfits.filter((each) => each.choices.includes(choice.key)).map(({ text }) => text);
  }

  /** Writes the text again. A later call makes this one void. */
  async write(): Promise<void> {
    const request = ++this.requests;
    const { text, misfits } = await api.write(givenAnswers(this.sections, this.answers));
    if (request !== this.requests) return;
    this.misfits = misfits;
    if (text !== null) this.written = text;
    this.store();
  }

  /** Replaces a text that was written by hand; returns the new one. */
  replace(text: string): string {
    this.replaced = [...this.replaced, text].slice(-MOST_REPLACED);
    this.store();
    return this.written;
  }

  /** Returns the text that was replaced last. */
  restore(): string {
    const text = this.replaced.at(-1) ?? this.written;
    this.replaced = this.replaced.slice(0, -1);
    this.store();
    return text;
  }

  /** Forgets all answers. */
  reset(): void {
    this.requests += 1;
    [this.answers, this.misfits, this.replaced] = [{}, [], []];
    this.written = this.initial;
    saveForm(null);
  }

  private store(): void {
    const { answers, written, replaced } = this;
    saveForm($state.snapshot({ answers, written, replaced }));
  }
}
