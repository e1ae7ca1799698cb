/** Other arrangements of a table: the same piles in rows of other lengths. */

import type { Grid, Place } from "./grid";

type Row = Place[];

/** Arrangements with more or fewer rows for a group that has whole rows to itself. */
export function reflows(grid: Grid): Grid[] {
  if (grid.pictured) return [];
  const rows = rowsOf(grid);
  return groupsOf(grid).flatMap((group) => {
    const own = rows.filter((row) => row[0].group === group[0].group);
    if (own.length < 2 || own.flat().length !== group.length) return [];
    return [own.length - 1, own.length + 1, own.length + 2].map((count) => {
      const wrapped: Row[] = [];
      for (const row of rows) {
        if (row === own[0])
          wrapped.push(...wrap(group, Math.ceil(group.length / count), middleOf(grid)));
        else if (!own.includes(row)) wrapped.push(row);
      }
      return buildGrid(grid, wrapped);
    });
  });
}

/** Arrangements for narrow windows: each group in rows of its own, single piles last. */
export function narrowReflows(grid: Grid): Grid[] {
  const found: Grid[] = [];
  if (grid.fixed) return found;
  // Cards that cover one another stay where they are.
  if (grid.overlapping !== undefined && grid.overlapping.length > 0) return found;
  for (let columns = 3; columns < grid.columns; columns++) {
    const singles = groupsOf(grid).filter((group) => group.length === 1);
    const several = groupsOf(grid).filter((group) => group.length > 1);
    found.push(
      buildGrid(
        grid,
        [...several, singles.flat()].flatMap((group) => wrap(group, columns, columns / 2)),
      ),
    );
  }
  return found;
}

/** The groups in reading order. */
function groupsOf(grid: Grid): Place[][] {
  const found = new Map<string, Place[]>();
  for (const place of rowsOf(grid).flat()) {
    found.set(place.group, [...(found.get(place.group) ?? []), place]);
  }
  return [...found.values()];
}

function rowsOf(grid: Grid): Row[] {
  return Array.from({ length: grid.rows }, (_, row) =>
    grid.places
      .filter((place) => place.row === row)
      .sort((one, other) => one.column - other.column),
  ).filter((row) => row.length > 0);
}

/** The column in the middle of a table. */
function middleOf(grid: Grid): number {
  const columns = grid.places.map((place) => place.column);
  return (Math.min(...columns) + Math.max(...columns)) / 2;
}

/** Wraps piles into rows of about the same length, each centred on a column. */
function wrap(places: Place[], columns: number, centre: number): Row[] {
  const rows = Math.ceil(places.length / columns);
  const each = Math.ceil(places.length / Math.max(1, rows));
  return Array.from({ length: rows }, (_, row) => {
    const within = places.slice(row * each, (row + 1) * each);
    return within.map((place, at) => ({ ...place, column: centre - (within.length - 1) / 2 + at }));
  });
}

function buildGrid(grid: Grid, rows: Row[]): Grid {
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
