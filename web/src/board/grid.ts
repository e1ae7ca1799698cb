/** The layout of a table: which pile stands in which row and column, and what lies on them. */

export type FanDirection = "none" | "down" | "right";

export interface Place {
  pile: string;
  group: string;
  role: string;
  row: number;
  column: number;
  fan: FanDirection;
  /** Sets of piles: cards are covered until all piles of one set are empty. */
  free_when?: string[][];
}

export interface Grid {
  rows: number;
  columns: number;
  /** Whether the rules draw the layout as a picture, which must then not be rearranged. */
  pictured?: boolean;
  /** Whether places must stay where they are even in a narrow window: rules ask what lies beside. */
  fixed?: boolean;
  /** The rows whose cards lie partly on those of the row above. */
  overlapping?: number[];
  places: Place[];
}

/** The cards of each pile, bottom card first: "9H", "*" face down, "-" covered. */
export type Piles = ReadonlyMap<string, readonly string[]>;

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}
