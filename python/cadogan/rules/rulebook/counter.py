"""Counters, and the ranks, piles and lines that they select."""

from dataclasses import dataclass
from typing import Literal

from cadogan.rules.rulebook.words import CardClass, rank_mask

SHUFFLES = "shuffles"
"""The counter of the shuffles made in a game."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A number that rules read and change.

    Attributes:
        name: Its name.
        start: Its value when the layout begins.
        cap: The value beyond which it does not grow.
        why: What it counts, in words.
    """

    name: str
    start: int = 0
    cap: int = 65535
    why: str = ""


@dataclass(frozen=True, slots=True)
class ByCounter:
    """A rank that a counter tells.

    Attributes:
        counter: The counter that holds a rank.
        offset: How many ranks higher, or lower, if it is negative.
        ranks: The game's ranks, lowest first.
        text: The phrase.
    """

    counter: int
    offset: int
    ranks: tuple[int, ...]
    text: str

    def masks(self) -> tuple[int, ...]:
        """The cards for each value of the counter."""
        return tuple(
            rank_mask([self.ranks[(self.ranks.index(value) + self.offset) % len(self.ranks)]])
            if value in self.ranks
            else 0
            for value in range(13)
        )


@dataclass(frozen=True, slots=True)
class Chosen:
    """A pile of a step that a counter selects, or a line of the picture.

    Attributes:
        counter: The counter; 0 means the first pile or line.
        piles: The piles among which it selects.
        how: Whether cards come from, or go to, this pile alone (``at``), to the piles round from
            this one on (``from``), or round from the next one on (``after``); to all piles but as
            many of the last ones (``but``); to this line (``of``), or to all lines before it
            (``before``).
        from_end: Whether 0 means the last pile.
        lines: The lines among which it selects.
        along: What the lines are.
    """

    counter: int
    piles: tuple[int, ...]
    how: Literal["at", "from", "after", "but", "of", "before"] = "at"
    from_end: bool = False
    lines: tuple[tuple[int, ...], ...] = ()
    along: Literal["row", "column"] | None = None

    def lists(self, rounds: int = 1) -> tuple[tuple[int, ...], ...]:
        """For each value of the counter: the piles of the step, in order."""
        if self.how == "of":
            return tuple(line * rounds for line in self.lines)
        if self.how == "before":
            return tuple(
                tuple(pile for line in self.lines[:count] for pile in line) * rounds
                for count in range(len(self.lines) + 1)
            )
        if self.how == "but":
            count = len(self.piles)
            return tuple(self.piles[: count - value] * rounds for value in range(count))
        places = range(len(self.piles))[:: -1 if self.from_end else 1]
        if self.how == "at":
            return tuple((self.piles[place],) * rounds for place in places)
        starts = [place + int(self.how == "after") for place in places]
        return tuple((self.piles[start:] + self.piles[:start]) * rounds for start in starts)


@dataclass(frozen=True, slots=True)
class Turn:
    """Piles of which a counter says whose turn it is.

    Attributes:
        counter: The counter; 0 means the first pile.
        piles: The piles.
    """

    counter: int
    piles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """A change of a counter by a rule.

    Attributes:
        kind: Sets it, adds to it, adds the number of moved cards of a class, sets it to the rank
            of the moved card, or sets it to or adds to it a multiple of another counter.
        counter: The counter.
        value: The number; for a multiple the factor.
        cards: The class.
        once: Whether a rank that the counter has stays.
        of: The other counter.
        grows: Whether a multiple is added.
    """

    kind: Literal["set", "add", "count", "rank", "tally"]
    counter: int
    value: int = 0
    cards: CardClass | None = None
    once: bool = False
    of: int = 0
    grows: bool = False

    @property
    def doubles(self) -> bool:
        """Whether the counter grows by as much as it holds."""
        return self.grows and self.of == self.counter and self.value == 1

    @property
    def clears(self) -> bool:
        """Whether what the counter remembers is forgotten."""
        return self.kind == "set" and self.value == 0
