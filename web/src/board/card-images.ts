/** The images on cards, fetched when a deck is used and rasterized in the size of the cards. */

import addresses from "virtual:decks";
import { RATIO } from "./fit";

/** Images are rasterized in multiples of this width, so that small changes of size are free. */
const GRANULARITY = 24;
/** Rasterizing waits until the page is idle, but at most this many milliseconds. */
const MAX_WAIT = 400;

/** Images by card, as values of a CSS property. */
type Images = ReadonlyMap<string, string>;

/** The vector images of a deck. To write all of them as values of a property takes a while. */
class Drawings {
  constructor(private readonly svgs: Readonly<Record<string, string>> = {}) {}

  cards(): string[] {
    return Object.keys(this.svgs);
  }

  /** The address of a card's image. */
  address(card: string): string {
    return `data:image/svg+xml,${encodeURIComponent(this.svgs[card])}`;
  }

  /** A card's image as a value of a CSS property; empty if there is none. */
  get(card: string): string {
    return card in this.svgs ? `url("${this.address(card)}")` : "";
  }
}

const drawings = new Map<string, Promise<Drawings>>();
const rasters = new Map<string, Images>();

/** The vector images of a deck; empty for a deck that the page draws in CSS. */
export function deckImages(deck: string): Promise<Drawings> {
  let found = drawings.get(deck);
  if (found === undefined) {
    found = fetchImages(addresses[deck]).catch(() => {
      drawings.delete(deck);
      return new Drawings();
    });
    drawings.set(deck, found);
  }
  return found;
}

async function fetchImages(address: string | undefined): Promise<Drawings> {
  if (address === undefined) return new Drawings();
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(address);
  return new Drawings((await answer.json()) as Record<string, string>);
}

/**
 * The images on the cards of a board.
 *
 * Vector images with so many lines are too slow for cards that move, so each is rasterized once, when
 * the page is idle. Until then, cards are plain or have images of another size.
 */
export class CardImages {
  private current: Images = new Map();
  private wanted = 0;
  /** Until then, cards move. */
  private heldUntil = 0;

  constructor(
    private readonly deck: string,
    private readonly changed: () => void,
  ) {}

  get(card: string): string {
    return this.current.get(card) ?? "";
  }

  /** Leaves the processor to cards that move, for some milliseconds from now. */
  hold(milliseconds: number): void {
    this.heldUntil = Math.max(this.heldUntil, performance.now() + milliseconds);
  }

  private async rest(): Promise<void> {
    for (let left; (left = this.heldUntil - performance.now()) > 0;)
      await new Promise((done) => setTimeout(done, left));
    await idle();
  }

  /** Asks for images for cards of a width. */
  resize(width: number): void {
    const pixels = Math.ceil((width * devicePixelRatio) / GRANULARITY) * GRANULARITY;
    if (pixels === this.wanted) return;
    this.wanted = pixels;
    const known = rasters.get(`${this.deck} ${pixels}`);
    if (known === undefined) void this.rasterize(pixels);
    else this.current = known;
  }

  private async rasterize(width: number): Promise<void> {
    // One round later it is known whether a deal is shown.
    await Promise.resolve();
    await this.rest();
    const drawn = await deckImages(this.deck);
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = Math.round(width * RATIO);
    const context = canvas.getContext("2d");
    if (context === null) return;
    const made = new Map<string, string>();
    for (const card of drawn.cards()) {
      await this.rest();
      if (this.wanted !== width) return;
      const image = new Image();
      image.src = drawn.address(card);
      await image.decode();
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      made.set(card, `url("${canvas.toDataURL()}")`);
    }
    await this.rest();
    if (made.size === 0 || this.wanted !== width) return;
    rasters.set(`${this.deck} ${width}`, made);
    this.current = made;
    this.changed();
  }
}

function idle(): Promise<unknown> {
  return new Promise((done) => {
    // Safari does not have it.
    if (typeof requestIdleCallback === "undefined") setTimeout(done, 10);
    else requestIdleCallback(done, { timeout: MAX_WAIT });
  });
}
