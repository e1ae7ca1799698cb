"""Steps: single transfers of a script or of the layout."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from cadogan.rules.rulebook.counter import ByCounter, Chosen
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.words import CardClass

PACK = "pack"
"""The hidden pile that holds the pack during the layout when a game has no stock."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of cards.

    Attributes:
        kind: ``all``, ``fixed``, ``times`` a counter, ``held`` cards of a class in a pile, or
            ``until`` a number of cards of a class are taken.
        text: The phrase.
        number: The number, or the factor.
        counter: The counter of ``times`` and ``until``.
        cards: The class of ``held`` and ``until``.
        pile: The pile of ``held``.
    """

    kind: Literal["all", "fixed", "times", "held", "until"]
    text: str
    number: int = 0
    counter: int = 0
    cards: CardClass | None = None
    pile: int = 0


@dataclass(frozen=True, slots=True)
class Way:
    """The destination of a class of dealt cards: the first vacant pile, else the overflow.

    Attributes:
        cards: The class.
        to: The piles filled first.
        overflow: The pile that takes the other cards.
    """

    cards: CardClass
    to: PileSet
    overflow: PileSet


@dataclass(frozen=True, slots=True)
class Runs:
    """Cards at the beginning of lines that lie in order, and so are not gathered.

    Attributes:
        text: The phrase: ``"rows in order up in suit, from twos"``.
        along: What the lines are.
        lines: The piles of each line, in order.
        cards: What a run may begin with.
        relation: How a card follows the one before it.
    """

    text: str
    along: Literal["rows", "columns"]
    lines: tuple[tuple[int, ...], ...]
    cards: CardClass
    relation: Relation


@dataclass(frozen=True, slots=True)
class Ending:
    """A sequence at the top of a pile, for which a deal passes over the pile.

    Attributes:
        text: The phrase: ``"piles that end in a sequence down in suit, from kings"``.
        relation: How a card follows the one below it.
        cards: What the sequence begins with.
        whole: Whether it is the whole pile.
    """

    text: str
    relation: Relation
    cards: CardClass
    whole: bool


@dataclass(frozen=True, slots=True)
class GoesUp:
    """Cards that go up instead of being dealt.

    Attributes:
        cards: The class of cards.
        to: The foundations.
        replaced: Whether the next card is dealt in place of such a card.
    """

    cards: CardClass
    to: PileSet
    replaced: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One transfer of a script or of the layout.

    See ``Step`` in ``crates/kernel/src/program/format/``.

    Attributes:
        kind: The kind of transfer.
        from_: The pile the cards come from (``deal``, ``take``, ``route``, ``pick``); for a deal
            also piles that are dealt from when those before them are empty.
        to: The piles they go to (``deal``: one visit each, in order).
        each: Cards per visit (``deal``).
        by_pass: Cards per visit for each value of the counter, if it decides (``deal``).
        only: The piles that are dealt to, by what they hold when it is their turn (``deal``).
        apart: The relation that keeps cards apart (``deal``).
        leaves: What each first vacancy of which stays vacant: rows or columns (``deal``).
        along: What closes up, if not all piles as one row: rows or columns (``close_up``).
        lines: These rows or columns (``deal``, ``close_up``).
        goes_up: The cards that go up instead (``deal``).
        up_to: The number up to which a pile gets cards (``deal``).
        emptiest_first: Whether each card goes to the pile with the fewest cards (``deal``).
        passes_over: The piles that get no card (``deal``).
        takes_turns: The pile that a counter selects, by the key that names it: ``from`` or ``to``.
        runs: The cards that are not taken up (``gather``).
        cards: The class of cards (``sink``, ``slip``, ``pick``).
        rank: The rank of the cards, if a counter tells it (``pick``).
        face: How they lie afterwards.
        number: How many (``take``).
        end: The end they are taken from (``take``).
        at: The end they are put at (``take``, ``gather``).
        turned: Whether they are turned over as a block (``take``, ``gather``, ``turn``).
        piles: The piles that are gathered, turned, closed or shuffled, that close up, or whose top
            card gives the base.
        partners: The piles whose completion closes these (``close``).
        ways: Destinations by class (``route``).
        until: The piles to fill; the step is repeated until then (``route``).
        counter: The counter that becomes the base rank (``base``), counts shuffles, or decides how
            many cards are dealt.
        again: Whether it repeats a step of the layout, because the table is laid out again.
    """

    kind: Literal[
        "deal",
        "take",
        "gather",
        "route",
        "sink",
        "slip",
        "turn",
        "pick",
        "close",
        "close_up",
        "base",
        "shuffle",
        "settle",
    ]
    from_: PileSet | None = None
    to: PileSet | None = None
    each: int = 1
    by_pass: tuple[int, ...] = ()
    only: Literal["any", "vacant", "occupied"] = "any"
    apart: Relation | None = None
    leaves: Literal["rows", "columns"] | None = None
    along: Literal["rows", "columns"] | None = None
    lines: tuple[tuple[int, ...], ...] = ()
    goes_up: GoesUp | None = None
    up_to: Quantity | None = None
    emptiest_first: bool = False
    passes_over: Ending | None = None
    takes_turns: tuple[tuple[Literal["from", "to"], Chosen], ...] = ()
    runs: Runs | None = None
    cards: CardClass | None = None
    rank: ByCounter | None = None
    face: Literal["keep", "up", "down"] = "keep"
    number: Quantity | None = None
    end: Literal["top", "bottom"] = "top"
    at: Literal["top", "bottom"] = "top"
    turned: bool = False
    piles: PileSet | None = None
    partners: PileSet | None = None
    ways: tuple[Way, ...] = ()
    until: PileSet | None = None
    counter: int = 0
    again: bool = False

    @property
    def is_loop(self) -> bool:
        """Whether cards of each of several piles go from one end to the other (``take``)."""
        return self.kind == "take" and self.from_ == self.to

    @property
    def is_pairwise(self) -> bool:
        """Whether each of several piles gives cards to that at the same place (``take``)."""
        several = self.from_ is not None and len(self.from_.piles) > 1
        return self.kind == "take" and several and not self.is_loop and not self.takes_turns

    @property
    def is_plain(self) -> bool:
        """Whether a deal asks for nothing but how many cards it deals to which piles."""
        asks = (
            *(self.apart, self.goes_up, self.up_to, self.by_pass, self.passes_over),
            *self.takes_turns,
        )
        return self.only == "any" and not any(asks) and len(self.sources) == 1

    @property
    def routed(self) -> int:
        """The cards that go one of its ways (``route``)."""
        routed = 0
        for way in self.ways:
            routed |= way.cards.mask
        return routed

    @property
    def sources(self) -> tuple[int, ...]:
        """The piles that it takes cards from."""
        gathered = self.piles if self.kind in ("gather", "close_up", "turn") else None
        return tuple(pile for some in (self.from_, gathered) if some for pile in some.piles)

    @property
    def targets(self) -> tuple[int, ...]:
        """The piles that it puts cards on."""
        return tuple(pile for piles, _ in self.fills() for pile in piles)

    def fills(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Piles that it puts cards on, and how many each can hold then."""
        if self.goes_up is not None:
            yield self.goes_up.to.piles, 65535
        if self.to is not None:
            yield self.to.piles, self.each if self.only == "vacant" else 65535
        if self.kind == "turn" and self.piles is not None:
            yield self.piles.piles, 0
        if self.kind == "close_up" and self.piles is not None:
            # The piles hold what they held before; see the capacities in a program.
            yield self.piles.piles, 0
        for way in self.ways:
            yield way.to.piles, 1
            yield way.overflow.piles, 65535
