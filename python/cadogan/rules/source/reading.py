"""A reading: a game together with the variants chosen, on its way through the stages."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Reading:
    """What one stage hands to the next.

    Attributes:
        slug: The short name of the game.
        chosen: The names of the variants in force, in order.
        data: The rules: as written, then validated, then core rules only.
        roleless: Tables of the file that are no groups because they have no role.
        validated: The variants that are compared with the schema; all if it is ``None``.
        doubtful_rules: Whether rules were left out whose names cannot be read.
    """

    slug: str
    chosen: tuple[str, ...]
    data: dict[str, Any]
    roleless: tuple[str, ...] = ()
    validated: tuple[str, ...] | None = None
    doubtful_rules: bool = False
