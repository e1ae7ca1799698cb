/** The images on cards, fetched when a deck is used and rasterized in the size of the cards. */

import addresses from "virtual:decks";
import { RATIO } from "./fit";

/** Images are rasterized in multiples of this width, so that small changes of size are free. */
const GRANULARITY = 24;
/** Rasterizing waits until the page is idle, but at most this many milliseconds. */
const MAX_WAIT = 400;

/** Images by card, as values of a CSS property. */
export type Images = ReadonlyMap<string, string>;

const drawings = new Map<string, Promise<Images>>();
const rasters = new Map<string, Images>();

/** The vector images of a deck; empty for a deck that the page draws in CSS. */
export function deckImages(deck: string): Promise<Images> {
  let found = drawings.get(deck);
  if (found === undefined) {
    found = fetchImages(addresses[deck]).catch(() => {
      drawings.delete(deck);
      return new Map();
    });
    drawings.set(deck, found);
  }
  return found;
}

async function fetchImages(address: string | undefined): Promise<Images> {
  if (address === undefined) return new Map();
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(address);
  const images = (await answer.json()) as Record<string, string>;
  return new Map(
    Object.entries(images).map(([card, svg]) => [
      card,
      `url("data:image/svg+xml,${encodeURIComponent(svg)}")`,
    ]),
  );
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
    for (const [card, drawing] of drawn) {
      await this.rest();
      if (this.wanted !== width) return;
      const image = new Image();
      image.src = drawing.slice('url("'.length, -'")'.length);
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
