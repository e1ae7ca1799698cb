"""Cards beside each other in a row that leave together: ``neighbours = "row"``, ``adding_to = 10``.

Such a stretch of a row is allowed by what lies at both sides (``between = "same rank"``), or by
what its cards add up to, or by both.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from cadogan.i18n.english import join, number
from cadogan.i18n.german import ACC, DAT, GEN
from cadogan.i18n.german import join as join_german
from cadogan.i18n.german import number as number_german
from cadogan.i18n.names import rule_label
from cadogan.i18n.text import gettext, listed
from cadogan.rules.kinds.keys import NUMBER, TO, WORTH, Key
from cadogan.rules.kinds.kind import Action, Transfers
from cadogan.rules.kinds.move.reading import bounds
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.worth import (
    MOST_SUM,
    Worth,
    counted,
    read_worth,
    values_in_english,
    values_in_german,
)

if TYPE_CHECKING:
    from cadogan.move_text import MovePart, ParsedMove
    from cadogan.moves import MoveCode
    from cadogan.refusal import Refusals
    from cadogan.rules.check.actions import Actions as Reader
    from cadogan.rules.check.extent import Bounds
    from cadogan.rules.compile.compile import Tables
    from cadogan.rules.compile.symmetry import Symmetry
    from cadogan.rules.explain.english.actions import Actions as English
    from cadogan.rules.explain.english.prose import Cards
    from cadogan.rules.explain.german.actions import GermanActions as German
    from cadogan.rules.explain.german.cards import GermanCards
    from cadogan.rules.rulebook.rulebook import Rule
    from cadogan.rules.source.span import Path


@dataclass(frozen=True, slots=True)
class Stretch(Action):
    """The top cards of piles that follow one another in a row go to another pile at the same time.

    Attributes:
        piles: The row, in its order.
        least: The fewest cards.
        most: The most cards.
        between: How the cards at both sides are related, in one order or the other.
        sums: What the cards may add up to; anything if there are none.
        worth: What classes of cards count; other cards count their rank.
        to: The pile that takes them.
    """

    piles: PileSet
    least: int
    most: int
    between: Relation | None
    sums: tuple[int, ...]
    worth: Worth
    to: int

    KEY = "neighbours"
    KEYS = (
        Key("neighbours", "Phrases", "a row in which neighbours leave together", "piles"),
        NUMBER,
        Key(
            "between",
            "Phrases",
            "how the cards at both sides belong together",
            'a rule of building such as "same rank"',
        ),
        Key("adding_to", "int | list[int]", "what the cards add up to", "a number or a list"),
        WORTH,
        TO,
    )
    SECTION = "building"
    DISPLAY = "joint"
    NEEDS_TRANSFERS = True

    @classmethod
    def read(cls, raw: dict[str, Any], path: "Path", reader: "Reader") -> Self | None:
        report = reader.report
        piles = reader.piles.read(raw["neighbours"], (*path, "neighbours"))
        between = None
        if "between" in raw:
            between = reader.read_relation(raw["between"], (*path, "between"), use="comparison")
        sums = _sums(raw, path, reader)
        worth = read_worth(raw, path, reader)
        if not any(key in raw or report.is_faulty(*path, key) for key in ("between", "adding_to")):
            report.error(
                "missing-key",
                path,
                gettext('{rule} must have "between" or "adding_to"', rule=reader.named(raw)),
                hint=gettext('add between = "same rank" or adding_to = 10'),
                missing="between",
            )
        if "worth" in raw and "adding_to" not in raw:
            report.error(
                "key-does-not-fit",
                (*path, "worth"),
                gettext('"worth" belongs to "adding_to": nothing is added up here'),
                key=True,
            )
        least, most = _number(raw, path, len(piles.piles), reader)
        if "to" not in raw:
            if not report.is_faulty(*path, "to"):
                report.error(
                    "missing-key",
                    path,
                    gettext('{rule} must have "{key}"', rule=reader.named(raw), key="to"),
                    hint=gettext('add to = "discard"'),
                    missing="to",
                )
            return None
        to = reader.piles.single(reader.piles.read(raw["to"], (*path, "to")), (*path, "to"))
        if to is None:
            return None
        if to in piles.piles:
            name = reader.piles.group_of(to).name
            report.error(
                "onto-itself",
                (*path, "to"),
                gettext('cards cannot go from "{name}" to itself', name=name),
            )
        if reader.piles.is_ordered(to):
            report.error(
                "mixed-targets",
                (*path, "to"),
                gettext("neighbours leave the game, they do not go to a foundation"),
            )
        return cls(piles, least, most, between, sums, worth, to)

    @property
    def adds_up(self) -> bool:
        return True

    def takes_from(self) -> set[int]:
        return set(self.piles.piles)

    def puts_on(self) -> set[int]:
        return {self.to}

    def can_stack(self, piles: set[int]) -> bool:
        return self.to in piles

    def separates(self, piles: set[int]) -> bool:
        return self.to in piles or not piles.isdisjoint(self.piles.piles)

    def most_moves(self, bounds: "Bounds") -> int:
        filled = bounds.filled(len(self.piles.piles))
        return sum(filled - many + 1 for many in range(self.least, min(self.most, filled) + 1))

    def relations(self) -> Iterable[Relation]:
        return () if self.between is None else (self.between,)

    def demands(self) -> Iterator[tuple[str, Iterable[int], int]]:
        yield gettext("cards to take away"), self.piles.piles, self.least

    def counts(self, rank: int) -> int:
        """What a card of a rank counts."""
        return counted(self.worth, rank)

    def program(self, tables: "Tables") -> dict[str, Any]:
        return {
            "kind": "stretch",
            "piles": list(self.piles.piles),
            "number": [self.least, self.most],
            "around": tables.relation(self.between),
            "sums": list(self.sums),
            "worth": [self.counts(rank) for rank in range(13)],
            "to": self.to,
        }

    def fills(self, total: int) -> Iterator[tuple[Iterable[int], int]]:
        yield (self.to,), total

    def is_even(self, rule: "Rule", among: "Symmetry") -> bool:
        return among.piles.isdisjoint(self.piles.piles) and self.to not in among.piles

    def write(self, source: str, target: str, count: int, transfers: Sequence[str] | None) -> str:
        if transfers is None:
            return source if source == target else f"{source} + {target}"
        if len(transfers) == 1:
            return transfers[0]
        return " + ".join(transfer.partition(" > ")[0] for transfer in transfers)

    def fits(self, parts: Sequence["MovePart"], move: "MoveCode", transfers: Transfers) -> bool:
        """Whether parts name the piles of the cards that leave, in any order."""
        if any(part.targets is not None and self.to not in part.targets for part in parts):
            return False
        piles = [source for source, _, _ in transfers]
        return len(parts) == len(piles) and (
            all(pile in part.sources for pile, part in zip(piles, parts, strict=True))
            or sorted(piles) == sorted(part.sources[0] for part in parts)
        )

    @classmethod
    def refusal(cls, parsed: "ParsedMove", at: "Refusals") -> str | None:
        rules = [
            (index, rule, rule.action)
            for index, rule in enumerate(at.book.rules)
            if isinstance(rule.action, cls) and not rule.forced
            and (parsed.rules is None or index in parsed.rules)
        ]  # fmt: skip
        if parsed.sign != cls.SIGN or not rules:
            return None
        piles = [part.sources[0] for part in parsed.parts]
        rules = [
            (index, rule, action)
            for index, rule, action in rules
            if set(piles) <= set(action.piles.piles)
            and all(part.targets is None or action.to in part.targets for part in parsed.parts)
        ]
        if not rules:
            return None
        if (vacant := next((pile for pile in piles if not at.heaps[pile]), None)) is not None:
            return at.empty((vacant,))
        reasons = (action._refused(index, rule, piles, at) for index, rule, action in rules)
        # The rule of which most holds says most.
        return max(reasons, key=lambda reason: reason[0])[1]

    def _refused(
        self, index: int, rule: "Rule", piles: list[int], at: "Refusals"
    ) -> tuple[int, str]:
        """Why certain cards do not leave by this rule, and how many of its demands they met."""
        if (failed := at.failed(index)) is not None:
            return 0, at.condition(rule, failed)
        row = self.piles.piles
        places = sorted(row.index(pile) for pile in piles)
        if places != list(range(places[0], places[0] + len(places))):
            return 1, gettext("{piles} do not lie beside each other", piles=at.pile_names(piles))
        if not self.least <= len(places) <= self.most:
            most = min(self.most, len(row))
            how = str(most)
            if self.least < most:
                how = gettext("{least} to {most}", least=self.least, most=most)
            return 2, gettext(
                "{how} cards leave at a time, not {number}", how=how, number=len(places)
            )
        cards = [at.cards(row[place])[-1] for place in places]
        total = sum(self.counts(card.rank) for card in cards)
        if self.sums and total not in self.sums:
            return 3, gettext(
                "{cards} add up to {total}, not to {sums}",
                cards=listed(map(str, cards), "and"), total=total, sums=listed(map(str, self.sums)),
            )  # fmt: skip
        sides = [
            place for place in (places[0] - 1, places[-1] + 1)
            if 0 <= place < len(row) and at.heaps[row[place]]
        ]  # fmt: skip
        if len(sides) < 2:
            return 4, gettext("they do not lie between two cards")
        one, other = (at.cards(row[place])[-1] for place in sides)
        order = "" if self.between is None else " / ".join(self.between.texts)
        return 5, gettext(
            "{card} and {other}, between which they lie, do not belong together ({how})",
            card=one, other=other, how=order,
        )  # fmt: skip

    def instead(
        self, rule: "Rule", sources: set[int], targets: set[int], ends: Mapping[str, str]
    ) -> str | None:
        if sources.isdisjoint(self.piles.piles) or targets.isdisjoint({*self.piles.piles, self.to}):
            return None
        return gettext(
            "cards of {piles} leave only together with their neighbours, or from between two that "
            "belong together ({rule})",
            piles=ends["start"], rule=rule_label(rule.name),
        )  # fmt: skip

    # Words.

    def english(self, words: "English", *, forced: bool) -> list[str]:
        row, to = words.words.the(self.piles.piles), words.words.the([self.to])
        may = "go" if forced else "may go"
        most = min(self.most, len(self.piles.piles))
        if self.least == self.most == 1:
            who = f"a card of {row}"
            may = "goes" if forced else may
        elif (self.least, self.most) == (1, 2):
            who = f"one card of {row}, or two that lie beside each other,"
        elif most == len(self.piles.piles):
            who = f"{number(self.least)} or more cards that follow one another in {row}"
        else:
            many = number(most)
            many = many if self.least == most else f"{number(self.least)} to {many}"
            who = f"{many} cards that follow one another in {row}"
        terms = []
        if self.between is not None:
            terms.append(_around(self.between, words.words.cards))
        if self.sums:
            values = values_in_english(self.worth, words.words.cards)
            sums = join((str(each) for each in self.sums), "or")
            whole = "it counts" if self.most == 1 else "they add up to"
            terms.append(f"{whole} {sums} ({values})")
        return [f"{who} {may} to {to}, if {join(terms)}".replace(",,", ",")]

    def english_use(self, rule: "Rule", words: "English") -> str:
        return "whenever cards leave the game"

    def german(self, words: "German", *, forced: bool) -> list[str]:
        row = words.german.whole(self.piles.piles, GEN)
        to = words.german.whole([self.to], ACC)
        most = min(self.most, len(self.piles.piles))
        one = self.least == self.most == 1
        if one:
            who = f"eine Karte {row}"
        elif (self.least, self.most) == (1, 2):
            who = f"eine Karte {row} oder zwei, die nebeneinander liegen,"
        else:
            few = "eine" if self.least == 1 else number_german(self.least)
            many = f"{few} oder mehr"
            if most < len(self.piles.piles):
                many = f"{few} bis {number_german(most)}"
            many = number_german(most) if self.least == most else many
            within = words.german.whole(self.piles.piles, DAT)
            who = f"{many} Karten, die in {within} aufeinander folgen,"
        terms = []
        if self.between is not None:
            terms.append(_around_german(self.between, words.german.german))
        if self.sums:
            values = values_in_german(self.worth, words.german.german)
            sums = join_german((str(each) for each in self.sums), "oder")
            terms.append(f"sie zusammen {sums} ergeben ({values})")
        how = join_german(terms)
        if forced:
            return [f"{who}|{'kommt' if one else 'kommen'} auf {to}, wenn {how}"]
        may = "darf" if one else "dürfen"
        return [f"{who}|{may} auf {to} gelegt werden, wenn {how}"]

    def german_use(self, rule: "Rule", words: "German", sooft: str) -> str:
        return f"{sooft} Karten das Spiel verlassen"


def _around(relation: Relation, cards: "Cards") -> str:
    """What lies at both sides, to follow "if"."""
    if any(term.anything for term in relation.terms):
        return "there is a card at both sides"
    fits = cards.fits(relation)
    if alike(relation):
        fits = fits.replace(", whatever its suit", "").replace("suit, or", "suit or")
        return f"the two cards at both sides are {fits}"
    if all(term.is_sum for term in relation.terms):
        return cards.two(relation).replace("the two", "the two cards at both sides", 1)
    if any(term.pair or term.is_sum for term in relation.terms):
        return f"of the two cards at both sides {cards.two(relation)}"
    return f"of the two cards at both sides one is {fits} compared with the other"


def _around_german(relation: Relation, cards: "GermanCards") -> str:
    if any(term.anything for term in relation.terms):
        return "zu beiden Seiten eine Karte liegt"
    if alike(relation) or all(term.is_sum for term in relation.terms):
        return cards.two(relation).replace("sie", "die zwei Karten zu beiden Seiten", 1)
    if any(term.pair or term.is_sum for term in relation.terms):
        return f"von den zwei Karten zu beiden Seiten {cards.two(relation)}"
    return cards.may_lie(
        relation, "von den zwei Karten zu beiden Seiten die eine gegenüber der anderen"
    )


def alike(relation: Relation) -> bool:
    """Whether cards are related if they have something in common."""
    return all(term.is_likeness for term in relation.terms)


def _number(raw: dict[str, Any], path: "Path", piles: int, reader: "Reader") -> tuple[int, int]:
    """The fewest and the most cards that leave together."""
    found = bounds(raw["number"]) if "number" in raw else (1, max(1, piles))
    if found is None or not found[0] <= found[1] or found[1] < 1:
        reader.report.error(
            "out-of-range",
            (*path, "number"),
            gettext(
                '"{key}" must be a number, "at least 2", "at most 3" or [fewest, most]',
                key="number",
            ),
        )
        return 1, max(1, piles)
    return max(1, found[0]), found[1]


def _sums(raw: dict[str, Any], path: "Path", reader: "Reader") -> tuple[int, ...]:
    """What the cards may add up to."""
    value = raw.get("adding_to", [])
    sums = value if isinstance(value, list) else [value]
    if "adding_to" in raw and (
        not sums or len(sums) > 100 or not all(1 <= each <= MOST_SUM for each in sums)
    ):
        reader.report.error(
            "out-of-range",
            (*path, "adding_to"),
            gettext("cards add up to numbers from 1 to {most}", most=MOST_SUM),
        )
        return ()
    return tuple(sums)
