"""Places that lie beside each other: the phrases, and which places they mean.

.. code-block:: text

    "neighbours"   "neighbours and corners"   "the left neighbour"   "the neighbour above"
    "the third to the left"   "the left neighbour or the third to the left"
    "the place before"   "the place after"

Piles that are in the picture of the table lie where they are there. Other piles lie in a row for
each group, in the order of their numbers. The place before the first one of a row is the last one
of the row above, if both are of one group.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.words import CardClass

_ORDINALS = ("", "", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_PHRASE = re.compile(
    r"""(?P<all>neighbou?rs(?P<corners>\ and\ corners)?)
      | (?:the\ )?(?P<side>left|right)\ neighbou?r
      | (?:the\ )?neighbou?r\ (?P<way>above|below)
      | (?:the\ )?(?P<far>second|third|fourth|fifth|sixth|seventh|eighth|ninth)
        \ to\ the\ (?P<end>left|right)
      | (?:the\ )?place\ (?P<turn>before|after)""",
    re.VERBOSE,
)
_STEPS: dict[str, tuple[int, int]] = {
    "left": (0, -1),
    "right": (0, 1),
    "above": (-1, 0),
    "below": (1, 0),
}
SIDES = '"neighbours", "neighbours and corners", "the left neighbour" or "the third to the left"'
"""Examples of phrases, for hints."""

_HALVES = ((-1, -0.5), (-1, 0.5), (1, -0.5), (1, 0.5))
"""The ways to places that touch at a side in a picture that is shifted by half."""

Step = tuple[int, float]
"""A way from a place to another: rows down, columns to the right."""


@dataclass(frozen=True, slots=True)
class Direction:
    """Places beside a place.

    Attributes:
        text: The phrase: ``"the left neighbour"``.
        steps: The ways there.
        turn: 1 or -1 if it is the next place or the one before, row after row; else 0.
    """

    text: str
    steps: tuple[Step, ...]
    turn: Literal[-1, 0, 1] = 0

    @property
    def single(self) -> tuple[int, str] | None:
        """How far it is, and where to, if it is one place: ``(3, "left")``."""
        if self.turn:
            return 1, "after" if self.turn > 0 else "before"
        if len(self.steps) > 1:
            return None
        ((down, right),) = self.steps
        far = int(max(abs(down), abs(right)))
        ways = {step: name for name, step in _STEPS.items()}
        return far, ways[down // far, int(right) // far]


def read_sides(phrase: str) -> tuple[Direction, ...]:
    """Parses a phrase; empty if it is not understood.

    >>> [side.single for side in read_sides("the left neighbour or the third to the left")]
    [(1, 'left'), (3, 'left')]
    """
    found: list[Direction] = []
    for item in " ".join(phrase.lower().split()).split(" or "):
        match = _PHRASE.fullmatch(item)
        if match is None:
            return ()
        found.append(_side(match))
    return tuple(found)


def _side(match: re.Match[str]) -> Direction:
    if match["all"]:
        steps: tuple[Step, ...] = (*_STEPS.values(), *_HALVES)
        if match["corners"]:
            corners = tuple((down, right) for down in (-1, 1) for right in (-1, 1))
            return Direction("neighbours and corners", (*steps, *corners))
        return Direction("neighbours", steps)
    if match["side"]:
        return Direction(f"the {match['side']} neighbour", (_STEPS[match["side"]],))
    if match["way"]:
        return Direction(f"the neighbour {match['way']}", (_STEPS[match["way"]],))
    if match["turn"]:
        return Direction(f"the place {match['turn']}", (), 1 if match["turn"] == "after" else -1)
    far, (down, right) = _ORDINALS.index(match["far"]), _STEPS[match["end"]]
    return Direction(f"the {match['far']} to the {match['end']}", ((down * far, right * far),))


def beside(
    piles: Iterable[int],
    sides: Iterable[Direction],
    picture: Mapping[tuple[int, float], int],
    rows: Mapping[int, range],
) -> dict[int, tuple[int, ...]]:
    """For each of some piles those that lie beside it.

    Args:
        piles: The piles.
        sides: Where to look.
        picture: The piles by row and column of the picture.
        rows: For each pile the piles of its group.
    """
    where = {pile: place for place, pile in picture.items()}
    sides = tuple(sides)
    steps = list(dict.fromkeys(step for side in sides for step in side.steps))
    turns = {side.turn for side in sides if side.turn}
    found: dict[int, tuple[int, ...]] = {}
    for pile in piles:
        if pile in where:
            row, column = where[pile]
            places = (picture.get((row + down, column + right)) for down, right in steps)
            found[pile] = tuple(other for other in places if other is not None)
        else:
            others = (pile + int(right) for down, right in steps if not down)
            found[pile] = tuple(
                other for other in others if other in rows[pile] and other not in where
            )
        if turns:
            # Piles that are not in the picture come in the order of their numbers.
            order = sorted(rows[pile], key=lambda other: (where.get(other, (0, 0)), other))
            at = order.index(pile)
            found[pile] += tuple(
                order[at + turn] for turn in sorted(turns) if 0 <= at + turn < len(order)
            )
    return found


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Piles that lie beside others, and how their cards are related.

    Attributes:
        side: Where the neighbour lies: ``"the left neighbour"``.
        relation: The relation of a card to the top card of the neighbour.
        pairs: Each pile with its neighbour; piles at an edge have none.
    """

    side: Direction
    relation: Relation
    pairs: tuple[tuple[int, int], ...]

    @property
    def text(self) -> str:
        """The phrase: ``"up in suit of the left neighbour"``."""
        return f"{self.relation.texts[0]} of {self.side.text}"

    @property
    def takes_any_card(self) -> bool:
        """Whether any card fits, as long as one lies there."""
        return any(term.anything for term in self.relation.terms)


@dataclass(frozen=True, slots=True)
class Beside:
    """What a vacancy takes because of what lies beside it.

    Attributes:
        neighbours: Any of these is enough.
        edge: What a vacancy without such a neighbour takes.
    """

    neighbours: tuple[Neighbours, ...]
    edge: CardClass

    @property
    def takes_any_card(self) -> bool:
        """Whether any card fits, as long as one lies in the one place that is asked."""
        return len(self.neighbours) == 1 and self.neighbours[0].takes_any_card

    def of(self, pile: int) -> list[tuple[int, Neighbours]]:
        """The neighbours of a pile."""
        return [(other, each) for each in self.neighbours for at, other in each.pairs if at == pile]
