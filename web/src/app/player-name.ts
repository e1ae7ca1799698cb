/** The name under which results count. Several players may share a server. */

import { app } from "./state.svelte";

const PLACE = "cadogan-player";

/** The name of the account, or the one that this browser knows; empty if there is none. */
export function storedName(): string {
  if (app.account?.player) return app.account.player.name;
  try {
    return localStorage.getItem(PLACE) ?? "";
  } catch {
    return "";
  }
}

/** Stores the name for the next time. */
export function storeName(name: string): void {
  try {
    localStorage.setItem(PLACE, name.trim());
  } catch {
    // The name is asked for again next time.
  }
}

/** The table at which this browser takes up a challenge; empty if there is none. */
export function storedTable(challenge: string): string {
  try {
    return localStorage.getItem(`cadogan-challenge-${challenge}`) ?? "";
  } catch {
    return "";
  }
}

/** Stores the table at which this browser takes up a challenge. */
export function storeTable(challenge: string, table: string): void {
  try {
    localStorage.setItem(`cadogan-challenge-${challenge}`, table);
  } catch {
    // The address of the table still names the challenge.
  }
}
