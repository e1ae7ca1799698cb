/** Which card went where, told from how the piles lay before and lie now. */

export interface Item {
  /** What can be seen of it: "9H", "*" face down, "-" covered. */
  text: string;
}

/**
 * Hands the cards that are there to the piles as they are to be.
 *
 * What lies at the bottom of a pile and is the same stays. What left a pile is looked for by its
 * face first; then a card that was turned is taken. What is left over is gone.
 */
export function hand<T extends Item>(
  before: ReadonlyMap<string, readonly T[]>,
  after: ReadonlyMap<string, readonly string[]>,
  make: (text: string, pile: string) => T,
): { piles: Map<string, T[]>; gone: T[] } {
  const piles = new Map<string, (T | null)[]>();
  const pool: T[] = [];
  for (const [pile, texts] of after) {
    const old = before.get(pile) ?? [];
    const now: (T | null)[] = [];
    let kept = 0;
    while (kept < texts.length && kept < old.length && fits(old, kept, texts)) {
      now.push(old[kept]);
      kept++;
    }
    pool.push(...old.slice(kept));
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
      // From the top: the card that left last is the one that was seen to go.
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

function fits<T extends Item>(old: readonly T[], index: number, texts: readonly string[]): boolean {
  if (old[index].text === texts[index]) return true;
  // The top card was turned up where it lies, or a card of a squared pile came to light.
  return isHidden(old[index].text) && (index === texts.length - 1 || texts[index] === "-");
}
