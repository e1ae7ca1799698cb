/**
 * A board with cards. It knows no rules: it gets a layout, piles and legal moves, and says what move
 * the player asks for.
 *
 * `state.ts` holds its state, `render.ts` draws it, `drag.ts` and `keyboard.ts` handle input.
 */

import { PointerInput } from "./drag";
import type { Grid } from "./grid";
import { keyAction } from "./keyboard";
import { Renderer, type RenderOptions } from "./render";
import {
  changePiles,
  defaults,
  moveHome,
  movesFrom,
  requestTo,
  select,
  selectCount,
  setPosition,
  takeMore,
  targets,
  wordOf,
  type BoardMove,
  type BoardPosition,
  type MoveRequest,
  type PileCards,
  type State,
} from "./state";

export interface BoardOptions extends RenderOptions {
  grid: Grid;
  play: (request: MoveRequest) => void;
  /** Called when cards of a pile are taken, and with null when they are released. */
  taken?: (pile: string | null, targets: string[], count?: number) => void;
}

export class Board {
  private readonly state: State;
  private readonly renderer: Renderer;
  private readonly pointer: PointerInput;

  constructor(
    private readonly root: HTMLElement,
    private readonly options: BoardOptions,
  ) {
    this.state = defaults(options.grid);
    this.renderer = new Renderer(root, this.state, options);
    this.pointer = new PointerInput(root, this.state, this.renderer, {
      take: (pile, count) => this.take(pile, count),
      put: (pile) => this.put(pile),
      release: () => this.release(),
      sendHome: (pile) => this.sendHome(pile),
      playWord: (pile) => this.playWord(pile),
    });
    root.addEventListener("keydown", this.onKey);
    root.addEventListener("focusin", this.onFocus);
    root.addEventListener("focusout", this.onBlur);
  }

  /** How fast cards move: 1 is normal, 0 at once. */
  get speed(): number {
    return this.state.speed;
  }

  set speed(speed: number) {
    this.state.speed = speed;
  }

  /** Removes the board from the page. */
  destroy(): void {
    this.pointer.destroy();
    this.root.removeEventListener("keydown", this.onKey);
    this.root.removeEventListener("focusin", this.onFocus);
    this.root.removeEventListener("focusout", this.onBlur);
    this.renderer.destroy();
  }

  /** Shows a new deal: the cards arrive one after the other. */
  deal(position: BoardPosition): void {
    setPosition(this.state, position);
    this.renderer.deal();
    this.options.taken?.(null, []);
  }

  /** Shows a position; cards move to their new places. */
  set(position: BoardPosition): void {
    setPosition(this.state, position);
    this.renderer.update();
    this.options.taken?.(null, []);
  }

  /** Shows some piles as they are in the middle of a move. */
  lay(changed: readonly PileCards[]): void {
    changePiles(this.state, changed);
    this.renderer.update();
  }

  /** Shows a move as a hint; null removes it. */
  hint(move: BoardMove | null): void {
    this.renderer.hint(move);
  }

  /** Releases the cards that were taken. */
  release(): void {
    this.state.selection = null;
    this.renderer.draw();
    this.options.taken?.(null, []);
  }

  private take(pile: string, count: number | null): void {
    if (!select(this.state, pile, count)) return;
    this.hint(null);
    this.renderer.draw();
    this.options.taken?.(pile, targets(this.state));
  }

  private put(pile: string): void {
    if (this.state.selection === null) return;
    if (this.state.selection.others.includes(pile)) return this.release();
    if (takeMore(this.state, pile)) {
      this.renderer.draw();
      this.options.taken?.(pile, targets(this.state));
      return;
    }
    const request = requestTo(this.state, pile);
    this.release();
    this.options.play(request);
  }

  private playWord(pile: string): boolean {
    const move = wordOf(this.state, pile);
    if (move !== undefined) this.options.play({ text: move.text });
    return move !== undefined;
  }

  private sendHome(pile: string): boolean {
    const move = moveHome(this.state, pile);
    if (move === undefined) return false;
    this.release();
    this.options.play({ text: move.text });
    return true;
  }

  /** Takes cards from the focused pile or puts them on it, by keyboard. */
  private press(): void {
    const { focus, selection } = this.state;
    if (selection === null) {
      const canMove = movesFrom(this.state, focus, null).length > 0;
      if (canMove || !this.playWord(focus)) this.take(focus, null);
    } else if (selection.pile === focus) {
      if (!this.sendHome(focus)) this.release();
    } else this.put(focus);
  }

  private recount(count: number): void {
    selectCount(this.state, count);
    this.renderer.draw();
    const { pile, count: taken } = this.state.selection!;
    this.options.taken?.(pile, targets(this.state), taken ?? 1);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const { geometry } = this.renderer;
    const action = geometry && keyAction(event, this.state, geometry.spots);
    if (action === null) return;
    event.preventDefault();
    if (action.kind === "focus") this.renderer.focus(action.pile, true);
    else if (action.kind === "press") this.press();
    else if (action.kind === "release") this.release();
    else this.recount(action.count);
  };

  private readonly onFocus = (event: FocusEvent): void => {
    const { pile } = (event.target as HTMLElement).dataset;
    if (pile !== undefined) this.state.focus = pile;
    this.renderer.draw();
  };

  private readonly onBlur = (): void => this.renderer.draw();
}
