/** The pictures on cards: fetched when they are wanted, and painted in the size that is wanted. */

import addresses from "virtual:decks";

const RATIO = 1.4;
/** Widths in which pictures are painted are multiples of this: they need not be painted too often. */
const COARSE = 24;
/** Painting waits until the page has nothing else to do, but not longer than so many milliseconds. */
const PATIENCE = 400;

/** Images as a style names them. */
export type Faces = ReadonlyMap<string, string>;

const drawings = new Map<string, Promise<Faces>>();
const paintings = new Map<string, Faces>();

/** The drawings of a deck, which may have any size; none for a deck that the page draws itself. */
export function faces(deck: string): Promise<Faces> {
  let found = drawings.get(deck);
  if (found === undefined) {
    found = read(addresses[deck]).catch(() => {
      drawings.delete(deck);
      return new Map();
    });
    drawings.set(deck, found);
  }
  return found;
}

async function read(address: string | undefined): Promise<Faces> {
  if (address === undefined) return new Map();
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(address);
  const drawn = (await answer.json()) as Record<string, string>;
  return new Map(
    Object.entries(drawn).map(([card, svg]) => [
      card,
      `url("data:image/svg+xml,${encodeURIComponent(svg)}")`,
    ]),
  );
}

/**
 * The pictures on the cards of a table.
 *
 * Drawings with so many lines are too slow for cards that move, so they are painted once: a few at a
 * time, while cards are plain or have pictures of another size.
 */
export class Pictures {
  private now: Faces = new Map();
  private wanted = 0;

  constructor(
    private readonly deck: string,
    private readonly changed: () => void,
  ) {}

  get(card: string): string {
    return this.now.get(card) ?? "";
  }

  /** Has pictures for cards of a width, as soon as may be. */
  size(width: number): void {
    const fine = Math.ceil((width * devicePixelRatio) / COARSE) * COARSE;
    if (fine === this.wanted) return;
    this.wanted = fine;
    const known = paintings.get(`${this.deck} ${fine}`);
    if (known === undefined) void this.paint(fine);
    else this.now = known;
  }

  private async paint(width: number): Promise<void> {
    const drawn = await faces(this.deck);
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = Math.round(width * RATIO);
    const brush = canvas.getContext("2d");
    if (brush === null) return;
    const made = new Map<string, string>();
    for (const [card, drawing] of drawn) {
      await idle();
      if (this.wanted !== width) return;
      const image = new Image();
      image.src = drawing.slice('url("'.length, -'")'.length);
      await image.decode();
      brush.clearRect(0, 0, canvas.width, canvas.height);
      brush.drawImage(image, 0, 0, canvas.width, canvas.height);
      made.set(card, `url("${canvas.toDataURL()}")`);
    }
    if (made.size === 0 || this.wanted !== width) return;
    paintings.set(`${this.deck} ${width}`, made);
    this.now = made;
    this.changed();
  }
}

function idle(): Promise<unknown> {
  return new Promise((done) => {
    // Safari has none.
    if (typeof requestIdleCallback === "undefined") setTimeout(done, 10);
    else requestIdleCallback(done, { timeout: PATIENCE });
  });
}
