"""Oracle for the Four Corners: packets dealt in turn, which feed what lies beside them.

Written from the words of Lady Cadogan's book.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

VARIANTS: tuple[str, ...] = ()
INTERCHANGEABLE: tuple[str, ...] = ()

Pile = tuple[str, ...]
Piles = tuple[Pile, ...]

RANKS = "A23456789TJQK"
SUITS = "CDHS"
CORNERS = (0, 5, 6, 11)
LEFT_SIDE = (1, 2, 3, 4)
RIGHT_SIDE = (7, 8, 9, 10)
REDEALS = 2


class State(NamedTuple):
    """A position of the Four Corners, every pile bottom card first except the stock.

    Attributes:
        packets: The twelve packets in the order of the deal.
        aces: The foundations that go up.
        kings: The foundations that go down.
        stock: The stock, next card first.
        hand: The card just turned, if there is one.
        turn: The packet on which the next card falls.
        redeals: How many redeals have been made.
    """

    packets: Piles
    aces: Piles
    kings: Piles
    stock: Pile
    hand: Pile
    turn: int
    redeals: int


def start(deck: Sequence[str], variant: str = "") -> State:
    """Puts the pack down; the player turns the first card.

    Args:
        deck: The 104 cards in dealing order.
        variant: Empty, since there is none.

    Returns:
        The position before the first card.

    Raises:
        ValueError: If a variant is named or the deck is not two full packs.
    """
    if variant:
        message = f"unknown variant of the Four Corners: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(2 * [rank + suit for rank in RANKS for suit in SUITS]):
        message = f"not the 104 cards of two packs: {' '.join(deck)!r}"
        raise ValueError(message)
    return State(((),) * 12, ((),) * 4, ((),) * 4, tuple(deck), (), 0, 0)


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away.

    Args:
        state: Any position.

    Returns:
        The positions after each move.
    """
    return list(_after_each_move(state))


def outcome(state: State) -> str | None:
    """Returns whether the game is over.

    Args:
        state: Any position.

    Returns:
        "won" with all foundations complete, "lost" without a legal move, otherwise None.
    """
    if all(len(pile) == len(RANKS) for pile in (*state.aces, *state.kings)):
        return "won"
    return None if successors(state) else "lost"


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile, the empty ones too.

    Args:
        state: Any position.

    Returns:
        The cards of each pile, bottom card first; the next card of the stock is its last.
    """
    named = {"stock": state.stock[::-1], "hand": state.hand}
    for group in ("packets", "aces", "kings"):
        named |= {f"{group}.{n}": pile for n, pile in enumerate(getattr(state, group), start=1)}
    return named


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move."""
    if state.hand:
        yield from _with_the_card_in_hand(state)
    elif state.stock:
        yield _turned(state)
    else:
        yield from _after_the_deal(state)


def _turned(state: State) -> State:
    """Turns the next card. The first ace and the first king of a suit go up at once."""
    card, rest = state.stock[0], state.stock[1:]
    for group, base in (("aces", "A"), ("kings", "K")):
        foundations: Piles = getattr(state, group)
        suits = {pile[0][1] for pile in foundations if pile}
        if card[0] == base and card[1] not in suits:
            place = foundations.index(())
            return _put(state._replace(stock=rest), group, place, (card,))
    return state._replace(stock=rest, hand=(card,))


def _with_the_card_in_hand(state: State) -> Iterator[State]:
    """The card goes up from where it falls, and the next takes its place; or it is laid down."""
    card = state.hand[0]
    for group in ("aces", "kings"):
        foundations: Piles = getattr(state, group)
        for place, pile in enumerate(foundations):
            beside = (LEFT_SIDE if group == "aces" else RIGHT_SIDE)[place]
            if _is_next(group, pile, card) and state.turn in (*CORNERS, beside):
                yield _put(state._replace(hand=()), group, place, (*pile, card))
    packet = (*state.packets[state.turn], card)
    yield state._replace(
        packets=_with(state.packets, state.turn, packet), hand=(), turn=(state.turn + 1) % 12
    )


def _after_the_deal(state: State) -> Iterator[State]:
    """Cards go up from all packets, marry up or down, or all is dealt again."""
    for source, packet in enumerate(state.packets):
        if not packet:
            continue
        card = packet[-1]
        left = _with(state.packets, source, packet[:-1])
        for group in ("aces", "kings"):
            foundations: Piles = getattr(state, group)
            for place, pile in enumerate(foundations):
                if _is_next(group, pile, card):
                    yield _put(state._replace(packets=left), group, place, (*pile, card))
        for target, other in enumerate(state.packets):
            if other and target != source and _marries(card, other[-1]):
                yield state._replace(packets=_with(left, target, (*other, card)))
    if state.redeals < REDEALS and any(state.packets):
        # Each packet is put under those taken up before, and the whole is turned over.
        stock = tuple(card for packet in reversed(state.packets) for card in packet)
        yield state._replace(packets=((),) * 12, stock=stock, turn=0, redeals=state.redeals + 1)


def _put(state: State, group: str, place: int, pile: Pile) -> State:
    """Replaces a foundation."""
    if group == "aces":
        return state._replace(aces=_with(state.aces, place, pile))
    return state._replace(kings=_with(state.kings, place, pile))


def _is_next(group: str, pile: Pile, card: str) -> bool:
    """Whether a begun foundation wants a card."""
    order = RANKS if group == "aces" else RANKS[::-1]
    return 0 < len(pile) < len(order) and card == order[len(pile)] + pile[0][1]


def _marries(card: str, other: str) -> bool:
    steps = RANKS.index(card[0]) - RANKS.index(other[0])
    return card[1] == other[1] and abs(steps) == 1


def _with(row: Piles, index: int, pile: Pile) -> Piles:
    """Replaces one pile of a group."""
    changed = list(row)
    changed[index] = pile
    return tuple(changed)
