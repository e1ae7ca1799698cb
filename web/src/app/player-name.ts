/** The name under which results count. Several players may share a server. */

const PLACE = "cadogan-player";

/** The name that this browser knows; empty if it knows none. */
export function storedName(): string {
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
