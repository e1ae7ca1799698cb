/** Draws the state of a board into the document. */

import { cardSymbol, rankSymbol, renderCard } from "./card";
import { CardImages } from "./card-images";
import { fitTable, type Fit } from "./fit";
import { arrange, type Geometry, type Spot } from "./geometry";
import type { Place, Point } from "./grid";
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
  private fit: Fit | undefined;
  /** The places in reading order. */
  private readonly places: readonly Place[];
  private readonly resize: ResizeObserver | null = null;
  private arrival: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly state: State,
    private readonly options: RenderOptions,
  ) {
    this.images = new CardImages(options.deck ?? "plain", () => this.draw());
    root.classList.add("board");
    root.setAttribute("role", "group");
    this.lifted.className = "held";
    // Screen readers meet the piles in the order of the document.
    this.places = [...state.grid.places].sort((a, b) => a.row - b.row || a.column - b.column);
    for (const place of this.places) this.addHolder(place);
    if (typeof ResizeObserver !== "undefined") {
      this.resize = new ResizeObserver(() => this.layOut());
      this.resize.observe(root.parentElement ?? root);
    }
  }

  destroy(): void {
    this.resize?.disconnect();
    clearTimeout(this.arrival);
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
    this.lower();
    const make = (text: string, pile: string): Card => this.makeCard(text, pile);
    const { piles, gone } = reconcile(this.cards, this.state.piles, make);
    for (const card of gone) card.element.remove();
    this.cards = piles;
    this.labelCards();
    this.layOut();
  }

  private makeCard(text: string, pile: string): Card {
    const element = document.createElement("div");
    element.id = `${this.id}-card-${++this.cardsMade}`;
    element.setAttribute("role", "img");
    const spot = this.geometry?.spots.get(pile);
    if (spot) element.style.transform = translate(spot);
    this.root.append(element);
    return { text, element };
  }

  /** Labels every visible card, and puts it after its pile in reading order. */
  private labelCards(): void {
    const order: string[] = [];
    for (const place of this.places) {
      order.push(this.idOf(place.pile));
      const cards = this.cards.get(place.pile) ?? [];
      cards.forEach(({ element, text }, index) => {
        const visible = place.fan !== "none" || index === cards.length - 1;
        element.setAttribute("aria-hidden", String(!visible));
        if (!visible) return;
        element.setAttribute("aria-label", this.options.say(text));
        order.push(element.id);
      });
    }
    this.root.setAttribute("aria-owns", order.join(" "));
  }

  /** Fits the board into its window and draws it. */
  private layOut(): void {
    const { root, state } = this;
    const frame = root.parentElement ?? root;
    // Including scroll bars: otherwise they could appear and disappear for ever.
    const window = { width: frame.offsetWidth || 800, height: frame.offsetHeight || 600 };
    const before = this.fit?.window;
    this.fit = fitTable(state.grid, state.piles, window, this.fit);
    const resized = before?.width !== window.width || before.height !== window.height;
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
  }

  /** Draws everything in its place. */
  draw(): void {
    const { geometry } = this;
    if (geometry === null) return;
    if (geometry.card.width >= MIN_IMAGE_WIDTH) this.images.resize(geometry.card.width);
    const goals = new Set(targets(this.state));
    let flying = false;
    for (const [pile, spot] of geometry.spots) {
      const label = this.drawHolder(pile, spot, goals);
      if (this.drawCards(pile, spot, goals, label)) flying = true;
    }
    if (!flying) return;
    const { speed } = this.state;
    if (speed > 0) this.images.hold(ARRIVAL / speed);
    clearTimeout(this.arrival);
    this.arrival = setTimeout(() => this.sink(), speed === 0 ? 0 : ARRIVAL / speed);
  }

  private drawHolder(pile: string, spot: Spot, goals: ReadonlySet<string>): string {
    const { state, geometry } = this;
    const { element, wanted, badge } = this.holders.get(pile)!;
    const { width, height } = geometry!.card;
    const cards = state.piles.get(pile) ?? [];
    const label = this.options.describe(pile, cards, isCovered(state, pile));
    element.style.transform = translate(spot);
    element.style.width = `${width}px`;
    element.style.height = `${height}px`;
    element.tabIndex = state.focus === pile ? 0 : -1;
    element.setAttribute("aria-label", label);
    element.setAttribute("aria-pressed", String(isTaken(state, pile)));
    element.classList.toggle("target", goals.has(pile) && cards.length === 0);
    element.classList.toggle("overlapping", this.overlaps(pile));
    const next = state.wanted.get(pile) ?? [];
    const ranks = new Set(next.map(rankSymbol));
    // Before the base is known, a foundation may begin with any rank.
    wanted.dataset.face =
      next.length === 1 ? cardSymbol(next[0]) : ranks.size === 1 ? rankSymbol(next[0]) : "";
    if (badge !== null) {
      badge.textContent = String(cards.length);
      badge.hidden = cards.length < 2;
      const foot = { x: spot.x, y: spot.y + height };
      badge.style.transform = `${translate(foot)} translate(15%, -115%)`;
      badge.style.zIndex = String(BADGE);
    }
    return label;
  }

  /** Draws the cards of a pile. Returns whether one of them begins to move. */
  private drawCards(pile: string, spot: Spot, goals: ReadonlySet<string>, label: string): boolean {
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
    cards.forEach(({ element, text }, index) => {
      const isTop = index === last;
      const isDragged = alone ? index === firstDragged : index >= firstDragged;
      renderCard(element, text, hasImages ? this.images.get(text) : "");
      element.dataset.pile = pile;
      element.dataset.index = String(index);
      element.title = isFan ? label : "";
      element.style.setProperty("--index", `${spot.index}px`);
      element.style.setProperty("--step", `${spot.step}px`);
      element.classList.toggle("buried", !isFan && index < last - 1);
      element.classList.toggle("under", isFan && !isTop);
      element.classList.toggle("blocked", covered && text !== "*");
      element.classList.toggle("bold", bold && isTop && (!isFan || last === 0));
      element.classList.toggle("upright", spot.fan === "right");
      const isTaken = alone ? index === last - selected + 1 : index > last - selected;
      element.classList.toggle("taken", isTaken);
      element.classList.toggle("target", isTop && goals.has(pile));
      element.classList.toggle("under-focus", isTop && isFocused);
      element.classList.toggle("dragged", isDragged);
      if (isDragged) return;
      const level = this.levelOf(pile) + index + 1;
      const transform = translate(spot.cards[index]);
      if (element.style.transform !== transform) {
        flying = true;
        element.style.zIndex = String(FLYING + level);
        element.style.transform = transform;
      } else if (Number(element.style.zIndex) < FLYING) element.style.zIndex = String(level);
    });
    return flying;
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
      cards.forEach((card, index) => (card.element.style.zIndex = String(level + index + 1)));
    }
  }

  /** Lets the cards of a new deal arrive one after the other. */
  animateDeal(): void {
    const { speed } = this.state;
    if (isStill(speed)) return;
    this.images.hold((DEAL + DEALT_CARD) / speed);
    const dealt: HTMLElement[] = [];
    const highest = Math.max(...[...this.cards.values()].map((cards) => cards.length));
    for (let index = 0; index < highest; index++) {
      for (const cards of this.cards.values()) {
        const element = cards[index]?.element;
        if (element && !element.classList.contains("buried")) dealt.push(element);
      }
    }
    const above = { transform: `translate(${this.geometry!.width / 2}px, -120%)` };
    dealt.forEach((element, number) => {
      element.animate([above, {}], {
        duration: DEALT_CARD / speed,
        delay: (DEAL * number) / dealt.length / speed,
        fill: "backwards",
      });
    });
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

function translate({ x, y }: Point): string {
  return `translate(${x}px, ${y}px)`;
}
