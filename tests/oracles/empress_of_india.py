"""Oracle for The Empress of India: four packs, red and black cards go up in couples.

The rulings E1 to E10 named in the comments are those of the rules text.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

VARIANTS: tuple[str, ...] = ("literal-run", "double-play")
INTERCHANGEABLE: tuple[str, ...] = ("admirals", "generals", "army", "navy")

Pile = tuple[str, ...]
Piles = tuple[Pile, ...]

PACKS = 4
PLACES = 24
BLACK_SUITS = "CS"
RED_SUITS = "DH"
ADMIRALS_ORDER = "A23456789TJK"  # No queen.
GENERALS_ORDER = "KQT98765432A"  # No knave.

ADMIRALS = tuple(f"admirals.{n}" for n in range(1, 9))
GENERALS = tuple(f"generals.{n}" for n in range(1, 9))
ARMY = tuple(f"army.{n}" for n in range(1, PLACES + 1))
NAVY = tuple(f"navy.{n}" for n in range(1, PLACES + 1))


class State(NamedTuple):
    """A position of The Empress of India, every pile bottom card first except the stock.

    Attributes:
        admirals: The eight black foundations, those of clubs first.
        generals: The eight red foundations, those of diamonds first.
        army: The 24 red places: vacant, a single card, or a pair with its red card below.
        navy: The 24 black places: vacant, a single card, or a pair with its black card below.
        stock: The cards still to be turned, next card first.
        red_waste: The red talon packet.
        black_waste: The black talon packet.
        variant: The variant played, empty for the default rules.
    """

    admirals: Piles
    generals: Piles
    army: Piles
    navy: Piles
    stock: Pile
    red_waste: Pile
    black_waste: Pile
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals until Army and Navy are complete.

    Args:
        deck: The 176 cards in dealing order.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position after the deal.

    Raises:
        ValueError: If the variant is unknown or the deck is not the pack of this game.
    """
    if variant and variant not in VARIANTS:
        message = f"unknown variant of The Empress of India: {variant!r}"
        raise ValueError(message)
    pack = [rank + suit for rank in ADMIRALS_ORDER[1:] for suit in BLACK_SUITS]
    pack += [rank + suit for rank in GENERALS_ORDER[1:] for suit in RED_SUITS]
    if sorted(deck) != sorted(pack * PACKS):
        message = f"not the 176 cards of The Empress of India: {' '.join(deck)!r}"
        raise ValueError(message)
    army: list[str] = []
    navy: list[str] = []
    red_waste: list[str] = []
    black_waste: list[str] = []
    dealt = 0
    while len(army) < PLACES or len(navy) < PLACES:
        card = deck[dealt]
        dealt += 1
        row, waste = (army, red_waste) if _is_red(card) else (navy, black_waste)
        (row if len(row) < PLACES else waste).append(card)
    return State(
        admirals=tuple(("A" + suit,) for suit in BLACK_SUITS for _ in range(PACKS)),
        generals=tuple(("K" + suit,) for suit in RED_SUITS for _ in range(PACKS)),
        army=tuple((card,) for card in army),
        navy=tuple((card,) for card in navy),
        stock=tuple(deck[dealt:]),
        red_waste=tuple(red_waste),
        black_waste=tuple(black_waste),
        variant=variant,
    )


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away.

    Args:
        state: A position with its vacancies filled as far as they can be.

    Returns:
        The positions after each move and the fills it forces.
    """
    return list(dict.fromkeys(_after_each_move(state)))


def outcome(state: State) -> str | None:
    """Returns whether the game is over.

    Args:
        state: A position with its vacancies filled as far as they can be.

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
        The cards of each pile, bottom card first; the next card of the stock is its last.
    """
    named = dict(zip(ADMIRALS, state.admirals, strict=True))
    named |= zip(GENERALS, state.generals, strict=True)
    named |= zip(ARMY, state.army, strict=True)
    named |= zip(NAVY, state.navy, strict=True)
    named["stock"] = state.stock[::-1]
    named["red-waste"] = state.red_waste
    named["black-waste"] = state.black_waste
    return named


def _is_red(card: str) -> bool:
    return card[1] in RED_SUITS


def _is_won(state: State) -> bool:
    return all(len(pile) == len(ADMIRALS_ORDER) for pile in state.admirals) and all(
        len(pile) == len(GENERALS_ORDER) for pile in state.generals
    )


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move, with repetitions where two moves lead to equal positions."""
    if _is_won(state):
        return
    yield from _couple_plays(state)
    yield from _pair_plays(state)
    if state.variant == "double-play":
        yield from _double_plays(state)
    yield from _pairings(state)
    if state.stock:
        yield _turn(state)  # E6: one card at a time, whenever the player likes.


def _couple_plays(state: State) -> Iterator[State]:
    """Puts up one unpaired red and one unpaired black card together, never one alone."""
    # E4: a member of a pair is not available for this.
    red_singles = [(n, pile) for n, pile in enumerate(state.army) if len(pile) == 1]
    black_singles = [(n, pile) for n, pile in enumerate(state.navy) if len(pile) == 1]
    for red_place, red in red_singles:
        if not _can_go_up(state, red[0]):
            continue
        for black_place, black in black_singles:
            played = _all_put_up(state, red + black)
            if played is not None:
                yield _refilled(_vacated(_vacated(played, "army", red_place), "navy", black_place))


def _pair_plays(state: State) -> Iterator[State]:
    """Puts up both cards of a pair at the same moment."""
    for row, place, pair in _pairs(state):
        played = _all_put_up(state, pair)
        if played is not None:
            yield _refilled(_vacated(played, row, place))


