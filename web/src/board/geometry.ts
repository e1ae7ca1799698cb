/** Where piles and cards lie, in pixels. Nothing here knows a rule, or the document. */

export interface Place {
  pile: string;
  group: string;
  role: string;
  row: number;
  column: number;
  fan: "none" | "down" | "right";
}

export interface Grid {
  rows: number;
  columns: number;
  places: Place[];
}

export interface Point {
  x: number;
  y: number;
}

export interface Spot extends Point {
  width: number;
  height: number;
  /** One point for each card, bottom card first. */
  cards: Point[];
}

export interface Geometry {
  card: { width: number; height: number };
  height: number;
  spots: Map<string, Spot>;
}

const RATIO = 1.4;
const WIDEST = 118;
/** How far a card is fanned at most, and how far it should be at least, in heights of a card. */
const ROOMY = 0.27;
const TIGHT = 0.12;
const FACE_DOWN = 0.5;
/** Cards of a waste that are spread. */
const SPREAD = 4;

type Piles = ReadonlyMap<string, readonly string[]>;

/** How many steps the fan of a pile takes; a card that lies face down takes half a step. */
function steps(cards: readonly string[]): number {
  return cards.slice(0, -1).reduce((sum, card) => sum + (card === "*" ? FACE_DOWN : 1), 0);
}

/** Lays a table out in a window. It is as high as the window, or higher if there is no way. */
export function arrange(grid: Grid, piles: Piles, width: number, height: number): Geometry {
  const cards = (pile: string): readonly string[] => piles.get(pile) ?? [];
  const gap = Math.max(3, Math.min(14, width / grid.columns / 9));
  const fans = Array.from({ length: grid.rows }, (_, row) =>
    Math.max(
      0,
      ...grid.places
        .filter((place) => place.row === row && place.fan === "down")
        .map((place) => Math.max(3, steps(cards(place.pile)))),
    ),
  );
  const need = fans.reduce((sum, fan) => sum + RATIO * (1 + fan * TIGHT), 0);
  const byWidth = (width - gap * (grid.columns + 1)) / grid.columns;
  const byHeight = (height - gap * (grid.rows + 1)) / need;
  const wide =
    Math.floor(Math.max(Math.min(byWidth, 40), Math.min(byWidth, byHeight, WIDEST)) * 10) / 10;
  const high = Math.round(wide * RATIO);

  const spare = Math.max(0, height - gap * (grid.rows + 1) - grid.rows * high);
  const wanted = fans.map((fan) => fan * high * ROOMY);
  const least = fans.map((fan) => fan * high * TIGHT);
  const all = wanted.reduce((sum, each) => sum + each, 0);
  const share = all > 0 ? Math.min(1, spare / all) : 0;
  const room = wanted.map((each, row) => Math.max(least[row], each * share));

  const tops: number[] = [];
  let top = gap;
  for (let row = 0; row < grid.rows; row++) {
    tops.push(top);
    top += high + room[row] + gap;
  }
  // On a wide table the columns move apart a little, but not all the way.
  const roomy = (width - grid.columns * wide) / (grid.columns + 1);
  const apart = Math.min(roomy, Math.max(gap, wide * 0.28));
  const left = (width - grid.columns * wide - (grid.columns - 1) * apart) / 2;
  const pitch = wide + apart;

  const spots = new Map<string, Spot>();
  for (const place of grid.places) {
    const x = left + place.column * pitch;
    const y = tops[place.row];
    const held = cards(place.pile);
    const points: Point[] = [];
    let at = 0;
    let reach = 0;
    if (place.fan === "down") {
      const step = Math.min(high * ROOMY, room[place.row] / Math.max(1, steps(held)));
      for (const card of held) {
        points.push({ x, y: y + at });
        reach = at;
        at += card === "*" ? step * FACE_DOWN : step;
      }
    } else if (place.fan === "right") {
      const next = Math.min(
        grid.columns,
        ...grid.places
          .filter((other) => other.row === place.row && other.column > place.column)
          .map((other) => other.column),
      );
      const end = left + next * pitch - apart;
      const spread = place.role === "waste" ? Math.min(held.length, SPREAD) : held.length;
      const free = Math.max(0, end - x - wide);
      const step = Math.min(
        wide * (place.role === "waste" ? 0.3 : 0.6),
        free / Math.max(1, spread - 1),
      );
      held.forEach((_, index) => {
        at = Math.max(0, index - (held.length - spread)) * step;
        reach = at;
        points.push({ x: x + at, y });
      });
    } else {
      held.forEach(() => points.push({ x, y }));
    }
    const right = place.fan === "right";
    spots.set(place.pile, {
      x,
      y,
      width: wide + (right ? reach : 0),
      height: high + (right ? 0 : reach),
      cards: points,
    });
  }
  return { card: { width: wide, height: high }, height: Math.ceil(top), spots };
}

const slack = 0.51;

/** The pile that lies next in a direction, as somebody sees it who looks at the table. */
export function neighbour(
  spots: ReadonlyMap<string, Spot>,
  from: string,
  key: "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown",
): string {
  const here = spots.get(from);
  if (here === undefined) return from;
  const across = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  let best = from;
  let least = Infinity;
  for (const [pile, spot] of spots) {
    const along = sign * (across ? spot.x - here.x : spot.y - here.y);
    const aside = Math.abs(across ? spot.y - here.y : spot.x - here.x);
    if (along < 1 || (across && aside > slack * here.height + 1)) continue;
    const distance = along + 3 * aside;
    if (distance < least) {
      least = distance;
      best = pile;
    }
  }
  return best;
}
