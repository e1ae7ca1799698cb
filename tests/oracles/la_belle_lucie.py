"""Oracle for La Belle Lucie: seventeen fans of three and one single card, two redeals.

Written from the printed rules; the order of the shuffles is that of docs/deals.md.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.oracles.shuffles import seed_of, shuffled

VARIANTS: tuple[str, ...] = ("worrying-back",)
INTERCHANGEABLE: tuple[str, ...] = ("foundations",)

Pile = tuple[str, ...]
Piles = tuple[Pile, ...]

RANKS = "A23456789TJQK"
SUITS = "CDHS"
FANS = 18
FAN_SIZE = 3
REDEALS = 2


class State(NamedTuple):
    """A position of La Belle Lucie, every pile bottom card first.

    Attributes:
        foundations: The four foundations.
        fans: The eighteen fans; one that is gone stays vacant until the next redeal.
        redeals: How many redeals, and so how many shuffles, have been made.
        seed: What the shuffles follow from.
        variant: The variant played, empty for the default rules.
    """

    foundations: Piles
    fans: Piles
    redeals: int
    seed: int
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the fans.

    Args:
        deck: The 52 cards in dealing order.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position after the deal.

    Raises:
        ValueError: If the variant is unknown or the deck is not one full pack.
    """
    if variant and variant not in VARIANTS:
        message = f"unknown variant of La Belle Lucie: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(rank + suit for rank in RANKS for suit in SUITS):
        message = f"not the 52 cards of one pack: {' '.join(deck)!r}"
        raise ValueError(message)
    return State(
        foundations=((),) * len(SUITS),
        fans=_dealt(tuple(deck)),
        redeals=0,
        seed=seed_of(deck),
        variant=variant,
    )


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away.

    Args:
        state: Any position.

    Returns:
        The positions after each move; nothing is forced in this game.
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
        The cards of each pile, bottom card first; the stock is empty between two moves.
    """
    named = {f"foundations.{n}": pile for n, pile in enumerate(state.foundations, start=1)}
    named |= {f"fans.{n}": pile for n, pile in enumerate(state.fans, start=1)}
    return named | {"stock": ()}


def _is_won(state: State) -> bool:
    return all(len(pile) == len(RANKS) for pile in state.foundations)


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move."""
    if _is_won(state):
        return
    for fan, cards in enumerate(state.fans):
        if not cards:
            continue
        rest = _with(state.fans, fan, cards[:-1])
        place = _foundation_for(state, cards[-1])
        if place is not None:
            yield state._replace(fans=rest, foundations=_added(state.foundations, place, cards[-1]))
        for target in _fans_for(state, cards[-1]):
            yield state._replace(fans=_added(rest, target, cards[-1]))
    if state.variant == "worrying-back":
        for place, cards in enumerate(state.foundations):
            for target in _fans_for(state, cards[-1]) if cards else ():
                yield state._replace(
                    foundations=_with(state.foundations, place, cards[:-1]),
                    fans=_added(state.fans, target, cards[-1]),
                )
    if state.redeals < REDEALS:
        left = [card for cards in state.fans for card in cards]
        yield state._replace(
            fans=_dealt(shuffled(left, state.seed, state.redeals)), redeals=state.redeals + 1
        )


def _dealt(cards: Pile) -> Piles:
    """Deals threes from the first fan on, as far as the cards go."""
    return tuple(cards[fan * FAN_SIZE : (fan + 1) * FAN_SIZE] for fan in range(FANS))


def _foundation_for(state: State, card: str) -> int | None:
    """Finds the foundation a card may go to now: the first empty one for an ace."""
    rank, suit = card[0], card[1]
    for place, pile in enumerate(state.foundations):
        of_its_suit = not pile or pile[-1][1] == suit
        if of_its_suit and RANKS.index(rank) == len(pile):
            return place
    return None


def _fans_for(state: State, card: str) -> list[int]:
    """Lists the fans on which a card may be laid, that is, the one with the next card of its suit.

    A vacancy takes nothing.
    """
    rank = RANKS.index(card[0])
    if rank + 1 == len(RANKS):
        return []
    wanted = RANKS[rank + 1] + card[1]
    return [fan for fan, cards in enumerate(state.fans) if cards[-1:] == (wanted,)]


def _added(row: Piles, index: int, card: str) -> Piles:
    """Lays a card on one pile of a group."""
    return _with(row, index, (*row[index], card))


def _with(row: Piles, index: int, pile: Pile) -> Piles:
    """Replaces one pile of a group."""
    changed = list(row)
    changed[index] = pile
    return tuple(changed)
