"""Bases of foundations that are not known before the deal: ``base = "dealt"``."""

import re
from dataclasses import dataclass
from typing import Self

UNKNOWN = 13
"""What the counter of a base holds while the base is not known."""

_LATER = re.compile(
    r"\s*(?P<how>dealt|chosen)(?P<own>\s*,?\s*each\s+its\s+own)?"
    r"(?P<every>\s*,?\s*all\s+of\s+its\s+rank)?"
    r"(?:\s+from\s+(?P<piles>\S.*?))?\s*"
)
_OF = re.compile(r"\s*(?:the\s+)?base\s+of\s+(?:the\s+)?(?P<group>[\w-]+)\s*")


@dataclass(frozen=True, slots=True)
class Base:
    """How the base of foundations becomes known.

    Attributes:
        chosen: Whether the player chooses it; otherwise it is dealt.
        own: Whether each foundation has a base of its own.
        piles: The piles from which the player must choose it before anything else, if any.
        every: Whether the other cards of its rank are laid out, too.
        of: The group whose base it is, too, if it is that of another group.
    """

    chosen: bool
    own: bool
    piles: str | None = None
    every: bool = False
    of: str | None = None

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Reads the words of ``base``; ``None`` if they mean a rank.

        >>> Base.read("dealt, each its own")
        Base(chosen=False, own=True, piles=None, every=False, of=None)
        >>> Base.read("dealt, all of its rank").every
        True
        >>> Base.read("the base of kings").of
        'kings'
        >>> Base.read("chosen from reserve and waste").piles
        'reserve and waste'
        >>> Base.read("ace") is None
        True
        """
        if match := _OF.fullmatch(text):
            return cls(chosen=False, own=False, of=match["group"])
        match = _LATER.fullmatch(text)
        if match is None or (match["piles"] and (match["how"] == "dealt" or match["own"])):
            return None
        if match["every"] and (match["how"] == "chosen" or match["own"]):
            return None
        every = match["every"] is not None
        return cls(match["how"] == "chosen", match["own"] is not None, match["piles"], every)
