"""Challenges: the same deal for a friend, with a result to beat that is hidden until theirs is in.

A result is a list of moves; it is replayed before it counts, as those of daily deals are. Results
are shown only to those who name a table of theirs with a result that counts.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Self

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection

from cadogan.game import Game, Position
from cadogan.i18n.text import gettext
from cadogan.table import schema
from cadogan.table.counted import (
    NotCountedError,
    add,
    check_deal,
    name_of,
    play_line,
    played_at,
)
from cadogan.table.library import OWN, Library
from cadogan.table.record import Node, Record
from cadogan.table.service import NoTableError, Tables
from cadogan.table.store import Store, new_id, now

MOST_CHALLENGES: Final = 500
"""How many challenges a player may have; the oldest go when there are more."""
MOST_RESULTS: Final = 100
MOST_MOVES: Final = 2_000
DAYS: Final = 90
"""So long a challenge can be taken up."""


@dataclass(frozen=True, slots=True)
class ChallengeResult:
    """A result that counts.

    Attributes:
        player: Who played it.
        won: Whether the game was won.
        points: The points at the end, if the game is scored.
        moves: How many moves were made.
        seconds: The time played, if it was played at a table of this server.
        clean: Whether it is known that there was no hint, no verdict and no undo.
        first: Whether it is that of the challenger.
        at: When it was counted.
    """

    player: str
    won: bool
    points: int | None
    moves: int
    seconds: float | None
    clean: bool
    first: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge.

    Attributes:
        key: Its key, which cannot be guessed.
        game: The game.
        dealt: The deal.
        made: When it was made.
        player: Who made it.
        results: The results that count, the best first.
        tables: The tables of the results.
    """

    key: str
    game: Game
    dealt: Position
    made: datetime
    player: str
    results: tuple[ChallengeResult, ...]
    tables: frozenset[str]


