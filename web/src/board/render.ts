/** Draws the state of a board into the document. */

import { cardSymbol, rankSymbol, renderCard } from "./card";
import { CardImages } from "./card-images";
import { fitTable, type Fit } from "./fit";
import { arrange, type Geometry, type Spot } from "./geometry";
import type { Place, Point, Size } from "./grid";
import { mirrored } from "./mirror";
import { isStill } from "./motion";
import { reconcile, type Item } from "./reconcile";
import { isAlone, isCovered, isTaken, targets, type BoardMove, type State } from "./state";

export interface RenderOptions {
  /** The deck whose images the cards have. */
  deck?: string;
  /** For the left hand. */
  mirrored?: boolean;
  /** A pile in words: "garden 3: 5 cards, top nine of hearts". */
  describe: (pile: string, cards: readonly string[], covered: boolean) => string;
  /** A card in words: "nine of hearts". */
  say: (card: string) => string;
}

interface Card extends Item {
  element: HTMLElement;
  /** All that its looks depended on when it was last drawn, and its image. */
  drawn: string;
  image: string;
}

/** What a card looks like, apart from what it is. */
interface Looks {
  pile: string;
  index: number;
  image: string;
  title: string;
  spot: Spot;
  /** Whether it can be seen, and is read. */
  visible: boolean;
  /** Classes, and whether the card has them. */
  marks: Record<string, boolean>;
}

/** The elements of a pile that stay. */
interface Holder {
  element: HTMLElement;
  /** What an empty pile wants. */
  wanted: HTMLElement;
  /** The number of cards of a squared pile. */
  badge: HTMLElement | null;
}

/** Narrower cards have no images, since nobody could read them. */
const MIN_IMAGE_WIDTH = 54;
/** On narrower cards that lie alone, rank and suit fill the card. */
const MIN_CORNER_WIDTH = 44;
/** Milliseconds that a dealt card moves, and between the first and the last card of a deal. */
const DEALT_CARD = 190;
const DEAL = 450;
/** So many cards are dealt in one frame: a slow machine deals for longer, but as smoothly. */
const DEALT_AT_ONCE = 4;
/** So many cards get new images in one frame. */
const FACED_AT_ONCE = 8;
/** The size of a window that nobody tells. */
const USUAL_WINDOW = { width: 800, height: 600 };
/** Milliseconds after which cards have arrived. */
const ARRIVAL = 220;
/** Above this `z-index` are cards that move; below are cards that lie, and then the badges. */
const FLYING = 1000;
const BADGE = 400;
/** How far apart rows are that lie on one another. */
const LEVEL = 20;

/** Boards so far: identifiers must be unique in the document. */
let boards = 0;

