/**
 * How a table stands in a window: how large its cards are, where its rows and columns lie, which
 * way its fans go. All of that stays from move to move; on a fan cards only move closer together.
 */

import { forms, narrow } from "./forms";
import type { Grid, Place } from "./geometry";

export type Piles = ReadonlyMap<string, readonly string[]>;

interface Size {
  width: number;
  height: number;
}

export interface Plan extends Size {
  /** The places, perhaps in other rows than the table has them. */
  grid: Grid;
  /** Whether fans go to the right that would hang down. */
  lying: boolean;
  /** The window that it was made for. */
  window: Size;
  card: Size;
  gap: number;
  left: number;
  /** From one column to the next. */
  pitch: number;
  /** The upper edge of each row. */
  tops: number[];
  cells: Map<string, { row: number; column: number; fan: Place["fan"] }>;
}

const RATIO = 1.4;
const WIDEST = 160;
/** Smaller cards than ten columns have on a phone: rather another number of columns, or scrolling. */
export const NARROW = 32;
const SMALLEST = 26;
/** On cards that are smaller, fans are closer than is comfortable. */
const COMFORTABLE = 54;
/** How far a card is fanned at most, in heights or widths of a card; one face down, half of it. */
export const ROOMY = { down: 0.27, right: 0.45 };
export const FACE_DOWN = 0.5;
/** Cards of a waste that are spread. */
const SPREAD = 4;
/** Steps for which fans have room from the start, by how many rows have fans. */
const RESERVE = [0, 9, 5, 3];
/** Fans that begin with few cards do not grow so long. */
const SHORT = 4;
/** So much larger must cards be to be worth another form, and to change their size in a game. */
const WORTH = 1.06;
const REGROWTH = 1.3;
const SCROLLED = 0.4;
/** And so much, to do without room for another card on the longest fan. */
const CRAMPED = 1.15;

/** How many steps the fan of a pile takes, and how many cards lie squared under it. */
export function spread(place: Place, cards: readonly string[]): { taken: number; under: number } {
  if (place.fan === "none") return { taken: 0, under: 0 };
  const under = place.role === "waste" ? Math.max(0, cards.length - SPREAD) : 0;
  const taken = cards
    .slice(under, -1)
    .reduce((sum, card) => sum + (card === "*" ? FACE_DOWN : 1), 0);
  return { taken, under };
}

/** The least step at which a card that lies under another can be read. */
export function least(fan: "down" | "right", wide: number): number {
  if (wide < COMFORTABLE) return fan === "down" ? 11 : 10;
  return fan === "down" ? Math.max(14, 0.19 * wide) : Math.max(16, 0.2 * wide);
}

/** Plans a table for a window. The plan that there is stays as long as it will do. */
export function plan(grid: Grid, piles: Piles, window: Size, now?: Plan): Plan {
  if (now?.window.width !== window.width || now.window.height !== window.height) {
    return best(grid, piles, window);
  }
  const fresh = best(grid, piles, window, now);
  return holds(now, piles) && fresh.card.width < now.card.width * REGROWTH ? now : fresh;
}

function best(grid: Grid, piles: Piles, window: Size, now?: Plan): Plan {
  const begin = now ?? { grid, lying: false };
  let found = sized(begin.grid, begin.lying, piles, window);
  const attempt = (form: Grid): void => {
    for (const margin of [1, 0]) {
      for (const lying of [false, true]) {
        const other = sized(form, lying, piles, window, margin);
        if (worth(other) > worth(found) * (margin === 0 ? CRAMPED : WORTH)) found = other;
      }
    }
  };
  [grid, ...forms(grid)].forEach(attempt);
  if (found.card.width < NARROW) narrow(grid).forEach(attempt);
  return found;
}

/** The width of its cards; a table that must be scrolled is as good as one with cards far smaller. */
function worth(made: Plan): number {
  const { width, height } = made.window;
  return made.card.width * (made.width > width || made.height > height ? SCROLLED : 1);
}

/** Whether every fan still has room for its cards. */
function holds(made: Plan, piles: Piles): boolean {
  return made.grid.places.every((place) => {
    const { fan } = made.cells.get(place.pile)!;
    const { taken } = spread(place, piles.get(place.pile) ?? []);
    if (fan === "none" || place.fan === "right" || taken === 0) return true;
    return taken * least(fan, made.card.width) <= room(made, place.pile) + 1;
  });
}

/** How far a pile can be fanned before it meets another one, or the edge. */
export function room(made: Plan, pile: string): number {
  const here = made.cells.get(pile)!;
  let edge = here.fan === "right" ? made.width : made.height;
  for (const other of made.cells.values()) {
    if (here.fan === "right") {
      if (other.row === here.row && other.column > here.column) {
        edge = Math.min(edge, made.left + other.column * made.pitch);
      }
    } else if (other.row > here.row && Math.abs(other.column - here.column) < 1) {
      edge = Math.min(edge, made.tops[other.row]);
    }
  }
  const begin =
    here.fan === "right"
      ? made.left + here.column * made.pitch + made.card.width
      : made.tops[here.row] + made.card.height;
  return edge - made.gap - begin;
}

/** The largest cards with which a table of a form has room in a window. */
function sized(form: Grid, lying: boolean, piles: Piles, window: Size, margin = 1): Plan {
  const draft = new Draft(form, lying, piles, window, margin);
  return draft.made(
    draft.largest(COMFORTABLE, WIDEST) ??
      draft.largest(NARROW, COMFORTABLE - 0.1) ??
      Math.max(SMALLEST, Math.min(COMFORTABLE - 0.1, draft.filling())),
  );
}

