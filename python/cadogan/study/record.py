"""The record of one deal, as a study stores it."""

import hashlib
import struct
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from cadogan.study.players import LOST, WON

CRASHED: Final = "crashed"
"""The deal killed every worker that tried it."""
FAILED: Final = "failed"
"""Trying the deal raised an error; the note says which."""
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
"""The columns that identify a record. Records with the same key answer the same question."""


class Record(NamedTuple):
    """One deal, tried by one player with one budget.

    A record does not depend on when or where the deal was tried, so the same question always gives
    the same record.

    Attributes:
        game: The name of the game.
        digest: The fingerprint of its compiled rules.
        player: The player, with its options.
        scheme: The scheme of the deal.
        number: Its number.
        budget: The largest number of nodes, or moves.
        verdict: See :class:`~cadogan.study.players.Played`; or ``"crashed"``, ``"failed"``.
        nodes: How many nodes were used.
        length: How many moves the winning line has.
        line: The codes of its moves, four bytes each.
        version: The version of Cadogan.
        solver: The fingerprint of its solver (:func:`cadogan.solver_version`).
        note: The proof of the verdict, or what went wrong.
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
        """Whether the record has a winning line."""
        return self.verdict in WON

    @property
    def is_decided(self) -> bool:
        """Whether the deal is decided, so that a larger budget would not change the verdict."""
        return self.verdict in WON or self.verdict in LOST

    @property
    def deal(self) -> str:
        """The name of the deal."""
        return f"{self.scheme}:{self.number}"


def pack_line(codes: Sequence[int]) -> bytes:
    """Packs the codes of moves into bytes.

    >>> unpack_line(pack_line([1, 2**32 - 1]))
    (1, 4294967295)
    """
    return struct.pack(f">{len(codes)}I", *codes)


def unpack_line(line: bytes) -> tuple[int, ...]:
    """Unpacks the codes of the moves of a line."""
    return struct.unpack(f">{len(line) // 4}I", line[: len(line) // 4 * 4])


def digest_of(records: Iterable[Record]) -> str:
    """Computes a hexadecimal fingerprint of records in their order, however they are stored."""
    mixed = hashlib.sha256()
    for record in records:
        fields = [value.hex() if isinstance(value, bytes) else str(value) for value in record]
        # No field contains a control character: fields are names, numbers and cleaned notes.
        mixed.update("\x1f".join(fields).encode() + b"\x1e")
    return mixed.hexdigest()[:40]
