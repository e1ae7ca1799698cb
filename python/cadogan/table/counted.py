"""Results of games that count: replayed by the server, with what its records say of them.

A result is a list of moves from a deal. The server replays it, and only then it counts. Times, and
whether a game was played without help, come from the records of the server's own tables, never
from a client.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import insert, select
from sqlalchemy.engine import Connection

from cadogan.game import Position
from cadogan.i18n.text import gettext
from cadogan.moves import MoveError
from cadogan.table import schema
from cadogan.table.record import LONGEST_PAUSE, Event, Node, Record
from cadogan.table.store import Conflict, Store, TableRow

LONGEST_PLAYER: Final = 40
"""The largest number of characters of a player's name."""


class NotCountedError(ValueError):
    """A result that does not count; the message says why."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a result is made of.

    Attributes:
        line: The texts of the player's moves.
        seconds: The time played, if it was played at a table of this server.
        clean: Whether it is known that there was no hint, no verdict and no undo.
    """

    line: list[str]
    seconds: float | None = None
    clean: bool = False


def name_of(player: str) -> str:
    """The name under which a result counts, with single spaces.

    Raises:
        NotCountedError: If it is empty, too long or not printable.

    >>> name_of(" Lady  Adelaide ")
    'Lady Adelaide'
    """
    player = " ".join(player.split())
    if not 0 < len(player) <= LONGEST_PLAYER or not player.isprintable():
        raise NotCountedError(
            gettext("a name has 1 to {number} printable characters", number=LONGEST_PLAYER)
        )
    return player


def check_deal(record: Record, deal: Position) -> None:
    """Refuses a table at which another deal was played, or whose moves came from elsewhere.

    Raises:
        NotCountedError: If it is one.
    """
    first = record.nodes[0].position
    dealt = (first.game.digest, first.deal_name, first.deck)
    if dealt != (deal.game.digest, deal.deal_name, deal.deck):
        raise NotCountedError(gettext("another deal was played at this table"))
    if record.brought:
        raise NotCountedError(gettext("moves of this table were brought from elsewhere"))


def played_at(store: Store, record: Record, end: Node) -> Played:
    """What the record of a table says of the game up to one of its positions."""
    line = [move.text for move in end.position.line if not move.forced]
    row = store.row(record.key)
    assert row is not None
    events: list[Event] = []
    for event in store.events(record.key):
        events.append(event)
        if event.kind == "move" and event.node == end.number:
            break
    clean = is_clean(row, events) and not was_hinted(store, record.key)
    return Played(line, clock(row.begun, events), clean)


def add(store: Store, results: Any, values: dict[str, Any], *, there: int, most: int) -> None:
    """Stores a result.

    Args:
        store: The database.
        results: Its table of results.
        values: The row.
        there: How many results the deal has.
        most: How many it may have.

    Raises:
        NotCountedError: If the deal has the most already, or the player has one, or the table was
            counted.
    """
    if there >= most:
        raise NotCountedError(gettext("a deal has at most {number} results", number=most))

    def change(connection: Connection) -> None:
        connection.execute(insert(results).values(values))

    try:
        store.change(change, 1)
    except Conflict:
        raise NotCountedError(
            gettext("a result of this player or of this table was counted already")
        ) from None


def play_line(first: Position, moves: Sequence[str]) -> Position:
    """Plays a list of moves.

    Args:
        first: The deal.
        moves: The texts of the player's moves.

    Returns:
        The position after them.

    Raises:
        NotCountedError: If a move is illegal.
    """
    at = first
    for number, text in enumerate(moves, 1):
        try:
            at = at.play(text)
        except MoveError as fault:
            raise NotCountedError(
                gettext(
                    "move {number} of the line, '{move}', is illegal: {reason}",
                    number=number, move=text, reason=fault.reason,
                )
            ) from None  # fmt: skip
    return at


def is_clean(row: TableRow, events: Sequence[Event]) -> bool:
    """Whether there was no verdict and no undo in the events of a table."""
    return (
        row.verdict == "none"
        and all(each.kind != "goto" for each in events)
        and all(each.data.get("verdict", "none") == "none" for each in events)
    )


def was_hinted(store: Store, key: str) -> bool:
    """Whether a hint was asked for at a table."""
    table = schema.hinted
    with store.engine.connect() as connection:
        query = select(table.c.table_id).where(table.c.table_id == key)
        return connection.execute(query).first() is not None


def clock(begun: datetime, events: Sequence[Event]) -> float:
    """The time played in seconds, without long pauses. Putting a table away does not stop it."""
    seconds, last = 0.0, begun
    for event in events:
        seconds += max(0.0, min((event.at - last).total_seconds(), LONGEST_PAUSE))
        last = event.at
    return seconds
