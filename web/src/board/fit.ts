/**
 * How a table fits into a window: the size of its cards, the positions of its rows and columns, the
 * directions of its fans. All of that stays the same from move to move; when a fan grows, its cards
 * only move closer together.
 */

import type { FanDirection, Grid, Piles, Place, Size } from "./grid";
import { narrowReflows, reflows } from "./reflow";

export interface Fit extends Size {
  /** The grid, perhaps with other rows than the game's own. */
  grid: Grid;
  /** Whether fans that would hang down may go to the right. */
  sideways: boolean;
  /** The window that it was made for. */
  window: Size;
  card: Size;
  gap: number;
  left: number;
  /** The distance from one column to the next. */
  pitch: number;
  /** The upper edge of each row. */
  tops: number[];
  cells: Map<string, { row: number; column: number; fan: FanDirection }>;
}

/** The height of a card in widths. */
export const RATIO = 1.4;
/** The widest cards; below `NARROW`, another number of columns or scrolling is better. */
const WIDEST = 160;
export const NARROW = 32;
export const SMALLEST = 26;
/** The smallest cards of a table whose places must not be rearranged. */
export const SMALLEST_FIXED = 22;
/** On narrower cards, fans may be closer than is comfortable. */
const COMFORTABLE = 54;
/** The widest step of a fan, in heights or widths of a card; half of it for a card face down. */
export const WIDE_STEP = { down: 0.27, right: 0.45 };
export const FACE_DOWN = 0.5;
/** How much is seen of cards that those of the next row cover, in heights. */
const SHOWN = 0.5;
/** Cards of a waste that are fanned. */
const FANNED_WASTE = 4;
/** Steps for which fans have room from the start, by how many rows have fans. */
const RESERVE = [0, 9, 5, 3];
/** The same for fans that begin with few cards, which stay shorter. */
const SHORT_RESERVE = 4;
/** How much larger cards must get to justify other rows. */
const REFLOW_GAIN = 1.06;
/** The same for rows without room for another card on the longest fan. */
const CRAMPED_GAIN = 1.15;
/** The same for a change of their size during a game. */
const REGROWTH = 1.3;
/** How much a table is worth that must be scrolled. */
const SCROLLED = 0.4;

/** The length of a pile's fan in steps, and how many cards lie squared below it. */
export function fanLength(
  place: Place,
  cards: readonly string[],
): { steps: number; squared: number } {
  if (place.fan === "none") return { steps: 0, squared: 0 };
  const squared = place.role === "waste" ? Math.max(0, cards.length - FANNED_WASTE) : 0;
  const steps = cards
    .slice(squared, -1)
    .reduce((sum, card) => sum + (card === "*" ? FACE_DOWN : 1), 0);
  return { steps, squared };
}

/** The smallest step at which a covered card can be read. */
export function smallestStep(fan: "down" | "right", wide: number): number {
  if (wide < COMFORTABLE) return fan === "down" ? 11 : 10;
  return fan === "down" ? Math.max(14, 0.19 * wide) : Math.max(16, 0.2 * wide);
}

/** Fits a table into a window. The current fit stays as long as the fans have room. */
export function fitTable(grid: Grid, piles: Piles, window: Size, current?: Fit): Fit {
  if (current?.window.width !== window.width || current.window.height !== window.height) {
    return bestFit(grid, piles, window);
  }
  const fresh = bestFit(grid, piles, window, current);
  const stays = hasRoom(current, piles) && fresh.card.width < current.card.width * REGROWTH;
  return stays ? current : fresh;
}

function bestFit(grid: Grid, piles: Piles, window: Size, current?: Fit): Fit {
  const start = current ?? { grid, sideways: false };
  let best = largestFit(start.grid, start.sideways, piles, window);
  const attempt = (rows: Grid): void => {
    for (const margin of [1, 0]) {
      for (const sideways of [false, true]) {
        const other = largestFit(rows, sideways, piles, window, margin);
        if (worth(other) > worth(best) * (margin === 0 ? CRAMPED_GAIN : REFLOW_GAIN)) best = other;
      }
    }
  };
  [grid, ...reflows(grid)].forEach(attempt);
  if (best.card.width < NARROW) narrowReflows(grid).forEach(attempt);
  return best;
}

