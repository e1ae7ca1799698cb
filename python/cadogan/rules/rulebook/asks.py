"""Which cards move together, from where to where, and what few moves ask for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from cadogan.rules.rulebook.counter import ByCounter, Turn
from cadogan.rules.rulebook.neighbours import Direction
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.words import CardClass


@dataclass(frozen=True, slots=True)
class Along:
    """Which source serves which target.

    Attributes:
        targets: For each source, the targets that it may serve.
        text: The phrase: ``"same place"``, ``"lines"``, or ``None`` for any two.
        sides: Where the target lies beside the source, if the phrase says so.
    """

    targets: Mapping[int, tuple[int, ...]]
    text: str | None = None
    sides: tuple[Direction, ...] = ()

    def both_ways(self) -> "Along":
        """The same links, whichever of two piles is the source."""
        found = {pile: dict.fromkeys(targets) for pile, targets in self.targets.items()}
        for pile, targets in self.targets.items():
            for target in targets:
                found.setdefault(target, {})[pile] = None
        return Along({pile: tuple(others) for pile, others in found.items()}, self.text, self.sides)


@dataclass(frozen=True, slots=True)
class Unit:
    """Which cards move together.

    Attributes:
        kind: The top card, any one face-up card, the bottom card, a run in a relation, the longest
            run, any face-up packet, a fixed count, or the whole pile.
        relation: The relation within a run.
        least: The smallest number of cards of a run; the count, if there must be as many.
        most: The largest number of cards of a run, or the count.
        by_top: Whether the top card of a whole pile decides where it may go.
        place: The only place where ``any`` card may lie, counted from the bottom; from the top, if
            it is negative; 0 for all places.
    """

    kind: Literal["top", "any", "bottom", "run", "longest", "packet", "count", "all"] = "top"
    relation: Relation | None = None
    least: int = 1
    most: int = 416
    by_top: bool = False
    place: int = 0

    @property
    def is_one(self) -> bool:
        """Whether it is one card, wherever it lies."""
        return self.kind in ("top", "any", "bottom")


@dataclass(frozen=True, slots=True)
class Uncovers:
    """What cards may leave on their pile; any of these is enough.

    Attributes:
        nothing: Nothing: the pile is vacant afterwards.
        hidden: A face-down card.
        cards: A card of this class.
        wanted_by: A card that one of these foundations takes next.
        whole: No card of the same sequence.
        texts: The phrases.
    """

    nothing: bool = False
    hidden: bool = False
    cards: CardClass | None = None
    wanted_by: tuple[int, ...] = ()
    whole: bool = False
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Total:
    """What the cards of a target count together with the one that is laid there.

    Attributes:
        least: The fewest.
        most: The most.
        worth: What classes of cards count; other cards count their rank.
        wild: The cards that count whatever is missing; ``None`` if there are none.
    """

    least: int
    most: int
    worth: tuple[tuple[CardClass, int], ...]
    wild: CardClass | None


@dataclass(frozen=True, slots=True)
class Asks:
    """What few moves ask for; see ``Asks`` in ``crates/kernel/src/program/format/``.

    Attributes:
        which: The rank of the cards that may move.
        space: The rank of the cards that a vacancy takes.
        of_its: What each target is for: a rank, or a suit.
        takes: The cards that each target takes, for ``of_its``.
        ranks_in: For each target the piles in which the rank of the card must lie.
        ranks_text: The words for these piles.
        from_turn: Which source it is.
        to_turn: Which target it is.
        last_filled: Whether the target is the last of them that holds cards.
        emptiest: Whether the target is the first of those that hold the fewest cards.
        never_on: The rank on which nothing is laid, neither on the target nor within a sequence.
        uncovers: What the cards may leave on their pile.
        drops: Whether the target may be covered by the source, and by it alone.
        longest: The most cards of the sequence that the move makes on the target.
        total: What the cards of the target count afterwards.
    """

    which: ByCounter | None = None
    space: ByCounter | None = None
    of_its: Literal["", "rank", "suit"] = ""
    takes: tuple[int, ...] = ()
    ranks_in: tuple[tuple[int, ...], ...] = ()
    ranks_text: str = ""
    from_turn: Turn | None = None
    to_turn: Turn | None = None
    last_filled: bool = False
    emptiest: bool = False
    never_on: ByCounter | None = None
    uncovers: Uncovers | None = None
    drops: bool = False
    longest: int | None = None
    total: Total | None = None
