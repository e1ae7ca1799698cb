"""Oracle for Roaming Proils: fans of three, built by rank, no more than three of a rank together.

Written from the words of the rules: cards of one rank may be laid on each other, one at a time, but
a fourth may not join three. A pile that is gone stays gone. The single card may be used at any
time; after that its place takes only a king.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.oracles.packs import PACK, Pile, Piles, check, gone_up, less, more, named

VARIANTS: tuple[str, ...] = ("open",)
INTERCHANGEABLE: tuple[str, ...] = ("foundations",)
FANS = 17


class State(NamedTuple):
    """A position.

    Attributes:
        fans: The fans, the bottom card of each first.
        hidden: How many cards of each fan lie face down.
        reserve: The single card, or none.
        foundations: The foundations.
    """

    fans: Piles
    hidden: tuple[int, ...]
    reserve: Pile
    foundations: Piles


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals three rounds to the fans, and the last card to the reserve."""
    check(deck, PACK, variant, VARIANTS)
    fans = tuple(tuple(deck[fan + FANS * level] for level in range(3)) for fan in range(FANS))
    hidden = 0 if variant == "open" else 2
    return State(fans, (hidden,) * FANS, (deck[3 * FANS],), ((),) * 4)


def successors(state: State) -> list[State]:
    """Lists the positions one move of the player away."""
    return list(_after_each_move(state))


def outcome(state: State) -> str | None:
    """Won with all cards on the foundations, lost without a move."""
    if not any(state.fans) and not state.reserve:
        return "won"
    return "lost" if next(_after_each_move(state), None) is None else None


def piles(state: State) -> dict[str, Pile]:
    """Names every pile."""
    return {
        **named("foundations", state.foundations),
        **named("tableau", state.fans),
        "reserve": state.reserve,
    }


def _together(state: State, fan: int) -> int:
    """How many face-up cards of one rank lie on top of a fan."""
    cards = state.fans[fan][state.hidden[fan] :]
    number = 0
    while number < len(cards) and cards[-1 - number][0] == cards[-1][0]:
        number += 1
    return number


def _turned(state: State) -> State:
    """Turns up what lies on top."""
    tops = zip(state.fans, state.hidden, strict=True)
    return state._replace(hidden=tuple(min(down, max(len(fan) - 1, 0)) for fan, down in tops))


def _after_each_move(state: State) -> Iterator[State]:
    for fan, cards in enumerate(state.fans):
        if not cards:
            continue
        rest = state._replace(fans=less(state.fans, fan))
        if (up := gone_up(state.foundations, cards[-1])) is not None:
            yield _turned(rest._replace(foundations=up))
        if cards[-1][0] == "K" and not state.reserve:
            yield _turned(rest._replace(reserve=(cards[-1],)))
        for other, target in enumerate(state.fans):
            fits = other != fan and target and target[-1][0] == cards[-1][0]
            if fits and _together(state, other) < 3:
                yield _turned(rest._replace(fans=more(rest.fans, other, cards[-1])))
    if state.reserve:
        (card,) = state.reserve
        gone = state._replace(reserve=())
        if (up := gone_up(state.foundations, card)) is not None:
            yield gone._replace(foundations=up)
        for other, target in enumerate(state.fans):
            if target and target[-1][0] == card[0] and _together(state, other) < 3:
                yield gone._replace(fans=more(state.fans, other, card))