/** The width of the cards; a table that must be scrolled is worth as much as far smaller cards. */
function worth(fit: Fit): number {
  const { width, height } = fit.window;
  return fit.card.width * (fit.width > width || fit.height > height ? SCROLLED : 1);
}

/** Whether every fan still has room for its cards. */
function hasRoom(fit: Fit, piles: Piles): boolean {
  return fit.grid.places.every((place) => {
    const { fan } = fit.cells.get(place.pile)!;
    const { steps } = fanLength(place, piles.get(place.pile) ?? []);
    if (fan === "none" || place.fan === "right" || steps === 0) return true;
    return steps * smallestStep(fan, fit.card.width) <= fanRoom(fit, place.pile) + 1;
  });
}

/** How far a pile can be fanned before it meets another pile or the edge. */
export function fanRoom(fit: Fit, pile: string): number {
  const here = fit.cells.get(pile)!;
  let edge = here.fan === "right" ? fit.width : fit.height;
  for (const other of fit.cells.values()) {
    if (here.fan === "right") {
      if (other.row === here.row && other.column > here.column) {
        edge = Math.min(edge, fit.left + other.column * fit.pitch);
      }
    } else if (other.row > here.row && Math.abs(other.column - here.column) < 1) {
      edge = Math.min(edge, fit.tops[other.row]);
    }
  }
  const begin =
    here.fan === "right"
      ? fit.left + here.column * fit.pitch + fit.card.width
      : fit.tops[here.row] + fit.card.height;
  return edge - fit.gap - begin;
}

/** The fit with the largest cards that have room in a window. */
function largestFit(grid: Grid, sideways: boolean, piles: Piles, window: Size, margin = 1): Fit {
  const sizing = new Sizing(grid, sideways, piles, window, margin);
  return sizing.fit(
    sizing.largest(COMFORTABLE, WIDEST) ??
      sizing.largest(NARROW, COMFORTABLE - 0.1) ??
      Math.max(smallestOf(grid), Math.min(COMFORTABLE - 0.1, sizing.filling())),
  );
}

function smallestOf(grid: Grid): number {
  return grid.fixed ? SMALLEST_FIXED : SMALLEST;
}

function gapOf(wide: number): number {
  return Math.max(2, Math.min(14, wide * 0.09));
}

function heightOf(wide: number): number {
  return Math.round(wide * RATIO);
}

/** The piles of a group in one row. */
interface Run {
  row: number;
  columns: number[];
  /** Whether its fans hang down. */
  hangs: boolean;
  /** The length of its longest fan. */
  steps: number;
}

/** Finds the size of the cards for one arrangement of the piles. */
class Sizing {
  private readonly first: number;
  private readonly span: number;
  private readonly runs = new Map<string, Run>();
  private readonly reserve: number;

  constructor(
    private readonly grid: Grid,
    private readonly sideways: boolean,
    piles: Piles,
    private readonly window: Size,
    /** Steps that every fan has room for beyond its cards. */
    private readonly margin: number,
  ) {
    const columns = grid.places.map((place) => place.column);
    this.first = Math.min(...columns);
    this.span = Math.max(...columns) - this.first;
    for (const place of grid.places) {
      const run = this.runs.get(key(place)) ?? {
        row: place.row,
        columns: [],
        hangs: place.fan === "down",
        steps: 0,
      };
      run.columns.push(place.column);
      run.steps = Math.max(run.steps, fanLength(place, piles.get(place.pile) ?? []).steps);
      this.runs.set(key(place), run);
    }
    const hanging = [...this.runs.values()].filter((run) => run.hangs).map((run) => run.row);
    this.reserve = RESERVE[new Set(hanging).size] ?? 1;
  }

  /** The largest width of a card, within bounds, at which everything has room. */
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

  /** The width of a card at which the columns fill the window. */
  filling(): number {
    let wide = this.window.width / (this.span + 1);
    while (wide > smallestOf(this.grid) && this.pitch(wide) < wide + gapOf(wide)) wide -= 0.1;
    return wide;
  }

  private fits(wide: number): boolean {
    if (this.pitch(wide) < wide + gapOf(wide)) return false;
    const all = this.fanRooms(wide).reduce(
      (sum, each, row) => sum + each + this.rowHeight(row, wide),
      0,
    );
    return all + gapOf(wide) <= this.window.height;
  }

