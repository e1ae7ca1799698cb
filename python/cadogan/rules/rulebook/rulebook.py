"""The rulebook: a game after checking, every name resolved and every phrase understood.

It holds core rules only: what roles and phrases of a rules file stand for has been written out (see
:mod:`cadogan.rules.expand`). Piles are numbered through the whole table in the order of the file;
every object keeps the words it was written in, so that :mod:`cadogan.rules.explain` can tell the
game from the rulebook alone. :mod:`cadogan.rules.compile` turns a rulebook into a program.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, assert_never

from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.words import CardClass

if TYPE_CHECKING:
    from cadogan.rules.kinds import Action

Role = Literal["foundation", "tableau", "reserve", "cell", "stock", "waste", "hand"]
ROLES: tuple[Role, ...] = ("foundation", "tableau", "reserve", "cell", "stock", "waste", "hand")
Shown = Literal["all", "top", "none"]

PACK = "pack"
"""The hidden pile that holds the pack during the layout when a game has no stock."""


@dataclass(frozen=True, slots=True)
class BuildOrder:
    """What a foundation takes, card by card.

    Attributes:
        wants: Mask of the cards wanted at height 0, 1, 2, ...
        relation: Relation that a card must also have to the top card, or ``None``.
        base: Counter that holds the base rank when it is known only after the deal.
        ranks: The ranks wanted, in order (for ``base``: beginning with the ace).
        text: The words: ``"up in suit from the ace"``.
        one_suit_each: Whether a suit may begin on one pile of the group only.
    """

    wants: tuple[int, ...]
    relation: Relation | None
    base: int | None
    ranks: tuple[int, ...]
    text: str
    one_suit_each: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Piles of one kind and name.

    Attributes:
        name: As in the rules file, ``"garden"``.
        role: Its role.
        first: Number of its first pile in the table.
        count: How many piles.
        shown: What the player may see of face-up piles: all cards, the top card, none.
        build_order: What its piles take, for foundations.
        mark: Letters that stand for it in the picture of the table.
    """

    name: str
    role: Role
    first: int
    count: int
    shown: Shown = "all"
    build_order: BuildOrder | None = None
    mark: str | None = None

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
        piles: Their numbers, in the order in which they are looked at.
        text: The phrase.
    """

    piles: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Counter:
    """A number that rules keep.

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
    """Something that holds or not; see ``Condition`` in ``crates/kernel/src/program/format.rs``.

    Attributes:
        kind: Which test.
        text: The phrase.
        piles: The piles looked at.
        number: With how many it compares.
        cards: The class of cards looked for.
        counter: The counter looked at.
        compare: How it compares.
        rules: The rules that must have no instance.
    """

    kind: Literal["vacant", "filled", "holds", "top", "counter", "complete", "blocked"]
    text: str
    piles: PileSet | None = None
    number: int = 0
    cards: CardClass | None = None
    counter: int = 0
    compare: Literal["below", "equal", "at-least"] = "at-least"
    rules: tuple[int, ...] = ()

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
            ``until`` so many of a class are taken.
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
    """Where a class of dealt cards goes: the first vacant pile, else the overflow.

    Attributes:
        cards: The class.
        to: The piles filled first.
        overflow: The pile that takes the rest.
    """

    cards: CardClass
    to: PileSet
    overflow: PileSet