function gap(wide: number): number {
  return Math.max(2, Math.min(14, wide * 0.09));
}

function high(wide: number): number {
  return Math.round(wide * RATIO);
}

/** Piles of a group that stand in a row. */
interface Run {
  row: number;
  columns: number[];
  hangs: boolean;
  taken: number;
}

class Draft {
  private readonly first: number;
  private readonly span: number;
  private readonly runs = new Map<string, Run>();
  private readonly reserve: number;

  constructor(
    private readonly form: Grid,
    private readonly lying: boolean,
    piles: Piles,
    private readonly window: Size,
    private readonly margin: number,
  ) {
    const columns = form.places.map((place) => place.column);
    this.first = Math.min(...columns);
    this.span = Math.max(...columns) - this.first;
    for (const place of form.places) {
      const run = this.runs.get(key(place)) ?? {
        row: place.row,
        columns: [],
        hangs: place.fan === "down",
        taken: 0,
      };
      run.columns.push(place.column);
      run.taken = Math.max(run.taken, spread(place, piles.get(place.pile) ?? []).taken);
      this.runs.set(key(place), run);
    }
    const hanging = [...this.runs.values()].filter((run) => run.hangs).map((run) => run.row);
    this.reserve = RESERVE[new Set(hanging).size] ?? 1;
  }

  /** The largest width of a card, within bounds, with which all has room. */
  largest(low: number, high: number): number | undefined {
    if (this.fits(high)) return high;
    if (!this.fits(low)) return undefined;
    while (high - low > 0.1) {
      const middle = (low + high) / 2;
      if (this.fits(middle)) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The width of a card with which the columns fill the window. */
  filling(): number {
    let wide = this.window.width / (this.span + 1);
    while (wide > SMALLEST && this.pitch(wide) < wide + gap(wide)) wide -= 0.1;
    return wide;
  }

  private fits(wide: number): boolean {
    if (this.pitch(wide) < wide + gap(wide)) return false;
    const all = this.rooms(wide).reduce((sum, each) => sum + each + high(wide) + gap(wide), 0);
    return all + gap(wide) <= this.window.height;
  }

  /** How far from each other columns can be. */
  private pitch(wide: number): number {
    return (this.window.width - gap(wide)) / (this.span + 1);
  }

  /** Steps for which there must be room in a run. */
  private steps(run: Run): number {
    return Math.max(
      run.taken + this.margin,
      run.taken < 2.5 ? Math.min(this.reserve, SHORT) : this.reserve,
    );
  }

  /** The room that the fans of each row need beneath them. */
  private rooms(wide: number): number[] {
    const rooms = new Array<number>(this.form.rows).fill(0);
    for (const run of this.runs.values()) {
      if (!run.hangs || this.lies(run, wide)) continue;
      rooms[run.row] = Math.max(rooms[run.row], this.steps(run) * least("down", wide));
    }
    return rooms;
  }

  /** Whether the fans of a run go to the right, since each of them has room there. */
  private lies(run: Run, wide: number): boolean {
    if (!this.lying) return false;
    const others = this.form.places.filter((place) => place.row === run.row);
    const free = run.columns.map((column) => {
      const next = Math.min(
        this.first + this.span + 1,
        ...others.map((place) => place.column).filter((other) => other > column),
      );
      return (next - column) * this.pitch(wide) - wide - gap(wide);
    });
    return Math.min(...free) >= this.steps(run) * least("right", wide);
  }

  made(exact: number): Plan {
    const wide = Math.floor(exact * 10) / 10;
    const tall = high(wide);
    const between = gap(wide);
    const cells: Plan["cells"] = new Map();
    let tail = false;
    for (const place of this.form.places) {
      const lies = place.fan === "down" && this.lies(this.runs.get(key(place))!, wide);
      tail ||= lies;
      const fan = lies ? "right" : place.fan;
      cells.set(place.pile, { row: place.row, column: place.column - this.first, fan });
    }
    // On a wide table the columns move apart a little, but not all the way.
    const apart = wide + Math.max(between, wide * (tail ? 1.6 : 0.3));
    const pitch = Math.max(wide + between, Math.min(this.pitch(wide), apart));
    const across = this.span * pitch + (tail ? pitch - between : wide);

    // What is left of the height lets fans hang further, then goes between the rows and around them.
    const rooms = this.rooms(wide);
    const most = rooms.map((each) => (each / least("down", wide)) * ROOMY.down * tall - each);
    const sum = (all: number[]): number => all.reduce((one, other) => one + other, 0);
    let spare = this.window.height - between - sum(rooms) - rooms.length * (tall + between);
    const share = Math.max(0, Math.min(1, spare / Math.max(1, sum(most))));
    most.forEach((each, row) => (rooms[row] += each * share));
    spare = Math.max(0, spare - sum(most) * share);
    const loose = Math.min(spare / (rooms.length + 1), tall * 0.15);
    spare -= loose * (rooms.length + 1);
    let top = between + loose + (rooms.at(-1)! > 0 ? 0 : spare / 2);
    const tops = rooms.map((each) => {
      const here = top;
      top += tall + each + between + loose;
      return here;
    });
    const width = Math.max(this.window.width, Math.ceil(across + 2 * between - 1));
    return {
      grid: this.form,
      lying: this.lying,
      window: this.window,
      width,
      height: Math.max(this.window.height, Math.ceil(top - loose - 1)),
      card: { width: wide, height: tall },
      gap: between,
      left: (width - across) / 2,
      pitch,
      tops,
      cells,
    };
  }
}

function key(place: Place): string {
  return `${place.row} ${place.group}`;
}
