"""The exchange of two top cards: ``exchange = "reserve"``."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from cadogan.i18n.german import DAT, GEN
from cadogan.i18n.text import told
from cadogan.rules.kinds.keys import ONLY, Key
from cadogan.rules.kinds.kind import Action, Transfers
from cadogan.rules.rulebook.rulebook import PileSet

if TYPE_CHECKING:
    from cadogan.move_text import MovePart, ParsedMove
    from cadogan.moves import MoveCode
    from cadogan.refusal import Refusals
    from cadogan.rules.check.actions import Actions as Reader
    from cadogan.rules.check.extent import Bounds
    from cadogan.rules.compile.compile import Tables
    from cadogan.rules.compile.symmetry import Symmetry
    from cadogan.rules.explain.english.actions import Actions as English
    from cadogan.rules.explain.german.actions import GermanActions as German
    from cadogan.rules.rulebook.rulebook import Rule
    from cadogan.rules.source.span import Path


@dataclass(frozen=True, slots=True)
class Swap(Action):
    """The top cards of two piles change places."""

    exchange: PileSet
    belong: bool = False

    KEY = "exchange"
    KEYS = (
        Key("exchange", "Phrases", "piles whose top cards may change places", "piles"),
        ONLY,
    )
    SECTION = "building"
    DISPLAY = "swap"
    SIGN = "<>"
    ONLY_TWO = told("two piles change places, not more")

    @classmethod
    def read(cls, raw: dict[str, Any], path: "Path", reader: "Reader") -> Self:
        piles = reader.piles.read(raw["exchange"], (*path, "exchange"))
        if len(piles.piles) == 1 and reader.piles.is_certain(*piles.piles):
            reader.report.error(
                "wrong-count", (*path, "exchange"), told("one pile cannot change places")
            )
        only = raw.get("only")
        belong = only == "if both belong there"
        if only == "if blocked":
            reader.report.error(
                "key-does-not-fit",
                (*path, "only"),
                told('"{only}" is for cards that go up together', only=only),
                hint=told('say only = "{only}"', only="if both belong there"),
            )
        for pile in piles.piles if belong else ():
            if not reader.piles.is_ordered(pile):
                reader.report.error(
                    "not-a-foundation",
                    (*path, "exchange"),
                    told(
                        'no card belongs to "{name}": it is no foundation',
                        name=reader.piles.group_of(pile).name,
                    ),
                )
                break
        return cls(piles, belong)

    def takes_from(self) -> set[int]:
        return set(self.exchange.piles)

    def puts_on(self) -> set[int]:
        return set()  # No pile gets more cards than it has.

    def can_stack(self, piles: set[int]) -> bool:
        return False

    def separates(self, piles: set[int]) -> bool:
        return not piles.isdisjoint(self.exchange.piles)

    def most_moves(self, bounds: "Bounds") -> int:
        piles = bounds.filled(len(self.exchange.piles))
        return piles * (piles - 1) // 2

    def demands(self) -> Iterator[tuple[str, Iterable[int], int]]:
        yield told("two cards to exchange"), self.exchange.piles, 2

    def program(self, tables: "Tables") -> dict[str, Any]:
        program = {"kind": "swap", "exchange": tables.piles(self.exchange.piles)}
        return {**program, "belong": True} if self.belong else program

    def fills(self, total: int) -> Iterator[tuple[Iterable[int], int]]:
        yield from ()

    def is_even(self, rule: "Rule", among: "Symmetry") -> bool:
        return among.all_or_none(self.exchange.piles)

    def write(self, source: str, target: str, count: int, transfers: Sequence[str] | None) -> str:
        return f"{source} <> {target}"

    def fits(self, parts: Sequence["MovePart"], move: "MoveCode", transfers: Transfers) -> bool:
        (part,) = parts
        ends = (move.source, move.target)
        assert part.targets is not None
        return any(a in part.sources and b in part.targets for a, b in (ends, ends[::-1]))

    @classmethod
    def refusal(cls, parsed: "ParsedMove", at: "Refusals") -> str | None:
        if parsed.sign != cls.SIGN:
            return None
        (part,) = parsed.parts
        ends = (*part.sources[:1], *(part.targets or ())[:1])
        for pile in ends:
            if not at.heaps[pile]:
                return at.empty((pile,))
            if (covered := at.covered(pile)) is not None:
                return covered
        for index, rule in enumerate(at.book.rules):
            if isinstance(rule.action, cls) and set(ends) <= set(rule.action.exchange.piles):
                if (failed := at.failed(index)) is not None:
                    return at.condition(rule, failed)
                if rule.action.belong:
                    return told("not both cards would then lie where they belong")
                return told("nothing would change: the two cards are equal")
        return told("cards of {piles} do not change places", piles=at.pile_names(ends))

    def english(self, words: "English", *, forced: bool) -> list[str]:
        groups = words.words.groups(self.exchange.piles)
        where = words.words.the(self.exchange.piles)
        if self.belong:
            waiting = f"two cards that wait on {where} may change places"
            return [f"{waiting}, if each then begins the pile it comes to"]
        if groups and all(words.words.is_single(group) for group in groups):
            return [f"any two cards of {where} may change places"]
        return [f"the top cards of any two piles of {where} may change places"]

    def english_use(self, rule: "Rule", words: "English") -> str:
        return "whenever two cards change places"

    def german(self, words: "German", *, forced: bool) -> list[str]:
        groups = words.german.groups(self.exchange.piles)
        where = words.german.whole(self.exchange.piles, GEN)
        if self.belong:
            on = words.german.whole(self.exchange.piles, DAT)
            may = "dürfen die Plätze tauschen, wenn danach jede ihren Stapel beginnt"
            return [f"zwei Karten, die auf {on} warten,|{may}"]
        if groups and all(words.german.is_single(group) for group in groups):
            return [f"zwei beliebige Karten {where}|dürfen die Plätze tauschen"]
        return [f"die obersten Karten zweier beliebiger Stapel {where}|dürfen die Plätze tauschen"]

    def german_use(self, rule: "Rule", words: "German", sooft: str) -> str:
        return f"{sooft} zwei Karten die Plätze tauschen"
