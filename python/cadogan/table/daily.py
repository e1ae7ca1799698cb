"""The deals of the day: the same on every server, and whose results count.

The candidates for the deal of a day follow from the date and the digest of the game alone. The
first one that the solver wins within a budget in nodes is dealt. Nodes are counted, not seconds, so
servers of the same version agree without any talk between them.

Results count as :mod:`cadogan.table.counted` says.
"""

import copy
import hashlib
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Any, Final, Literal, Self

from sqlalchemy import Connection, func, insert, select

from cadogan.deals import RANDOM_DEALS
from cadogan.game import Game, Position
from cadogan.i18n.text import gettext
from cadogan.table import schema
from cadogan.table.counted import (
    NotCountedError,
    Played,
    add,
    check_deal,
    name_of,
    play_line,
    played_at,
    was_hinted,
)
from cadogan.table.deal_search import MOST_DEALS, Search, Searches, TooManySearchesError
from cadogan.table.library import Library
from cadogan.table.record import Record
from cadogan.table.service import NoTableError, Tables
from cadogan.table.store import Conflict, Store, now

GAMES: Final = ("klondike", "freecell", "yukon", "golf", "tri-peaks")
"""The games of the day, unless the host chooses others."""
MOST_GAMES: Final = 12
DAYS: Final = 366
"""So many days back the deals can be played."""
MOST_RESULTS: Final = 1_000
"""The largest number of results of one deal."""

State = Literal["ready", "searching", "none"]
Order = Literal["moves", "time"]


@dataclass(frozen=True, slots=True)
class DailyDeal:
    """The deal of a day.

    Attributes:
        day: The day, in UTC.
        game: The game.
        state: Whether the deal is known, is being searched for, or was not found.
        deal: Its name.
    """

    day: date
    game: Game
    state: State
    deal: str | None = None


@dataclass(frozen=True, slots=True)
class DailyResult:
    """A result that counts.

    Attributes:
        day: The day of the deal.
        game: The name of the game.
        player: Who played it.
        moves: How many moves were made.
        seconds: The time played, if it was played at a table of this server.
        clean: Whether it is known that there was no hint, no verdict and no undo.
        late: Whether it was played on another day. Late results have no rank and no streak.
        at: When it was counted.
        is_nobodys: Whether the account of the player was removed.
    """

    day: date
    game: str
    player: str
    moves: int
    seconds: float | None
    clean: bool
    late: bool
    at: datetime
    is_nobodys: bool = False


def candidates(day: date, digest: str) -> Iterator[str]:
    """The names of the deals that are tried for a day, the first one first.

    >>> from datetime import date
    >>> next(candidates(date(2026, 1, 1), "0" * 64)).startswith("cadogan:")
    True
    """
    for number in range(MOST_DEALS):
        text = f"cadogan daily deal\n{day.isoformat()}\n{digest}\n{number}"
        mixed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        yield f"cadogan:{mixed % RANDOM_DEALS}"