def _double_plays(state: State) -> Iterator[State]:
    """Puts up two pairs of which neither can be played alone (E5 `double-play`)."""
    # A red and a black card have to begin. In one pair they would not be blocked, so each of the
    # two pairs has one card that can go up at once and one that cannot.
    blocked = [
        entry
        for entry in _pairs(state)
        if _can_go_up(state, entry[2][0]) != _can_go_up(state, entry[2][1])
    ]
    for (row, place, pair), (other_row, other_place, other_pair) in combinations(blocked, 2):
        played = _all_put_up(state, pair + other_pair)
        if played is not None:
            yield _refilled(_vacated(_vacated(played, row, place), other_row, other_place))


def _pairings(state: State) -> Iterator[State]:
    """Lays an unpaired card of one row on an unpaired card of the other, whatever their ranks."""
    # E3: the pair stays on the place of its lower card, the other place is vacated. E9: also when
    # that vacancy can no longer be filled. The fill does not look at the place of the pair, so it
    # is worked out once for each card that is taken away.
    red_singles = [(n, pile) for n, pile in enumerate(state.army) if len(pile) == 1]
    black_singles = [(n, pile) for n, pile in enumerate(state.navy) if len(pile) == 1]
    for red_place, red in red_singles:
        refilled = _refilled(_vacated(state, "army", red_place))
        for place, lower in black_singles:
            yield refilled._replace(navy=_with(refilled.navy, place, lower + red))
    for black_place, black in black_singles:
        refilled = _refilled(_vacated(state, "navy", black_place))
        for place, lower in red_singles:
            yield refilled._replace(army=_with(refilled.army, place, lower + black))


def _turn(state: State) -> State:
    """Turns the next card of the stock to the waste of its colour."""
    card, stock = state.stock[0], state.stock[1:]
    # No fill follows: a place is vacant only if no card of its colour is left in the stock.
    if _is_red(card):
        return state._replace(stock=stock, red_waste=(*state.red_waste, card))
    return state._replace(stock=stock, black_waste=(*state.black_waste, card))


def _pairs(state: State) -> list[tuple[str, int, Pile]]:
    """Lists the pairs as (row, place, cards)."""
    rows = (("army", state.army), ("navy", state.navy))
    return [(row, n, pile) for row, places in rows for n, pile in enumerate(places) if pile[1:]]


def _can_go_up(state: State, card: str) -> bool:
    return _all_put_up(state, (card,)) is not None


def _all_put_up(state: State, cards: Pile) -> State | None:
    """Puts cards on the foundations, in whatever order they go; None if they do not all go.

    Only equal cards ever want the same foundation, so it never matters which of those that can
    go up goes first.
    """
    waiting = list(cards)
    while waiting:
        for card in waiting:
            played = _put_up(state, card)
            if played is not None:
                state = played
                waiting.remove(card)
                break
        else:
            return None
    return state


def _put_up(state: State, card: str) -> State | None:
    """Puts one card on the first foundation it fits, as equal foundations are one move."""
    rank, suit = card[0], card[1]
    red = _is_red(card)
    row = state.generals if red else state.admirals
    order = GENERALS_ORDER if red else ADMIRALS_ORDER
    for place, pile in enumerate(row):
        if pile[0][1] == suit and len(pile) == order.index(rank):
            grown = _with(row, place, (*pile, card))
            return state._replace(generals=grown) if red else state._replace(admirals=grown)
    return None


def _vacated(state: State, row: str, place: int) -> State:
    """Empties a place of the army or the navy, without filling it."""
    if row == "army":
        return state._replace(army=_with(state.army, place, ()))
    return state._replace(navy=_with(state.navy, place, ()))


def _refilled(state: State) -> State:
    """Fills vacancies with cards of their own colour: army before navy, low numbers first.

    E2c: every vacancy takes what its own waste holds before a card is turned for any of them.
    """
    army, red_waste = _filled(state.army, state.red_waste)
    navy, black_waste = _filled(state.navy, state.black_waste)
    state = state._replace(army=army, red_waste=red_waste, navy=navy, black_waste=black_waste)
    while state.stock and _is_worth_turning(state):
        # If a waste holds a card, its row has no vacancy: a card that fills one goes straight in.
        card, rest = state.stock[0], state.stock[1:]
        if _is_red(card) and () in state.army:
            state = state._replace(army=_filled(state.army, (card,))[0], stock=rest)
        elif not _is_red(card) and () in state.navy:
            state = state._replace(navy=_filled(state.navy, (card,))[0], stock=rest)
        else:
            state = _turn(state)  # E2: a card of the other colour goes to its own waste.
    return state


def _filled(places: Piles, waste: Pile) -> tuple[Piles, Pile]:
    """Moves the top cards of a waste to vacancies, low numbers first."""
    while () in places and waste:
        places = _with(places, places.index(()), waste[-1:])
        waste = waste[:-1]
    return places, waste


def _is_worth_turning(state: State) -> bool:
    """Whether the stock can still serve a vacancy (E2b: if it holds a card of the colour)."""
    if state.variant == "literal-run":
        return () in state.army or () in state.navy
    red_left = any(_is_red(card) for card in state.stock)
    black_left = any(not _is_red(card) for card in state.stock)
    return (() in state.army and red_left) or (() in state.navy and black_left)


def _with(row: Piles, index: int, pile: Pile) -> Piles:
    """Replaces one pile of a group."""
    changed = list(row)
    changed[index] = pile
    return tuple(changed)
