/** What all pages share: the settings, the language, the address. */

import { api, Refused, speak, type Settings } from "./api/client";
import { chosen, Speech } from "./text";

class Shared {
  settings = $state<Settings | null>(null);
  route = $state(location.hash);
  failure = $state("");
  speech = $derived(new Speech(chosen(this.settings?.language ?? "auto", navigator.language)));

  async load(): Promise<void> {
    await this.attempt(async () => {
      this.settings = await api.settings();
      this.dress();
    });
  }

  async keep(change: Partial<Settings>): Promise<void> {
    await this.attempt(async () => {
      this.settings = await api.setSettings({ ...$state.snapshot(this.settings)!, ...change });
      this.dress();
    });
  }

  /** Does something, and tells in words if it was not done. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      this.failure = "";
      await work();
    } catch (fault) {
      this.failure = fault instanceof Refused ? fault.message : this.speech.say("failed");
      if (!(fault instanceof Refused) && !(fault instanceof TypeError)) throw fault;
    }
  }

  private dress(): void {
    speak(this.speech.language);
    document.documentElement.lang = this.speech.language;
    document.documentElement.dataset.theme = this.settings!.theme;
  }
}

export const shared = new Shared();
addEventListener("hashchange", () => (shared.route = location.hash));
