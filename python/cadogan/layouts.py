"""Converts the dealing order of other programs to ours.

The same shuffled pack gives a different table in another program, because that program fills the
places of the table in a different order. ``layouts.toml`` lists these orders by scheme and game;
this module applies them. The rulebook gives the place of each card of our deck, and the file gives
the order in which the other program fills the places. Both together determine our deck.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from cadogan.i18n.text import gettext

if TYPE_CHECKING:
    from cadogan.rules.rulebook.rulebook import Rulebook

ANY_GAME: Final = "any game"
"""The entry of the file for games without their own entry."""

_Rank = Callable[["DealSlot"], tuple[int, ...]]
_BATCH: Final = 10
"""How many cards are dealt at a time from a stock of the kind ``tens``."""


class UnsupportedLayoutError(ValueError):
    """A program cannot lay out such a table; the message continues after the program's name."""


@dataclass(frozen=True, slots=True)
class DealSlot:
    """The place of a card of the deck after the table is laid out.

    Attributes:
        pile: The number of the pile.
        depth: How many cards lie beneath the card.
        down: Whether the card lies face down.
    """

    pile: int
    depth: int
    down: bool = False


@dataclass(frozen=True, slots=True)
class FillOrder:
    """One entry of ``layouts.toml``, which explains it."""

    fill: str
    face: Literal["up", "down"] | None = None
    by: Literal[
        "piles", "piles from the top", "rows", "top rows", "rows, tops last", "rows or diagonal"
    ] = "piles"
    piles: Literal["back"] | tuple[int, ...] = ()
    visits: str = ""
    first: int | None = None
    stock: Literal["upward", "tens"] | None = None
    last: bool = False

    @classmethod
    def read(cls, entry: dict[str, Any]) -> "FillOrder":
        """Reads an entry; an unknown key is an error in the file."""
        strange = entry.keys() - {field.name for field in fields(cls)}
        if strange:
            raise TypeError(f"layouts.toml: unknown keys: {', '.join(sorted(strange))}")
        piles = entry.get("piles", ())
        return cls(**{**entry, "piles": piles if isinstance(piles, str) else tuple(piles)})


def deal_slots(book: "Rulebook") -> list[DealSlot] | None:
    """Returns the place of every card of a deck, in dealing order, before forced rules apply.

    Args:
        book: The rules.

    Returns:
        The places, with those of the stock last; ``None`` if they depend on the cards.

    >>> from cadogan import load
    >>> deal_slots(load("flower-garden").rulebook)[6]
    DealSlot(pile=5, depth=0, down=False)
    """
    heights = [0] * (book.source_pile + 1 + sum(group.count for group in book.groups))
    for _, pile in book.preset:
        heights[pile] += 1
    left = len(book.deck)
    dealt: list[DealSlot] = []
    settled = False
    for step in book.layout:
        if step.kind in ("base", "settle"):
            settled = settled or step.kind == "settle"
            continue
        if step.kind != "deal" or settled or step.from_ is None or step.to is None:
            return None
        if step.from_.piles != (book.source_pile,) or not step.is_plain:
            return None
        for pile in step.to.piles:
            for _ in range(min(step.each, left)):
                dealt.append(DealSlot(pile, heights[pile], step.face == "down"))
                heights[pile] += 1
                left -= 1
    return dealt + [DealSlot(book.source_pile, depth, True) for depth in reversed(range(left))]


def places(scheme: str, book: "Rulebook") -> list[int] | None:
    """Returns the order in which the program of a scheme fills the places of a table.

    Args:
        scheme: The name of the scheme.
        book: The rules.

    Returns:
        For each card in that program's dealing order, its index in our deck; ``None`` if that
        program deals in the same order as our rules.

    Raises:
        UnsupportedLayoutError: If that program cannot lay out such a table.
    """
    orders = _orders().get(scheme, {})
    readings = [f"{book.slug}:{variant}" for variant in reversed(book.chosen)]
    fills = next(
        (orders[name] for name in (*readings, book.slug, ANY_GAME) if name in orders), None
    )
    if fills is None:
        return None
    slots = deal_slots(book)
    if slots is None:
        raise UnsupportedLayoutError(gettext("cannot lay out a table that depends on the cards"))
    taken: set[int] = set()
    front: list[int] = []
    back: list[int] = []
    for fill in fills:
        chosen = [
            place
            for place, slot in enumerate(slots)
            if place not in taken
            and fill.fill in _names(book, slot.pile)
            and fill.face in (None, "down" if slot.down else "up")
        ]
        order = _in_order(fill, chosen, slots, _piles(book, fill.fill))[: fill.first]
        taken.update(order)
        if fill.last:
            back[:0] = reversed(order)
        else:
            front += order
    if len(taken) < len(slots):
        name = next(_names(book, s.pile)[0] for p, s in enumerate(slots) if p not in taken)
        raise UnsupportedLayoutError(
            gettext("deals no cards to '{name}' before the game", name=name)
        )
    return front + back


def match_piles(ours: Sequence[int], theirs: Sequence[int]) -> list[int] | None:
    """Matches our piles with those of another program by their lengths.

    The piles may be in the same order, in the opposite order, or in any other. Piles of the same
    length keep their order.

    Args:
        ours: The lengths of our piles.
        theirs: The lengths of the other program's piles.

    Returns:
        For each of their piles the index of ours, or ``None`` if the lengths differ.

    >>> match_piles([3, 2, 1], [1, 2, 3])
    [2, 1, 0]
    >>> match_piles([7, 6, 7], [7, 7, 6])
    [0, 2, 1]
    """
    if sorted(ours) != sorted(theirs):
        return None
    straight = list(range(len(ours)))
    for order in (straight, straight[::-1]):
        if [ours[place] for place in order] == list(theirs):
            return order
    waiting: dict[int, list[int]] = {}
    for place in straight:
        waiting.setdefault(ours[place], []).append(place)
    return [waiting[length].pop(0) for length in theirs]


