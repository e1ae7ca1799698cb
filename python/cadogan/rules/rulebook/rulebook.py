"""The rulebook: a checked game, with every name resolved and every phrase parsed.

It contains only core rules: roles and phrases have been expanded (see :mod:`cadogan.rules.expand`).
Piles are numbered through the whole table in the order of the file. Every object has the words it
was written in, so that :mod:`cadogan.rules.explain` can describe the game from the rulebook alone.
:mod:`cadogan.rules.compile` turns a rulebook into a program.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, assert_never

from cadogan.rules.rulebook.neighbours import Direction
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.words import CardClass, rank_mask

if TYPE_CHECKING:
    from cadogan.rules.kinds import Action
    from cadogan.rules.rulebook.score import Score

Role = Literal["foundation", "tableau", "reserve", "cell", "stock", "waste", "hand", "discard"]
ROLES: tuple[Role, ...] = (
    "foundation",
    "tableau",
    "reserve",
    "cell",
    "stock",
    "waste",
    "hand",
    "discard",
)
Shown = Literal["all", "top", "none"]
Side = Literal["above", "below", "left", "right"]

PACK = "pack"
"""The hidden pile that holds the pack during the layout when a game has no stock."""

SHUFFLES = "shuffles"
"""The counter of the shuffles made in a game."""


@dataclass(frozen=True, slots=True)
class BuildOrder:
    """What a foundation takes, card by card.

    Attributes:
        wants: The mask of the cards wanted at height 0, 1, 2, ...
        relation: A further relation between the card and the top card, or ``None``.
        base: The counter with the base rank, if it is known only after the deal.
        ranks: The wanted ranks, in order (for ``base``: beginning with the ace).
        text: The words: ``"up in suit from the ace"``.
        one_suit_each: Whether a suit may begin on only one pile of the group.
        ways: Other ways to build, as masks; the second card of a pile decides which it is.
        phrases: The ways as relations, unless there is one that goes rank by rank.
        one_way: Whether all piles of the group are built the same way.
        own_base: Whether each pile has a base of its own.
        by_first: Whether each pile is built in steps as long as the value of its first card.
        chosen: Whether the player chooses the base.
        waits: Whether a card that does not begin a pile may wait there.
        ring: How often an order goes round that may begin with any of its ranks; else 0.
    """

    wants: tuple[int, ...]
    relation: Relation | None
    base: int | None
    ranks: tuple[int, ...]
    text: str
    one_suit_each: bool = False
    ways: tuple[tuple[int, ...], ...] = ()
    phrases: tuple[Relation, ...] = ()
    one_way: bool = False
    own_base: bool = False
    by_first: bool = False
    chosen: bool = False
    waits: bool = False
    ring: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """Piles of one kind and name.

    Attributes:
        name: As in the rules file, ``"garden"``.
        role: Its role.
        first: The number of its first pile.
        count: How many piles it has.
        shown: What the player may see of face-up piles: all cards, the top card, none.
        build_order: The build order of its piles, for foundations.
        mark: The letters that represent it in the picture of the table.
        holds: The most cards that may ever lie on one of its piles, if that is a rule.
    """

    name: str
    role: Role
    first: int
    count: int
    shown: Shown = "all"
    build_order: BuildOrder | None = None
    mark: str | None = None
    holds: int | None = None

    @property
    def piles(self) -> range:
        """The numbers of its piles."""
        return range(self.first, self.first + self.count)

    def pile_name(self, index: int) -> str:
        """The name of its pile number ``index`` (0-based): ``"garden.3"``, or ``"stock"``."""
        return self.name if self.count == 1 else f"{self.name}.{index + 1}"


@dataclass(frozen=True, slots=True)
class PileSet:
    """Piles named by a phrase.

    Attributes:
        piles: Their numbers, in the order of the phrase.
        text: The phrase.
    """

    piles: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Covering:
    """When the cards of a group are open: which other piles must be vacant.

    A card that is not open may not be used by any rule but a script.

    Attributes:
        group: The name of the group.
        text: The phrase.
        covered: Whether the other cards lie on it; otherwise, they only lie beside it.
        sides: Where they lie. The places of one side must be vacant.
        whole: Whether all places on that side must be vacant, to the edge of the picture.
        number: How many cards cover one, if the phrase says it.
        ways: For each pile: sets of piles one of which must be vacant; none if it is always open.
        nearest: Whether the nearest places on all sides count, as far as there are any.
    """

    group: str
    text: str
    covered: bool
    sides: tuple[Side, ...]
    whole: bool
    number: int | None
    ways: tuple[tuple[tuple[int, ...], ...], ...]
    nearest: bool = False


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
    chosen: "Chosen | None" = None
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
    rank: "ByCounter | None" = None
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
class Turn:
    """Piles of which a counter says whose turn it is.

    Attributes:
        counter: The counter; 0 means the first pile.
        piles: The piles.
    """

    counter: int
    piles: tuple[int, ...]


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


@dataclass(frozen=True, slots=True)
class Rule:
    """One core rule.

    Attributes:
        name: Its name, unique in the game.
        action: What it does.
        verb: The word that denotes its moves if they leave no choice: ``"deal"``.
        forced: Whether it is carried out automatically.
        during: When it applies: in the layout, in play, or always.
        when: Conditions, all of which must hold.
        effects: Its changes of counters.
        why: A sentence by the author.
    """

    name: str
    action: "Action"
    verb: str | None = None
    forced: bool = False
    during: Literal["layout", "play", "always"] = "play"
    when: tuple[Condition, ...] = ()
    effects: tuple[Effect, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """A named change of the rules.

    Attributes:
        name: The name by which it is chosen, ``"left-to-right"``.
        why: Its source, or what it changes, in words.
    """

    name: str
    why: str


@dataclass(frozen=True)
class Rulebook:
    """A whole game.

    Attributes:
        slug: The name of the file, ``"flower-garden"``.
        name: The game's name, ``"The Flower Garden"``.
        source: A reference for the rules.
        version: Increased when the game's behaviour changes.
        packs: Number of packs.
        ranks: The ranks in use, in their order.
        suits: The suits in use.
        without: Classes of cards removed from the pack.
        deck: The cards that are shuffled, sorted.
        preset: (card, pile) laid out before the deal.
        groups: The groups of piles.
        counters: The counters.
        layout: The steps that lay out the table.
        rules: The rules, in order.
        aim: The conditions for a win.
        deal_again: If there are any, and all hold after the layout, the cards are dealt again.
        source_pile: The pile that holds the pack when the layout begins.
        variants: All variants of the file.
        chosen: The chosen variants.
        remarks: Sentences by the author for the description of the rules.
        picture: The picture of the table as pile numbers by (row, column). A column may be a half.
        names: The game's name in other languages.
        score: What gives points, if the game is scored.
        coverings: When the cards of groups are open, if not always.
        aliases: Other titles of the game.
        family: The family of games that it belongs to; empty if none is named.
        kin: The names of games that are like it.
        book: The book on whose shelf it stands; empty if none is named.
        history: Where the game comes from; empty if the file does not say it.
        jokers: Number of jokers.
    """

    slug: str
    name: str
    source: str
    version: int
    packs: int
    ranks: tuple[int, ...]
    suits: tuple[int, ...]
    without: tuple[CardClass, ...]
    deck: tuple[int, ...]
    preset: tuple[tuple[int, int], ...]
    groups: tuple[Group, ...]
    counters: tuple[Counter, ...]
    layout: tuple[Step, ...]
    rules: tuple[Rule, ...]
    aim: tuple[Condition, ...]
    source_pile: int
    variants: tuple[Variant, ...] = ()
    chosen: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    picture: Mapping[tuple[int, float], int] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    score: "Score | None" = None
    coverings: tuple[Covering, ...] = ()
    aliases: tuple[str, ...] = ()
    family: str = ""
    kin: tuple[str, ...] = ()
    book: str = ""
    deal_again: tuple[Condition, ...] = ()
    history: str = ""
    jokers: int = 0

    @cached_property
    def pile_names(self) -> tuple[str, ...]:
        """The names of all piles, in order."""
        return tuple(g.pile_name(i) for g in self.groups for i in range(g.count))

    def group_of(self, pile: int) -> Group:
        """The group that a pile belongs to."""
        return self._group_of[pile]

    def has_any(self, cards: int) -> bool:
        """Whether the pack has a card of a class, given as a mask."""
        return any(cards >> card & 1 for card in (*self.deck, *(card for card, _ in self.preset)))

    @cached_property
    def is_shuffled(self) -> bool:
        """Whether a rule shuffles cards after the deal."""
        return any(self.shuffles(rule) for rule in self.rules)

    @staticmethod
    def shuffles(rule: Rule) -> list[int]:
        """The counters of the shuffles that a rule makes."""
        steps: tuple[Step, ...] = getattr(rule.action, "steps", ())
        return [step.counter for step in steps if step.kind == "shuffle"]

    def is_unread(self, counter: int) -> bool:
        """Whether a counter of shuffles is of no use to the rules themselves."""
        if not any(counter in self.shuffles(rule) for rule in self.rules):
            return False
        conditions = [*self.aim, *(c for rule in self.rules for c in rule.when)]
        effects = [effect for rule in self.rules for effect in rule.effects]
        numbers = [step.number for rule in self.rules for step in getattr(rule.action, "steps", ())]
        return not any(
            each is not None
            and counter in (each.counter, getattr(each, "of", each.counter))
            and getattr(each, "kind", "")
            in ("counter", "set", "add", "count", "tally", "times", "until")
            for each in [*conditions, *effects, *numbers]
        )

    def role_of(self, pile: int) -> Role:
        """The role of a pile; the hidden pile that holds the pack is a stock."""
        group = self._group_of.get(pile)
        return "stock" if group is None else group.role

    @cached_property
    def roles(self) -> Mapping[str, Role]:
        """The role of every pile, by its name."""
        return {name: self.role_of(pile) for pile, name in enumerate(self.pile_names)}

    @cached_property
    def open_when(self) -> Mapping[int, tuple[tuple[int, ...], ...]]:
        """For each pile that others may cover: sets of piles one of which must be vacant."""
        by_name = {group.name: group for group in self.groups}
        return {
            pile: ways
            for covering in self.coverings
            for pile, ways in zip(by_name[covering.group].piles, covering.ways, strict=True)
            if ways
        }

    @cached_property
    def _group_of(self) -> Mapping[int, Group]:
        return {pile: group for group in self.groups for pile in group.piles}