class Daily:
    """The deals of the day, and their results.

    Args:
        store: The database.
        library: The games.
        tables: The tables.
        searches: Searches for deals that can be won.
        games: The games of the day, chosen by the host.

    Raises:
        ValueError: If there are too many games.
    """

    def __init__(
        self,
        store: Store,
        library: Library,
        tables: Tables,
        searches: Searches,
        games: Sequence[str] = GAMES,
    ) -> None:
        if len(games) > MOST_GAMES:
            raise ValueError(
                gettext("there are at most {number} games of the day", number=MOST_GAMES)
            )
        self._store = store
        self._library = library
        self._tables = tables
        self._searches = searches
        self._wanted = tuple(dict.fromkeys(games))
        self._lock = threading.Lock()
        self._running: dict[tuple[date, str], Search] = {}

    def of(self, player: int) -> Self:
        """The same deals for another player, with their tables and their results."""
        if player == self._store.player:
            return self
        view = copy.copy(self)
        view._store = self._store.of(player)
        view._tables = self._tables.of(player)
        return view

    @cached_property
    def games(self) -> tuple[str, ...]:
        """The names of the games, with variants.

        Raises:
            UnknownGameError: If the host has chosen one that does not exist.
        """
        return tuple(self._library.choose(name).name for name in self._wanted)

    # The deals.

    def deals(self, day: date) -> list[DailyDeal]:
        """The deals of a day. Deals that are not known yet are searched for.

        Raises:
            NoTableError: If the day is not one whose deals can be played.
        """
        _check(day)
        return [self._deal(day, self._library.choose(name)) for name in self.games]

    def deal(self, day: date, name: str) -> DailyDeal:
        """The deal of a day for one game; see :meth:`deals`."""
        _check(day)
        if name not in self.games:
            raise NoTableError(gettext("'{game}' is not a game of the day", game=name))
        return self._deal(day, self._library.choose(name))

    def _deal(self, day: date, game: Game) -> DailyDeal:
        table = schema.daily_deals
        where = (table.c.day == day.isoformat()) & (table.c.digest == game.digest)
        with self._store.engine.connect() as connection:
            row = connection.execute(select(table.c.deal).where(where)).first()
        if row is not None:
            return DailyDeal(day, game, "none" if row.deal is None else "ready", row.deal)
        with self._lock:
            search = self._running.get((day, game.digest))
            if search is None or search.state == "cancelled":
                try:
                    search = self._searches.begin(game, candidates(day, game.digest))
                except TooManySearchesError:
                    return DailyDeal(day, game, "searching")
                self._running[day, game.digest] = search
            if search.state not in ("found", "not-found"):
                return DailyDeal(day, game, "searching")
            del self._running[day, game.digest]
        values = {"day": day.isoformat(), "digest": game.digest, "deal": search.deal}
        with suppress(Conflict):  # Another server has found the same one.
            self._store.change(lambda connection: _add(connection, table, values), 1)
        return DailyDeal(day, game, "none" if search.deal is None else "ready", search.deal)

    def table(self, found: DailyDeal) -> Record | None:
        """The table of this server at which a deal was played last, if there is one."""
        rows = self._store.tables(game=found.game.name, limit=200)
        for row, _ in rows:
            if (row.deal, row.digest) == (found.deal, found.game.digest):
                return self._tables.get(row.id)
        return None

    # The results.

    def enter(
        self,
        day: date,
        name: str,
        player: str,
        *,
        moves: Sequence[str] | None = None,
        table: str | None = None,
    ) -> DailyResult:
        """Replays a result, and counts it if it wins the deal.

        Args:
            day: The day of the deal.
            name: The game.
            player: The name under which it counts.
            moves: The moves, if they were made elsewhere. Nothing is known of their time then.
            table: The table of this server at which they were made.

        Raises:
            NoTableError: If there is no such deal or no such table.
            NotCountedError: If the result does not count.
        """
        found = self.deal(day, name)
        player = name_of(player)
        if found.deal is None:
            raise NotCountedError(gettext("the deal of this day is not known yet"))
        first = found.game.deal(found.deal)
        late = now().date() != day
        played = Played(list(moves or ()))
        if table is not None:
            record = self._tables.get(table)
            check_deal(record, first)
            won = next((node for node in record.nodes if node.outcome == "won"), None)
            if won is None:
                raise NotCountedError(gettext("the game at this table is not won"))
            played = played_at(self._store, record, won)
            late = {at.astimezone(UTC).date() for at in (record.begun, won.at)} != {day}
        replayed = replay(first, played.line)
        count = sum(not move.forced for move in replayed.line)
        result = DailyResult(day, name, player, count, played.seconds, played.clean, late, now())
        self._count(result, found.game.digest, played.line, table)
        return result

    def hinted(self, key: str) -> None:
        """Notes that a hint was asked for at a table."""
        if was_hinted(self._store, key):
            return
        values = {"table_id": key}
        with suppress(Conflict):  # Another server has noted it.
            self._store.change(lambda connection: _add(connection, schema.hinted, values), 1)

    def _count(
        self, result: DailyResult, digest: str, line: Sequence[str], table: str | None
    ) -> None:
        """Stores a result, unless the player has one for this deal, or the table was counted."""
        results = schema.daily_results
        where = (results.c.day == result.day.isoformat()) & (results.c.digest == digest)
        values = {
            "day": result.day.isoformat(),
            "digest": digest,
            "player": result.player,
            "game": result.game,
            "moves": result.moves,
            "seconds": result.seconds,
            "clean": result.clean,
            "late": result.late,
            "line": "; ".join(line),
            "table_id": table,
            "at": result.at,
            "player_id": self._store.player,
        }
        with self._store.engine.connect() as connection:
            number = connection.execute(
                select(func.count()).select_from(results).where(where)
            ).scalar_one()
        add(self._store, results, values, there=number, most=MOST_RESULTS)

    def results(self, day: date, name: str, order: Order = "moves") -> list[DailyResult]:
        """The results of a deal: those of the day from the best to the worst, then the late ones.

        Args:
            day: The day.
            name: The game.
            order: By moves, then by time; or by time, then by moves. Results without a time come
                last in the latter.
        """
        found = self.deal(day, name)
        table = schema.daily_results
        query = select(table).where(
            table.c.day == day.isoformat(), table.c.digest == found.game.digest
        )
        with self._store.engine.connect() as connection:
            rows = [_result(row) for row in connection.execute(query).mappings()]

        def key(result: DailyResult) -> tuple[Any, ...]:
            time = float("inf") if result.seconds is None else result.seconds
            pair = (result.moves, time) if order == "moves" else (time, result.moves)
            return (result.late, *pair, result.at, result.player)

        return sorted(rows, key=key)

    def calendar(self, player: str) -> list[DailyResult]:
        """The results of a player in the last year, the oldest first."""
        table = schema.daily_results
        since = (now().date() - timedelta(days=DAYS)).isoformat()
        query = (
            select(table)
            .where(
                table.c.player == " ".join(player.split()),
                table.c.day >= since,
                self._store.mine(table),
            )
            .order_by(table.c.day, table.c.game)
        )
        with self._store.engine.connect() as connection:
            return [_result(row) for row in connection.execute(query).mappings()]