export class Renderer {
  geometry: Geometry | null = null;
  private readonly id = `board-${++boards}`;
  private readonly images: CardImages;
  private readonly holders = new Map<string, Holder>();
  private cards = new Map<string, Card[]>();
  private cardsMade = 0;
  /** Holds the cards that are dragged: one element to move, however many cards there are. */
  private readonly lifted = document.createElement("div");
  /** The size of the window; null until the browser has told it. */
  private window: Size | null = null;
  private fit: Fit | undefined;
  /** The places in reading order. */
  private readonly places: readonly Place[];
  private readonly resize: ResizeObserver | null = null;
  private arrival: ReturnType<typeof setTimeout> | undefined;
  /** Cards of a new deal that nobody has seen yet, in the order in which they are dealt. */
  private undealt: Card[] = [];
  private dealtAt = 0;
  /** Cards that are still without their new images. */
  private readonly unfaced = new Set<Card>();
  private nextFrame = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly state: State,
    private readonly options: RenderOptions,
  ) {
    this.images = new CardImages(options.deck ?? "plain", () => this.showImages());
    root.classList.add("board");
    root.setAttribute("role", "group");
    this.lifted.className = "held";
    // Screen readers meet the piles in the order of the document.
    this.places = [...state.grid.places].sort((a, b) => a.row - b.row || a.column - b.column);
    for (const place of this.places) this.addHolder(place);
    if (typeof ResizeObserver === "undefined") this.window = USUAL_WINDOW;
    else {
      // To ask for the size would make the browser lay the page out at once.
      this.resize = new ResizeObserver(([entry]) => this.onResize(entry));
      // Including scroll bars: otherwise they could appear and disappear for ever.
      this.resize.observe(root.parentElement ?? root, { box: "border-box" });
    }
  }

  private onResize({ borderBoxSize: [box] }: ResizeObserverEntry): void {
    const isFirst = this.window === null;
    this.window = { width: Math.round(box.inlineSize), height: Math.round(box.blockSize) };
    if (!isFirst) return this.layOut();
    // To find the first fit takes a while: it gets a frame of its own.
    this.nextFrame = requestAnimationFrame(() => {
      if (this.cards.size > 0) this.fit = fitTable(this.state.grid, this.state.piles, this.window!);
      this.nextFrame = requestAnimationFrame(() => this.layOut(this.fit));
    });
  }

  destroy(): void {
    this.resize?.disconnect();
    clearTimeout(this.arrival);
    cancelAnimationFrame(this.nextFrame);
    this.root.replaceChildren();
  }

  private addHolder(place: Place): void {
    const element = document.createElement("div");
    element.id = this.idOf(place.pile);
    element.className = `pile ${place.role}`;
    element.setAttribute("role", "button");
    element.dataset.pile = place.pile;
    element.tabIndex = place.pile === this.state.focus ? 0 : -1;
    const wanted = hiddenSpan("wanted");
    element.append(wanted);
    this.root.append(element);
    const badge = place.fan === "none" ? hiddenSpan("badge") : null;
    if (badge !== null) this.root.append(badge);
    this.holders.set(place.pile, { element, wanted, badge });
  }

  private idOf(pile: string): string {
    return `${this.id}-${pile}`;
  }

  /** Draws piles that have changed: cards move to their new places. */
  update(): void {
    this.undealt = [];
    this.reconcile();
    this.layOut();
  }

  /** Draws a new deal: cards arrive one after the other, a few in each frame. */
  deal(): void {
    this.reconcile();
    this.undealt = isStill(this.state.speed) ? [] : this.dealingOrder();
    this.dealtAt = 0;
    this.layOut();
  }

  private reconcile(): void {
    this.lower();
    const make = (text: string): Card => this.makeCard(text);
    const { piles, gone } = reconcile(this.cards, this.state.piles, make);
    for (const card of gone) card.element.remove();
    this.cards = piles;
    // Screen readers meet the piles before the first frame, in which the board has no size yet.
    if (this.geometry === null) for (const { pile } of this.places) this.nameHolder(pile);
  }

  private makeCard(text: string): Card {
    const element = document.createElement("div");
    element.id = `${this.id}-card-${++this.cardsMade}`;
    element.setAttribute("role", "img");
    return { text, element, drawn: "", image: "" };
  }

  /** The cards in rows: first the lowest of each pile. */
  private dealingOrder(): Card[] {
    const piles = [...this.cards.values()];
    const highest = Math.max(...piles.map((cards) => cards.length));
    return Array.from({ length: highest }, (_, index) =>
      piles.flatMap((cards) => cards.slice(index, index + 1)),
    ).flat();
  }

  /** Puts every visible card after its pile in reading order. */
  private orderCards(): void {
    const order: string[] = [];
    for (const place of this.places) {
      order.push(this.idOf(place.pile));
      const cards = this.cards.get(place.pile) ?? [];
      const visible = place.fan === "none" ? cards.slice(-1) : cards;
      order.push(...visible.map(({ element }) => element.id));
    }
    setAttribute(this.root, "aria-owns", order.join(" "));
  }

  /** Fits the board into its window and draws it. */
  private layOut(known?: Fit): void {
    const { root, state, window } = this;
    if (window === null || this.cards.size === 0) return;
    const before = this.fit?.window;
    this.fit = known ?? fitTable(state.grid, state.piles, window, this.fit);
    const resized =
      before !== undefined && (before.width !== window.width || before.height !== window.height);
    const geometry = arrange(this.fit, state.piles);
    this.geometry = this.options.mirrored ? mirrored(geometry) : geometry;
    const { width, height, card } = this.geometry;
    root.style.width = `${width}px`;
    root.style.height = `${height}px`;
    root.style.setProperty("--card", `${card.width}px`);
    root.style.setProperty("--high", `${card.height}px`);
    root.style.setProperty("--pace", String(state.speed === 0 ? 0 : 1 / state.speed));
    root.classList.toggle("still", state.speed === 0 || resized);
    this.draw();
    if (resized && state.speed > 0) {
      // Only moves are animated: the board follows a change of the window at once.
      void root.offsetWidth;
      root.classList.remove("still");
    }
    this.goOn();
  }

  /** Draws everything in its place. */
  draw(): void {
    const { geometry } = this;
    if (geometry === null) return;
    if (geometry.card.width >= MIN_IMAGE_WIDTH) this.images.resize(geometry.card.width);
    this.drawPiles(geometry.spots.keys());
    if (this.undealt.length === 0) this.orderCards();
  }

  private drawPiles(piles: Iterable<string>): void {
    const { spots } = this.geometry!;
    const goals = new Set(targets(this.state));
    const undealt = new Set(this.undealt);
    let flying = false;
    for (const pile of piles) {
      const spot = spots.get(pile)!;
      const label = this.drawHolder(pile, spot, goals);
      if (this.drawCards(pile, spot, goals, label, undealt)) flying = true;
    }
    if (!flying) return;
    const { speed } = this.state;
    if (speed > 0) this.images.hold(ARRIVAL / speed);
    clearTimeout(this.arrival);
    this.arrival = setTimeout(() => this.sink(), speed === 0 ? 0 : ARRIVAL / speed);
  }

  /** Lets cards appear with their images, a few in each frame. */
  private showImages(): void {
    for (const card of [...this.cards.values()].flat()) this.unfaced.add(card);
    this.goOn();
  }

  /** Goes on in the next frame with what is done in several. */
  private goOn(): void {
    cancelAnimationFrame(this.nextFrame);
    if (this.undealt.length + this.unfaced.size === 0) return;
    this.nextFrame = requestAnimationFrame((now) => {
      if (this.undealt.length > 0) this.dealSome(now);
      else this.faceSome();
      this.goOn();
    });
  }

  private faceSome(): void {
    const cards = [...this.unfaced]
      .filter(({ text, image }) => image !== this.images.get(text))
      .slice(0, FACED_AT_ONCE);
    if (cards.length === 0) this.unfaced.clear();
    for (const card of cards) this.unfaced.delete(card);
    this.drawPiles(this.pilesOf(cards));
  }

  /** Deals the cards whose time has come. */
  private dealSome(now: number): void {
    const { speed } = this.state;
    this.dealtAt ||= now;
    const all = [...this.cards.values()].reduce((sum, cards) => sum + cards.length, 0);
    const dealt = all - this.undealt.length;
    const due = Math.ceil((all * (now - this.dealtAt) * speed) / DEAL) - dealt;
    const cards = this.undealt.splice(0, Math.max(1, Math.min(due, DEALT_AT_ONCE)));
    this.images.hold(DEALT_CARD / speed);
    this.drawPiles(this.pilesOf(cards));
    const above = { transform: `translate(${this.geometry!.width / 2}px, -120%)` };
    for (const { element } of cards) {
      if (element.classList.contains("buried")) continue;
      element.animate([above, {}], { duration: DEALT_CARD / speed });
    }
    if (this.undealt.length === 0) this.orderCards();
  }

  private pilesOf(cards: readonly Card[]): string[] {
    return [...this.cards.keys()].filter((pile) =>
      this.cards.get(pile)!.some((card) => cards.includes(card)),
    );
  }

  private nameHolder(pile: string): string {
    const cards = this.state.piles.get(pile) ?? [];
    const label = this.options.describe(pile, cards, isCovered(this.state, pile));
    setAttribute(this.holders.get(pile)!.element, "aria-label", label);
    return label;
  }

  private drawHolder(pile: string, spot: Spot, goals: ReadonlySet<string>): string {
    const { state, geometry } = this;
    const { element, wanted, badge } = this.holders.get(pile)!;
    const { width, height } = geometry!.card;
    const cards = state.piles.get(pile) ?? [];
    setStyle(element, "transform", translate(spot));
    setStyle(element, "width", `${width}px`);
    setStyle(element, "height", `${height}px`);
    setAttribute(element, "tabindex", state.focus === pile ? "0" : "-1");
    const label = this.nameHolder(pile);
    setAttribute(element, "aria-pressed", String(isTaken(state, pile)));
    element.classList.toggle("target", goals.has(pile) && cards.length === 0);
    element.classList.toggle("overlapping", this.overlaps(pile));
    const next = state.wanted.get(pile) ?? [];
    const ranks = new Set(next.map(rankSymbol));
    // Before the base is known, a foundation may begin with any rank.
    const face =
      next.length === 1 ? cardSymbol(next[0]) : ranks.size === 1 ? rankSymbol(next[0]) : "";
    setAttribute(wanted, "data-face", face);
    if (badge !== null) {
      const number = String(cards.length);
      if (badge.textContent !== number) badge.textContent = number;
      if (badge.hidden !== cards.length < 2) badge.hidden = cards.length < 2;
      const foot = { x: spot.x, y: spot.y + height };
      setStyle(badge, "transform", `${translate(foot)} translate(15%, -115%)`);
      setStyle(badge, "zIndex", String(BADGE));
    }
    return label;
  }

  /** Draws the cards of a pile. Returns whether one of them begins to move. */
  private drawCards(
    pile: string,
    spot: Spot,
    goals: ReadonlySet<string>,
    label: string,
    undealt: ReadonlySet<Card>,
  ): boolean {
    const { drag, selection, focus } = this.state;
    const cards = this.cards.get(pile) ?? [];
    const last = cards.length - 1;
    const isFan = spot.fan !== "none";
    const covered = isCovered(this.state, pile);
    const hasImages = this.geometry!.card.width >= MIN_IMAGE_WIDTH;
    // In rows that overlap only the upper half of a card can be seen.
    const isNarrow = this.geometry!.card.width < MIN_CORNER_WIDTH;
    const hasBadge = this.holders.get(pile)!.badge !== null && cards.length > 1;
    const bold = isNarrow && !hasBadge && !this.overlaps(pile);
    const isOther = selection?.others.includes(pile) === true;
    const selected = isOther ? 1 : selection?.pile === pile ? (selection.count ?? 1) : 0;
    const firstDragged = drag?.moved && drag.pile === pile ? drag.index : cards.length;
    const alone = selected > 0 && isAlone(this.state, pile, selected);
    const isFocused = focus === pile && this.holders.get(pile)!.element.matches(":focus-visible");
    let flying = false;
    cards.forEach((card, index) => {
      if (undealt.has(card)) return;
      const { element, text } = card;
      const isTop = index === last;
      const isDragged = alone ? index === firstDragged : index >= firstDragged;
      const buried = !isFan && index < last - 1;
      const image = hasImages && !buried ? this.images.get(text) : "";
      this.drawCard(card, {
        pile,
        index,
        image: this.unfaced.has(card) ? card.image : image,
        title: isFan ? label : "",
        spot,
        visible: isFan || isTop,
        marks: {
          buried,
          under: isFan && !isTop,
          blocked: covered && text !== "*",
          bold: bold && isTop && (!isFan || last === 0),
          upright: spot.fan === "right",
          taken: alone ? index === last - selected + 1 : index > last - selected,
          target: isTop && goals.has(pile),
          "under-focus": isTop && isFocused,
          dragged: isDragged,
        },
      });
      if (isDragged) return;
      const level = this.levelOf(pile) + index + 1;
      const transform = translate(spot.cards[index]);
      if (!element.isConnected) {
        setStyle(element, "zIndex", String(level));
        element.style.transform = transform;
        this.root.append(element);
      } else if (element.style.transform !== transform) {
        flying = true;
        setStyle(element, "zIndex", String(FLYING + level));
        element.style.transform = transform;
      } else if (Number(element.style.zIndex) < FLYING) setStyle(element, "zIndex", String(level));
    });
    return flying;
  }

  /** Draws a card, without its place, unless it looks as before. */
  private drawCard(card: Card, looks: Looks): void {
    const { element, text } = card;
    const { pile, index, image, title, spot, visible, marks } = looks;
    const label = visible ? this.options.say(text) : "";
    const drawn = JSON.stringify([text, pile, index, title, spot.index, spot.step, label, marks]);
    if (card.drawn === drawn && card.image === image) return;
    card.drawn = drawn;
    card.image = image;
    renderCard(element, text, image);
    element.dataset.pile = pile;
    element.dataset.index = String(index);
    element.title = title;
    element.style.setProperty("--index", `${spot.index}px`);
    element.style.setProperty("--step", `${Math.ceil(spot.step)}px`);
    for (const [mark, on] of Object.entries(marks)) element.classList.toggle(mark, on);
    element.setAttribute("aria-hidden", String(!visible));
    if (visible) element.setAttribute("aria-label", label);
  }

  /** Whether a pile's row lies on another, or another on it. */
  private overlaps(pile: string): boolean {
    const row = this.fit?.cells.get(pile)?.row ?? 0;
    return [row, row + 1].some((each) => this.state.grid.overlapping?.includes(each));
  }

  /** What the `z-index` of a pile's cards begins with: rows lie on the rows above them. */
  private levelOf(pile: string): number {
    const { overlapping = [] } = this.state.grid;
    const row = this.fit?.cells.get(pile)?.row ?? 0;
    return overlapping.filter((other) => other <= row).length * LEVEL;
  }

  /** Puts cards that have arrived below those that lie above them in the pile. */
  private sink(): void {
    if (this.state.drag?.moved) return;
    for (const [pile, cards] of this.cards) {
      const level = this.levelOf(pile);
      cards.forEach((card, index) => setStyle(card.element, "zIndex", String(level + index + 1)));
    }
  }

  /** Marks the cards of a move and where they go; null removes the marks. */
  hint(move: BoardMove | null): void {
    for (const element of this.root.querySelectorAll(".hinted")) element.classList.remove("hinted");
    if (move === null) return;
    for (const { from, count, to, depth } of move.transfers) {
      const cards = this.cards.get(from) ?? [];
      const end = cards.length - (depth ?? 1) + 1;
      const moved = cards.slice(Math.max(0, end - count), end).map(({ element }) => element);
      for (const element of [...moved, this.top(to)]) element.classList.add("hinted");
    }
    for (const pile of move.piles) this.top(pile).classList.add("hinted");
  }

  /** The top card of a pile, or the pile itself. */
  private top(pile: string): HTMLElement {
    return this.cards.get(pile)?.at(-1)?.element ?? this.holders.get(pile)!.element;
  }

  /** Focuses a pile; `scroll` brings it into view. */
  focus(pile: string, scroll = false): void {
    this.holders.get(pile)!.element.focus({ preventScroll: !scroll });
  }

  /** Lifts the cards of a pile from an index on, or one; they now move together. */
  lift(pile: string, index: number, alone: boolean): void {
    this.undealt = [];
    this.draw();
    const cards = this.cards.get(pile)!.slice(index, alone ? index + 1 : undefined);
    this.lifted.append(...cards.map((card) => card.element));
    this.root.append(this.lifted);
  }

  moveLifted(dx: number, dy: number): void {
    this.lifted.style.transform = translate({ x: dx, y: dy });
  }

  /** Puts the lifted cards back on the board, where they are on the screen. */
  lower(): void {
    const cards = [...this.lifted.children] as HTMLElement[];
    if (cards.length === 0) return;
    const by = this.lifted.style.transform;
    for (const element of cards) element.style.transform = `${by} ${element.style.transform}`;
    this.root.append(...cards);
    this.lifted.remove();
    this.lifted.style.transform = "";
    // From there they move on with the transition that dragged cards do not have.
    void this.root.offsetWidth;
    for (const element of cards) element.classList.remove("dragged");
  }
}

function hiddenSpan(name: string): HTMLElement {
  const span = document.createElement("span");
  span.className = name;
  span.setAttribute("aria-hidden", "true");
  return span;
}

function setAttribute(element: HTMLElement, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

type StyleName = "transform" | "width" | "height" | "zIndex";

/** Sets a style; to write the same one again would make the browser compute all styles again. */
function setStyle(element: HTMLElement, name: StyleName, value: string): void {
  if (element.style[name] !== value) element.style[name] = value;
}

/** Whole pixels: they are sharper, faster to draw, and read from a style as they were written. */
function translate({ x, y }: Point): string {
  return `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
}
