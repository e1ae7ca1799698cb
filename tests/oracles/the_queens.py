"""Oracle for The Queens: a direct transcription of games.md, section 4.

Slow and obvious on purpose, and written without sight of the engine, so that the two can be
compared. The tags Q1-Q12 are the readings of the table in games.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

__all__ = ["INTERCHANGEABLE", "VARIANTS", "State", "outcome", "piles", "start", "successors"]

VARIANTS: tuple[str, ...] = (
    "running-key",
    "reversed",
    "waste-first",
    "contained",
    "queens-ride-along",
    "key-first",
)

# Vacancies of the shutter are filled lowest number first, but empty places look all the same.
INTERCHANGEABLE: tuple[str, ...] = ("foundations", "shutter")

Pile = tuple[str, ...]
Row = tuple[Pile, ...]

FOUNDATION_ORDER = "KA23456789TJQ"
# Q10: ace low to queen high; kings never marry.
MARRIAGE_RANKS = "A23456789TJQ"
CARDS = 104
KEY_CARDS = 32
KEY_PAYMENT = 14
WASTE_PAYMENT = 3


@dataclass(frozen=True)
class State:
    """A position.

    Attributes:
        variant: Name of the variant, empty for the default rules.
        foundations: The eight foundations.
        key: The key, only its top available.
        shutter: The seven piles of the shutter.
        stock: Face-down stock, the next card to be dealt last.
        hand: The turned card, or nothing.
        waste: The waste.
        queens: Queens laid off since the last payment of the waste.
    """

    variant: str
    foundations: Row
    key: Pile
    shutter: Row
    stock: Pile
    hand: Pile
    waste: Pile
    queens: int


def start(deck: Sequence[str], variant: str = "") -> State:
    """Lay out a new game.

    Args:
        deck: The 104 cards in the order in which they leave the pack.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position after the key has been paid and the shutter dealt.

    Raises:
        ValueError: If the variant is unknown or the deck has not 104 cards.
    """
    if variant and variant not in VARIANTS:
        raise ValueError(f"unknown variant {variant!r}")
    if len(deck) != CARDS:
        raise ValueError(f"The Queens takes {CARDS} cards, not {len(deck)}")
    key, stock = tuple(deck[:KEY_CARDS]), tuple(reversed(deck[KEY_CARDS:]))
    state = State(variant, ((),) * 8, key, ((),) * 7, stock, (), (), 0)
    # Q2: in the set-up the key is paid for every queen that tops it.
    while state.key and _is_queen(state.key[-1]):
        state = _with_key_paid(state)
    for place in range(len(state.shutter)):
        # Q8: a king goes up at once and the next card takes its place.
        while state.stock[-1][0] == "K":
            nearest = state.foundations.index(())
            foundations = _with(state.foundations, nearest, state.stock[-1:])
            state = replace(state, foundations=foundations, stock=state.stock[:-1])
        shutter = _with(state.shutter, place, state.stock[-1:])
        state = replace(state, shutter=shutter, stock=state.stock[:-1])
    return _settled(state)


def successors(state: State) -> list[State]:
    """List every distinct position one player move away, after all forced effects.

    Args:
        state: The position to move from.

    Returns:
        The positions, none twice; empty when the game is won or lost.
    """
    if _is_won(state):
        return []
    moves = _forced_effects(state) or _free_moves(state)
    return list(dict.fromkeys(_settled(move) for move in moves))


def outcome(state: State) -> str | None:
    """Return whether the game is over.

    Args:
        state: The position to judge.

    Returns:
        "won", "lost" (no legal move) or None while the game goes on.
    """
    if _is_won(state):
        return "won"
    return None if successors(state) else "lost"


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Name every pile of the position.

    Args:
        state: The position to describe.

    Returns:
        All piles, empty ones too, bottom card first; the stock's next card is its last.
    """
    named: dict[str, tuple[str, ...]] = {}
    for number, pile in enumerate(state.foundations, start=1):
        named[f"foundations.{number}"] = pile
    named["key"] = state.key
    for number, pile in enumerate(state.shutter, start=1):
        named[f"shutter.{number}"] = pile
    named["stock"] = state.stock
    named["hand"] = state.hand
    named["waste"] = state.waste
    return named


def _is_won(state: State) -> bool:
    """Return whether all eight foundations are full."""
    return sum(map(len, state.foundations)) == CARDS


def _is_queen(card: str) -> bool:
    """Return whether a card is a queen."""
    return card[0] == "Q"


def _with(row: Row, place: int, pile: Pile) -> Row:
    """Return the row with one of its piles replaced."""
    return (*row[:place], pile, *row[place + 1 :])


# Forced effects --------------------------------------------------------------------------------


def _settled(state: State) -> State:
    """Carry out forced effects until none is due or the player has to choose."""
    while len(options := _forced_effects(state)) == 1:
        state = options[0]
    return state


def _forced_effects(state: State) -> list[State]:
    """Return the results of the first forced effect that is due, one for each option of it.

    The order is: shutter fill, payment of the key, payment of the waste.
    """
    return _shutter_fills(state) or _key_payment(state) or _waste_payment(state)


