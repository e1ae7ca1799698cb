/** Clicks and drags on a board, with a mouse, a pen or a finger. */

import type { Geometry } from "./geometry";
import type { Point } from "./grid";
import type { Renderer } from "./render";
import { canTake, cardsOf, isAlone, movesFrom, targets, type Drag, type State } from "./state";

/** Pixels that a pointer may move in a click. */
const CLICK_RADIUS = 6;
/** Milliseconds between the clicks of a double click. */
const DOUBLE_CLICK = 400;
/** The part of a card that must cover a pile to be dropped on it. */
const MIN_COVER = 0.12;
/** How much more a pile counts on which the cards can go. */
const TARGET_BONUS = 3;

/** What clicks and drags lead to. */
export interface PointerActions {
  take(pile: string, count: number): void;
  put(pile: string): void;
  release(): void;
  /** Sends a card to a foundation. Returns false if no move does. */
  sendHome(pile: string): boolean;
  /** Makes the move of a single word that belongs to a pile. Returns false if there is none. */
  playWord(pile: string): boolean;
}

/** The pile on which a dragged card is dropped: the one it covers most; targets count more. */
export function dropTarget(
  { spots, card }: Geometry,
  { x, y }: Point,
  goals: ReadonlySet<string>,
): string | null {
  let best: string | null = null;
  let most = MIN_COVER * card.width * card.height;
  for (const [pile, spot] of spots) {
    const wide = Math.min(x + card.width, spot.x + spot.width) - Math.max(x, spot.x);
    const high = Math.min(y + card.height, spot.y + spot.height) - Math.max(y, spot.y);
    if (wide <= 0 || high <= 0) continue;
    const covered = wide * high * (goals.has(pile) ? TARGET_BONUS : 1);
    if (covered > most) {
      most = covered;
      best = pile;
    }
  }
  return best;
}

/** Listens to the pointer on a board. */
export class PointerInput {
  private lastClick = { pile: "", at: 0 };

  constructor(
    private readonly root: HTMLElement,
    private readonly state: State,
    private readonly renderer: Renderer,
    private readonly actions: PointerActions,
  ) {
    root.addEventListener("pointerdown", this.down);
    root.addEventListener("pointermove", this.move);
    root.addEventListener("pointerup", this.up);
    root.addEventListener("pointercancel", this.cancel);
  }

  destroy(): void {
    this.root.removeEventListener("pointerdown", this.down);
    this.root.removeEventListener("pointermove", this.move);
    this.root.removeEventListener("pointerup", this.up);
    this.root.removeEventListener("pointercancel", this.cancel);
  }

  private readonly down = (event: PointerEvent): void => {
    const { state } = this;
    if (event.button !== 0 || state.drag !== null) return;
    const element = (event.target as HTMLElement).closest<HTMLElement>("[data-pile]");
    const pile = element?.dataset.pile;
    if (pile === undefined) {
      this.actions.release();
      return;
    }
    event.preventDefault();
    this.renderer.focus(pile);
    const { length } = cardsOf(state, pile);
    const isSquared = state.grid.places.find((place) => place.pile === pile)!.fan === "none";
    state.drag = {
      pile,
      index: isSquared ? length - 1 : Number(element?.dataset.index ?? length),
      x: event.clientX,
      y: event.clientY,
      pointer: event.pointerId,
      moved: false,
      far: false,
      again: state.selection?.pile === pile,
    };
    this.root.setPointerCapture?.(event.pointerId);
  };

  private readonly move = (event: PointerEvent): void => {
    const drag = this.dragOf(event);
    if (drag === null) return;
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    if (!drag.moved) {
      if (Math.hypot(dx, dy) < CLICK_RADIUS) return;
      drag.far = true;
      if (!canTake(this.state, drag.pile, drag.index)) return;
      drag.moved = true;
      const count = cardsOf(this.state, drag.pile).length - drag.index;
      this.actions.take(drag.pile, count);
      this.renderer.lift(drag.pile, drag.index, isAlone(this.state, drag.pile, count));
    }
    this.renderer.moveLifted(dx, dy);
  };

  private readonly up = (event: PointerEvent): void => {
    const drag = this.dragOf(event);
    if (drag === null) return;
    this.state.drag = null;
    if (drag.moved) this.drop(drag, event);
    else if (drag.far) this.actions.release();
    else this.click(drag);
  };

  private readonly cancel = (): void => {
    this.state.drag = null;
    this.renderer.lower();
    this.actions.release();
  };

  private dragOf(event: PointerEvent): Drag | null {
    const { drag } = this.state;
    return drag?.pointer === event.pointerId ? drag : null;
  }

  private drop(drag: Drag, event: PointerEvent): void {
    const geometry = this.renderer.geometry!;
    const start = geometry.spots.get(drag.pile)!.cards[drag.index];
    const at = { x: start.x + event.clientX - drag.x, y: start.y + event.clientY - drag.y };
    const to = dropTarget(geometry, at, new Set(targets(this.state)));
    this.renderer.lower();
    if (to !== null && to !== drag.pile) this.actions.put(to);
    else this.actions.release();
    this.renderer.draw();
  }

  private click({ pile, index, again }: Drag): void {
    const { state, actions } = this;
    const now = performance.now();
    const isDouble = this.lastClick.pile === pile && now - this.lastClick.at < DOUBLE_CLICK;
    this.lastClick = { pile, at: now };
    if (isDouble && actions.sendHome(pile)) return;
    if (again) return actions.release();
    if (state.selection !== null) return actions.put(pile);
    const cards = cardsOf(state, pile);
    const nothing = cards[index] === undefined || movesFrom(state, pile, null).length === 0;
    if (nothing && actions.playWord(pile)) return;
    if (canTake(state, pile, index)) actions.take(pile, cards.length - index);
  }
}