@dataclass(frozen=True, slots=True)
class Step:
    """One transfer of a script or of the layout.

    See ``Step`` in ``crates/kernel/src/program/format.rs``.

    Attributes:
        kind: Which transfer.
        from_: The pile the cards come from (``deal``, ``take``, ``route``).
        to: The piles they go to (``deal``: a visit each, in order).
        each: Cards a visit (``deal``).
        face: How they lie afterwards.
        number: How many (``take``).
        end: The end they are taken from (``take``).
        at: The end they are put at (``take``, ``gather``).
        turned: Whether they are turned over as a block, which reverses their order (``take``,
            ``gather``).
        piles: The piles gathered, closed, or whose top card gives the base.
        partners: Closed when these are complete (``close``).
        ways: Ways by class (``route``).
        until: Repeated until these are filled (``route``).
        counter: The counter that becomes the base rank (``base``).
    """

    kind: Literal["deal", "take", "gather", "route", "close", "base", "settle"]
    from_: PileSet | None = None
    to: PileSet | None = None
    each: int = 1
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

    @property
    def sources(self) -> tuple[int, ...]:
        """The piles that it takes cards from."""
        gathered = self.piles if self.kind == "gather" else None
        return tuple(pile for some in (self.from_, gathered) if some for pile in some.piles)

    @property
    def targets(self) -> tuple[int, ...]:
        """The piles that it puts cards on."""
        return tuple(pile for piles, _ in self.fills() for pile in piles)

    def fills(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Piles that it puts cards on, and how many each can hold then."""
        if self.to is not None:
            yield self.to.piles, 65535
        for way in self.ways:
            yield way.to.piles, 1
            yield way.overflow.piles, 65535


@dataclass(frozen=True, slots=True)
class Along:
    """Which source serves which target.

    Attributes:
        targets: For each source, the targets that it may serve.
        text: The phrase: ``"same place"``, ``"lines"``, or ``None`` for any two.
    """

    targets: Mapping[int, tuple[int, ...]]
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """Which cards move together.

    Attributes:
        kind: The top card; a run in a relation; any face-up packet; a fixed count; the whole pile.
        relation: The relation within a run.
        least: Fewest cards of a run.
        most: Most cards of a run, or the count.
    """

    kind: Literal["top", "run", "packet", "count", "all"] = "top"
    relation: Relation | None = None
    least: int = 1
    most: int = 416


@dataclass(frozen=True, slots=True)
class Effect:
    """What a rule does to a counter.

    Attributes:
        kind: Set it, add to it, or add the number of moved cards of a class.
        counter: The counter.
        value: The number.
        cards: The class.
    """

    kind: Literal["set", "add", "count"]
    counter: int
    value: int = 0
    cards: CardClass | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One core rule.

    Attributes:
        name: Its name, unique in the game.
        action: What it does.
        verb: One word that notes the move when there is nothing to choose in it: ``"deal"``.
        forced: Whether it happens by itself.
        during: When it is in force: in the layout, in play, or always.
        when: Conditions, all of which must hold.
        effects: What it does to counters.
        why: A sentence of the author's.
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
    """A named reading of the rules.

    Attributes:
        name: As it is selected, ``"left-to-right"``.
        why: Whose reading it is, or what it changes, in words.
    """

    name: str
    why: str


@dataclass(frozen=True)
class Rulebook:
    """A whole game.

    Attributes:
        slug: The name of the file, ``"flower-garden"``.
        name: The game's name, ``"The Flower Garden"``.
        source: Where the rules are told.
        version: Raised when the game's behaviour changes.
        packs: Number of packs.
        ranks: The ranks in use, in their order.
        suits: The suits in use.
        without: Classes of cards withdrawn before play.
        deck: The cards that are shuffled, sorted.
        preset: (card, pile) laid out before the deal.
        groups: The groups of piles.
        counters: The numbers kept.
        layout: How the table is laid out.
        rules: The rules, in order.
        aim: What must hold for the game to be won.
        source_pile: The pile that holds the pack when the layout begins.
        variants: All variants of the file.
        chosen: The variants in force.
        remarks: Sentences of the author's, to be told with the rules.
        picture: The picture of the table as pile numbers by (row, column).
        names: The game's name in other languages.
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
    picture: Mapping[tuple[int, int], int] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

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

    def role_of(self, pile: int) -> Role:
        """The role of a pile; the hidden pile that holds the pack is a stock."""
        group = self._group_of.get(pile)
        return "stock" if group is None else group.role

    @cached_property
    def roles(self) -> Mapping[str, Role]:
        """The role of every pile, by its name."""
        return {name: self.role_of(pile) for pile, name in enumerate(self.pile_names)}

    @cached_property
    def _group_of(self) -> Mapping[int, Group]:
        return {pile: group for group in self.groups for pile in group.piles}
