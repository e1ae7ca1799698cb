"""``cadogan statistics``: the player's results, from the terminal and the browser."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from math import ceil
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import Json
from cadogan.cli.play import Database
from cadogan.rules.files import split_name

if TYPE_CHECKING:
    from cadogan.table.library import Library
    from cadogan.table.service import Tables
    from cadogan.table.statistics import Result, Statistic

_STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_MOST_BARS: Final = 10
_BAR: Final = 30
"""The length of the longest bar."""

CountedGame = Annotated[
    str | None, Parameter(help="Only this game, with any variants, or with those that are named.")
]
Csv = Annotated[bool, Parameter(name="--csv", help="Print a line per table, for spreadsheets.")]


def statistics(
    game: CountedGame = None,
    /,
    *,
    csv: Csv = False,
    json: Json = False,
    database: Database = None,
) -> None:
    """Show your results: wins, times, points.

    A table counts once you have made a move and it is won or closed. Games with points also have
    the best and the mean points, and how they are distributed.
    """
    from cadogan.table import statistics as counted

    if csv and json:
        raise output.UsageError("--csv and --json are two formats", "give one of them")
    with _tables(database) as tables:
        name = None if game is None else tables.library.named(game)
        counted.add_points(tables)
        found = [each for each in counted.results(tables.store) if _is(each.game, name)]
        if csv:
            # The lines end as spreadsheets want it.
            sys.stdout.write(counted.to_csv(found))
        elif json:
            output.data(counted.to_json(found).rstrip())
        elif not found:
            if name is not None:
                tables.library.choose(name)  # reports a name that is misspelt
            output.note(f"no game{'' if game is None else f' of {game}'} has been played yet")
        else:
            _list(tables.library, counted.statistics(found), found)


@contextmanager
def _tables(database: str | None) -> "Iterator[Tables]":
    from cadogan.table.engines import StoreError
    from cadogan.table.library import Library
    from cadogan.table.service import Tables
    from cadogan.table.store import Store

    try:
        store = Store(database)
    except StoreError as fault:
        raise output.UsageError(str(fault), fault.hint) from None
    try:
        library = Library(store)
        try:
            yield Tables(store, library)
        finally:
            library.close()
    finally:
        store.close()


def _is(game: str, wanted: str | None) -> bool:
    """Whether a game is the one that is wanted, and has the variants that are wanted."""
    if wanted is None:
        return True
    (base, variants), (other, others) = split_name(game), split_name(wanted)
    return base == other and set(filter(None, others)) <= set(variants)


def _name(library: "Library", game: str) -> str:
    """How a game is listed: its name, or the title of one of the player's own games."""
    from cadogan.table.library import OWN

    if game.startswith(OWN):
        with suppress(LookupError, ValueError):
            return library.load(game).title
    return game


def _list(library: "Library", games: "list[Statistic]", found: "list[Result]") -> None:
    """Prints a line per game, and the points of scored games below it."""
    names = [_name(library, each.game) for each in games]
    wide = max(map(len, names))
    for each, name in zip(games, names, strict=True):
        parts = [f"{each.played} played"]
        if each.played > each.over:
            parts.append(f"{each.won} won ({100 * each.won / (each.played - each.over):.0f} %)")
        if each.open:
            parts.append(f"{each.open} open")
        if each.best_streak > 1:
            parts.append(f"{each.best_streak} wins in a row")
        if each.best_time is not None and each.mean_time is not None:
            parts.append(
                f"won in {_time(each.best_time)} at best, {_time(each.mean_time)} on average"
            )
        output.data(f"{name:<{wide}}  {', '.join(parts)}")
        if each.best_points is not None and each.mean_points is not None:
            output.data(f"  points: best {each.best_points}, mean {each.mean_points:.1f}")
            points = [
                result.points
                for result in found
                if result.game == each.game
                and result.result != "open"
                and result.points is not None
            ]
            for line in _bars(points):
                output.data(f"    {line}")


def _bars(points: Sequence[int]) -> list[str]:
    """A histogram: a line for each round number of points."""
    low, high = min(points), max(points)
    fits = (step for step in _STEPS if high // step - low // step < _MOST_BARS)
    step = next(fits, ceil((high - low + 1) / (_MOST_BARS - 1)))
    counts = [0] * (high // step - low // step + 1)
    for each in points:
        counts[each // step - low // step] += 1
    starts = [(low // step + index) * step for index in range(len(counts))]
    names = [str(start) if step == 1 else f"{start} to {start + step - 1}" for start in starts]
    wide, unit = max(map(len, names)), max(1.0, max(counts) / _BAR)
    bars = ["#" * ceil(count / unit) for count in counts]
    rows = zip(names, bars, counts, strict=True)
    return [f"{name:>{wide}}  {bar}{' ' * bool(bar)}{count}" for name, bar, count in rows]


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
