/**
 * The state of a board as plain data: what lies where, which moves there are, what the player has
 * taken or drags. It knows no rules and no elements; functions here change nothing but the state.
 */

import type { Grid, Piles } from "./grid";

export interface Transfer {
  from: string;
  count: number;
  to: string;
  /** How deep a single card lies that others lie on; the top card is 1. */
  depth?: number | null;
}

export interface BoardMove {
  text: string;
  kind: "cards" | "joint" | "swap" | "word";
  transfers: Transfer[];
  piles: string[];
}

/** The cards of a pile that has changed. */
export interface PileCards {
  name: string;
  cards: string[];
}

/** What a board shows: the piles, and the moves that are legal. */
export interface BoardPosition {
  piles: (PileCards & { wanted: string[] })[];
  moves: BoardMove[];
}

/** The move that the player asks for: a legal one by its text, or cards from one pile to another. */
export type MoveRequest = { text: string } | { from: string; to: string; count?: number };

/** A pointer that is down on a pile, from where it went down. */
export interface Drag {
  pile: string;
  /** The card under the pointer. */
  index: number;
  x: number;
  y: number;
  pointer: number;
  /** Whether cards are dragged. */
  moved: boolean;
  /** Whether the pointer has gone too far for a click, with or without cards. */
  far: boolean;
  /** Whether the pile was selected before. */
  again: boolean;
}

/** What the player has taken: cards of a pile, and the top cards of others that go with them. */
export interface Selection {
  pile: string;
  count: number | null;
  others: readonly string[];
}

export interface State {
  readonly grid: Grid;
  /** How fast cards move: 1 is normal, 0 at once. */
  speed: number;
  piles: Piles;
  /** The cards that empty piles want. */
  wanted: Piles;
  moves: readonly BoardMove[];
  /** The pile from which the player has taken cards; `count` is null for as many as a move takes. */
  selection: Selection | null;
  drag: Drag | null;
  /** The pile that has the keyboard focus, or gets it first. */
  focus: string;
}

/** The state of an empty board. */
export function defaults(grid: Grid): State {
  const { places } = grid;
  return {
    grid,
    speed: 1,
    piles: new Map(),
    wanted: new Map(),
    moves: [],
    selection: null,
    drag: null,
    focus: (places.find((place) => place.role === "tableau") ?? places[0]).pile,
  };
}

export function setPosition(state: State, position: BoardPosition): void {
  state.moves = position.moves;
  state.selection = null;
  const wanted = position.piles.map(
    ({ name, cards, wanted }) => [name, cards.length === 0 ? wanted : []] as const,
  );
  state.wanted = new Map([...state.wanted, ...wanted]);
  changePiles(state, position.piles);
}

/** Changes some piles. Cards that were dragged are let go. */
export function changePiles(state: State, changed: readonly PileCards[]): void {
  const cards = changed.map((pile) => [pile.name, pile.cards] as const);
  state.piles = new Map([...state.piles, ...cards]);
  if (state.drag?.moved) state.drag = null;
}

export function cardsOf(state: State, pile: string): readonly string[] {
  return state.piles.get(pile) ?? [];
}

/** Takes cards from a pile. Returns false if there are none. */
export function select(state: State, pile: string, count: number | null): boolean {
  if (cardsOf(state, pile).length === 0) return false;
  state.selection = { pile, count, others: [] };
  return true;
}

/** Changes how many cards are taken, as far as the pile has them. */
export function selectCount(state: State, count: number): void {
  const { pile, others } = state.selection!;
  state.selection = {
    pile,
    others,
    count: Math.max(1, Math.min(cardsOf(state, pile).length, count)),
  };
}

/** How many cards lie from the lowest card of a transfer to the top. */
const reach = ({ count, depth }: BoardMove["transfers"][number]): number => depth ?? count;

/** Whether the moves that take a card from under others take it alone. */
export function isAlone(state: State, pile: string, count: number): boolean {
  if (count < 2) return false;
  const taken = movesFrom(state, pile, count).flatMap((move) =>
    move.transfers.filter(({ from }) => from === pile),
  );
  return taken.length > 0 && taken.every(({ depth }) => depth === count);
}

