"""Oracle for Amazons: 28 cards, four columns, four foundations above them, ordered re-deals.

The rulings A1 to A9 named in the comments are those of the rules text.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

VARIANTS: tuple[str, ...] = (
    "left-to-right",
    "queens-free",
    "chance",
    "classic",
    "unlimited",
    "skip-now",
    "any-place",
)

# A foundation takes cards from its own column only, and the gather goes by place: nothing commutes.
INTERCHANGEABLE: tuple[str, ...] = ()

Pile = tuple[str, ...]
Piles = tuple[Pile, ...]

ORDER = "A789TJQ"  # A1: a piquet pack without its kings
SUITS = "CDHS"
COLUMNS = range(4)


class State(NamedTuple):
    """A position of Amazons, every pile bottom card first except the stock.

    Attributes:
        foundations: The four places above the columns, left to right.
        columns: The four columns, left to right.
        stock: The cards still to be dealt in this pass, next card first.
        resting: The columns that get no cards in this pass.
        placed: Whether a card has been placed in this pass; always true when passes do not count.
        barren: Whether the pass before this one was barren.
        variant: The variant played, empty for the default rules.
    """

    foundations: Piles
    columns: Piles
    stock: Pile
    resting: frozenset[int]
    placed: bool
    barren: bool
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Lays out the first row and puts its aces up.

    Args:
        deck: The 28 cards in dealing order.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position after the first row and everything it forces.

    Raises:
        ValueError: If the variant is unknown or the deck is not the pack of this game.
    """
    if variant and variant not in VARIANTS:
        message = f"unknown variant of Amazons: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(rank + suit for rank in ORDER for suit in SUITS):
        message = f"not the 28 cards of Amazons: {' '.join(deck)!r}"
        raise ValueError(message)
    nothing: Piles = ((),) * len(COLUMNS)
    passes_do_not_count = variant == "unlimited"
    untouched = State(
        foundations=nothing,
        columns=nothing,
        stock=tuple(deck),
        resting=frozenset(),
        placed=passes_do_not_count,
        barren=False,
        variant=variant,
    )
    return _deal_row(untouched)


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away.

    Args:
        state: A position with its forced effects carried out.

    Returns:
        The positions after each move and everything it forces.
    """
    return list(dict.fromkeys(_after_each_move(state)))


def outcome(state: State) -> str | None:
    """Returns whether the game is over.

    Args:
        state: A position with its forced effects carried out.

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
    named = {f"foundations.{n}": pile for n, pile in enumerate(state.foundations, start=1)}
    named |= {f"columns.{n}": pile for n, pile in enumerate(state.columns, start=1)}
    named["stock"] = state.stock[::-1]
    return named


def _is_won(state: State) -> bool:
    return all(_is_complete(pile) for pile in state.foundations)


def _is_complete(foundation: Pile) -> bool:
    return len(foundation) == len(ORDER)


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move, with repetitions where two moves lead to equal positions."""
    if _is_won(state):
        return
    if _has_open_choice(state):
        # A8: the leftmost of several aces is served first, here with a place of its choice.
        column = _columns_with_ace(state)[0]
        for place in _empty_places(state):
            yield _settle(_place(state, column, place))
        return
    for column, place in _placements(state):
        yield _settle(_place(state, column, place))
    if state.stock:
        yield _deal_row(state)
    elif state.placed or not state.barren:
        # A5: no gather at the end of a second barren pass. A9: barren means that none was made.
        yield _gather(state)


def _placements(state: State) -> list[tuple[int, int]]:
    """Lists what may be placed now, as (column, foundation), columns from left to right."""
    found: list[tuple[int, int]] = []
    for column in COLUMNS:
        if not state.columns[column]:
            continue
        card = state.columns[column][-1]
        rank, suit = card[0], card[1]
        if rank == "A":
            # A7: the leftmost empty place. Only `classic` ever leaves an ace to the player (A4).
            found.append((column, _empty_places(state)[0]))
            continue
        for place in COLUMNS:
            foundation = state.foundations[place]
            follows = (
                bool(foundation)
                and not _is_complete(foundation)
                and foundation[-1][1] == suit
                and ORDER[len(foundation)] == rank
            )
            # A3: below its own foundation, queens too, unless they are free.
            queen_is_free = rank == "Q" and state.variant == "queens-free"
            if follows and (place == column or queen_is_free):
                found.append((column, place))
    return found


def _place(state: State, column: int, place: int) -> State:
    """Puts the top card of a column on a foundation, without any consequence."""
    card = state.columns[column][-1]
    return state._replace(
        columns=_with(state.columns, column, state.columns[column][:-1]),
        foundations=_with(state.foundations, place, (*state.foundations[place], card)),
        placed=True,
    )


def _settle(state: State) -> State:
    """Makes the forced placements one after the other until none is left or the player chooses."""
    while True:
        aces = _columns_with_ace(state)
        if aces and state.variant != "classic":
            if _has_open_choice(state):
                return state
            # A7, A8: leftmost ace first, to the leftmost empty place.
            state = _place(state, aces[0], _empty_places(state)[0])
        elif state.variant == "chance" and _placements(state):
            # A4 `chance`: leftmost column first; an ace uncovered by it goes up before the others.
            state = _place(state, *_placements(state)[0])
        else:
            return state


def _has_open_choice(state: State) -> bool:
    """Returns whether an ace has to go up and the player has to say where (A7 `any-place`)."""
    return (
        state.variant == "any-place"
        and bool(_columns_with_ace(state))
        and len(_empty_places(state)) > 1
    )


def _columns_with_ace(state: State) -> list[int]:
    return [c for c in COLUMNS if state.columns[c] and state.columns[c][-1][0] == "A"]


def _empty_places(state: State) -> list[int]:
    return [place for place in COLUMNS if not state.foundations[place]]


def _deal_row(state: State) -> State:
    """Deals one card to each column that takes part, then lets the aces go up."""
    resting = _complete_places(state) if state.variant == "skip-now" else state.resting
    columns, stock = state.columns, state.stock
    for column in COLUMNS:
        if column not in resting and stock:
            columns = _with(columns, column, (*columns[column], stock[0]))
            stock = stock[1:]
    return _settle(state._replace(columns=columns, stock=stock))


def _gather(state: State) -> State:
    """Makes a new stock of the columns and begins the next pass; deals nothing."""
    first, second, third, fourth = state.columns
    if state.variant == "left-to-right":
        stock = fourth + third + second + first
    else:
        # A2: the right-hand column is laid on its neighbour and so on, then the heap is turned.
        stock = first + second + third + fourth
    # A6: a complete family gets no cards from the next pass on; `skip-now` looks at each row.
    resting: frozenset[int] = (
        frozenset() if state.variant == "skip-now" else _complete_places(state)
    )
    return state._replace(
        columns=((),) * len(COLUMNS),
        stock=stock,
        resting=resting,
        placed=state.variant == "unlimited",
        barren=not state.placed,
    )


def _complete_places(state: State) -> frozenset[int]:
    return frozenset(place for place in COLUMNS if _is_complete(state.foundations[place]))


def _with(row: Piles, index: int, pile: Pile) -> Piles:
    """Replaces one pile of a group."""
    changed = list(row)
    changed[index] = pile
    return tuple(changed)
