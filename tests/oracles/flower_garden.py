"""Oracle for The Flower Garden: six fans, a bouquet of sixteen cards, four foundations.

The rulings F1 to F5 named in the comments are those of the rules text.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

VARIANTS: tuple[str, ...] = ("sequences", "worrying-back")
INTERCHANGEABLE: tuple[str, ...] = ("foundations", "garden", "bouquet")

Pile = tuple[str, ...]
Piles = tuple[Pile, ...]

RANKS = "A23456789TJQK"
SUITS = "CDHS"
FANS = 6
FAN_SIZE = 6


class State(NamedTuple):
    """A position of The Flower Garden, every pile bottom card first.

    Attributes:
        foundations: The four foundations.
        garden: The six fans; an empty one is an empty bed.
        bouquet: Sixteen piles of one card, empty once the card is taken.
        variant: The variant played, empty for the default rules.
    """

    foundations: Piles
    garden: Piles
    bouquet: Piles
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the garden and takes the rest in hand as the bouquet.

    Args:
        deck: The 52 cards in dealing order.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position after the deal.

    Raises:
        ValueError: If the variant is unknown or the deck is not one full pack.
    """
    if variant and variant not in VARIANTS:
        message = f"unknown variant of The Flower Garden: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(rank + suit for rank in RANKS for suit in SUITS):
        message = f"not the 52 cards of one pack: {' '.join(deck)!r}"
        raise ValueError(message)
    # F4: packets of six, not rounds.
    fans = [tuple(deck[n * FAN_SIZE : (n + 1) * FAN_SIZE]) for n in range(FANS)]
    return State(
        foundations=((),) * len(SUITS),
        garden=tuple(fans),
        bouquet=tuple((card,) for card in deck[FANS * FAN_SIZE :]),
        variant=variant,
    )


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away.

    Args:
        state: Any position.

    Returns:
        The positions after each move; nothing is forced in this game (F5).
    """
    return list(dict.fromkeys(_after_each_move(state)))


def outcome(state: State) -> str | None:
    """Returns whether the game is over.

    Args:
        state: Any position.

    Returns:
        "won" with all foundations complete, "lost" without a legal move, otherwise None.
    """
    if _is_won(state):
        return "won"
    return "lost" if next(_after_each_move(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile, the empty ones too.

    Args:
        state: Any position.

    Returns:
        The cards of each pile, bottom card first.
    """
    named: dict[str, tuple[str, ...]] = {}
    groups = {
        "foundations": state.foundations,
        "garden": state.garden,
        "bouquet": state.bouquet,
    }
    for group, row in groups.items():
        named |= {f"{group}.{n}": pile for n, pile in enumerate(row, start=1)}
    return named


def _is_won(state: State) -> bool:
    return all(len(pile) == len(RANKS) for pile in state.foundations)


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move."""
    if _is_won(state):
        return
    yield from _plays(state)
    yield from _from_fan_to_fan(state)
    yield from _from_bouquet_to_fan(state)
    if state.variant == "worrying-back":
        yield from _from_foundation_to_fan(state)


def _plays(state: State) -> Iterator[State]:
    """Puts an available card on its foundation: always a single card, also in `sequences`."""
    for fan, cards in enumerate(state.garden):
        if cards:
            place = _foundation_for(state, cards[-1])
            if place is not None:
                yield state._replace(
                    garden=_with(state.garden, fan, cards[:-1]),
                    foundations=_added(state.foundations, place, cards[-1:]),
                )
    for stem, cards in enumerate(state.bouquet):
        if cards:
            place = _foundation_for(state, cards[0])
            if place is not None:
                yield state._replace(
                    bouquet=_with(state.bouquet, stem, ()),
                    foundations=_added(state.foundations, place, cards),
                )


def _from_fan_to_fan(state: State) -> Iterator[State]:
    """Moves the top card of a fan, or in `sequences` also several cards as a unit (F1)."""
    for source, cards in enumerate(state.garden):
        longest = _run_length(cards) if state.variant == "sequences" else min(1, len(cards))
        for size in range(1, longest + 1):
            rest, unit = cards[:-size], cards[-size:]
            for target in _fans_for(state, unit[0]):
                if not rest and not state.garden[target]:
                    continue  # A whole fan on another empty bed would leave an equal position.
                garden = _with(state.garden, source, rest)
                yield state._replace(garden=_added(garden, target, unit))


def _from_bouquet_to_fan(state: State) -> Iterator[State]:
    for stem, cards in enumerate(state.bouquet):
        if cards:
            for target in _fans_for(state, cards[0]):
                yield state._replace(
                    bouquet=_with(state.bouquet, stem, ()),
                    garden=_added(state.garden, target, cards),
                )


def _from_foundation_to_fan(state: State) -> Iterator[State]:
    """Takes the top card of a foundation back into the garden (F2 `worrying-back`)."""
    for place, cards in enumerate(state.foundations):
        if cards:
            for target in _fans_for(state, cards[-1]):
                yield state._replace(
                    foundations=_with(state.foundations, place, cards[:-1]),
                    garden=_added(state.garden, target, cards[-1:]),
                )


def _foundation_for(state: State, card: str) -> int | None:
    """Finds the foundation a card may go to now: the first empty one for an ace."""
    rank, suit = card[0], card[1]
    for place, pile in enumerate(state.foundations):
        of_its_suit = not pile or pile[-1][1] == suit
        if of_its_suit and RANKS.index(rank) == len(pile):
            return place
    return None


def _fans_for(state: State, card: str) -> list[int]:
    """Lists the fans on which a card may be laid: of several empty beds the first (F3)."""
    fans = [
        fan
        for fan, cards in enumerate(state.garden)
        if cards and RANKS.index(cards[-1][0]) == RANKS.index(card[0]) + 1
    ]
    beds = [fan for fan, cards in enumerate(state.garden) if not cards]
    return fans + beds[:1]


def _run_length(cards: Pile) -> int:
    """Counts the cards at the top of a fan that descend one by one, in any suits."""
    length = min(1, len(cards))
    while length < len(cards) and (
        RANKS.index(cards[-length - 1][0]) == RANKS.index(cards[-length][0]) + 1
    ):
        length += 1
    return length


def _added(row: Piles, index: int, cards: Pile) -> Piles:
    """Lays cards on one pile of a group."""
    return _with(row, index, row[index] + cards)


def _with(row: Piles, index: int, pile: Pile) -> Piles:
    """Replaces one pile of a group."""
    changed = list(row)
    changed[index] = pile
    return tuple(changed)