/** Moves that take cards from a pile; only those that take `count` cards, if there are any. */
export function movesFrom(state: State, pile: string, count: number | null): BoardMove[] {
  const all = state.moves.filter((move) => move.transfers.some(({ from }) => from === pile));
  if (count === null) return all;
  const exact = all.filter((move) =>
    move.transfers.some((transfer) => transfer.from === pile && reach(transfer) === count),
  );
  return exact.length > 0 ? exact : all;
}

/** The piles to which the cards that were taken can go. */
export function targets(state: State): string[] {
  if (state.selection === null) return [];
  const { pile, others } = state.selection;
  const found = new Set(movesOfTaken(state).flatMap((move) => goals(move, pile)));
  return [...found].filter((goal) => !others.includes(goal));
}

/** The moves that take all the cards that were taken. */
function movesOfTaken(state: State): BoardMove[] {
  const { pile, count, others } = state.selection!;
  return movesFrom(state, pile, count).filter((move) =>
    others.every((other) => takesFrom(move, other)),
  );
}

function takesFrom(move: BoardMove, pile: string): boolean {
  return move.transfers.some(({ from }) => from === pile);
}

/** Whether cards leave the game together by a move. */
function isSet(move: BoardMove): boolean {
  return move.kind === "joint" && new Set(move.transfers.map(({ to }) => to)).size === 1;
}

/** Takes the card of another pile, too, if all these cards leave only together with more. */
export function takeMore(state: State, pile: string): boolean {
  const { others } = state.selection!;
  const sets = movesOfTaken(state).filter((move) => isSet(move) && takesFrom(move, pile));
  const isWhole = sets.some((move) => move.transfers.length === others.length + 2);
  if (sets.length === 0 || isWhole) return false;
  state.selection = { ...state.selection!, others: [...others, pile] };
  return true;
}

/** Where a move takes the cards of a pile; or the card that leaves the game together with them. */
function goals(move: BoardMove, pile: string): string[] {
  const own = move.transfers.filter(({ from }) => from === pile).map(({ to }) => to);
  const ends = new Set(move.transfers.map(({ to }) => to));
  if (move.kind !== "joint" || ends.size > 1) return own;
  return [...own, ...move.transfers.map(({ from }) => from).filter((from) => from !== pile)];
}

/** What the player asks for by putting the cards that were taken on a pile. */
export function requestTo(state: State, to: string): MoveRequest {
  const { pile, count, others } = state.selection!;
  const going = movesOfTaken(state).filter((move) => goals(move, pile).includes(to));
  const number = others.length + (going.some((move) => takesFrom(move, to)) ? 2 : 1);
  const whole = going.filter((move) => isSet(move) && move.transfers.length === number);
  const fitting = whole.length > 0 ? whole : going;
  if (fitting.length === 0 && others.length > 0) return { text: [pile, ...others, to].join(" + ") };
  if (fitting.length === 1) return { text: fitting[0].text };
  if (fitting.length > 1 || count === null) return { from: pile, to };
  return { from: pile, to, count };
}

/** The move of a single word that belongs to a pile, as dealing to the stock. */
export function wordOf(state: State, pile: string): BoardMove | undefined {
  return state.moves.find((move) => move.kind === "word" && move.piles.includes(pile));
}

/** A move that brings a card of a pile to a foundation. */
export function moveHome(state: State, pile: string): BoardMove | undefined {
  const { places } = state.grid;
  const isFoundation = (name: string): boolean =>
    places.find((place) => place.pile === name)?.role === "foundation";
  return state.moves.find(
    ({ kind, transfers: [first] }) =>
      kind === "cards" && first.from === pile && isFoundation(first.to),
  );
}

/** Whether cards of other piles cover a pile, so that its cards cannot be used. */
export function isCovered({ grid, piles }: State, pile: string): boolean {
  const ways = grid.places.find((place) => place.pile === pile)?.free_when ?? [];
  const holds = (other: string): boolean => (piles.get(other)?.length ?? 0) > 0;
  return ways.length > 0 && ways.every((way) => way.some(holds));
}

/** Whether the player has taken cards of a pile. */
export function isTaken({ selection }: State, pile: string): boolean {
  return selection?.pile === pile || selection?.others.includes(pile) === true;
}

/** Whether a card can be taken: a card face up, or the top one if a move takes it face down. */
export function canTake(state: State, pile: string, index: number): boolean {
  const cards = cardsOf(state, pile);
  if (cards[index] === undefined) return false;
  if (cards[index] !== "*") return true;
  return index === cards.length - 1 && movesFrom(state, pile, 1).length > 0;
}
