/** Other forms of a table: the same piles in rows of other lengths. */

import type { Grid, Place } from "./geometry";

type Row = Place[];

/** A group that has whole rows to itself may stand in more of them, or fewer. */
export function forms(grid: Grid): Grid[] {
  if (grid.pictured) return [];
  const rows = inRows(grid);
  return groups(grid).flatMap((group) => {
    const own = rows.filter((row) => row[0].group === group[0].group);
    if (own.length < 2 || own.flat().length !== group.length) return [];
    return [own.length - 1, own.length + 1, own.length + 2].map((count) => {
      const made: Row[] = [];
      for (const row of rows) {
        if (row === own[0])
          made.push(...wrapped(group, Math.ceil(group.length / count), middle(grid)));
        else if (!own.includes(row)) made.push(row);
      }
      return built(grid, made);
    });
  });
}

/** Forms for windows that are too narrow: each group in rows of its own, single piles last. */
export function narrow(grid: Grid): Grid[] {
  const made: Grid[] = [];
  for (let columns = 3; columns < grid.columns; columns++) {
    const singles = groups(grid).filter((group) => group.length === 1);
    const several = groups(grid).filter((group) => group.length > 1);
    made.push(
      built(
        grid,
        [...several, singles.flat()].flatMap((group) => wrapped(group, columns, columns / 2)),
      ),
    );
  }
  return made;
}

/** The groups as they come when the table is read. */
function groups(grid: Grid): Place[][] {
  const found = new Map<string, Place[]>();
  for (const place of inRows(grid).flat()) {
    found.set(place.group, [...(found.get(place.group) ?? []), place]);
  }
  return [...found.values()];
}

function inRows(grid: Grid): Row[] {
  return Array.from({ length: grid.rows }, (_, row) =>
    grid.places
      .filter((place) => place.row === row)
      .sort((one, other) => one.column - other.column),
  ).filter((row) => row.length > 0);
}

/** The column in the middle of a table. */
function middle(grid: Grid): number {
  const columns = grid.places.map((place) => place.column);
  return (Math.min(...columns) + Math.max(...columns)) / 2;
}

/** Piles in rows of at most so many, all of about the same length, about a column. */
function wrapped(places: Place[], columns: number, centre: number): Row[] {
  const rows = Math.ceil(places.length / columns);
  const each = Math.ceil(places.length / Math.max(1, rows));
  return Array.from({ length: rows }, (_, row) => {
    const within = places.slice(row * each, (row + 1) * each);
    return within.map((place, at) => ({ ...place, column: centre - (within.length - 1) / 2 + at }));
  });
}

function built(grid: Grid, rows: Row[]): Grid {
  const places = rows.flatMap((row, at) => row.map((place) => ({ ...place, row: at })));
  const order = new Map(grid.places.map((place, at) => [place.pile, at]));
  places.sort((one, other) => order.get(one.pile)! - order.get(other.pile)!);
  const columns = places.map((place) => place.column);
  return {
    ...grid,
    rows: rows.length,
    columns: Math.ceil(Math.max(...columns) - Math.min(...columns)) + 1,
    places,
  };
}
