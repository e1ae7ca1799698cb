"""How other programs lay out a table: from their order of dealing to ours.

The same shuffled pack makes another table in another program, because that program fills the
places of the table in another order. ``layouts.toml`` tells these orders, by scheme and game;
here they are carried out. The rulebook says to which place each card of our deck goes, the file
which place the other program fills first, and the two together how our deck must be stacked.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from cadogan.i18n.text import told

if TYPE_CHECKING:
    from cadogan.rules.rulebook.rulebook import Rulebook

ANY_GAME: Final = "any game"
"""The entry of the file for games that have none of their own."""

_Rank = Callable[["DealSlot"], tuple[int, ...]]
_HEAP: Final = 10
"""Cards of a heap of a stock that is dealt from in tens."""


class UnsupportedLayoutError(ValueError):
    """A table that a program does not lay out; the message, for people, goes on after its name."""


@dataclass(frozen=True, slots=True)
class DealSlot:
    """Where a card of the deck comes to lie when the table is laid out.

    Attributes:
        pile: The number of the pile.
        depth: How many cards of the table lie beneath it.
        down: Whether it lies face down.
    """

    pile: int
    depth: int
    down: bool = False


@dataclass(frozen=True, slots=True)
class FillOrder:
    """One entry of ``layouts.toml``, which explains it."""

    fill: str
    face: Literal["up", "down"] | None = None
    by: Literal["piles", "rows", "top rows", "rows, tops last", "rows or diagonal"] = "piles"
    piles: Literal["back"] | tuple[int, ...] = ()
    stock: Literal["upward", "tens"] | None = None
    last: bool = False

    @classmethod
    def read(cls, entry: dict[str, Any]) -> "FillOrder":
        """Reads an entry; a key that there is not is a mistake of the file's author."""
        strange = entry.keys() - {field.name for field in fields(cls)}
        if strange:
            raise TypeError(f"layouts.toml: there is no {', '.join(sorted(strange))}")
        piles = entry.get("piles", ())
        return cls(**{**entry, "piles": piles if isinstance(piles, str) else tuple(piles)})


def deal_slots(book: "Rulebook") -> list[DealSlot] | None:
    """The place of every card of a deck, in dealing order, before any forced rule has acted.

    Args:
        book: The rules.

    Returns:
        The places, those on the stock last; ``None`` if they depend on what the cards are.

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
        if step.kind != "deal" or settled or step.source is None or step.to is None:
            return None
        if step.source.piles != (book.source_pile,):
            return None
        for pile in step.to.piles:
            for _ in range(min(step.each, left)):
                dealt.append(DealSlot(pile, heights[pile], step.face == "down"))
                heights[pile] += 1
                left -= 1
    return dealt + [DealSlot(book.source_pile, depth, True) for depth in reversed(range(left))]


def places(scheme: str, book: "Rulebook") -> list[int] | None:
    """In which order the program of a scheme fills the places of a table.

    Args:
        scheme: The name of the scheme.
        book: The rules.

    Returns:
        For each card as that program deals them, its place in our deck; ``None`` if that program
        deals in the same order as we do.

    Raises:
        UnsupportedLayoutError: If that program lays out no such table.
    """
    orders = _orders().get(scheme, {})
    fills = orders.get(book.slug) or orders.get(ANY_GAME)
    if fills is None:
        return None
    slots = deal_slots(book)
    if slots is None:
        raise UnsupportedLayoutError(
            told("lays out no table on which the cards decide where they go")
        )
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
        taken.update(chosen)
        order = _in_order(fill, chosen, slots, _piles(book, fill.fill))
        if fill.last:
            back[:0] = reversed(order)
        else:
            front += order
    if len(taken) < len(slots):
        name = next(_names(book, s.pile)[0] for p, s in enumerate(slots) if p not in taken)
        raise UnsupportedLayoutError(told("lays no cards on '{name}' before the game", name=name))
    return front + back


def match_piles(ours: Sequence[int], theirs: Sequence[int]) -> list[int] | None:
    """Which of our piles stand for another program's, when only the lengths tell.

    They may stand in the same order, in the opposite order, or in any other; piles of one length
    keep theirs.

    Args:
        ours: The lengths of our piles.
        theirs: The lengths of the other's.

    Returns:
        For each of theirs the place of ours, or ``None`` if the lengths differ.

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
        scheme: {game: tuple(map(FillOrder.read, entries)) for game, entries in games.items()}
        for scheme, games in tomllib.loads(text).items()
    }


def _names(book: "Rulebook", pile: int) -> tuple[str, ...]:
    """What a pile may be called by an entry; the hidden pile of a pack is a stock."""
    for group in book.groups:
        if pile in group.piles:
            return group.name, group.role
    return ("stock",)


def _piles(book: "Rulebook", name: str) -> list[int]:
    """The piles of a name, in the order of the rules file."""
    return [
        pile for group in book.groups if name in (group.name, group.role) for pile in group.piles
    ]


def _in_order(
    fill: FillOrder, chosen: list[int], slots: Sequence[DealSlot], piles: Sequence[int]
) -> list[int]:
    """Places in the order in which they are filled."""
    if fill.stock == "upward":
        return sorted(chosen, key=lambda place: slots[place].depth)
    if fill.stock == "tens":
        heaps = [chosen[first : first + _HEAP] for first in range(0, len(chosen), _HEAP)]
        return [place for heap in heaps for place in reversed(heap)]
    if fill.fill == "stock":
        return chosen
    if fill.by == "rows or diagonal":
        return _as_made(chosen, slots, piles)
    if fill.piles == "back":
        piles = piles[::-1]
    elif fill.piles:
        if sorted(fill.piles) != list(range(1, len(piles) + 1)):
            raise UnsupportedLayoutError(
                told(
                    "has not {number} piles of {name} in this game",
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


def _as_made(chosen: list[int], slots: Sequence[DealSlot], piles: Sequence[int]) -> list[int]:
    """Places in the order in which a program fills piles that it has made itself."""
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
        told(
            "makes piles all of a length or like steps, and here they hold {heights} cards",
            heights=heights,
        )
    )


def _level(width: int) -> Iterator[int]:
    """Columns as they get their cards: from row to row."""
    return (visit % width for visit in count())


def _diagonal(width: int) -> Iterator[int]:
    """Columns as they get their cards: the first none after its first, the second after two, ..."""
    for row in range(width):
        yield from range(width - 1, row - 1, -1)
    yield from _level(width)
