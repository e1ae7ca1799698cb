"""What a study keeps of a deal."""

import hashlib
import struct
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from cadogan.study.players import LOST, WON

CRASHED: Final = "crashed"
"""The deal killed whoever tried it, again and again."""
FAILED: Final = "failed"
"""Trying it raised an error; the note tells which."""
COLUMNS: Final = {
    "game": "VARCHAR",
    "digest": "VARCHAR",
    "player": "VARCHAR",
    "scheme": "VARCHAR",
    "number": "UBIGINT",
    "budget": "UBIGINT",
    "verdict": "VARCHAR",
    "nodes": "UBIGINT",
    "length": "UINTEGER",
    "line": "BLOB",
    "version": "VARCHAR",
    "solver": "VARCHAR",
    "note": "VARCHAR",
}
"""The columns of a record and their types in Parquet."""
KEY: Final = ("game", "digest", "player", "scheme", "number", "budget", "solver")
"""Two records with the same key are the same answer to the same question."""


class Record(NamedTuple):
    """One deal, tried by one player with one budget.

    Nothing in it hangs on when or where it was made, so that the same question gives the same
    record.

    Attributes:
        game: The name of the game.
        digest: The fingerprint of its compiled rules.
        player: The player, with its options.
        scheme: The scheme of the deal.
        number: Its number.
        budget: Nodes, or moves, that might be spent.
        verdict: See :class:`~cadogan.study.players.Played`; or ``"crashed"``, ``"failed"``.
        nodes: Nodes that were spent.
        length: Moves of the line.
        line: The codes of the moves of a line that wins, four bytes each.
        version: The version of Cadogan.
        solver: The fingerprint of its solver (:func:`cadogan.solver_version`).
        note: What the verdict rests on, or what went wrong.
    """

    game: str
    digest: str
    player: str
    scheme: str
    number: int
    budget: int
    verdict: str
    nodes: int
    length: int
    line: bytes
    version: str
    solver: str
    note: str

    @property
    def is_won(self) -> bool:
        """Whether there is a line that wins."""
        return self.verdict in WON

    @property
    def is_decided(self) -> bool:
        """Whether more nodes could tell nothing new."""
        return self.verdict in WON or self.verdict in LOST

    @property
    def deal(self) -> str:
        """The name of the deal."""
        return f"{self.scheme}:{self.number}"


def pack_line(codes: Sequence[int]) -> bytes:
    """The codes of moves as bytes.

    >>> unpack_line(pack_line([1, 2**32 - 1]))
    (1, 4294967295)
    """
    return struct.pack(f">{len(codes)}I", *codes)


def unpack_line(line: bytes) -> tuple[int, ...]:
    """The codes of the moves of a line."""
    return struct.unpack(f">{len(line) // 4}I", line[: len(line) // 4 * 4])


def digest_of(records: Iterable[Record]) -> str:
    """A fingerprint of records in their order, hexadecimal; how they are stored does not matter."""
    mixed = hashlib.sha256()
    for record in records:
        fields = [value.hex() if isinstance(value, bytes) else str(value) for value in record]
        # No field has a control character: names, numbers, and notes that were cleaned.
        mixed.update("\x1f".join(fields).encode() + b"\x1e")
    return mixed.hexdigest()[:40]
