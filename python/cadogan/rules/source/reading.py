"""A reading: a game together with the chosen variants, between the stages."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Reading:
    """The data that one stage passes to the next.

    Attributes:
        slug: The short name of the game.
        chosen: The names of the chosen variants, in order.
        data: The rules: as written, then validated, then core rules only.
        roleless: Tables of the file that are not groups because they have no role.
        validated: The variants to validate; all if it is ``None``.
        doubtful_rules: Whether rules with unreadable names were left out.
    """

    slug: str
    chosen: tuple[str, ...]
    data: dict[str, Any]
    roleless: tuple[str, ...] = ()
    validated: tuple[str, ...] | None = None
    doubtful_rules: bool = False
