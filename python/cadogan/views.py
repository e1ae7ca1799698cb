"""Reads the cards of a table from the packed state of the kernel."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from cadogan.cards import Card

if TYPE_CHECKING:
    from cadogan import _kernel
    from cadogan.rules.rulebook.group import Shown
    from cadogan.rules.rulebook.rulebook import Rulebook

FACE_DOWN: Final = 64
"""What the kernel adds to the code of a card that lies face down."""

WON: Final = 1
"""The kernel's outcome of a game that is won."""

CARDS: Final = tuple(Card(code) for code in range(53))
"""The cards by their codes."""


def cards_of(names: Sequence[str], packed_piles: Iterable[bytes]) -> Mapping[str, tuple[Card, ...]]:
    """The cards of every pile, face-down cards too."""
    piles = zip(names, packed_piles, strict=False)
    return MappingProxyType(
        {name: tuple(CARDS[byte % FACE_DOWN] for byte in packed) for name, packed in piles}
    )


def face_down(
    names: Sequence[str], packed_piles: Iterable[bytes]
) -> Mapping[str, tuple[bool, ...]]:
    """For every pile, card by card, whether it lies face down."""
    piles = zip(names, packed_piles, strict=False)
    return MappingProxyType(
        {name: tuple(byte >= FACE_DOWN for byte in packed) for name, packed in piles}
    )


def visible(
    names: Sequence[str], shown: "Sequence[Shown]", packed_piles: Iterable[bytes]
) -> Mapping[str, tuple[Card | None, ...]]:
    """What the player can see of every pile: ``None`` for a hidden card.

    Args:
        names: The names of the piles.
        shown: How much of each pile is visible.
        packed_piles: The piles as the kernel packs them.
    """
    seen: dict[str, tuple[Card | None, ...]] = {}
    for name, how, packed in zip(names, shown, packed_piles, strict=False):
        cards = [None if byte >= FACE_DOWN else CARDS[byte] for byte in packed]
        hidden = {"all": 0, "top": max(len(cards) - 1, 0), "none": len(cards)}[how]
        seen[name] = (None,) * hidden + tuple(cards[hidden:])
    return MappingProxyType(seen)


def next_cards(book: "Rulebook", state: "_kernel.State", pile: int) -> tuple[Card, ...]:
    """The cards that a foundation takes next, in order; none if it is complete or no foundation."""
    mask, found = state.next_cards(pile), []
    while mask:
        code = (mask & -mask).bit_length() - 1
        mask &= mask - 1
        if code // 4 in book.ranks and code % 4 in book.suits:
            found.append(CARDS[code])
    return tuple(found)
