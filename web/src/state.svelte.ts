/** What all pages share: the settings, the language, the address, whether the server answers. */

import { api, Refused, speak, type Settings } from "./api/client";
import { read } from "./routes";
import { chosen, Speech } from "./text";

type Work = () => Promise<void>;

/** How the page looked last: it looks so at once, before the server has told its settings. */
const LOOK = "cadogan-look";
const POLL = 3000;

class Shared {
  settings = $state<Settings | null>(null);
  hash = $state(location.hash);
  route = $derived(read(this.hash));
  /** What was refused, in words. */
  failure = $state("");
  /** Whether the server does not answer. */
  offline = $state(false);
  speech = $derived(
    new Speech(chosen(this.settings?.language ?? remembered().language, navigator.language)),
  );
  private undone = new Set<Work>();
  private told: Promise<void> = Promise.resolve();

  constructor() {
    const look = remembered();
    wear(look.theme, look.felt);
    document.documentElement.lang = chosen(look.language, navigator.language);
  }

  load(): Promise<void> {
    return this.reads(async () => {
      this.settings = await api.settings();
      this.dress();
    });
  }

  async keep(change: Partial<Settings>): Promise<void> {
    // At once, so that what is set next does not undo it while the server is being told.
    const kept = { ...$state.snapshot(this.settings)!, ...change };
    this.settings = kept;
    this.dress();
    this.told = this.told.then(() => this.attempt(async () => void (await api.setSettings(kept))));
    await this.told;
  }

  /** A setting that is the page's own. */
  own<T>(key: string, otherwise: T): T {
    return (this.settings?.page?.[key] as T | undefined) ?? otherwise;
  }

  keepOwn(key: string, value: unknown): Promise<void> {
    return this.keep({ page: { ...$state.snapshot(this.settings!.page), [key]: value } });
  }

  /** Does something, and tells in words if it was not done. */
  async attempt(work: Work): Promise<void> {
    try {
      this.failure = "";
      await work();
      this.offline = false;
    } catch (fault) {
      if (fault instanceof Refused) this.failure = fault.message;
      else if (fault instanceof TypeError) this.lost();
      else throw fault;
    }
  }

  /** Reads something from the server; as soon as it answers again, if it does not now. */
  async reads(work: Work): Promise<void> {
    this.undone.add(work);
    await this.attempt(async () => {
      try {
        await work();
        this.undone.delete(work);
      } catch (fault) {
        if (fault instanceof Refused) this.undone.delete(work);
        throw fault;
      }
    });
  }

  /** The server does not answer: it is asked again now and then. */
  lost(): void {
    if (this.offline) return;
    this.offline = true;
    const again = (): void => {
      if (!this.offline) return;
      api.about().then(
        () => this.retry(),
        () => setTimeout(again, POLL),
      );
    };
    setTimeout(again, POLL);
  }

  /** Reads again what could not be read. */
  async retry(): Promise<void> {
    this.offline = false;
    this.failure = "";
    const undone = [...this.undone];
    if (undone.length === 0) await this.attempt(async () => void (await api.about()));
    await Promise.all(undone.map((work) => this.reads(work)));
  }

  /** Another page is shown; what the last one wanted to read is no longer of use. */
  turn(): void {
    this.hash = location.hash;
    this.failure = "";
    if (this.settings) this.undone.clear();
  }

  private dress(): void {
    const { theme, language, felt } = this.settings!;
    speak(this.speech.language);
    document.documentElement.lang = this.speech.language;
    wear(theme, felt);
    try {
      localStorage.setItem(LOOK, JSON.stringify({ theme, language, felt }));
    } catch {
      // A browser that keeps nothing shows the usual colours for a moment.
    }
  }
}

function wear(theme: string, felt: string): void {
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.felt = felt;
}

function remembered(): { theme: string; language: string; felt: string } {
  const usual = { theme: "auto", language: "auto", felt: "green" };
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(LOOK) ?? "{}") as object) };
  } catch {
    return usual;
  }
}

export const shared = new Shared();
addEventListener("hashchange", () => shared.turn());
