/** What all pages share: the settings, the language, the route, whether the server answers. */

import { api, Refused, setLanguage, type Schemas, type Settings } from "../api/client";
import { chooseLanguage, Speech } from "../text/speech";
import { firstRoute, parseRoute } from "./routes";

type Work = () => Promise<void>;

/** The appearance used last, applied before the server has sent the settings. */
const APPEARANCE = "cadogan-look";
/** Milliseconds between two attempts to reach the server. */
const POLL = 3000;

class AppState {
  settings = $state<Settings | null>(null);
  /** Who is logged in, if this server has accounts. */
  account = $state.raw<Schemas["Account"] | null>(null);
  hash = $state(firstRoute());
  route = $derived(parseRoute(this.hash));
  /** Why the last request was refused, in words. */
  failure = $state("");
  /** Whether the server does not answer. */
  offline = $state(false);
  speech = $derived(
    new Speech(
      chooseLanguage(this.settings?.language ?? storedAppearance().language, navigator.language),
    ),
  );
  private pendingLoads = new Set<Work>();
  private saving: Promise<void> = Promise.resolve();

  constructor() {
    const { theme, felt, language } = storedAppearance();
    setColours(theme, felt);
    document.documentElement.lang = chooseLanguage(language, navigator.language);
  }

  /** Whether nobody is logged in at a server with accounts. */
  get locked(): boolean {
    return this.account !== null && this.account.accounts && this.account.player === null;
  }

  /** Asks who is logged in, and loads the settings. */
  begin(): Promise<void> {
    return this.load(async () => this.enter(await api.account()));
  }

  /** Goes on as a player; without one, with the settings used last in this browser. */
  async enter(account: Schemas["Account"]): Promise<void> {
    this.account = account;
    if (!this.locked) return this.loadSettings();
    this.settings = repaired({ ...storedAppearance() });
    this.applySettings();
  }

  /** Loads the settings. If the server has none to give, the page works with the defaults. */
  loadSettings(): Promise<void> {
    return this.load(async () => {
      try {
        this.settings = repaired(await api.settings());
      } catch (fault) {
        if (!(fault instanceof Refused)) throw fault;
        this.settings ??= repaired({ ...storedAppearance() });
        throw fault;
      } finally {
        if (this.settings) this.applySettings();
      }
    });
  }

  async saveSettings(change: Partial<Settings>): Promise<void> {
    // Applied at once: the next change must not be based on the settings before this one.
    const settings = { ...$state.snapshot(this.settings)!, ...change };
    this.settings = settings;
    this.applySettings();
    this.saving = this.saving.then(() =>
      this.attempt(async () => void (await api.setSettings(settings))),
    );
    await this.saving;
  }

  /** A setting of the page itself, which the server only stores. */
  pageSetting<T>(key: string, fallback: T): T {
    return (this.settings?.page?.[key] as T | undefined) ?? fallback;
  }

  savePageSetting(key: string, value: unknown): Promise<void> {
    return this.saveSettings({ page: { ...$state.snapshot(this.settings!.page), [key]: value } });
  }

  /** Does something; a failure is shown at the top of the page. */
  async attempt(work: Work): Promise<void> {
    try {
      this.failure = "";
      await work();
      this.offline = false;
    } catch (fault) {
      this.handle(fault, (refused) => (this.failure = refused.message));
    }
  }

  /** Sorts out what a request threw: a refusal, no answer, or a mistake of ours, thrown again. */
  handle(fault: unknown, refused: (fault: Refused) => void): void {
    if (fault instanceof Refused && fault.problem.code === "login") {
      this.account = { accounts: true, player: null };
    } else if (fault instanceof Refused) refused(fault);
    else if (fault instanceof TypeError) this.connectionLost();
    else throw fault;
  }

  /** Loads something now or, if the server does not answer, as soon as it does. */
  async load(work: Work): Promise<void> {
    this.pendingLoads.add(work);
    await this.attempt(async () => {
      try {
        await work();
        this.pendingLoads.delete(work);
      } catch (fault) {
        if (fault instanceof Refused) this.pendingLoads.delete(work);
        throw fault;
      }
    });
  }

  /** Notes that the server does not answer, and asks it again from time to time. */
  connectionLost(): void {
    if (this.offline) return;
    this.offline = true;
    const poll = (): void => {
      if (!this.offline) return;
      api.about().then(
        () => this.retry(),
        (fault: unknown) => {
          if (fault instanceof Refused) void this.retry();
          else setTimeout(poll, POLL);
        },
      );
    };
    setTimeout(poll, POLL);
  }

  /** Loads again what could not be loaded. */
  async retry(): Promise<void> {
    this.offline = false;
    this.failure = "";
    const loads = [...this.pendingLoads];
    if (loads.length === 0) await this.attempt(async () => void (await api.about()));
    await Promise.all(loads.map((work) => this.load(work)));
  }

  /** Shows another page; what the last one still wanted to load is dropped. */
  pageChanged(): void {
    this.hash = location.hash;
    this.failure = "";
    if (this.settings) this.pendingLoads.clear();
  }

  private applySettings(): void {
    const { theme, language, felt } = this.settings!;
    setLanguage(this.speech.language);
    document.documentElement.lang = this.speech.language;
    setColours(theme, felt);
    try {
      localStorage.setItem(APPEARANCE, JSON.stringify({ theme, language, felt }));
    } catch {
      // A browser without storage shows the default colours for a moment.
    }
  }
}

const DEFAULTS: Settings = {
  language: "auto",
  theme: "auto",
  felt: "green",
  deck: "two-colour",
  speed: 1,
  left_handed: false,
  hide_clock: false,
  hide_score: false,
  autoplay: false,
  verdict: "thoughtful",
  winnable_only: false,
  page: {},
};

/** Settings in which everything is there and of the right kind, whatever was stored. */
function repaired(found: unknown): Settings {
  const stored = (typeof found === "object" && found !== null ? found : {}) as Partial<Settings>;
  const fits = (key: string): boolean => {
    const value = stored[key as keyof Settings];
    return value !== null && typeof value === typeof DEFAULTS[key as keyof Settings];
  };
  const keys = Object.keys(DEFAULTS).filter(fits);
  return { ...DEFAULTS, ...Object.fromEntries(keys.map((key) => [key, stored[key as never]])) };
}

function setColours(theme: string, felt: string): void {
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.felt = felt;
}

function storedAppearance(): { theme: string; language: string; felt: string } {
  const defaults = { theme: "auto", language: "auto", felt: "green" };
  try {
    return { ...defaults, ...(JSON.parse(localStorage.getItem(APPEARANCE) ?? "{}") as object) };
  } catch {
    return defaults;
  }
}

export const app = new AppState();
addEventListener("hashchange", () => app.pageChanged());
