"""The player's statistics, computed from the records of all tables.

A table counts as played if the player made a move, no moves were imported, and the table is over.
It is over when it was won once (even if moves were undone afterwards), or when it was closed, which
is a loss if it was not won. All other tables are open. A game that has only points is neither won
nor lost: it is over when its table was closed.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy.exc import SQLAlchemyError

from cadogan.game import Game
from cadogan.rules.files import split_name
from cadogan.savefile import SavedGameError
from cadogan.table.service import Tables
from cadogan.table.store import Conflict, Store
from cadogan.trouble import trouble

Known = Literal["winnable", "unwinnable", "unknown"]
KNOWN: Final[tuple[Known, ...]] = ("winnable", "unwinnable", "unknown")
How = Literal["won", "lost", "over", "open"]
Scoring = Literal["none", "most", "fewest"]
"""Whether a game has no points, or many points are good, or few."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one table.

    Attributes:
        table: Its key in the store.
        game: The game, with variants.
        begun: When it was dealt.
        ended: When it was won or closed. For an open table, when it was last played.
        result: How it ended.
        seconds: How long it was played, without pauses.
        moves: How many moves were made, including undone ones.
        deal: The name of the deal.
        deal_verdict: Whether the deal can be won, if a search has decided it.
        scoring: Whether the game has points, and which are good.
        points: Its points, if it is scored and has ended; the best of several ends.
    """

    table: str
    game: str
    begun: datetime
    ended: datetime
    result: How
    seconds: float
    moves: int
    deal: str | None
    deal_verdict: Known
    scoring: Scoring = "none"
    points: int | None = None


@dataclass(slots=True)
class Statistic:
    """The statistics of a game with its variants. Times are in seconds; see :class:`Result`.

    Attributes:
        over: How many tables of a game that has only points are over; they are neither won nor
            lost.
        scoring: Whether the game has points, and which are good.
        scored: How many tables have points. ``best_points`` and ``mean_points`` are about these.
    """

    game: str
    played: int = 0
    won: int = 0
    lost: int = 0
    over: int = 0
    open: int = 0
    streak: int = 0
    best_streak: int = 0
    worst_streak: int = 0
    best_time: float | None = None
    mean_time: float | None = None
    best_moves: int | None = None
    mean_moves: float | None = None
    by_verdict: dict[Known, tuple[int, int]] = field(
        default_factory=lambda: dict.fromkeys(KNOWN, (0, 0))
    )
    scoring: Scoring = "none"
    scored: int = 0
    best_points: int | None = None
    mean_points: float | None = None


def add_points(tables: Tables) -> None:
    """Adds the points of tables that were stored by a version that did not store them.

    Tables whose rules have changed since stay without points. If the database is not writable,
    the points are added another time.
    """
    games: dict[str, Game | None] = {}
    unscored = set[str]()
    for row, summary in tables.store.tables():
        if summary["scoring"] is not None or row.digest in unscored:
            continue
        if row.game not in games:
            games[row.game] = None
            with suppress(LookupError, ValueError):
                games[row.game] = tables.library.load(row.game)
        game = games[row.game]
        if game is None or game.digest != row.digest:
            continue
        try:
            if game.rulebook.score is None:
                unscored.add(row.digest)
                tables.store.set_unscored(row.digest)
            else:
                record = tables.get(row.id)
                tables.store.append(record.key, record.version, (), record)
        except (SavedGameError, Conflict):
            continue
        except SQLAlchemyError as fault:
            if trouble(fault) is None:
                raise
            return


def results(store: Store) -> list[Result]:
    """Returns the results of all tables with a move, in the order in which they ended."""
    verdicts = store.verdicts()
    found = []
    names: dict[tuple[str, str, frozenset[str]], str] = {}
    for row, summary in store.tables():
        # Old tables may name the same variants in another order. The name used last counts.
        base, variants = split_name(row.game)
        key = row.digest, base, frozenset(filter(None, variants))
        game = names.setdefault(key, row.game)
        if not summary["made"]:
            continue
        known = verdicts.get((row.digest, row.root), "unknown")
        found.append(
            Result(
                table=row.id,
                game=game,
                begun=row.begun,
                ended=summary["ended"] or summary["played"],
                result=_result(summary),
                seconds=summary["seconds"],
                moves=summary["made"],
                deal=row.deal,
                # A win proves that the deal can be won.
                deal_verdict="winnable" if summary["won"] else _known(known),
                scoring=summary["scoring"] or "none",
                points=summary["points"],
            )
        )
    return sorted(found, key=lambda result: result.ended)


def _known(status: str) -> Known:
    return next((known for known in KNOWN if known == status), "unknown")


def _result(summary: Mapping[str, Any]) -> How:
    if summary["won"]:
        return "won"
    if not summary["closed"]:
        return "open"
    return "over" if summary["points_only"] else "lost"


def statistics(found: Iterable[Result]) -> list[Statistic]:
    """Computes the statistics of each game, in alphabetical order."""
    games: dict[str, list[Result]] = {}
    for result in found:
        games.setdefault(result.game, []).append(result)
    return [_of_game(game, games[game]) for game in sorted(games)]


def _of_game(game: str, found: list[Result]) -> Statistic:
    entry = Statistic(game)
    for result in found:
        if result.result == "open":
            entry.open += 1
            continue
        entry.played += 1
        if result.result == "over":
            entry.over += 1
            continue
        won = result.result == "won"
        entry.won += won
        entry.lost += not won
        grows = entry.streak > 0 if won else entry.streak < 0
        step = 1 if won else -1
        entry.streak = entry.streak + step if grows else step
        entry.best_streak = max(entry.best_streak, entry.streak)
        entry.worst_streak = min(entry.worst_streak, entry.streak)
        played, wins = entry.by_verdict[result.deal_verdict]
        entry.by_verdict[result.deal_verdict] = played + 1, wins + won
    best = [result for result in found if result.result == "won"]
    if best:
        entry.best_time = min(result.seconds for result in best)
        entry.mean_time = sum(result.seconds for result in best) / len(best)
        entry.best_moves = min(result.moves for result in best)
        entry.mean_moves = sum(result.moves for result in best) / len(best)
    _add_points(entry, found)
    return entry


def _add_points(entry: Statistic, found: list[Result]) -> None:
    entry.scoring = found[-1].scoring
    points = [
        result.points for result in found if result.points is not None and result.result != "open"
    ]
    entry.scored = len(points)
    if points:
        entry.best_points = min(points) if entry.scoring == "fewest" else max(points)
        entry.mean_points = sum(points) / len(points)


def to_csv(found: Iterable[Result]) -> str:
    """Writes one line per table, for spreadsheets."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(Result.__slots__), lineterminator="\r\n")
    writer.writeheader()
    for result in found:
        writer.writerow({key: _cell(value) for key, value in _plain(result).items()})
    return out.getvalue()


def to_json(found: list[Result]) -> str:
    """Writes all results and the statistics of each game."""
    data = {
        "games": [asdict(entry) for entry in statistics(found)],
        "results": [_plain(result) for result in found],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _plain(result: Result) -> dict[str, Any]:
    data = asdict(result)
    return {**data, "begun": result.begun.isoformat(), "ended": result.ended.isoformat()}


def _cell(value: Any) -> Any:
    """Escapes text that a spreadsheet would read as a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" else value