def replay(first: Position, moves: Sequence[str]) -> Position:
    """Replays a list of moves, which must win.

    Args:
        first: The deal.
        moves: The texts of the player's moves.

    Returns:
        The position after them.

    Raises:
        NotCountedError: If a move is illegal, or they do not win.
    """
    at = play_line(first, moves)
    if at.outcome != "won":
        raise NotCountedError(gettext("these moves do not win the game"))
    return at


def streaks(results: Sequence[DailyResult], today: date) -> tuple[int, int]:
    """How many days in a row a player has won a deal of the day on that day.

    Args:
        results: The results of the player.
        today: The day; a streak that ends on the day before still goes on.

    Returns:
        The current streak, and the longest.
    """
    days = sorted({result.day for result in results if not result.late})
    longest = run = 0
    last: date | None = None
    for day in days:
        run = run + 1 if last is not None and day - last == timedelta(days=1) else 1
        longest, last = max(longest, run), day
    is_current = last is not None and today - last <= timedelta(days=1)
    return run if is_current else 0, longest


def _check(day: date) -> None:
    """Refuses days whose deals cannot be played."""
    today = now().date()
    if day > today:
        raise NoTableError(gettext("the deals of {day} are not known yet", day=day.isoformat()))
    if today - day > timedelta(days=DAYS):
        raise NoTableError(
            gettext("the deals of the last {number} days can be played", number=DAYS)
        )


def _add(connection: Connection, table: Any, values: dict[str, Any]) -> None:
    connection.execute(insert(table).values(values))


def _result(row: Any) -> DailyResult:
    at: datetime = row["at"]
    return DailyResult(
        day=date.fromisoformat(row["day"]),
        game=row["game"],
        player=row["player"],
        moves=row["moves"],
        seconds=row["seconds"],
        clean=row["clean"],
        late=row["late"],
        is_nobodys=row["player_id"] == schema.SHARED,
        at=at if at.tzinfo is not None else at.replace(tzinfo=UTC),
    )