class Challenges:
    """The challenges of a server.

    Args:
        store: The database.
        library: The games.
        tables: The tables.
    """

    def __init__(self, store: Store, library: Library, tables: Tables) -> None:
        self._store = store
        self._library = library
        self._tables = tables

    def of(self, player: int) -> Self:
        """The same challenges for another player, who has other tables."""
        if player == self._store.player:
            return self
        view = copy.copy(self)
        view._store = self._store.of(player)
        view._tables = self._tables.of(player)
        return view

    def make(self, table: str, player: str) -> Challenge:
        """Makes a challenge from a game that is over.

        Args:
            table: The table.
            player: The name under which the result counts.

        Raises:
            NoTableError: If there is no such table.
            NotCountedError: If the game is not over, or its result does not count.
        """
        player = name_of(player)
        record = self._tables.get(table)
        if record.game.name.startswith(OWN):
            raise NotCountedError(gettext("a challenge needs a game of the catalogue"))
        dealt = record.nodes[0].position
        result = self._at_table(record, dealt, player, first=True)
        key, at = new_id(), now()
        challenge = {
            "id": key,
            "game": record.game.name,
            "digest": record.game.digest,
            "deal": dealt.deal_name,
            "deck": None if dealt.deal_name else " ".join(map(str, dealt.deck)),
            "player": player,
            "player_id": self._store.player,
            "made": at,
        }
        challenges, results = schema.challenges, schema.challenge_results

        def change(connection: Connection) -> None:
            mine = self._store.mine(challenges)
            old = challenges.c.made < at - timedelta(days=DAYS)
            newest = (
                select(challenges.c.id)
                .where(mine)
                .order_by(challenges.c.made.desc())
                .offset(MOST_CHALLENGES - 1)
            )
            gone = list(
                connection.execute(
                    select(challenges.c.id).where(mine, old | challenges.c.id.in_(newest))
                ).scalars()
            )
            connection.execute(delete(results).where(results.c.challenge.in_(gone)))
            connection.execute(delete(challenges).where(challenges.c.id.in_(gone), mine))
            connection.execute(insert(challenges).values(challenge))
            connection.execute(insert(results).values({"challenge": key, **result}))

        self._store.change(change, 2)
        return self.get(key)

    def get(self, key: str) -> Challenge:
        """A challenge.

        Raises:
            NoTableError: If there is none with this key, or the rules of its game have changed.
        """
        challenges, results = schema.challenges, schema.challenge_results
        with self._store.engine.connect() as connection:
            where = challenges.c.id == key
            row = connection.execute(select(challenges).where(where)).mappings().first()
            query = select(results).where(results.c.challenge == key)
            found = list(connection.execute(query).mappings())
        if row is None or _utc(row["made"]) < now() - timedelta(days=DAYS):
            raise NoTableError(gettext("there is no such challenge, or it has expired"))
        game = self._library.choose(row["game"])
        if game.digest != row["digest"]:
            raise NoTableError(gettext("the rules of this game have changed since the challenge"))
        deck = row["deck"]
        dealt = game.deal(row["deal"]) if deck is None else game.deal(deck=deck.split())
        listed = sorted((_result(each) for each in found), key=_rank)
        tables = frozenset(each["table_id"] for each in found if each["table_id"] is not None)
        return Challenge(
            key, game, dealt, _utc(row["made"]), row["player"], tuple(listed), tables
        )  # fmt: skip

    def may_see(self, challenge: Challenge, table: str | None) -> bool:
        """Whether somebody with a table may see the results: if its result is one of them."""
        return table in challenge.tables and self._store.row(table or "") is not None

    def enter(
        self,
        key: str,
        player: str,
        *,
        moves: Sequence[str] | None = None,
        table: str | None = None,
    ) -> Challenge:
        """Replays a result, and counts it if it ends the game.

        Args:
            key: The challenge.
            player: The name under which it counts.
            moves: The moves, if they were made elsewhere. Nothing is known of their time then.
            table: The table of this server at which they were made.

        Raises:
            NoTableError: If there is no such challenge or no such table.
            NotCountedError: If the result does not count.
        """
        challenge, player = self.get(key), name_of(player)
        if table is not None:
            result = self._at_table(self._tables.get(table), challenge.dealt, player)
        else:
            at = play_line(challenge.dealt, moves or ())
            if at.outcome is None:
                raise NotCountedError(gettext("these moves do not end the game"))
            result = self._values(at, player)
        values = {"challenge": key, **result}
        there = len(challenge.results)
        add(self._store, schema.challenge_results, values, there=there, most=MOST_RESULTS)
        return self.get(key)

    def _at_table(
        self, record: Record, dealt: Position, player: str, *, first: bool = False
    ) -> dict[str, Any]:
        """What the record of a table says of the end of its game."""
        check_deal(record, dealt)
        played = played_at(self._store, record, _end(record))
        # What the record says is not believed either.
        at = play_line(dealt, played.line)
        values = self._values(at, player, seconds=played.seconds, clean=played.clean, first=first)
        return {**values, "table_id": record.key}

    def _values(
        self,
        at: Position,
        player: str,
        *,
        seconds: float | None = None,
        clean: bool = False,
        first: bool = False,
    ) -> dict[str, Any]:
        moves = [move.text for move in at.line if not move.forced]
        if len(moves) > MOST_MOVES:
            raise NotCountedError(gettext("a result has at most {number} moves", number=MOST_MOVES))
        return {
            "player": player,
            "player_id": self._store.player,
            "won": at.outcome == "won",
            "points": at.score,
            "moves": len(moves),
            "seconds": seconds,
            "clean": clean,
            "first": first,
            "line": "; ".join(moves),
            "table_id": None,
            "at": now(),
        }


def _end(record: Record) -> Node:
    """The position that counts: the first win, or the first end, or where it was given up."""
    ended = [node for node in record.nodes if node.outcome is not None]
    won = next((node for node in ended if node.outcome == "won"), None)
    if won is not None:
        return won
    if ended:
        return ended[0]
    if not record.closed:
        raise NotCountedError(gettext("the game at this table is not over"))
    return record.nodes[record.node]


def _rank(result: ChallengeResult) -> tuple[Any, ...]:
    """Sorts wins first, then by points, by moves, and by time."""
    points = 0 if result.points is None else -result.points
    seconds = float("inf") if result.seconds is None else result.seconds
    return (not result.won, points, result.moves, seconds, result.at)


def _result(row: Any) -> ChallengeResult:
    return ChallengeResult(
        player=row["player"],
        won=row["won"],
        points=row["points"],
        moves=row["moves"],
        seconds=row["seconds"],
        clean=row["clean"],
        first=row["first"],
        at=_utc(row["at"]),
    )


def _utc(at: datetime) -> datetime:
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
