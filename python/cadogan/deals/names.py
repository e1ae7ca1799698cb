"""Names of deals: ``scheme:number``."""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cadogan.cards import Card, quoted
from cadogan.deals.arrangement import index_of
from cadogan.deals.errors import DealError
from cadogan.deals.scheme import Scheme
from cadogan.deals.schemes import SCHEMES
from cadogan.i18n.text import gettext, listed

RANDOM_DEALS: Final = 10**9
"""Random deals have numbers below this one."""


@dataclass(frozen=True, slots=True)
class DealName:
    """The name of a deal. It always has a known scheme and a valid number.

    Attributes:
        scheme: The name of the scheme.
        number: The number of the deal.

    Raises:
        DealError: If the scheme is unknown, or has no such number.

    Examples:
        >>> str(DealName("ms", 617))
        'ms:617'
    """

    scheme: str
    number: int

    def __post_init__(self) -> None:
        found = SCHEMES.get(self.scheme)
        if found is None:
            raise DealError(_unknown_scheme(self.scheme))
        if self.number < found.lowest or (
            found.highest is not None and self.number > found.highest
        ):
            raise DealError(_out_of_range(found, str(self.number)))

    def __str__(self) -> str:
        return f"{self.scheme}:{self.number}"


_NUMBER = re.compile(r"-?[0-9]+")
_LONGEST_NUMBER: Final = 1000
"""The largest number of digits; the decks of the largest games have fewer arrangements."""
_LONGEST_TOLD: Final = 25
"""Longer numbers are not quoted in messages."""


def parse_deal(text: str) -> DealName:
    """Reads the name of a deal.

    Args:
        text: ``scheme:number``. Capitals and spaces around the parts do not matter.

    Raises:
        DealError: If the text is not the name of a deal; the message says what to write.

    Examples:
        >>> parse_deal("cadogan:1")
        DealName(scheme='cadogan', number=1)
        >>> parse_deal("cadogen:1")
        Traceback (most recent call last):
            ...
        cadogan.deals.errors.DealError: unknown scheme of deals 'cadogen': did you mean 'cadogan'?
        >>> parse_deal("617")
        Traceback (most recent call last):
            ...
        cadogan.deals.errors.DealError: '617' does not say which shuffle: write cadogan:617, \
ms:617, pysol:617, kpat:617, solvitaire:617 or exact:617
    """
    scheme, colon, digits = (part.strip() for part in text.partition(":"))
    if not colon:
        word = text.strip()
        if word.isdecimal() and word.isascii() and len(word) <= _LONGEST_TOLD:
            *names, last = (f"{name}:{word}" for name in SCHEMES)
            raise DealError(
                gettext(
                    "{text} does not say which shuffle: write {choices}",
                    text=quoted(text),
                    choices=listed((*names, last)),
                )
            )
        raise DealError(
            gettext(
                "{text} is not the name of a deal: write scheme:number, as in cadogan:1",
                text=quoted(text),
            )
        )
    name = scheme.lower()
    found = SCHEMES.get(name)
    if found is None:
        raise DealError(_unknown_scheme(name))
    if not _NUMBER.fullmatch(digits):
        raise DealError(
            gettext(
                "{text} is not the number of a deal: write digits only, as in {name}:1",
                text=quoted(digits),
                name=name,
            )
        )
    if len(digits) > _LONGEST_NUMBER:
        # Python refuses to read very long numbers, with a message that does not help a player.
        raise DealError(_out_of_range(found, digits))
    return DealName(name, int(digits))


def random_deal() -> DealName:
    """A deal of the scheme ``cadogan`` at random, with a number that is short enough to write down.

    >>> random_deal().scheme
    'cadogan'
    """
    import secrets  # It is slow to import, and most callers name their deal.

    return DealName("cadogan", secrets.randbelow(RANDOM_DEALS))


def exact(deck: Iterable[Card]) -> DealName:
    """Returns a name for any deck, by its index among all its arrangements.

    Args:
        deck: The cards in dealing order.

    Returns:
        The deal of the scheme ``exact`` that deals this deck.

    Examples:
        >>> from cadogan.cards import parse_cards
        >>> from cadogan.deals import shuffled
        >>> str(exact(parse_cards("2S AC 2C")))
        'exact:4'
        >>> shuffled("exact:4", parse_cards("AC 2C 2S"))
        [Card('2S'), Card('AC'), Card('2C')]
    """
    return DealName("exact", index_of(deck))


def _unknown_scheme(name: str) -> str:
    near = difflib.get_close_matches(name.lower()[:32], SCHEMES, n=1)
    hint = (
        gettext("did you mean '{guess}'?", guess=near[0])
        if near
        else gettext("choose one of {choices}", choices=", ".join(SCHEMES))
    )
    return gettext("unknown scheme of deals {text}: {hint}", text=quoted(name), hint=hint)


def _out_of_range(found: Scheme, digits: str) -> str:
    end = (
        gettext("as many as the deck has arrangements")
        if found.highest is None
        else str(found.highest)
    )
    return gettext(
        "unknown deal {text}: the numbers of {name} go from {lowest} to {highest}",
        text=quoted(f"{found.name}:{digits}"), name=found.name, lowest=found.lowest, highest=end,
    )  # fmt: skip
