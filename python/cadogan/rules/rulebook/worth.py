"""What cards count where they are added up: ``worth = { knaves = 10, kings = 10 }``."""

from typing import TYPE_CHECKING, Any

from cadogan.i18n.english import join, number
from cadogan.i18n.german import join as join_german
from cadogan.i18n.german import number as number_german
from cadogan.i18n.text import gettext
from cadogan.rules.rulebook.words import CardClass

if TYPE_CHECKING:
    from cadogan.rules.check.actions import Actions as Reader
    from cadogan.rules.explain.english.prose import Cards
    from cadogan.rules.explain.german.cards import GermanCards
    from cadogan.rules.source.span import Path

MOST_SUM = 5000
"""The largest sum that cards may add up to."""
_RANKS = tuple(0b1111 << (rank * 4) for rank in range(13))

Worth = tuple[tuple[CardClass, int], ...]
"""What classes of cards count; other cards count their rank."""


def counted(worth: Worth, rank: int) -> int:
    """What a card of a rank counts."""
    for cards, value in worth:
        if cards.mask & _RANKS[rank]:
            return value
    return rank + 1


def _values(worth: Worth) -> list[tuple[int, int]]:
    """What cards count that do not count their rank, and which cards."""
    found: dict[int, int] = {}
    for cards, value in worth:
        found[value] = found.get(value, 0) | cards.mask
    return list(found.items())


def values_in_english(worth: Worth, cards: "Cards") -> str:
    """What cards count: ``"a card counts its rank"``."""
    values = join(
        f"{cards.many(mask)} count {number(value) if value else 'nothing'}"
        for value, mask in _values(worth)
    )
    return f"{values}, and every other card counts its rank" if values else "a card counts its rank"


def values_in_german(worth: Worth, cards: "GermanCards") -> str:
    """What cards count in German: ``"jede Karte zählt so viel wie ihr Wert"``."""
    values = join_german(
        f"{cards.some(mask)} zählen {number_german(value) if value else 'nichts'}"
        for value, mask in _values(worth)
    )
    rest = "so viel wie ihr Wert"
    return f"{values}, jede andere {rest}" if values else f"jede Karte zählt {rest}"


def read_worth(raw: dict[str, Any], path: "Path", reader: "Reader") -> Worth:
    """What classes of cards count."""
    found: list[tuple[CardClass, int]] = []
    for text, value in raw.get("worth", {}).items():
        place = (*path, "worth", text)
        cards = reader.read_class(text, place)
        if cards is None:
            continue
        parts = [mask for mask in _RANKS if mask & cards.mask]
        if any(mask & cards.mask != mask for mask in parts):
            reader.report.error(
                "unknown-cards",
                place,
                gettext('"{text}" is not a rank: cards of all suits count the same', text=text),
                key=True,
            )
        elif not 0 <= value <= MOST_SUM:
            reader.report.error(
                "out-of-range",
                place,
                gettext("a card counts from 0 to {most}", most=MOST_SUM),
            )
        else:
            found.append((cards, value))
    return tuple(found)
