"""The program: a game as tables, ready for the kernel.

``crates/kernel/src/program/format/`` documents the format field by field. Here it is plain data
that goes to bytes and back.
"""

import json
from dataclasses import dataclass
from typing import Any

from cadogan.rules.compile.digest import canonical, digest

FORMAT = 2


@dataclass(frozen=True)
class Program:
    """Tables of one game.

    Attributes:
        data: The tables, as JSON data.
    """

    data: dict[str, Any]

    def to_bytes(self) -> bytes:
        """The program as canonical JSON in UTF-8: sorted keys, no spaces."""
        return canonical(self.data)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Program":
        """Reads what :meth:`to_bytes` wrote.

        >>> Program.from_bytes(Program({"format": 2}).to_bytes()).data
        {'format': 2}
        """
        return cls(json.loads(data))

    @property
    def digest(self) -> str:
        """A hash of the tables, 64 hexadecimal digits: two games with one digest play alike."""
        return digest(self.data)