def _shutter_fills(state: State) -> list[State]:
    """Fill the lowest-numbered vacancy of the shutter.

    Q4: from the top of the waste or from the pack. A card in the hand is the pack's next card.
    """
    if () not in state.shutter:
        return []
    place = state.shutter.index(())
    options = []
    if state.waste:
        shutter = _with(state.shutter, place, state.waste[-1:])
        options.append(replace(state, shutter=shutter, waste=state.waste[:-1]))
    if state.hand:
        shutter = _with(state.shutter, place, state.hand)
        options.append(replace(state, shutter=shutter, hand=()))
    elif state.stock:
        shutter = _with(state.shutter, place, state.stock[-1:])
        options.append(replace(state, shutter=shutter, stock=state.stock[:-1]))
    if state.variant == "waste-first":
        return options[:1]
    return options


def _key_payment(state: State) -> list[State]:
    """Pay the key in play; only `running-key` does that (Q2)."""
    if state.variant != "running-key" or not state.key or not _is_queen(state.key[-1]):
        return []
    if _played(state.foundations, state.key[-1]) is not None:
        return []
    return [_with_key_paid(state)]


def _with_key_paid(state: State) -> State:
    """Put the top fourteen cards of the key, or all there are, under the stock."""
    paid = state.key[-KEY_PAYMENT:]
    return replace(
        state,
        key=state.key[:-KEY_PAYMENT],
        stock=_paid_cards_as_stock(paid, state.variant) + state.stock,
    )


def _waste_payment(state: State) -> list[State]:
    """Pay the waste's queens from its bottom, at the end of a pass."""
    if state.stock or state.hand:
        return []
    # Q5: queens laid off in this pass; Q7: also those that have left the waste again.
    queens = state.queens
    if state.variant == "contained":
        queens = sum(map(_is_queen, state.waste))
    if not state.waste or queens == 0:
        return []
    count = WASTE_PAYMENT * queens  # Q6 (a): whatever cards they are
    if state.variant == "queens-ride-along":
        count = _count_until_non_queens(state.waste, count)
    stock = _paid_cards_as_stock(state.waste[:count], state.variant)
    return [replace(state, stock=stock, waste=state.waste[count:], queens=0)]


def _count_until_non_queens(waste: Pile, wanted: int) -> int:
    """Count the bottom cards up to and including the wanted number of non-queens (Q6 c).

    A queen above the last of them stays; if there are not enough of them, all cards go.
    """
    for position, card in enumerate(waste):
        wanted -= int(not _is_queen(card))
        if wanted == 0:
            return position + 1
    return len(waste)


def _paid_cards_as_stock(paid: Pile, variant: str) -> Pile:
    """Turn paid cards, bottom first, into stock, next card last (Q3)."""
    if variant == "reversed":
        return paid
    # Flipped as a block: the bottom card is dealt first.
    return tuple(reversed(paid))


# Free moves ------------------------------------------------------------------------------------


def _played(foundations: Row, card: str) -> Row | None:
    """Put a card on the first foundation that wants it; None if none does."""
    rank, suit = card[0], card[1]
    for place, pile in enumerate(foundations):
        if len(pile) == len(FOUNDATION_ORDER) or rank != FOUNDATION_ORDER[len(pile)]:
            continue
        if not pile or pile[0][1] == suit:
            return _with(foundations, place, (*pile, card))
    return None


def _marries(card: str, other: str) -> bool:
    """Return whether a card may be laid on another: in suit (Q1), exactly one lower (Q10)."""
    if "K" in (card[0], other[0]) or card[1] != other[1]:
        return False
    return MARRIAGE_RANKS.index(card[0]) == MARRIAGE_RANKS.index(other[0]) - 1


def _free_moves(state: State) -> list[State]:
    """List the results of all moves while no forced effect is due."""
    moves = []
    if state.key:
        # Q12: key cards go to the foundations only.
        foundations = _played(state.foundations, state.key[-1])
        if foundations is not None:
            moves.append(replace(state, foundations=foundations, key=state.key[:-1]))
    for place, pile in enumerate(state.shutter):
        if pile:
            rest = replace(state, shutter=_with(state.shutter, place, pile[:-1]))
            moves += _plays(rest, pile[-1])
            moves += _marriages(rest, pile[-1], origin=place)
    if state.waste:
        rest = replace(state, waste=state.waste[:-1])
        moves += _plays(rest, state.waste[-1])
        moves += _marriages(rest, state.waste[-1])
    if state.hand:
        rest = replace(state, hand=())
        moves += _plays(rest, state.hand[0])
        moves += _marriages(rest, state.hand[0])
        moves.append(_laid_off(state))
    elif state.stock:
        moves.append(replace(state, hand=state.stock[-1:], stock=state.stock[:-1]))
    return moves


def _plays(rest: State, card: str) -> list[State]:
    """Play a card that does not come from the key on a foundation (Q9: optional)."""
    # Q9: the key's top could be played whenever a card identical to it could.
    if rest.variant == "key-first" and rest.key[-1:] == (card,):
        return []
    foundations = _played(rest.foundations, card)
    return [] if foundations is None else [replace(rest, foundations=foundations)]


def _marriages(rest: State, card: str, origin: int | None = None) -> list[State]:
    """Marry a card on to each shutter pile that takes it, except the one it comes from."""
    return [
        replace(rest, shutter=_with(rest.shutter, place, (*pile, card)))
        for place, pile in enumerate(rest.shutter)
        if place != origin and pile and _marries(card, pile[-1])
    ]


def _laid_off(state: State) -> State:
    """Lay the hand card on the waste, counting it if it is a queen."""
    # `contained` counts the queens in the waste itself and keeps no counter.
    counted = _is_queen(state.hand[0]) and state.variant != "contained"
    return replace(
        state, hand=(), waste=state.waste + state.hand, queens=state.queens + int(counted)
    )