# ---- The orders ----------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _orders() -> dict[str, dict[str, tuple[FillOrder, ...]]]:
    import tomllib

    text = Path(__file__).with_name("layouts.toml").read_text(encoding="utf-8")
    return {
        scheme: {game: tuple(map(FillOrder.read, _entries(games, game))) for game in games}
        for scheme, games in tomllib.loads(text).items()
    }


def _entries(games: dict[str, Any], game: str) -> list[dict[str, Any]]:
    """The entries of a game, or those of the game whose name stands there."""
    entries = games[game]
    return _entries(games, entries) if isinstance(entries, str) else entries


def _names(book: "Rulebook", pile: int) -> tuple[str, ...]:
    """The names by which an entry may refer to a pile; the hidden pile of a pack is a stock."""
    for group in book.groups:
        if pile in group.piles:
            return group.name, group.role
    return ("stock",)


def _piles(book: "Rulebook", name: str) -> list[int]:
    """The piles with a name or role, in the order of the rules file."""
    return [
        pile for group in book.groups if name in (group.name, group.role) for pile in group.piles
    ]


def _in_order(
    fill: FillOrder, chosen: list[int], slots: Sequence[DealSlot], piles: Sequence[int]
) -> list[int]:
    """Sorts places into the order in which they are filled."""
    if fill.stock == "upward":
        return sorted(chosen, key=lambda place: slots[place].depth)
    if fill.stock == "tens":
        batches = [chosen[first : first + _BATCH] for first in range(0, len(chosen), _BATCH)]
        return [place for batch in batches for place in reversed(batch)]
    if fill.fill == "stock":
        return chosen
    if fill.by == "rows or diagonal":
        return _as_made(chosen, slots, piles)
    if fill.visits:
        return _visited(_visits(fill.visits), chosen, slots, piles)
    if fill.piles == "back":
        piles = piles[::-1]
    elif fill.piles:
        if sorted(fill.piles) != list(range(1, len(piles) + 1)):
            raise UnsupportedLayoutError(
                gettext(
                    "does not have {number} piles of {name} in this game",
                    number=len(piles),
                    name=fill.fill,
                )
            )
        piles = [piles[number - 1] for number in fill.piles]
    turn = {pile: number for number, pile in enumerate(piles)}
    height = {
        pile: 1 + max(s.depth for s in slots if s.pile == pile)
        for pile in {slots[place].pile for place in chosen}
    }
    ranks: dict[str, _Rank] = {
        "piles": lambda slot: (turn[slot.pile], slot.depth),
        "piles from the top": lambda slot: (turn[slot.pile], -slot.depth),
        "rows": lambda slot: (slot.depth, turn[slot.pile]),
        "top rows": lambda slot: (slot.depth - height[slot.pile], turn[slot.pile]),
        "rows, tops last": lambda slot: (
            (1, turn[slot.pile])
            if slot.depth + 1 == height[slot.pile]
            else (0, slot.depth, turn[slot.pile])
        ),
    }
    rank = ranks[fill.by]
    return sorted(chosen, key=lambda place: rank(slots[place]))


def _visits(text: str) -> list[int]:
    """The piles that get a card each, counted from 0.

    >>> _visits("2-4 1 2")
    [1, 2, 3, 0, 1]
    """
    piles: list[int] = []
    for part in text.split():
        first, _, last = part.partition("-")
        piles += range(int(first) - 1, int(last or first))
    return piles


def _visited(
    visits: Sequence[int], chosen: list[int], slots: Sequence[DealSlot], piles: Sequence[int]
) -> list[int]:
    """Sorts places into the order in which their piles are visited, each from its bottom."""
    columns = [
        iter(sorted((p for p in chosen if slots[p].pile == pile), key=lambda p: slots[p].depth))
        for pile in piles
    ]
    order = [place for visit in visits for place in islice(columns[visit], 1)]
    if len(order) < len(chosen):
        raise UnsupportedLayoutError(gettext("deals to piles of other lengths in this game"))
    return order


def _as_made(chosen: list[int], slots: Sequence[DealSlot], piles: Sequence[int]) -> list[int]:
    """Sorts places into the order in which a program fills piles whose lengths it chooses."""
    if not chosen:
        return []
    columns = [
        sorted((p for p in chosen if slots[p].pile == pile), key=lambda place: slots[place].depth)
        for pile in piles
    ]
    lengths = [len(column) for column in columns]
    for made in (_level(len(piles)), _diagonal(len(piles))):
        visits = [next(made) for _ in chosen]
        order = match_piles(lengths, [visits.count(column) for column in range(len(piles))])
        if order is not None:
            left = [iter(columns[place]) for place in order]
            return [next(left[column]) for column in visits]
    heights = ", ".join(map(str, lengths))
    raise UnsupportedLayoutError(
        gettext(
            "deals to piles of equal length or in steps, but here they hold {heights} cards",
            heights=heights,
        )
    )


def _level(width: int) -> Iterator[int]:
    """The columns in the order in which they get cards: row by row."""
    return (visit % width for visit in count())


def _diagonal(width: int) -> Iterator[int]:
    """The columns in the order in which they get cards, row by row.

    The first column gets one card, the second two, and so on.
    """
    for row in range(width):
        yield from range(width - 1, row - 1, -1)
    yield from _level(width)
