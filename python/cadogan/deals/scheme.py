"""A scheme: an algorithm that shuffles by number."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cadogan.cards import Card

_Deal = Callable[[int, Sequence[Card]], list[Card]]
_Packs = Callable[[int, Sequence[Card]], list[int]]


@dataclass(frozen=True, slots=True)
class Scheme:
    """An algorithm that shuffles by number.

    Attributes:
        name: The name, as in the names of deals.
        summary: A description in one line.
        lowest: The lowest number.
        highest: The highest number; ``None`` if it depends on the deck.
        deal: Returns a deck in dealing order, given a number within the bounds and the deck sorted
            by card code. It may raise :class:`DealError` for a deck that it cannot deal.
        whole: Whether cards that lie on the table before the deal are shuffled with the others and
            removed afterwards.
        packs: Returns for each card that ``deal`` returns the number of its pack, if of equal cards
            that of the first pack lies on the table; otherwise the one that comes last does.
    """

    name: str
    summary: str
    lowest: int
    highest: int | None
    deal: _Deal
    whole: bool = False
    packs: _Packs | None = None


def scheme(
    name: str,
    *,
    lowest: int,
    highest: int | None,
    summary: str,
    whole: bool = False,
    packs: _Packs | None = None,
) -> Callable[[_Deal], Scheme]:
    """Makes a scheme of a function; :class:`Scheme` describes what it must do."""
    return lambda deal: Scheme(name, summary, lowest, highest, deal, whole, packs)