  /** Whether the next row lies partly on a row. */
  private isCovered(row: number): boolean {
    return this.grid.overlapping?.includes(row + 1) ?? false;
  }

  /** The height of a row without its fans, with the gap below it. */
  private rowHeight(row: number, wide: number): number {
    return this.isCovered(row) ? heightOf(wide) * SHOWN : heightOf(wide) + gapOf(wide);
  }

  /** The largest possible distance between columns. */
  private pitch(wide: number): number {
    return (this.window.width - gapOf(wide)) / (this.span + 1);
  }

  /** Steps for which the fans of a run must have room. */
  private stepsWanted(run: Run): number {
    return Math.max(
      run.steps + this.margin,
      run.steps < 2.5 ? Math.min(this.reserve, SHORT_RESERVE) : this.reserve,
    );
  }

  /** The room that the fans of each row need below the cards. */
  private fanRooms(wide: number): number[] {
    const rooms = new Array<number>(this.grid.rows).fill(0);
    for (const run of this.runs.values()) {
      if (!run.hangs || this.goesRight(run, wide)) continue;
      rooms[run.row] = Math.max(rooms[run.row], this.stepsWanted(run) * smallestStep("down", wide));
    }
    return rooms;
  }

  /** Whether the fans of a run go to the right because each of them has room there. */
  private goesRight(run: Run, wide: number): boolean {
    if (!this.sideways) return false;
    const others = this.grid.places.filter((place) => place.row === run.row);
    const free = run.columns.map((column) => {
      const next = Math.min(
        this.first + this.span + 1,
        ...others.map((place) => place.column).filter((other) => other > column),
      );
      return (next - column) * this.pitch(wide) - wide - gapOf(wide);
    });
    return Math.min(...free) >= this.stepsWanted(run) * smallestStep("right", wide);
  }

  /** The fit with cards of a width. */
  fit(exact: number): Fit {
    const wide = Math.floor(exact * 10) / 10;
    const tall = heightOf(wide);
    const between = gapOf(wide);
    const cells: Fit["cells"] = new Map();
    let tail = 0;
    for (const place of this.grid.places) {
      const run = this.runs.get(key(place))!;
      const right = place.fan === "down" && this.goesRight(run, wide);
      if (right) {
        const needed = this.stepsWanted(run) * smallestStep("right", wide) + between;
        tail = Math.max(tail, wide * 1.6, needed);
      }
      const fan = right ? "right" : place.fan;
      cells.set(place.pile, { row: place.row, column: place.column - this.first, fan });
    }
    // In a wide window the columns move apart a little, but not all the way.
    const apart = wide + Math.max(between, wide * 0.3, tail);
    const pitch = Math.max(wide + between, Math.min(this.pitch(wide), apart));
    const across = this.span * pitch + (tail > 0 ? pitch - between : wide);

    // Spare height first lets fans hang further, then goes between and around the rows.
    const rooms = this.fanRooms(wide);
    const most = rooms.map(
      (each) => (each / smallestStep("down", wide)) * WIDE_STEP.down * tall - each,
    );
    const sum = (all: number[]): number => all.reduce((one, other) => one + other, 0);
    const heights = rooms.map((_, row) => this.rowHeight(row, wide));
    let spare = this.window.height - between - sum(rooms) - sum(heights);
    const share = Math.max(0, Math.min(1, spare / Math.max(1, sum(most))));
    most.forEach((each, row) => (rooms[row] += each * share));
    spare = Math.max(0, spare - sum(most) * share);
    const gaps = rooms.filter((_, row) => !this.isCovered(row)).length + 1;
    const loose = Math.min(spare / gaps, tall * 0.15);
    spare -= loose * gaps;
    let top = between + loose + (rooms.at(-1)! > 0 ? 0 : spare / 2);
    const tops = rooms.map((each, row) => {
      const here = top;
      top += heights[row] + each + (this.isCovered(row) ? 0 : loose);
      return here;
    });
    const width = Math.max(this.window.width, Math.ceil(across + 2 * between - 1));
    return {
      grid: this.grid,
      sideways: this.sideways,
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
