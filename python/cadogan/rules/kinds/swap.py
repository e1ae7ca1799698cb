"""The exchange of two top cards: ``exchange = "reserve"``.

With ``exchange = ["black cards of north", "red cards of south"]``, each side says which cards.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from cadogan.i18n.german import DAT, GEN, NOM, Case
from cadogan.i18n.text import gettext, term
from cadogan.rules.kinds.keys import ONLY, Key
from cadogan.rules.kinds.kind import Action, Transfers
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.words import ANY, CardClass
from cadogan.rules.source.values import paths

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
    from cadogan.rules.rulebook.rulebook import Rule, Rulebook
    from cadogan.rules.source.span import Path


_SIDE = re.compile(r"(?P<cards>\S.*) of (?:the )?(?P<piles>\S.*)")


@dataclass(frozen=True, slots=True)
class Half:
    """One side of an exchange: its piles, and the cards that change places."""

    piles: PileSet
    cards: CardClass


@dataclass(frozen=True, slots=True)
class Swap(Action):
    """The top cards of two piles change places.

    Attributes:
        exchange: The piles.
        belong: Only if both cards then belong where they come to.
        sides: The two sides, if each says which cards change places.
    """

    exchange: PileSet
    belong: bool = False
    sides: tuple[Half, ...] = ()

    KEY = "exchange"
    KEYS = (
        Key("exchange", "Phrases", "piles whose top cards may change places", "piles"),
        ONLY,
    )
    SECTION = "building"
    DISPLAY = "swap"
    SIGN = "<>"
    VALUES = (Half,)
    ONLY_TWO = gettext("two piles change places, not more")

    @classmethod
    def read(cls, raw: dict[str, Any], path: "Path", reader: "Reader") -> Self:
        sides = cls._read_sides(raw["exchange"], (*path, "exchange"), reader)
        named = [pile for side in sides for pile in side.piles.piles]
        text = " and ".join(side.piles.text for side in sides)
        piles = PileSet(tuple(dict.fromkeys(named)), text)
        if not sides:
            piles = reader.piles.read(raw["exchange"], (*path, "exchange"))
        if len(piles.piles) == 1 and reader.piles.is_certain(*piles.piles):
            reader.report.error(
                "wrong-count", (*path, "exchange"), gettext("one pile cannot change places")
            )
        only = raw.get("only")
        belong = only == "if both belong there"
        if only == "if blocked":
            reader.report.error(
                "key-does-not-fit",
                (*path, "only"),
                gettext('"{only}" is for cards that go up together', only=only),
                hint=gettext('say only = "{only}"', only="if both belong there"),
            )
        for pile in piles.piles if belong else ():
            if not reader.piles.is_ordered(pile):
                reader.report.error(
                    "not-a-foundation",
                    (*path, "exchange"),
                    gettext(
                        'no card belongs to "{name}": it is no foundation',
                        name=reader.piles.group_of(pile).name,
                    ),
                )
                break
        return cls(piles, belong, sides)

    @staticmethod
    def _read_sides(phrases: str | list[str], path: "Path", reader: "Reader") -> tuple[Half, ...]:
        """Reads which cards of which piles change places; nothing if only piles are named."""
        found = [(_SIDE.fullmatch(phrase.strip()), place) for phrase, place in paths(phrases, path)]
        if not any(match for match, _ in found):
            return ()
        sides = []
        for match, place in found:
            cards = None if match is None else reader.read_class(match["cards"], place)
            if match is not None:
                piles = reader.piles.read(match["piles"], place)
                sides.append(Half(piles, ANY if cards is None else cards))
        if len(sides) != 2 or len(found) != 2:
            reader.report.error(
                "wrong-count",
                path,
                gettext("an exchange of certain cards has two sides"),
                hint=gettext('say ["black cards of {first}", "red cards of {second}"]',
                          first=term("reserve"), second=term("tableau")),
            )  # fmt: skip
        return tuple(sides)

    def takes_from(self) -> set[int]:
        return set(self.exchange.piles)

    def puts_on(self) -> set[int]:
        return set()  # No pile gets more cards than it has.

    def vacates(self, piles: set[int]) -> bool:
        return False

    def can_stack(self, piles: set[int]) -> bool:
        return False

    def separates(self, piles: set[int]) -> bool:
        return not piles.isdisjoint(self.exchange.piles)

    def most_moves(self, bounds: "Bounds") -> int:
        if self.sides:
            ways = [
                min(bounds.count(side.cards.mask), bounds.filled(len(side.piles.piles)))
                for side in self.sides
            ]
            return ways[0] * ways[1]
        piles = bounds.filled(len(self.exchange.piles))
        return piles * (piles - 1) // 2

    def demands(self) -> Iterator[tuple[str, Iterable[int], int]]:
        yield gettext("two cards to exchange"), self.exchange.piles, 2
        for side in self.sides:
            yield gettext("a card to exchange"), side.piles.piles, 1

    def idle(self, book: "Rulebook") -> tuple[str, str] | None:
        for side in self.sides:
            if not book.has_any(side.cards.mask):
                return "exchange", gettext('the pack has no "{text}"', text=side.cards.text)
        return None

    def program(self, tables: "Tables") -> dict[str, Any]:
        piles = tables.piles(self.exchange.piles)
        program: dict[str, Any] = {"kind": "swap", "exchange": piles}
        if self.belong:
            program["belong"] = True
        if self.sides:
            program["sides"] = [
                {"piles": tables.piles(side.piles.piles), "cards": tables.cards(side.cards)}
                for side in self.sides
            ]
        return program

    def fills(self, total: int) -> Iterator[tuple[Iterable[int], int]]:
        yield from ()

    def is_even(self, rule: "Rule", among: "Symmetry") -> bool:
        piles = (self.exchange.piles, *(side.piles.piles for side in self.sides))
        return all(among.all_or_none(some) for some in piles)

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
                    return gettext("not both cards would then lie where they belong")
                if rule.action.sides and not rule.action._is_between(ends, at):
                    one, other = rule.action.sides
                    return gettext(
                        "only {cards} of {piles} and {others} of {targets} change places",
                        cards=term(one.cards.text), piles=term(one.piles.text),
                        others=term(other.cards.text), targets=term(other.piles.text),
                    )  # fmt: skip
                return gettext("nothing would change: the two cards are equal")
        return gettext("cards of {piles} do not change places", piles=at.pile_names(ends))

    def _is_between(self, ends: Sequence[int], at: "Refusals") -> bool:
        """Whether the top cards of two piles are of the two sides."""
        tops = [at.heaps[pile][-1] for pile in ends]
        return any(
            all(
                pile in side.piles.piles and top < 64 and side.cards.mask >> top & 1
                for side, pile, top in zip(sides, ends, tops, strict=True)
            )
            for sides in (self.sides, self.sides[::-1])
        )

    def english(self, words: "English", *, forced: bool) -> list[str]:
        if self.sides:
            one, other = (self._side_in_english(side, words) for side in self.sides)
            return [f"{one} may change places with {other}"]
        groups = words.words.groups(self.exchange.piles)
        where = words.words.the(self.exchange.piles)
        if self.belong:
            waiting = f"two cards that wait on {where} may change places"
            return [f"{waiting}, if each then begins the pile it comes to"]
        if groups and all(words.words.is_single(group) for group in groups):
            return [f"any two cards of {where} may change places"]
        return [f"the top cards of any two piles of {where} may change places"]

    @staticmethod
    def _side_in_english(side: Half, words: "English") -> str:
        card = words.words.cards.one(side.cards.mask)
        groups = words.words.groups(side.piles.piles)
        if all(words.words.is_single(group) for group in groups):
            return f"{card} of {words.words.the(side.piles.piles, 'or')}"
        return f"{card} on top of {words.words.one_of(side.piles.piles, 'a')}"

    def english_use(self, rule: "Rule", words: "English") -> str:
        return "whenever two cards change places"

    def german(self, words: "German", *, forced: bool) -> list[str]:
        if self.sides:
            one = self._side_in_german(self.sides[0], words, NOM)
            other = self._side_in_german(self.sides[1], words, DAT)
            return [f"{one}|darf mit {other} den Platz tauschen"]
        groups = words.german.groups(self.exchange.piles)
        where = words.german.whole(self.exchange.piles, GEN)
        if self.belong:
            on = words.german.whole(self.exchange.piles, DAT)
            may = "dürfen die Plätze tauschen, wenn danach jede ihren Stapel beginnt"
            return [f"zwei Karten, die auf {on} warten,|{may}"]
        if groups and all(words.german.is_single(group) for group in groups):
            return [f"zwei beliebige Karten {where}|dürfen die Plätze tauschen"]
        return [f"die obersten Karten zweier beliebiger Stapel {where}|dürfen die Plätze tauschen"]

    @staticmethod
    def _side_in_german(side: Half, words: "German", case: Case) -> str:
        card = words.german.german.single(side.cards.mask, case)
        groups = words.german.groups(side.piles.piles)
        if all(words.german.is_single(group) for group in groups):
            return f"{card} {words.german.whole(side.piles.piles, GEN, 'oder')}"
        return f"{card} oben auf {words.german.some(side.piles.piles, 'a', DAT)}"

    def german_use(self, rule: "Rule", words: "German", sooft: str) -> str:
        return f"{sooft} zwei Karten die Plätze tauschen"
