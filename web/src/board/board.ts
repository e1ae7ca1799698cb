/**
 * A table with cards on it. It knows no rules: it is told where the piles stand, what lies on them
 * and which moves there are, and says what the player wants.
 */

import { dress, face } from "./card";
import { hand, type Item } from "./diff";
import { Pictures } from "./faces";
import { arrange, neighbour, type Geometry, type Grid } from "./geometry";
import { mirrored } from "./mirror";
import { plan, type Plan } from "./plan";

export interface Way {
  from: string;
  count: number;
  to: string;
}

export interface BoardMove {
  text: string;
  kind: "cards" | "joint" | "swap" | "word";
  transfers: Way[];
  piles: string[];
}

export interface BoardState {
  piles: { name: string; cards: string[]; wanted: string[] }[];
  moves: BoardMove[];
}

/** What the player wants: one of the moves by its text, or cards from a pile to another. */
export type Wish = { text: string } | { from: string; to: string; count?: number };

export interface BoardOptions {
  grid: Grid;
  /** Whose faces the cards have. */
  deck?: string;
  /** For the left hand. */
  mirrored?: boolean;
  /** A pile in words: "garden 3: 5 cards, top nine of hearts". */
  describe: (pile: string, cards: readonly string[]) => string;
  /** A card in words: "nine of hearts". */
  say: (card: string) => string;
  wish: (wish: Wish) => void;
  /** A pile was taken up by hand or keyboard, or nothing is any more. */
  taken?: (pile: string | null, targets: string[], count?: number) => void;
}

interface Card extends Item {
  element: HTMLElement;
}

interface Drag {
  pile: string;
  index: number;
  x: number;
  y: number;
  moved: boolean;
  /** Whether the pointer has gone so far that it is no click, cards or none. */
  far: boolean;
  pointer: number;
  again: boolean;
}

/** Smaller cards are drawn plainly: nobody could read the indices of pictures. */
const PICTURED = 54;
/** Milliseconds that a card takes, and how long after the first the last of a deal begins. */
const CARD = 190;
const DEAL = 450;
const NEAR = 6;
const DOUBLE = 400;
/** Boards so far: things that are named in one document need names of their own. */
let boards = 0;
const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const;

