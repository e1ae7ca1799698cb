/** Finds out which card went where, from the piles before and after. */

export interface Item {
  /** What is visible of it: "9H", "*" face down, "-" covered. */
  text: string;
}

/**
 * Distributes the existing cards over the new piles.
 *
 * Cards at the bottom of a pile that are the same stay. A missing card is taken from those that left
 * their piles: first one with the same face, then one that was turned over. The rest is `gone`.
 */
export function reconcile<T extends Item>(
  before: ReadonlyMap<string, readonly T[]>,
  after: ReadonlyMap<string, readonly string[]>,
  make: (text: string, pile: string) => T,
): { piles: Map<string, T[]>; gone: T[] } {
  const piles = new Map<string, (T | null)[]>();
  const pool: T[] = [];
  for (const [pile, texts] of after) {
    const old = before.get(pile) ?? [];
    const now: (T | null)[] = [];
    let same = 0;
    while (same < texts.length && same < old.length && stays(old, same, texts)) {
      now.push(old[same]);
      same++;
    }
    pool.push(...old.slice(same));
    while (now.length < texts.length) now.push(null);
    piles.set(pile, now);
  }
  for (const [pile, old] of before) if (!after.has(pile)) pool.push(...old);

  const open = [...piles].flatMap(([pile, items]) =>
    items.flatMap((item, index) => (item === null ? [{ pile, index }] : [])),
  );
  const fill = (matches: (item: T, text: string) => boolean): void => {
    for (const { pile, index } of open) {
      if (piles.get(pile)![index] !== null) continue;
      const text = after.get(pile)![index];
      // From the top: the card that left last is the one the player saw leave.
      const found = pool.findLastIndex((item) => matches(item, text));
      if (found >= 0) piles.get(pile)![index] = pool.splice(found, 1)[0];
    }
  };
  fill((item, text) => item.text === text);
  fill((item, text) => isHidden(item.text) || isHidden(text));
  const whole = new Map<string, T[]>();
  for (const [pile, items] of piles) {
    const texts = after.get(pile)!;
    const made = items.map((item, index) => item ?? make(texts[index], pile));
    whole.set(pile, made);
  }
  for (const [pile, items] of whole) {
    items.forEach((item, index) => (item.text = after.get(pile)![index]));
  }
  return { piles: whole, gone: pool };
}

function isHidden(text: string): boolean {
  return text === "*" || text === "-";
}

function stays<T extends Item>(
  old: readonly T[],
  index: number,
  texts: readonly string[],
): boolean {
  if (old[index].text === texts[index]) return true;
  // The top card was turned up in place, or a card of a squared pile was uncovered.
  return isHidden(old[index].text) && (index === texts.length - 1 || texts[index] === "-");
}
