"""Piles of a game: groups, what they take, and sets of piles that a phrase names."""

from dataclasses import dataclass
from typing import Literal

from cadogan.rules.rulebook.relations import Relation

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
