"""The move of cards from one pile to another: ``from = "garden"``, ``to = "foundations"``."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, Self, assert_never

from cadogan.i18n.text import gettext
from cadogan.rules.kinds.keys import ALONG, HOW_MANY, NUMBERS, TO, WORTH, Key
from cadogan.rules.kinds.kind import Action
from cadogan.rules.kinds.move import bound, english, german
from cadogan.rules.kinds.move.reading import read_move
from cadogan.rules.rulebook.asks import Along, Asks, Unit
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.neighbours import Beside
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.words import ANY, CardClass

if TYPE_CHECKING:
    from cadogan.move_text import ParsedMove
    from cadogan.refusal import Refusals
    from cadogan.rules.check.actions import Actions as Reader
    from cadogan.rules.check.extent import Bounds
    from cadogan.rules.compile.compile import Tables
    from cadogan.rules.compile.symmetry import Symmetry
    from cadogan.rules.explain.english.actions import Actions as English
    from cadogan.rules.explain.german.actions import GermanActions as German
    from cadogan.rules.rulebook.rulebook import Rule, Rulebook
    from cadogan.rules.source.span import Path

_TOP = Unit()
_NOTHING = Asks()


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Cards go from one pile to another; see ``MoveAction`` in the kernel.

    Attributes:
        from_: The sources. In a lane of several piles only the first that is not empty counts
            ("waste, or, when there is none, stock").
        to: The targets, in order.
        along: Which source serves which target.
        from_holds: Fewest and most cards of the source.
        to_holds: Fewest and most cards of the target before the move.
        cards: Which cards move together.
        which: The class of the unit's lowest card.
        build: What it may lie on, if the target is not vacant; ``None`` for anything.
        space: The class that a vacant target takes.
        beside: What else decides what a vacant target takes: the cards beside it.
        build_order: Whether the targets' order must want the card.
        first_vacant: Whether only the first of the vacant targets may be filled.
        prefer: A pile whose equal top card must be used first.
        beaten_by: The relation that the top card of another source must have to the card; ``None``
            if no card need lie open for it to go.
        laid_one_by_one: Whether the cards are laid down one by one.
        face: How they lie afterwards.
        choose: What the player chooses when a forced move has several instances.
        asks: What few moves ask for.
    """

    from_: tuple[PileSet, ...]
    to: PileSet
    along: Along
    from_holds: tuple[int, int] = (1, 65535)
    to_holds: tuple[int, int] = (0, 65535)
    cards: Unit = _TOP
    which: CardClass = ANY
    build: Relation | None = None
    space: CardClass = ANY
    beside: Beside | None = None
    build_order: bool = False
    first_vacant: bool = False
    prefer: int | None = None
    beaten_by: Relation | None = None
    laid_one_by_one: bool = False
    face: Literal["keep", "up", "down"] = "keep"
    choose: Literal["none", "card", "place", "any"] = "none"
    asks: Asks = _NOTHING

    KEY = "from"
    KEYS = (
        Key(
            "from",
            "Phrases",
            "where the cards come from",
            "the piles the cards come from",
            'Where the cards come from: piles; "waste or stock" takes the first not empty.',
        ),
        TO,
        ALONG,
        Key(
            "cards",
            "Phrase",
            "which cards move together",
            '"one card", "any card of the pile", "a sequence ...", "a packet" or "the whole pile"',
        ),
        Key("which", "Phrase", "the cards that may move", 'a class of cards such as "aces"'),
        Key("build", "Phrases", "what may lie on what", "a rule of building or a list of them"),
        Key("space", "Phrase", "the cards that a vacancy takes", 'a class such as "kings"'),
        Key(
            "beside",
            "Phrases",
            "what a vacancy takes because of the cards beside it",
            'a phrase such as "up in suit of the left neighbour"',
        ),
        Key("from_holds", NUMBERS, "how many cards the source holds", HOW_MANY),
        Key(
            "to_holds",
            NUMBERS,
            "how many cards the target holds before",
            HOW_MANY,
        ),
        Key("prefer", "Phrase", "the pile whose equal card must be used first", "a pile"),
        Key(
            "beaten_by",
            "Phrases",
            "what another open card of these piles must be for the card to go",
            'a rule of building such as "higher in suit"',
        ),
        Key(
            "uncovers",
            "Phrases",
            "what the cards may leave on top of their pile",
            '"nothing", "no card of the sequence", "a card for foundations" or a class of cards',
        ),
        Key(
            "longest",
            "Annotated[int, Field(ge=1, le=MAX_CARDS)]",
            "the most cards of the sequence on the target",
            "a number from 1 to 416",
        ),
        Key("total", NUMBERS, "what the cards of the target count afterwards", HOW_MANY),
        WORTH,
        Key("wild", "Phrase", "cards that count whatever is missing", 'a class such as "tens"'),
        Key(
            "laid",
            'Literal["as a block", "one by one"]',
            "how several cards are laid down",
            '"as a block" or "one by one"',
        ),
        Key("face", "Face", "how the cards lie afterwards", '"up", "down" or "keep"'),
        Key(
            "choose",
            "Choose",
            "what the player chooses in a forced rule",
            '"nothing", "card", "place" or "any"',
            only_forced=gettext('"choose" belongs to forced rules only'),
        ),
        Key(
            "count",
            "dict[str, Phrase]",
            "counters that grow by the moved cards of a class",
            "a table of counters and classes",
        ),
    )
    SECTION = "building"
    MAY_BE_ASKED = True

    @property
    def sources(self) -> tuple[int, ...]:
        """The numbers of all source piles, in order."""
        return tuple(pile for lane in self.from_ for pile in lane.piles)

    def is_from_stock(self, book: "Rulebook") -> bool:
        """Whether a source is a stock."""
        return any(book.group_of(pile).role == "stock" for pile in self.sources)

    @classmethod
    def read(cls, raw: dict[str, Any], path: "Path", reader: "Reader") -> Self | None:
        return read_move(cls, raw, path, reader)

    @property
    def top_decides(self) -> bool:
        """Whether of several cards the top one must fit, because it touches the pile."""
        return (self.laid_one_by_one or self.cards.by_top) and not self.cards.is_one

    @property
    def turns_order(self) -> bool:
        """Whether several cards come to lie in reverse order, and on no foundation."""
        return self.laid_one_by_one and not self.cards.is_one and not self.build_order

    def in_turn(self, book: "Rulebook") -> list[list[int]]:
        """The sources by group, if a forced rule takes the first group that has a card."""
        asked = (self.build, self.beside, self.beaten_by, self.asks.which, self.asks.space)
        any_card = self.which == ANY and self.space == ANY and not any(asked)
        lanes = any(len(lane.piles) > 1 for lane in self.from_)
        # Of a lane, only the first card counts: that matters if not every card will do.
        if self.choose in ("card", "any") or (lanes and (len(self.from_) == 1 or not any_card)):
            return []
        by_group = groupby(self.sources, key=lambda pile: book.group_of(pile).name)
        return [list(piles) for _, piles in by_group]

    @property
    def adds_up(self) -> bool:
        return self.asks.total is not None

    def takes_from(self) -> set[int]:
        return {source for source, targets in self.along.targets.items() if targets}

    def puts_on(self) -> set[int]:
        return {target for targets in self.along.targets.values() for target in targets}

    def lays_down(self) -> set[int]:
        return set(self.to.piles) if self.face == "down" else set()

    def turns_up(self) -> set[int]:
        takes_any = self.face == "up" and self.cards.kind in ("top", "bottom", "count", "all")
        return set(self.sources) if takes_any else set()

    @property
    def looks_beside(self) -> bool:
        return bool(self.along.sides) or self.beside is not None

    def can_stack(self, piles: set[int]) -> bool:
        several = self.to_holds[1] > 0 or not self.cards.is_one
        return several and not piles.isdisjoint(self.to.piles)

    def separates(self, piles: set[int]) -> bool:
        takes = self.from_holds[1] > 1 and not piles.isdisjoint(self.sources)
        return takes or (self.to_holds[1] > 1 and not piles.isdisjoint(self.to.piles))

    def most_moves(self, bounds: "Bounds") -> int:
        return bound.most_moves(self, bounds)

    @property
    def may_wait(self) -> bool:
        return self.choose != "none"

    def relations(self) -> Iterable[Relation]:
        beside = () if self.beside is None else self.beside.neighbours
        relations = (
            self.build,
            self.beaten_by,
            self.cards.relation,
            *(each.relation for each in beside),
        )
        found = [each for each in relations if each is not None]
        return [*found, *(self.build.directions if self.build is not None else ())]

    def demands(self) -> Iterator[tuple[str, Iterable[int], int]]:
        if self.beaten_by is None:
            yield gettext("a card to move"), self.sources, 1
        else:
            yield gettext("a card to move and another one"), self.sources, 2

    def vacancies(self) -> Iterable[frozenset[int]]:
        return [frozenset(self.to.piles)] if self.to_holds == (0, 0) else []

    def idle(self, book: "Rulebook") -> tuple[str, str] | None:
        if not any(self.along.targets.values()):
            return ("along" if self.along.text else "to"), gettext(
                "no source has a target that is another pile"
            )
        if not book.has_any(self.which.mask):
            return "which", gettext('the pack has no "{text}"', text=self.which.text)
        if self.to_holds[0] == 0 and book.has_any(self.which.mask & self.space.mask):
            return None
        if self.to_holds == (0, 0):
            return "space", gettext(
                'a vacancy takes "{text}", which fits no card of it', text=self.space.text
            )
        if self.build is not None:
            rows = self.build.table()
            cards = {*book.deck, *(card for card, _ in book.preset)}
            which = self.which.mask
            if not any((rows[low] & which) >> high & 1 for low in cards for high in cards):
                return "build", gettext(
                    'no card of the pack goes "{value}" on another', value=self.build.texts[0]
                )
        return None

    def program(self, tables: "Tables") -> dict[str, Any]:
        yields = [
            tables.piles(lane.piles[:place])
            for lane in self.from_
            for place in range(len(lane.piles))
        ]
        beaten_by = {} if self.beaten_by is None else {"beaten_by": tables.relation(self.beaten_by)}
        program: dict[str, Any] = {
            "kind": "move",
            **beaten_by,
            "from": list(self.sources),
            "yields_to": yields,
            "to": list(self.to.piles),
            "along": [tables.piles(self.along.targets.get(pile, ())) for pile in self.sources],
            "from_holds": list(self.from_holds),
            "to_holds": list(self.to_holds),
            "cards": self._unit(tables),
            "which": tables.cards(self.which),
            "build": tables.relation(self.build),
            "space": tables.cards(self.space),
            "build_order": self.build_order,
            "first_vacant": self.first_vacant,
            "prefer": self.prefer,
            "laid_one_by_one": self.laid_one_by_one,
            "face": self.face,
            "choose": self.choose,
        }
        if self.cards.by_top:
            program["by_top"] = True
        if self.beside is not None:
            neighbours = [tables.neighbours(each) for each in self.beside.neighbours]
            program["beside"] = {"neighbours": neighbours, "edge": tables.cards(self.beside.edge)}
        if asks := tables.asks(self.asks, self.build):
            program["asks"] = asks
        return program

    def _unit(self, tables: "Tables") -> dict[str, Any]:
        unit = self.cards
        if unit.kind == "top" and self.face == "up":
            # A top card must lie face up to be moved; one that is turned up on its way need not.
            return {"kind": "count", "number": 1}
        match unit.kind:
            case "run":
                return {
                    "kind": "run",
                    "relation": tables.relation(unit.relation),
                    "least": unit.least,
                    "most": unit.most,
                }
            case "count":
                return {"kind": "count", "number": unit.most}
            case "longest":
                return {"kind": unit.kind, "relation": tables.relation(unit.relation)}
            case "any" if unit.place:
                end = "top" if unit.place < 0 else "bottom"
                return {"kind": "any", "place": {"number": abs(unit.place), "end": end}}
            case "top" | "any" | "bottom" | "packet" | "all":
                return {"kind": unit.kind}
            case _:
                assert_never(unit.kind)

    def fills(self, total: int) -> Iterator[tuple[Iterable[int], int]]:
        match self.cards.kind:
            case "top" | "any" | "bottom":
                most = 1
            case "run" | "longest" | "packet" | "count":
                most = self.cards.most
            case "all":
                most = total
            case _:
                assert_never(self.cards.kind)
        yield self.to.piles, self.to_holds[1] + most

    def is_even(self, rule: "Rule", among: "Symmetry") -> bool:
        piles = among.piles
        if not among.all_or_none(self.sources) or not among.all_or_none(self.to.piles):
            return False
        if any(len(lane.piles) > 1 and piles.intersection(lane.piles) for lane in self.from_):
            return False
        if self.prefer in piles or not self._asks_evenly(among):
            return False
        if self.beside is not None and (
            piles.intersection(self.to.piles)
            or any(piles.intersection(pair) for n in self.beside.neighbours for pair in n.pairs)
        ):
            return False
        sources = [pile for pile in self.sources if pile in piles]
        serves = {pile: frozenset(self.along.targets.get(pile, ())) for pile in sources}
        rows = {targets - piles for targets in serves.values()}
        if len(rows) > 1:
            return False
        if sources and self.to.piles and piles.issubset(self.to.piles):
            within = {
                frozenset(self.along.targets.get(pile, ())) & piles == piles - {pile}
                for pile in sources
            }
            if within != {True} and any(
                piles & set(self.along.targets.get(pile, ())) for pile in sources
            ):
                return False
        for pile, row in self.along.targets.items():
            if pile not in piles and not among.all_or_none(row):
                return False
        if not rule.forced:
            return True
        if sources and self.choose not in ("card", "any"):
            # Complete runs leave one after the other whatever the order, if it is all the same
            # where each of them goes; other forced moves might not.
            target = among.book.group_of(self.to.piles[0])
            return (
                self.cards.kind == "run"
                and self.cards.least == self.cards.most
                and self.to_holds == (0, 0)
                and set(self.to.piles) == set(target.piles)
                and not piles & set(target.piles)
                and (target.count == 1 or among.interchangeable(target))
            )
        if piles.intersection(self.to.piles) and self.choose in ("none", "card"):
            order = among.group.build_order
            distinct = order is None or len(set(order.ranks)) == len(order.ranks)
            return self.to_holds == (0, 0) or (self.build_order and distinct)
        return True

    def _asks_evenly(self, among: "Symmetry") -> bool:
        """Whether what few moves ask for treats all piles of a group alike."""
        asks, piles = self.asks, among.piles
        one_by_one = asks.takes or asks.ranks_in or asks.last_filled or asks.emptiest
        if asks.uncovers is not None and not among.all_or_none(asks.uncovers.wanted_by):
            return False
        if (one_by_one and piles.intersection(self.to.piles)) or any(
            turn is not None and piles.intersection(turn.piles)
            for turn in (asks.from_turn, asks.to_turn)
        ):
            return False
        return all(among.all_or_none(others) for others in asks.ranks_in)

    def word(self, rule: "Rule") -> str | None:
        single = len(self.sources) == len(self.to.piles) == 1
        return rule.verb if single and not self._varies else None

    @property
    def _varies(self) -> bool:
        """Whether the number of cards may vary from move to move."""
        return self.cards.kind in ("run", "packet", "any")

    def write(self, source: str, target: str, count: int, transfers: Sequence[str] | None) -> str:
        # Of a single card, how many lie from it to the top, itself included.
        sign = "#" if self.cards.kind == "any" else "x"
        many = f" {sign}{count}" if self._varies and count > 1 else ""
        return f"{source} > {target}{many}"

    def depth(self, count: int) -> int | None:
        return count if self.cards.kind in ("any", "bottom") and count > 1 else None

    def clicks(self) -> Sequence[int]:
        return (*self.sources, *self.to.piles)

    @classmethod
    def refusal(cls, parsed: "ParsedMove", at: "Refusals") -> str | None:
        if parsed.sign != cls.SIGN or len(parsed.parts) > 1 or not parsed.parts[0].targets:
            return None
        return at.pair(parsed.parts[0], parsed)

    def goes_up(self, words: "English") -> bool:
        groups = words.words.groups(self.to.piles)
        return self.build_order or all(group.role == "foundation" for group in groups)

    def english(self, words: "English", *, forced: bool) -> list[str]:
        return [english.forced_move(self, words.words)]

    def english_use(self, rule: "Rule", words: "English") -> str:
        return f"whenever {english.use(self, words.words)}"

    def german(self, words: "German", *, forced: bool) -> list[str]:
        return [german.forced_move(self, words)]

    def german_use(self, rule: "Rule", words: "German", sooft: str) -> str:
        return f"{sooft} {german.use(self, words)}"