export class Board {
  private readonly id = `board-${++boards}`;
  private made = 0;
  /** How fast cards go: 1 is usual, 0 at once. */
  speed = 1;
  private readonly pictures: Pictures;
  private piles = new Map<string, Card[]>();
  /** What is dragged: one thing to move, however many cards it is. */
  private readonly held = document.createElement("div");
  private readonly holders = new Map<string, HTMLElement>();
  private readonly badges = new Map<string, HTMLElement>();
  private readonly wanted = new Map<string, HTMLElement>();
  private moves: BoardMove[] = [];
  private plan: Plan | undefined;
  private geometry: Geometry | null = null;
  private selected: { pile: string; count: number | null } | null = null;
  private drag: Drag | null = null;
  private focus: string;
  private lastTap = { pile: "", at: 0 };
  private readonly resize: ResizeObserver | null = null;
  private readonly roles: Map<string, string>;
  /** The places in the order in which they are read. */
  private readonly read: Grid["places"];
  private settle: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly options: BoardOptions,
  ) {
    root.classList.add("board");
    this.held.className = "held";
    this.pictures = new Pictures(options.deck ?? "plain", () => this.show());
    root.setAttribute("role", "group");
    const places = options.grid.places;
    this.roles = new Map(places.map((place) => [place.pile, place.role]));
    this.focus = places.find((place) => place.role === "tableau")?.pile ?? places[0].pile;
    // In reading order, so that a screen reader meets the piles as they stand.
    this.read = [...places].sort((a, b) => a.row - b.row || a.column - b.column);
    for (const place of this.read) {
      const holder = document.createElement("div");
      holder.id = `${this.id}-${place.pile}`;
      holder.className = `pile ${place.role}`;
      holder.setAttribute("role", "button");
      holder.dataset.pile = place.pile;
      holder.tabIndex = place.pile === this.focus ? 0 : -1;
      holder.addEventListener("focus", () => this.focused(place.pile));
      holder.addEventListener("blur", () => this.show());
      const wanted = document.createElement("span");
      wanted.className = "wanted";
      wanted.setAttribute("aria-hidden", "true");
      holder.append(wanted);
      this.wanted.set(place.pile, wanted);
      this.holders.set(place.pile, holder);
      root.append(holder);
      if (place.fan === "none") {
        const badge = document.createElement("span");
        badge.className = "badge";
        badge.setAttribute("aria-hidden", "true");
        this.badges.set(place.pile, badge);
        root.append(badge);
      }
    }
    root.addEventListener("pointerdown", this.down);
    root.addEventListener("pointermove", this.over);
    root.addEventListener("pointerup", this.up);
    root.addEventListener("pointercancel", this.cancel);
    root.addEventListener("keydown", this.key);
    if (typeof ResizeObserver !== "undefined") {
      this.resize = new ResizeObserver(() => this.fit());
      this.resize.observe(root.parentElement ?? root);
    }
  }

  /** Takes the board off the page. */
  destroy(): void {
    this.resize?.disconnect();
    clearTimeout(this.settle);
    this.root.replaceChildren();
    this.root.removeEventListener("pointerdown", this.down);
    this.root.removeEventListener("pointermove", this.over);
    this.root.removeEventListener("pointerup", this.up);
    this.root.removeEventListener("pointercancel", this.cancel);
    this.root.removeEventListener("keydown", this.key);
  }

  /** Shows how things stand at the beginning: cards come one after the other. */
  deal(state: BoardState): void {
    this.set(state);
    if (this.still()) return;
    const dealt: HTMLElement[] = [];
    const highest = Math.max(...[...this.piles.values()].map((cards) => cards.length));
    for (let index = 0; index < highest; index++) {
      for (const cards of this.piles.values()) {
        const element = cards[index]?.element;
        if (element && !element.classList.contains("buried")) dealt.push(element);
      }
    }
    const pace = 1 / this.speed;
    dealt.forEach((element, number) => {
      element.animate([{ transform: `translate(${this.geometry!.width / 2}px, -120%)` }, {}], {
        duration: CARD * pace,
        delay: ((DEAL * number) / dealt.length) * pace,
        fill: "backwards",
      });
    });
  }

  /** Shows how things stand; cards go where they lie now. */
  set(state: BoardState): void {
    this.moves = state.moves;
    this.selected = null;
    for (const pile of state.piles) {
      const wanted = this.wanted.get(pile.name)!;
      const next = pile.cards.length === 0 ? pile.wanted : [];
      wanted.dataset.face =
        next.length === 0 ? "" : next.length === 1 ? face(next[0]) : next[0][0].replace("T", "10");
    }
    this.lay(state.piles);
    this.options.taken?.(null, []);
  }

  /** Shows piles as they are in the middle of what happens. */
  lay(changed: readonly { name: string; cards: string[] }[]): void {
    const after = new Map(
      [...this.piles].map(([name, cards]) => [name, cards.map((card) => card.text)]),
    );
    for (const { name, cards } of changed) after.set(name, cards);
    this.lower();
    const { piles, gone } = hand(this.piles, after, (text, pile) => this.make(text, pile));
    for (const card of gone) card.element.remove();
    this.piles = piles;
    this.name();
    this.fit();
  }

  /** Gives every card that can be seen its name, and its place in reading order: after its pile. */
  private name(): void {
    const order: string[] = [];
    for (const place of this.read) {
      order.push(`${this.id}-${place.pile}`);
      const cards = this.piles.get(place.pile) ?? [];
      cards.forEach(({ element, text }, index) => {
        const seen = place.fan !== "none" || index === cards.length - 1;
        element.setAttribute("aria-hidden", String(!seen));
        if (!seen) return;
        element.setAttribute("aria-label", this.options.say(text));
        order.push(element.id);
      });
    }
    this.root.setAttribute("aria-owns", order.join(" "));
  }

  /** Where a pile and what may be taken from it goes, for a hint; null shows none. */
  hint(move: BoardMove | null): void {
    for (const element of this.root.querySelectorAll(".hinted")) element.classList.remove("hinted");
    if (move === null) return;
    for (const way of move.transfers) {
      for (const card of (this.piles.get(way.from) ?? []).slice(-way.count)) {
        card.element.classList.add("hinted");
      }
      this.top(way.to).classList.add("hinted");
    }
    for (const pile of move.piles) this.top(pile).classList.add("hinted");
  }

  /** Lets go of what was taken. */
  release(): void {
    this.selected = null;
    this.show();
    this.options.taken?.(null, []);
  }

  private make(text: string, pile: string): Card {
    const element = document.createElement("div");
    element.id = `${this.id}-card-${++this.made}`;
    element.setAttribute("role", "img");
    const spot = this.geometry?.spots.get(pile);
    if (spot) element.style.transform = `translate(${spot.x}px, ${spot.y}px)`;
    this.root.append(element);
    return { text, element };
  }

  private fit(): void {
    const frame = this.root.parentElement ?? this.root;
    const cards = new Map([...this.piles].map(([name, held]) => [name, held.map((c) => c.text)]));
    // Not what is left of it beside a bar to scroll by, or the bar would come and go for ever.
    const window = { width: frame.offsetWidth || 800, height: frame.offsetHeight || 600 };
    const before = this.plan?.window;
    this.plan = plan(this.options.grid, cards, window, this.plan);
    const resized = before?.width !== window.width || before.height !== window.height;
    const geometry = arrange(this.plan, cards);
    this.geometry = this.options.mirrored ? mirrored(geometry) : geometry;
    this.root.style.width = `${this.geometry.width}px`;
    this.root.style.height = `${this.geometry.height}px`;
    this.root.style.setProperty("--card", `${this.geometry.card.width}px`);
    this.root.style.setProperty("--high", `${this.geometry.card.height}px`);
    this.root.style.setProperty("--pace", String(this.speed === 0 ? 0 : 1 / this.speed));
    this.root.classList.toggle("still", this.speed === 0 || resized);
    this.show();
    if (resized && this.speed > 0) {
      // Only moves are shown as such: a window that changes is followed at once.
      void this.root.offsetWidth;
      this.root.classList.remove("still");
    }
  }

  private still(): boolean {
    return this.speed === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  private show(): void {
    const geometry = this.geometry;
    if (geometry === null) return;
    const targets = new Set(this.selected === null ? [] : this.targets());
    const pictured = geometry.card.width >= PICTURED;
    if (pictured) this.pictures.size(geometry.card.width);
    let flying = false;
    for (const [name, spot] of geometry.spots) {
      const holder = this.holders.get(name)!;
      const cards = this.piles.get(name) ?? [];
      holder.style.transform = `translate(${spot.x}px, ${spot.y}px)`;
      holder.style.width = `${geometry.card.width}px`;
      holder.style.height = `${geometry.card.height}px`;
      const words = this.options.describe(
        name,
        cards.map((card) => card.text),
      );
      holder.setAttribute("aria-label", words);
      holder.setAttribute("aria-pressed", String(this.selected?.pile === name));
      holder.classList.toggle("target", targets.has(name) && cards.length === 0);
      const badge = this.badges.get(name);
      if (badge !== undefined) {
        badge.textContent = String(cards.length);
        badge.hidden = cards.length < 2;
        const foot = spot.y + geometry.card.height;
        badge.style.transform = `translate(${spot.x}px, ${foot}px) translate(15%, -115%)`;
        badge.style.zIndex = "400";
      }
      const taken = this.selected?.pile === name ? (this.selected.count ?? 1) : 0;
      cards.forEach((card, index) => {
        const { element } = card;
        const top = index === cards.length - 1;
        const goal = spot.cards[index];
        const transform = `translate(${goal.x}px, ${goal.y}px)`;
        const dragged =
          this.drag?.moved === true && this.drag.pile === name && index >= this.drag.index;
        dress(element, card.text, pictured ? this.pictures.get(card.text) : "");
        element.dataset.pile = name;
        element.dataset.index = String(index);
        element.title = spot.fan === "none" ? "" : words;
        element.classList.toggle("buried", spot.fan === "none" && index < cards.length - 2);
        element.classList.toggle("under", spot.fan !== "none" && !top);
        element.classList.toggle("upright", spot.fan === "right");
        element.style.setProperty("--index", `${spot.index}px`);
        element.style.setProperty("--step", `${spot.step}px`);
        element.classList.toggle("taken", index >= cards.length - taken);
        element.classList.toggle("target", top && targets.has(name));
        element.classList.toggle(
          "under-focus",
          top && this.focus === name && holder.matches(":focus-visible"),
        );
        element.classList.toggle("dragged", dragged);
        if (dragged) return;
        if (element.style.transform !== transform) {
          flying = true;
          element.style.zIndex = String(1000 + index);
          element.style.transform = transform;
        } else if (Number(element.style.zIndex) < 1000) element.style.zIndex = String(index + 1);
      });
    }
    if (flying) {
      clearTimeout(this.settle);
      this.settle = setTimeout(() => this.sink(), this.speed === 0 ? 0 : 220 / this.speed);
    }
  }

  /** Cards that flew lie where they are: what is above them in the pile covers them again. */
  private sink(): void {
    if (this.drag?.moved) return;
    for (const cards of this.piles.values()) {
      cards.forEach((card, index) => (card.element.style.zIndex = String(index + 1)));
    }
  }

  private top(pile: string): HTMLElement {
    return this.piles.get(pile)?.at(-1)?.element ?? this.holders.get(pile)!;
  }

  /** Moves that take cards from a pile; those with the number wanted, if there are any. */
  private from(pile: string, count: number | null): BoardMove[] {
    const all = this.moves.filter((move) => move.transfers.some((way) => way.from === pile));
    if (count === null) return all;
    const exact = all.filter((move) =>
      move.transfers.some((way) => way.from === pile && way.count === count),
    );
    return exact.length > 0 ? exact : all;
  }

  private targets(): string[] {
    const { pile, count } = this.selected!;
    const found = this.from(pile, count).flatMap((move) =>
      move.transfers.filter((way) => way.from === pile).map((way) => way.to),
    );
    return [...new Set(found)];
  }

  private take(pile: string, count: number | null): void {
    if ((this.piles.get(pile) ?? []).length === 0) return;
    this.selected = { pile, count };
    this.hint(null);
    this.show();
    this.options.taken?.(pile, this.targets());
  }

  private put(to: string): void {
    if (this.selected === null) return;
    const { pile, count } = this.selected;
    const fitting = this.from(pile, count).filter((move) =>
      move.transfers.some((way) => way.from === pile && way.to === to),
    );
    this.release();
    if (fitting.length === 1) this.options.wish({ text: fitting[0].text });
    else if (fitting.length > 1 || count === null) this.options.wish({ from: pile, to });
    else this.options.wish({ from: pile, to, count });
  }

  /** Clicks a pile for a move that is one word, as the stock for dealing. */
  private word(pile: string): boolean {
    const move = this.moves.find((each) => each.kind === "word" && each.piles.includes(pile));
    if (move === undefined) return false;
    this.options.wish({ text: move.text });
    return true;
  }

  private home(pile: string): boolean {
    const move = this.moves.find(
      (each) =>
        each.kind === "cards" &&
        each.transfers[0].from === pile &&
        this.roles.get(each.transfers[0].to) === "foundation",
    );
    if (move === undefined) return false;
    this.release();
    this.options.wish({ text: move.text });
    return true;
  }

  /** Whether a card can be taken: one that is seen, or the top one if a move takes it unseen. */
  private takeable(pile: string, index: number): boolean {
    const cards = this.piles.get(pile) ?? [];
    if (cards[index] === undefined) return false;
    if (cards[index].text !== "*") return true;
    return index === cards.length - 1 && this.from(pile, 1).length > 0;
  }

  private focused(pile: string): void {
    this.holders.get(this.focus)!.tabIndex = -1;
    this.focus = pile;
    this.holders.get(pile)!.tabIndex = 0;
    this.show();
  }

  private readonly key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS.find((each) => each === event.key);
    if (arrow !== undefined && this.geometry !== null) {
      event.preventDefault();
      this.holders.get(neighbour(this.geometry.spots, this.focus, arrow))!.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.press(this.focus);
    } else if (event.key === "Escape" && this.selected !== null) {
      event.preventDefault();
      this.release();
    } else if (this.selected !== null && /^[1-9+-]$/.test(event.key)) {
      event.preventDefault();
      this.recount(event.key);
    }
  };

  /** Takes so many cards of the pile that is taken, or one more or less. */
  private recount(key: string): void {
    const { pile, count } = this.selected!;
    const now = count ?? 1;
    const wanted = key === "+" ? now + 1 : key === "-" ? now - 1 : Number(key);
    const held = this.piles.get(pile)!.length;
    this.selected = { pile, count: Math.max(1, Math.min(held, wanted)) };
    this.show();
    this.options.taken?.(pile, this.targets(), this.selected.count ?? 1);
  }

  private press(pile: string): void {
    if (this.selected === null) {
      if (this.from(pile, null).length > 0 || !this.word(pile)) this.take(pile, null);
    } else if (this.selected.pile === pile) {
      if (!this.home(pile)) this.release();
    } else this.put(pile);
  }

  private readonly down = (event: PointerEvent): void => {
    if (event.button !== 0 || this.drag !== null) return;
    const element = (event.target as HTMLElement).closest<HTMLElement>("[data-pile]");
    const pile = element?.dataset.pile;
    if (pile === undefined) {
      this.release();
      return;
    }
    event.preventDefault();
    this.holders.get(pile)!.focus({ preventScroll: true });
    const cards = this.piles.get(pile) ?? [];
    let index = element?.dataset.index === undefined ? cards.length : Number(element.dataset.index);
    const cannotFan = this.options.grid.places.find((place) => place.pile === pile)!.fan === "none";
    if (cannotFan) index = cards.length - 1;
    this.drag = {
      pile,
      index,
      x: event.clientX,
      y: event.clientY,
      moved: false,
      far: false,
      pointer: event.pointerId,
      again: this.selected?.pile === pile,
    };
    this.root.setPointerCapture?.(event.pointerId);
  };

  private readonly over = (event: PointerEvent): void => {
    const { drag } = this;
    if (drag === null || drag.pointer !== event.pointerId || this.geometry === null) return;
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    if (!drag.moved) {
      if (Math.hypot(dx, dy) < NEAR) return;
      drag.far = true;
      if (!this.takeable(drag.pile, drag.index)) return;
      this.lift(drag);
    }
    this.held.style.transform = `translate(${dx}px, ${dy}px)`;
  };

  /** Takes cards into the hand: they are moved together from now on. */
  private lift(drag: Drag): void {
    drag.moved = true;
    const cards = this.piles.get(drag.pile)!;
    this.take(drag.pile, cards.length - drag.index);
    this.held.append(...cards.slice(drag.index).map((card) => card.element));
    this.root.append(this.held);
  }

  /** Lays the cards out of the hand where they are now. */
  private lower(): void {
    const cards = [...this.held.children] as HTMLElement[];
    if (cards.length === 0) return;
    const by = this.held.style.transform;
    this.drag = null;
    for (const element of cards) element.style.transform = `${by} ${element.style.transform}`;
    this.root.append(...cards);
    this.held.remove();
    this.held.style.transform = "";
    // From there they go on, by the transition that they had not while they were dragged.
    void this.root.offsetWidth;
    for (const element of cards) element.classList.remove("dragged");
  }

  private readonly up = (event: PointerEvent): void => {
    const { drag } = this;
    if (drag === null || drag.pointer !== event.pointerId) return;
    this.drag = null;
    if (drag.moved) {
      const to = this.under(drag, event);
      this.lower();
      if (to !== null && to !== drag.pile) this.put(to);
      else this.release();
      this.show();
      return;
    }
    if (drag.far) {
      this.release();
      return;
    }
    const now = performance.now();
    const double = this.lastTap.pile === drag.pile && now - this.lastTap.at < DOUBLE;
    this.lastTap = { pile: drag.pile, at: now };
    if (double && this.home(drag.pile)) return;
    if (this.selected !== null && !drag.again) {
      this.put(drag.pile);
      return;
    }
    if (drag.again) {
      this.release();
      return;
    }
    const cards = this.piles.get(drag.pile) ?? [];
    const card = cards[drag.index]?.text;
    if (card === undefined || this.from(drag.pile, null).length === 0) {
      if (this.word(drag.pile)) return;
    }
    if (this.takeable(drag.pile, drag.index)) this.take(drag.pile, cards.length - drag.index);
  };

  private readonly cancel = (): void => {
    this.lower();
    this.drag = null;
    this.release();
  };

  /** The pile on which dragged cards are let go: the one they cover most, legal ones first. */
  private under(drag: Drag, event: PointerEvent): string | null {
    const { spots, card } = this.geometry!;
    const own = spots.get(drag.pile)!.cards[drag.index];
    const x = own.x + event.clientX - drag.x;
    const y = own.y + event.clientY - drag.y;
    const targets = new Set(this.targets());
    let best: string | null = null;
    let most = 0.12 * card.width * card.height;
    for (const [pile, spot] of spots) {
      const wide = Math.min(x + card.width, spot.x + spot.width) - Math.max(x, spot.x);
      const high = Math.min(y + card.height, spot.y + spot.height) - Math.max(y, spot.y);
      if (wide <= 0 || high <= 0) continue;
      const covered = wide * high * (targets.has(pile) ? 3 : 1);
      if (covered > most) {
        most = covered;
        best = pile;
      }
    }
    return best;
  }
}
