"""Cards that leave the game two at a time: ``pair = "pyramid"``, ``match = "adding to 13"``."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from cadogan.i18n.german import ACC, DAT
from cadogan.i18n.names import rule_label
from cadogan.i18n.text import told
from cadogan.rules.kinds.keys import ALONG, TO, Key
from cadogan.rules.kinds.kind import Action, Transfers
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.rulebook import Along, PileSet

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
class Pair(Action):
    """The top cards of two piles that belong together go to a third pile at the same time.

    Attributes:
        piles: The piles that the two cards may come from.
        match: The relation they must have, in one order or the other.
        to: The pile that takes them.
        along: For each pile, those that the other card may come from.
    """

    piles: PileSet
    match: Relation
    to: int
    along: Along

    KEY = "pair"
    KEYS = (
        Key("pair", "Phrases", "piles whose top cards leave the game two at a time", "piles"),
        Key(
            "match",
            "Phrases",
            "which two cards belong together",
            'a rule of building such as "adding to 13" or "same rank"',
        ),
        ALONG,
        TO,
    )
    SECTION = "building"
    DISPLAY = "joint"

    @classmethod
    def read(cls, raw: dict[str, Any], path: "Path", reader: "Reader") -> Self | None:
        piles = reader.piles.read(raw["pair"], (*path, "pair"))
        if len(piles.piles) == 1 and reader.piles.is_certain(*piles.piles):
            reader.report.error(
                "wrong-count", (*path, "pair"), told("a pair takes cards from two piles")
            )
        for key, hint in (
            ("match", told('add match = "adding to 13" or match = "same rank"')),
            ("to", told('add to = "discard"')),
        ):
            if key not in raw and not reader.report.is_faulty(*path, key):
                reader.report.error(
                    "missing-key",
                    path,
                    told('{rule} must have "{key}"', rule=reader.named(raw), key=key),
                    hint=hint,
                    missing=key,
                )
        match = reader.read_relation(raw["match"], (*path, "match")) if "match" in raw else None
        if match is None or "to" not in raw:
            return None
        to = reader.piles.single(reader.piles.read(raw["to"], (*path, "to")), (*path, "to"))
        if to is None:
            return None
        if to in piles.piles:
            reader.report.error(
                "onto-itself",
                (*path, "to"),
                told(
                    'cards cannot go from "{name}" to itself', name=reader.piles.group_of(to).name
                ),
            )
        if reader.piles.is_ordered(to):
            reader.report.error(
                "mixed-targets",
                (*path, "to"),
                told("a pair leaves the game, it does not go to a foundation"),
                hint=told('cards that go up to foundations together are written "together"'),
            )
        along = reader.piles.along(
            piles.piles, piles, raw.get("along"), reader.picture, (*path, "along")
        )
        return cls(piles, match, to, along.both_ways() if along.sides else along)

    def takes_from(self) -> set[int]:
        return set(self.piles.piles)

    def puts_on(self) -> set[int]:
        return {self.to}

    @property
    def looks_beside(self) -> bool:
        return bool(self.along.sides)

    def can_stack(self, piles: set[int]) -> bool:
        return self.to in piles

    def separates(self, piles: set[int]) -> bool:
        return self.to in piles or not piles.isdisjoint(self.piles.piles)

    def most_moves(self, bounds: "Bounds") -> int:
        piles = bounds.filled(len(self.piles.piles))
        linked = sum(len(others) for others in self.along.targets.values()) // 2
        return min(piles * (piles - 1) // 2, linked)

    def relations(self) -> Iterable[Relation]:
        return (self.match,)

    def demands(self) -> Iterator[tuple[str, Iterable[int], int]]:
        yield told("two cards to take away"), self.piles.piles, 2

    def program(self, tables: "Tables") -> dict[str, Any]:
        piles = self.piles.piles
        return {
            "kind": "pair",
            "from": list(piles),
            "partners": [tables.piles(self.along.targets.get(pile, ())) for pile in piles],
            "yields_to": [tables.piles(()) for _ in piles],
            "pair": tables.relation(self.match),
            "to": self.to,
        }

    def fills(self, total: int) -> Iterator[tuple[Iterable[int], int]]:
        yield (self.to,), total

    def is_even(self, rule: "Rule", among: "Symmetry") -> bool:
        # Of a forced rule the first pair leaves, and a link may be between certain piles only.
        if rule.forced or self.along.text is not None:
            return among.piles.isdisjoint(self.piles.piles) and self.to not in among.piles
        return among.all_or_none(self.piles.piles) and among.all_or_none((self.to,))

    def write(self, source: str, target: str, count: int, transfers: Sequence[str] | None) -> str:
        return f"{source} + {target}"

    def fits(self, parts: Sequence["MovePart"], move: "MoveCode", transfers: Transfers) -> bool:
        """Whether parts name the two piles: ``a + b``, or ``a > b``, a card put on the other."""
        if len(parts) == 1 and parts[0].targets is not None:
            first, second = parts[0].sources, parts[0].targets
        elif len(parts) == 2 and all(
            part.targets is None or self.to in part.targets for part in parts
        ):
            first, second = parts[0].sources, parts[1].sources
        else:
            return False
        ends = (move.source, move.target)
        return any(a in first and b in second for a, b in (ends, ends[::-1]))

    @classmethod
    def refusal(cls, parsed: "ParsedMove", at: "Refusals") -> str | None:
        rules = [
            (index, rule)
            for index, rule in enumerate(at.book.rules)
            if isinstance(rule.action, cls) and not rule.forced
            and (parsed.rules is None or index in parsed.rules)
        ]  # fmt: skip
        if parsed.sign != cls.SIGN or len(parsed.parts) != 2 or not rules:
            return None
        ends = tuple(part.sources[0] for part in parsed.parts)
        if (vacant := next((pile for pile in ends if not at.heaps[pile]), None)) is not None:
            return at.empty((vacant,))
        if (covered := next(filter(None, map(at.covered, ends)), None)) is not None:
            return covered
        for index, rule in rules:
            action = rule.action
            assert isinstance(action, cls)
            if ends[1] not in action.along.targets.get(ends[0], ()):
                continue
            if (failed := at.failed(index)) is not None:
                return at.condition(rule, failed)
            cards = [str(at.cards(pile)[-1]) for pile in ends]
            return told(
                "{card} and {other} do not belong together ({how})",
                card=cards[0], other=cards[1], how=" / ".join(action.match.texts),
            )  # fmt: skip
        return None

    def instead(
        self, rule: "Rule", sources: set[int], targets: set[int], ends: Mapping[str, str]
    ) -> str | None:
        if sources.isdisjoint(self.piles.piles) or targets.isdisjoint({*self.piles.piles, self.to}):
            return None
        return told(
            "{piles} and {others}: cards leave only in pairs ({rule})",
            piles=ends["start"], others=ends["end"], rule=rule_label(rule.name),
        )  # fmt: skip

    def english(self, words: "English", *, forced: bool) -> list[str]:
        where = words.words.one_of(self.piles.piles, "a")
        to = words.words.the([self.to])
        linked = words.words.linked_pair(self.along)
        may = "go" if forced else "may go"
        text = f"two top cards{linked}, each of {where}, {may} to {to} together"
        fits = words.words.cards.fits(self.match)
        if fits == "any card":
            return [f"{text}, whatever the cards are"]
        if (sum_of := fits.removeprefix("of such a rank that ")) != fits:
            return [f"{text}, if {sum_of.removesuffix(', whatever its suit')}"]
        if fits.startswith("of the same rank"):
            return [f"{text}, if they are {fits.replace('its suit', 'their suits')}"]
        return [f"{text}, if one, compared with the other, is {fits}"]

    def english_use(self, rule: "Rule", words: "English") -> str:
        return "whenever a pair of cards leaves the game"

    def german(self, words: "German", *, forced: bool) -> list[str]:
        where = words.german.some(self.piles.piles, "a", DAT)
        to = words.german.whole([self.to], ACC)
        who = f"zwei oberste Karten{words.german.pair_link(self.along)}, jede auf {where},"
        fits = words.german.german.may_lie(self.match, "die eine gegenüber der anderen")
        how = f", wenn {fits}"
        if any(term.anything for term in self.match.terms):
            how = ", gleich welche Karten es sind"
        if forced:
            return [f"{who}|kommen zusammen auf {to}{how}"]
        return [f"{who}|dürfen zusammen auf {to} gelegt werden{how}"]

    def german_use(self, rule: "Rule", words: "German", sooft: str) -> str:
        return f"{sooft} ein Paar das Spiel verlässt"
