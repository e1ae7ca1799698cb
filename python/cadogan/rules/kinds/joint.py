"""Cards that go up at the same time: ``together = [{ from = "army" }, { from = "navy" }]``."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from cadogan.i18n.english import number
from cadogan.i18n.german import ACC, DAT, GEN
from cadogan.i18n.german import number as number_of
from cadogan.i18n.names import rule_label
from cadogan.i18n.text import gettext, listed
from cadogan.rules.kinds.keys import MATCH, ONLY, TO, Key
from cadogan.rules.kinds.kind import Action, Transfers
from cadogan.rules.rulebook.card_sets import CardSet
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.relations import Relation

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


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a joint play: a pile that holds exactly ``holds`` cards, all of which go.

    A pile that holds any number of cards has 0 in ``holds``; its top card goes. It holds at least
    ``least`` cards.
    """

    from_: PileSet
    holds: int
    least: int = 0


@dataclass(frozen=True, slots=True)
class Joint(Action):
    """Cards go up at the same time, none without the others.

    Attributes:
        together: The piles they come from.
        to: The foundations.
        only_if_blocked: Only when no part could go up alone.
        match: Which cards may go up together; any if it is ``None``.
        in_turn: Whether the cards of the first part go first.
    """

    together: tuple[Part, ...]
    to: PileSet
    only_if_blocked: bool = False
    match: CardSet | None = None
    in_turn: bool = False

    KEY = "together"
    KEYS = (
        Key(
            "together",
            "list[PartShape]",
            "cards that go up at the same time, none without the others",
            "a list of { from, holds }",
        ),
        TO,
        MATCH,
        ONLY,
        Key("in_turn", "bool", "whether the cards of the first part go first", "true or false"),
    )
    VALUES = (Part,)
    SECTION = "playing"
    DISPLAY = "joint"
    NEEDS_TRANSFERS = True

    @classmethod
    def read(cls, raw: dict[str, Any], path: "Path", reader: "Reader") -> Self | None:
        report = reader.report
        if not 1 <= len(raw["together"]) <= 2:
            report.error(
                "out-of-range", (*path, "together"), gettext("one or two piles play together")
            )
            return None
        parts = tuple(
            Part(
                reader.piles.read(part["from"], (*path, "together", index, "from")),
                0 if isinstance(part.get("holds", 1), str) else part.get("holds", 1),
                2 if part.get("holds") == "at least 2" else 0,
            )
            for index, part in enumerate(raw["together"])
            if part is not None
        )
        if "to" not in raw:
            if not report.is_faulty(*path, "to"):
                report.error(
                    "missing-key",
                    path,
                    gettext('{rule} must have "{key}"', rule=reader.named(raw), key="to"),
                    hint=gettext('add to = "foundations"'),
                    missing="to",
                )
            return None
        to = reader.piles.read(raw["to"], (*path, "to"))
        for pile in to.piles:
            name = reader.piles.group_of(pile).name
            if not reader.piles.is_ordered(pile):
                report.error(
                    "not-a-foundation",
                    (*path, "to"),
                    gettext(
                        'cards go up together to foundations, but "{name}" has no order', name=name
                    ),
                    word=name,
                )
                break
            if any(pile in part.from_.piles for part in parts):
                report.error(
                    "onto-itself",
                    (*path, "to"),
                    gettext('cards cannot go from "{name}" to itself', name=name),
                )
                break
        match = None
        if "match" in raw:
            match = cls._read_match(raw["match"], parts, path, reader)
        only = raw.get("only")
        if only == "if both belong there":
            reader.report.error(
                "key-does-not-fit",
                (*path, "only"),
                gettext('"{only}" is for cards that change places', only=only),
                hint=gettext('say only = "{only}"', only="if blocked"),
            )
        if only == "if blocked" and len(parts) < 2:
            report.error(
                "key-does-not-fit",
                (*path, "only"),
                gettext("what goes up alone is not blocked; name two parts"),
                key=True,
            )
        in_turn = raw.get("in_turn", False)
        if in_turn and any(part.holds > 1 for part in parts):
            report.error(
                "key-does-not-fit",
                (*path, "in_turn"),
                gettext("two cards of a pile go up in any order, not in turn"),
                key=True,
            )
        elif in_turn and len(parts) < 2:
            report.error(
                "key-does-not-fit",
                (*path, "in_turn"),
                gettext("one card has no turn; name two parts"),
                key=True,
            )
        return cls(parts, to, only == "if blocked", match, in_turn)

    @classmethod
    def _read_match(
        cls,
        phrase: str | list[str],
        parts: "Sequence[Part]",
        path: "Path",
        reader: "Reader",
    ) -> CardSet | None:
        place = (*path, "match")
        if not isinstance(phrase, str):
            reader.report.error(
                "one-phrase-wanted", place, gettext("which cards go up together takes one phrase")
            )
            return None
        number = sum(part.holds or 1 for part in parts)
        relation, sets = reader.read_match(phrase, (number, number), place)
        if relation is not None:
            anything = any(term.anything for term in relation.terms)
            return None if anything else CardSet(phrase, (2, 2), each=relation)
        if not sets:
            return None
        if sets[0].size != (number, number):
            reader.report.error(
                "wrong-count",
                place,
                gettext(
                    "{number} cards go up together, but {others} are named",
                    number=number, others=sets[0].size[0],
                ),
            )  # fmt: skip
            return None
        return sets[0]

    def relations(self) -> Iterable[Relation]:
        return () if self.match is None else self.match.relations

    def idle(self, book: "Rulebook") -> tuple[str, str] | None:
        for cards in () if self.match is None else self.match.cards:
            if not book.has_any(cards.mask):
                return "match", gettext('the pack has no "{text}"', text=cards.text)
        return None

    def takes_from(self) -> set[int]:
        return {pile for part in self.together for pile in part.from_.piles}

    def puts_on(self) -> set[int]:
        return set(self.to.piles)

    def can_stack(self, piles: set[int]) -> bool:
        return not piles.isdisjoint(self.to.piles)

    def separates(self, piles: set[int]) -> bool:
        return False

    def takes_two(self, piles: set[int]) -> bool:
        return any(part.holds == 2 and piles.issubset(part.from_.piles) for part in self.together)

    def most_moves(self, bounds: "Bounds") -> int:
        sizes = [bounds.filled(len(part.from_.piles)) for part in self.together]
        return sizes[0] if len(sizes) == 1 else sizes[0] * sizes[1]

    def demands(self) -> Iterator[tuple[str, Iterable[int], int]]:
        for part in self.together:
            yield gettext("a card to play"), part.from_.piles, 1

    def program(self, tables: "Tables") -> dict[str, Any]:
        match = {} if self.match is None else {"match": self.match.program(tables)}
        return {
            "kind": "joint",
            **match,
            "together": [
                {
                    "from": list(part.from_.piles),
                    "holds": part.holds,
                    **({"least": part.least} if part.least else {}),
                }
                for part in self.together
            ],
            **({"in_turn": True} if self.in_turn else {}),
            "to": list(self.to.piles),
            "only_if_blocked": self.only_if_blocked,
        }

    def fills(self, total: int) -> Iterator[tuple[Iterable[int], int]]:
        yield self.to.piles, total

    def is_even(self, rule: "Rule", among: "Symmetry") -> bool:
        touched = [*(part.from_.piles for part in self.together), self.to.piles]
        if rule.forced and any(not among.piles.isdisjoint(some) for some in touched):
            return False
        return all(among.all_or_none(some) for some in touched)

    def write(self, source: str, target: str, count: int, transfers: Sequence[str] | None) -> str:
        if transfers is None:
            transfers = [name for name in (source, target) if name]
        return " + ".join(transfers)

    def fits(self, parts: Sequence["MovePart"], move: "MoveCode", transfers: Transfers) -> bool:
        """Whether parts name just the transfers of a move, in any order."""
        if all(part.targets is None for part in parts):
            left = [(source, 0) for source in {way[0] for way in transfers}]
        else:
            left = [(source, target) for source, _, target in transfers]
        if len(parts) != len(left):
            return False
        for part in parts:
            for source, target in left:
                if source in part.sources and (part.targets is None or target in part.targets):
                    left.remove((source, target))
                    break
            else:
                return False
        return True

    @classmethod
    def refusal(cls, parsed: "ParsedMove", at: "Refusals") -> str | None:
        if parsed.sign != cls.SIGN or (len(parsed.parts) == 1 and parsed.parts[0].targets):
            return None
        sources = [source for part in parsed.parts for source in part.sources[:1]]
        for source in sources:
            if not at.heaps[source]:
                return at.empty((source,))
            if (covered := at.covered(source)) is not None:
                return covered
        picked = set(sources)
        legal = zip(at.legal, at.state.moves_with_transfers(), strict=True)
        for move, (_, ways) in legal:
            if {source for source, _, _ in ways} == picked:
                return gettext("these cards go so: {move}", move=move.text)
        reason: str = gettext(
            "no rule takes cards from {piles} together", piles=at.pile_names(picked)
        )
        for index, rule in enumerate(at.book.rules):
            action = rule.action
            if not isinstance(action, cls) or rule.forced:
                continue
            if parsed.rules is not None and index not in parsed.rules:
                continue
            parts = action._assign(sorted(picked))
            if parts is None:
                continue
            if (failed := at.failed(index)) is not None:
                reason = at.condition(rule, failed)
                continue
            wrong = [
                (p, part.holds) for p, part in parts if part.holds not in (0, len(at.heaps[p]))
            ]
            few = [(pile, part.least) for pile, part in parts if len(at.heaps[pile]) < part.least]
            if few:
                reason = at.size(rule, (few[0][1], 65535), few[0][0], puts=False)
                continue
            if wrong:
                pile, size = wrong[0]
                reason = at.size(rule, (size, size), pile, puts=False)
                continue
            return action._unwanted(parsed, sorted(picked), at)
        return reason

    def _assign(self, piles: Sequence[int]) -> list[tuple[int, Part]] | None:
        """Piles to its parts, or ``None`` if they are not its piles."""
        if len(self.together) != len(piles):
            return None
        for order in (piles, piles[::-1]):
            if all(
                pile in part.from_.piles for pile, part in zip(order, self.together, strict=True)
            ):
                return list(zip(order, self.together, strict=True))
        return None

    def _unwanted(self, parsed: "ParsedMove", picked: Sequence[int], at: "Refusals") -> str:
        """The foundations do not want the cards."""
        for part in parsed.parts:
            card = at.cards(part.sources[0])[-1]
            if part.targets is not None and len(part.targets) == 1:
                (target,) = part.targets
                if target in self.to.piles and card not in at.next_cards(target):
                    return at.build_order(str(card), target)
        assigned = dict(self._assign(picked) or ())
        cards = [card for pile in picked for card in at.cards(pile)[-(assigned[pile].holds or 1) :]]
        wanted = {card for pile in self.to.piles for card in at.next_cards(pile)}
        missing = [str(card) for card in cards if card not in wanted]
        if not missing and self.match is not None:
            return gettext(
                "{cards} do not belong together ({how})",
                cards=listed(map(str, cards), "and"), how=self.match.text,
            )  # fmt: skip
        if not missing and self.only_if_blocked:
            return gettext("one of them can go up alone")
        return gettext("{cards} cannot go up now", cards=listed(missing or map(str, cards), "and"))

    def instead(
        self, rule: "Rule", sources: set[int], targets: set[int], ends: Mapping[str, str]
    ) -> str | None:
        if sources.isdisjoint(self.takes_from()) or targets.isdisjoint(self.to.piles):
            return None
        return gettext(
            "{piles} and {others}: cards go up only together ({rule})",
            piles=ends["start"],
            others=ends["end"],
            rule=rule_label(rule.name),
        )

    def goes_up(self, words: "English") -> bool:
        return True

    def english(self, words: "English", *, forced: bool) -> list[str]:
        to = words.words.the(self.to.piles)
        parts: list[str] = []
        for part in self.together:
            again = bool(parts) and part == self.together[0]
            where = words.words.one_of(part.from_.piles, "another" if again else "a")
            if part.least or part.holds == 2:
                size = f"at least {number(part.least)} cards" if part.least else "exactly two"
                # "A pile that holds two" is clear; of several kinds of piles it is said apart.
                clear = where.startswith("a") and where.count(" of ") < 2
                held = f" that holds {size}" if clear else f", if that holds {size},"
                parts.append(f"the {'top card' if part.least else 'two cards'} of {where}{held}")
            elif part.holds == 0:
                parts.append(f"the top card of {where}")
            else:
                parts.append(f"a card that lies alone in {where}")
        cards = sum(part.holds or 1 for part in self.together)
        none = "neither without the other" if cards == 2 else "none without the others"
        blocked = ""
        if self.match is not None:
            who, how = words.words.cards.card_set(self.match)
            if self.match.cards:
                how = f"they are {who} {how.removeprefix('they are ')}".strip()
            blocked = f", and only if {how}"
        if self.only_if_blocked:
            blocked += ", and only if neither pile could go up alone"
        when = "one after the other, in this order" if self.in_turn else "at the same time"
        what = f"{' and '.join(parts)} {'go' if forced else 'may go'} to {to} {when}, {none}"
        return [f"{what}, each card to a foundation where it comes next{blocked}"]

    def english_use(self, rule: "Rule", words: "English") -> str:
        return f"whenever cards go to {words.words.the(self.to.piles)} together"

    def german(self, words: "German", *, forced: bool) -> list[str]:
        to = words.german.whole(self.to.piles, ACC)
        parts: list[str] = []
        for part in self.together:
            again = bool(parts) and part == self.together[0]
            where = words.german.some(part.from_.piles, "another" if again else "a", DAT)
            if part.least:
                of = words.german.some(part.from_.piles, "another" if again else "a", GEN)
                least = f"mindestens {number_of(part.least)}"
                held = f" mit {least} Karten"
                if not of.startswith("eine") or " oder " in of:
                    held = f", wenn dort {least} liegen"
                parts.append(f"die oberste Karte {of}{held}")
            elif part.holds == 0:
                of = words.german.some(part.from_.piles, "another" if again else "a", GEN)
                parts.append(f"die oberste Karte {of}")
            elif part.holds == 1:
                parts.append(f"eine Karte, die allein in {where} liegt")
            else:
                of = words.german.some(part.from_.piles, "another" if again else "a", GEN)
                parts.append(f"die beiden Karten {of}, wenn dort genau zwei liegen")
        cards = sum(part.holds or 1 for part in self.together)
        none = "keine ohne die andere" if cards == 2 else "keine ohne die anderen"
        blocked = ""
        if self.match is not None:
            named, how = words.german.german.card_set(self.match)
            if self.match.cards:
                how = f"es {named} sind" + (f" und {how}" if how else "")
            blocked = f", und nur, wenn {how}"
        if self.only_if_blocked:
            blocked += ", und nur, wenn kein Stapel für sich abgelegt werden könnte"
        where = "jede auf einen Grundstapel, auf dem sie die nächste ist"
        who = ", und ".join(parts)
        when = "nacheinander, in dieser Folge," if self.in_turn else "zugleich"
        if forced:
            return [f"{who},|kommen {when} auf {to}, {none}, {where}{blocked}"]
        return [f"{who},|dürfen {when} auf {to} abgelegt werden, {none}, {where}{blocked}"]

    def german_use(self, rule: "Rule", words: "German", sooft: str) -> str:
        return f"{sooft} Karten gemeinsam auf {words.german.whole(self.to.piles, ACC)} kommen"
