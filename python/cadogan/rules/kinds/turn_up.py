"""The turning up of face-down top cards: ``turn_up = "columns"``."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from cadogan.i18n.german import DAT, GEN
from cadogan.i18n.text import gettext
from cadogan.rules.kinds.keys import Key
from cadogan.rules.kinds.kind import Action
from cadogan.rules.rulebook.group import PileSet

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


@dataclass(frozen=True, slots=True)
class TurnUp(Action):
    """A face-down top card is turned up. Such rules are always forced."""

    turn_up: PileSet

    KEY = "turn_up"
    KEYS = (
        Key(
            "turn_up",
            "Phrases",
            "piles whose face-down top cards are turned up",
            "piles",
            only_forced=gettext("cards are turned up by forced rules only"),
        ),
    )
    SECTION = "building"
    PREFIX = "turn up"

    @classmethod
    def read(cls, raw: dict[str, Any], path: "Path", reader: "Reader") -> Self:
        return cls(reader.piles.read(raw["turn_up"], (*path, "turn_up")))

    def takes_from(self) -> set[int]:
        return set()

    def puts_on(self) -> set[int]:
        return set()

    def turns_up(self) -> set[int]:
        return set(self.turn_up.piles)

    def can_stack(self, piles: set[int]) -> bool:
        return False

    def separates(self, piles: set[int]) -> bool:
        return False

    def most_moves(self, bounds: "Bounds") -> int:
        return 0

    def demands(self) -> Iterator[tuple[str, Iterable[int], int]]:
        yield gettext("a card to turn up"), self.turn_up.piles, 1

    def program(self, tables: "Tables") -> dict[str, Any]:
        return {"kind": "turn-up", "turn_up": tables.piles(self.turn_up.piles)}

    def fills(self, total: int) -> Iterator[tuple[Iterable[int], int]]:
        yield from ()

    def is_even(self, rule: "Rule", among: "Symmetry") -> bool:
        return among.all_or_none(self.turn_up.piles) and not self._is_interrupted(among)

    def _is_interrupted(self, among: "Symmetry") -> bool:
        """Whether a forced rule could come between the turning up of two piles.

        Then the pile that is turned first, the one of the lower number, could make a difference.
        """
        if among.piles.isdisjoint(self.turn_up.piles):
            return False
        for rule in among.rules:
            if rule.action is self:
                return False
            if rule.forced and not (
                isinstance(rule.action, TurnUp)
                and not among.piles.isdisjoint(rule.action.turn_up.piles)
            ):
                return True
        return False

    def write(self, source: str, target: str, count: int, transfers: Sequence[str] | None) -> str:
        return f"{self.PREFIX} {source}"

    @classmethod
    def refusal(cls, parsed: "ParsedMove", at: "Refusals") -> str | None:
        return None  # A player does not turn up cards.

    def _are_covered(self, book: "Rulebook") -> bool:
        """Whether all its groups lie under other cards of the picture."""
        covered = {covering.group for covering in book.coverings if covering.covered}
        return {book.group_of(pile).name for pile in self.turn_up.piles} <= covered

    def english(self, words: "English", *, forced: bool) -> list[str]:
        if self._are_covered(words.book):
            where = words.words.the(self.turn_up.piles)
            return [f"a face-down card of {where} is turned up as soon as nothing covers it"]
        one = words.words.one_of(self.turn_up.piles)
        return [f"a face-down card that comes to lie on top of {one} is turned up"]

    def english_use(self, rule: "Rule", words: "English") -> str:
        return "whenever a card is turned up"

    def german(self, words: "German", *, forced: bool) -> list[str]:
        if self._are_covered(words.book):
            where = words.german.whole(self.turn_up.piles, GEN)
            return [
                f"eine verdeckte Karte {where}|wird aufgedeckt, sobald nichts mehr auf ihr liegt"
            ]
        of = words.german.some(self.turn_up.piles, "a", DAT)
        return [f"eine verdeckte Karte, die oben auf {of} zu liegen kommt,|wird aufgedeckt"]

    def german_use(self, rule: "Rule", words: "German", sooft: str) -> str:
        return f"{sooft} eine Karte aufgedeckt wird"
