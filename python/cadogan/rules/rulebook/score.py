"""The score of a game: what it gives points for."""

from dataclasses import dataclass
from typing import Final, Literal

from cadogan.rules.rulebook.condition import Condition
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.step import Runs
from cadogan.rules.rulebook.words import CardClass

POKER: Final = (
    *("pair", "two pairs", "three of a kind", "straight", "flush", "full house"),
    *("four of a kind", "straight flush", "royal flush"),
)
"""The poker hands, lowest first; only the best one in a line counts."""

CRIBBAGE: Final = ("fifteen", "pair", "run", "flush", "his nobs", "his heels")
"""What counts at cribbage, where all combinations in a line count together."""

Along = Literal["rows", "columns", "both"]


@dataclass(frozen=True, slots=True)
class ScoreTerm:
    """One thing that points are given for; see ``Term`` in ``crates/kernel/src/program/score.rs``.

    Attributes:
        kind: Cards in piles, a counter, cards in order in lines, a condition that holds, or hands
            in lines.
        text: The phrase.
        points: The points; for hands, those of each hand in the order of its list.
        piles: The piles that hold the cards, or that the lines consist of.
        cards: The class of cards.
        counter: The counter.
        when: The condition of a bonus.
        lines: The lines of piles.
        along: What the lines are.
        starter: The pile whose card counts with each line.
        runs: The cards in order.
    """

    kind: Literal["cards", "counter", "runs", "bonus", "poker", "cribbage"]
    text: str
    points: tuple[int, ...]
    piles: PileSet | None = None
    cards: CardClass | None = None
    counter: int = 0
    when: Condition | None = None
    lines: tuple[tuple[int, ...], ...] = ()
    along: Along = "rows"
    starter: int | None = None
    runs: Runs | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """What a game is worth.

    Attributes:
        aim: Whether many points are good, or few.
        start: The points at the beginning.
        terms: What points are given for.
        won_from: The points from which a game counts as won.
    """

    aim: Literal["most", "fewest"]
    start: int
    terms: tuple[ScoreTerm, ...]
    won_from: int | None = None
