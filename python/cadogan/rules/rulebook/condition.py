"""Conditions: tests of the position."""

from dataclasses import dataclass
from typing import Literal, assert_never

from cadogan.rules.rulebook.counter import Chosen
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.words import CardClass


@dataclass(frozen=True, slots=True)
class Condition:
    """A test of the position; see ``Condition`` in ``crates/kernel/src/program/format/``.

    Attributes:
        kind: The kind of test.
        text: The phrase.
        piles: The piles tested.
        number: The number to compare with.
        cards: The class of cards to find.
        counter: The counter tested.
        compare: The comparison.
        is_rank: Whether the number is a rank: that the counter stands for.
        rules: The rules that must have no legal instance.
        lines: The lines of piles whose cards must lie in order.
        along: What the lines are: rows or columns of the picture, or ``None`` for single piles.
        relation: The relation of a card to the one before it.
        than: The piles whose number of cards is compared with.
        any_of: Conditions of which one must hold, or of which a counter selects one.
        chosen: The lines of the picture that a counter selects (``by-counter``).
        held: How many cards so many piles must hold (``each``).
        tops: Whether only their top cards are counted (``each``).
        shapes: What the lines are: rows, columns, diagonals (``sums``).
        joined: Whether all lines are read as one, with vacancies anywhere (``ordered``).
    """

    kind: Literal[
        "vacant",
        "filled",
        "holds",
        "top",
        "counter",
        "complete",
        "blocked",
        "ordered",
        "sums",
        "size",
        "each",
        "by-counter",
        "any-of",
    ]
    text: str
    piles: PileSet | None = None
    number: int = 0
    cards: CardClass | None = None
    counter: int = 0
    compare: Literal["below", "equal", "at-least"] = "at-least"
    is_rank: bool = False
    rules: tuple[int, ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()
    along: Literal["rows", "columns"] | None = None
    relation: Relation | None = None
    than: PileSet | None = None
    any_of: tuple["Condition", ...] = ()
    held: int = 0
    tops: bool = False
    shapes: tuple[str, ...] = ()
    chosen: Chosen | None = None
    joined: bool = False

    def allows(self, value: int) -> bool:
        """Whether it holds when its counter has a value."""
        match self.compare:
            case "below":
                return value < self.number
            case "equal":
                return value == self.number
            case "at-least":
                return value >= self.number
            case _:
                assert_never(self.compare)
