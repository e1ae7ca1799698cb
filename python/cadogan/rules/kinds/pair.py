"""Cards that leave the game together: ``pair = "pyramid"``, ``match = "adding to 13"``.

A pair has two cards. A rule with ``leave`` in place of ``pair`` takes one to four.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import TYPE_CHECKING, Any, Self

from cadogan.i18n.german import ACC, DAT, GEN
from cadogan.i18n.names import rule_label
from cadogan.i18n.text import gettext, listed
from cadogan.rules.kinds.keys import ALONG, MATCH, NUMBER, TO, Key
from cadogan.rules.kinds.kind import Action, Transfers
from cadogan.rules.kinds.move.reading import bounds
from cadogan.rules.rulebook.asks import Along
from cadogan.rules.rulebook.card_sets import MOST_CARDS, CardSet
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.words import ANY, CardClass

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


FOUR_SPAN = 22
"""The greatest distance between the first and the last pile of sets of four cards: the kernel could
not name the moves of others."""


@dataclass(frozen=True, slots=True)
class Pair(Action):
    """The top cards of some piles that belong together go to another pile at the same time.

    Attributes:
        piles: The piles that the cards may come from.
        match: The relation that two cards must have, in one order or the other; ``None`` if only
            sets leave.
        sets: Other cards that belong together.
        to: The pile that takes them.
        along: For each pile, those that the other cards may come from.
        two_of: Piles whose top two cards may be a pair.
        which: The class of the cards, where they are not named one by one.
        key: The key that names the piles: ``"pair"`` or ``"leave"``.
    """

    piles: PileSet
    match: Relation | None
    to: int
    along: Along
    sets: tuple[CardSet, ...] = ()
    two_of: PileSet | None = None
    which: CardClass = ANY
    key: str = "pair"

    KEY = "pair"
    OTHER_KEYS = ("leave",)
    KEYS = (
        Key("pair", "Phrases", "piles whose top cards leave the game two at a time", "piles"),
        Key("leave", "Phrases", "piles whose top cards leave the game together", "piles"),
        NUMBER,
        Key("two_of", "Phrases", "piles whose top two cards may leave together", "piles"),
        Key("which", "Phrase", "the cards that may move", 'a class of cards such as "aces"'),
        MATCH,
        ALONG,
        TO,
    )
    SECTION = "building"
    DISPLAY = "joint"
    MAY_BE_ASKED = True

    @classmethod
    def read(cls, raw: dict[str, Any], path: "Path", reader: "Reader") -> Self | None:
        key = "leave" if "leave" in raw and "pair" not in raw else "pair"
        piles = reader.piles.read(raw[key], (*path, key))
        if "leave" in raw and key == "pair":
            reader.report.error(
                "key-does-not-fit",
                (*path, "leave"),
                gettext('a rule has either "{key}" or "{other}", not both', key=key, other="leave"),
                key=True,
            )
        for missing, hint in (
            ("match", gettext('add match = "adding to 13" or match = "same rank"')),
            ("to", gettext('add to = "discard"')),
        ):
            if missing not in raw and not reader.report.is_faulty(*path, missing):
                reader.report.error(
                    "missing-key",
                    path,
                    gettext('{rule} must have "{key}"', rule=reader.named(raw), key=missing),
                    hint=hint,
                    missing=missing,
                )
        size = cls._read_number(raw, key, path, reader)
        two_of = reader.piles.read(raw["two_of"], (*path, "two_of")) if "two_of" in raw else None
        if two_of is not None and not set(two_of.piles) <= set(piles.piles):
            reader.report.error(
                "key-does-not-fit",
                (*path, "two_of"),
                gettext('"two_of" names piles of "{key}" only', key=key),
                key=True,
                also=[((*path, key), gettext("here"))],
            )
            two_of = None
        match: Relation | None = None
        sets: tuple[CardSet, ...] = ()
        if "match" in raw:
            match, sets = reader.read_match(raw["match"], size, (*path, "match"))
        if key == "pair" and any(each.size != (2, 2) for each in sets):
            reader.report.error(
                "wrong-count",
                (*path, "match"),
                gettext("a pair is two cards"),
                hint=gettext('write "leave" in place of "pair"'),
            )
        if not (match or sets) or "to" not in raw:
            return None
        to = reader.piles.single(reader.piles.read(raw["to"], (*path, "to")), (*path, "to"))
        if to is None:
            return None
        along = reader.piles.along(
            piles.piles, piles, raw.get("along"), reader.picture, (*path, "along")
        )
        which = reader.cards(raw, "which", path)
        along = along.both_ways() if along.sides else along
        rule = cls(piles, match, to, along, sets, two_of, which, key)
        rule._check_piles(path, reader)
        return rule

    @classmethod
    def _read_number(
        cls, raw: dict[str, Any], key: str, path: "Path", reader: "Reader"
    ) -> tuple[int, int]:
        """The fewest and the most cards of a set that the phrase leaves open."""
        found = bounds(raw.get("number", 2))
        if found is not None and isinstance(raw.get("number"), str):
            found = max(1, found[0]), min(found[1], MOST_CARDS)
        if found is None or not 1 <= found[0] <= found[1] <= MOST_CARDS:
            reader.report.error(
                "out-of-range",
                (*path, "number"),
                gettext('"number" must be a number from 1 to 4, or [fewest, most]'),
            )
            return (2, 2)
        if key == "pair" and found != (2, 2):
            reader.report.error(
                "key-does-not-fit",
                (*path, "number"),
                gettext("a pair is two cards"),
                key=True,
                hint=gettext('write "leave" in place of "pair"'),
            )
            return (2, 2)
        return found

    def _check_piles(self, path: "Path", reader: "Reader") -> None:
        """Reports piles that no set can come from, or go to."""
        piles = self.piles.piles
        fewest = min([2] * (self.match is not None) + [each.size[0] for each in self.sets])
        enough = len(piles) + (len(self.two_of.piles) if self.two_of is not None else 0)
        if enough < fewest and reader.piles.is_certain(*piles):
            reader.report.error(
                "wrong-count",
                (*path, self.key),
                gettext("a pair takes cards from two piles")
                if self.key == "pair"
                else gettext("{number} cards cannot come from {piles} piles",
                          number=fewest, piles=len(piles)),
            )  # fmt: skip
        if self.to in piles:
            reader.report.error(
                "onto-itself",
                (*path, "to"),
                gettext(
                    'cards cannot go from "{name}" to itself',
                    name=reader.piles.group_of(self.to).name,
                ),
            )
        if reader.piles.is_ordered(self.to):
            reader.report.error(
                "mixed-targets",
                (*path, "to"),
                gettext("a pair leaves the game, it does not go to a foundation"),
                hint=gettext('cards that go up to foundations together are written "together"'),
            )
        span = max(piles, default=0) - min(piles, default=0)
        if max(self._sizes) == MOST_CARDS and span > FOUR_SPAN:
            reader.report.error(
                "too-many",
                (*path, self.key),
                gettext(
                    "four cards leave together from at most {most} piles, one after the other",
                    most=FOUR_SPAN + 1,
                ),
                hint=gettext("put the groups of these piles next to each other in the file"),
            )

    @property
    def _sizes(self) -> list[int]:
        """How many cards may leave together."""
        sizes = {2} if self.match is not None else set()
        return sorted(sizes.union(*(range(a, b + 1) for a, b in (s.size for s in self.sets))))

    @property
    def _limited(self) -> list[CardSet]:
        """The sets, with those that are of one class of cards only."""
        if self.which.mask == ANY.mask:
            return list(self.sets)
        found = [] if self.match is None else [CardSet("", (2, 2), each=self.match)]
        return [
            replace(each, size=(size, size), cards=each.cards or (self.which,) * size)
            for each in [*found, *self.sets]
            for size in range(each.size[0], each.size[1] + 1)
        ]

    @property
    def adds_up(self) -> bool:
        return any(each.total is not None for each in self.sets)

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
        ways = {
            size: min(comb(piles, size), linked) if size == 2 else comb(piles, size)
            for size in self._sizes
        }
        by_cards = dict.fromkeys(ways, 0)
        for each in self.sets:
            for size in range(each.size[0], each.size[1] + 1):
                by_cards[size] += each.most(size, bounds.count)
        if self.match is not None:
            by_cards[2] = ways[2]
        most = sum(min(ways[size], by_cards[size]) for size in ways)
        return most + (len(self.two_of.piles) if self.two_of is not None else 0)

    def relations(self) -> Iterable[Relation]:
        own = () if self.match is None else (self.match,)
        return (*own, *(relation for each in self.sets for relation in each.relations))

    def demands(self) -> Iterator[tuple[str, Iterable[int], int]]:
        if self._sizes[0] == 2:
            least = 1 if self.two_of is not None else 2
            yield gettext("two cards to take away"), self.piles.piles, least
        else:
            yield gettext("cards to take away"), self.piles.piles, self._sizes[0]

    def idle(self, book: "Rulebook") -> tuple[str, str] | None:
        for each in self._limited:
            for cards in each.cards:
                if not book.has_any(cards.mask):
                    return "match", gettext('the pack has no "{text}"', text=cards.text)
        return None

    def program(self, tables: "Tables") -> dict[str, Any]:
        piles = self.piles.piles
        program: dict[str, Any] = {
            "kind": "pair",
            "from": list(piles),
            "partners": [tables.piles(self.along.targets.get(pile, ())) for pile in piles],
            "yields_to": [tables.piles(()) for _ in piles],
        }
        if self.match is not None and self.which.mask == ANY.mask:
            program["pair"] = tables.relation(self.match)
        program["to"] = self.to
        if self._limited:
            program["sets"] = [each.program(tables) for each in self._limited]
        if self.two_of is not None:
            program["deep"] = tables.piles(self.two_of.piles)
        return program

    def fills(self, total: int) -> Iterator[tuple[Iterable[int], int]]:
        yield (self.to,), total

    def is_even(self, rule: "Rule", among: "Symmetry") -> bool:
        # Of a forced rule the first pair leaves, and a link may be between certain piles only.
        if rule.forced or self.along.text is not None:
            return among.piles.isdisjoint(self.piles.piles) and self.to not in among.piles
        two_of = () if self.two_of is None else self.two_of.piles
        return all(among.all_or_none(each) for each in (self.piles.piles, (self.to,), two_of))

    def taken(self, move: "MoveCode") -> list[int]:
        """The piles of a move, in order; twice the same for the top two cards of a pile.

        The kernel packs them so: see ``Move::of_set`` in ``crates/kernel/src/position/moves.rs``.
        """
        first, count, last = move.source, move.count, move.target
        if first == last:
            return [first] if count == _SINGLE else [first, first]
        if count == 0:
            return [first, last]
        between = last - first - 1
        if count - 2 < between:
            return [first, first + count - 1, last]
        couples = [(low, high) for high in range(between) for low in range(high)]
        low, high = couples[count - 2 - between]
        return [first, first + 1 + low, first + 1 + high, last]

    def transfers(self, move: "MoveCode") -> Transfers:
        return [(pile, 1, self.to) for pile in self.taken(move)]

    def write(self, source: str, target: str, count: int, transfers: Sequence[str] | None) -> str:
        if transfers is None:
            return f"{source} + {target}"
        if len(transfers) == 1:
            return transfers[0]
        piles = sorted((each.partition(" > ")[0] for each in transfers), key=_place)
        return " + ".join(piles)

    def fits(self, parts: Sequence["MovePart"], move: "MoveCode", transfers: Transfers) -> bool:
        """Whether parts name the piles: ``a + b``, ``a > discard``, or ``a > b`` for a pair."""
        if len(parts) == 1 and parts[0].targets is not None and self.to not in parts[0].targets:
            wanted = [parts[0].sources, parts[0].targets]
        elif all(part.targets is None or self.to in part.targets for part in parts):
            wanted = [part.sources for part in parts]
        else:
            return False
        return is_each_one(self.taken(move), wanted)

    @classmethod
    def refusal(cls, parsed: "ParsedMove", at: "Refusals") -> str | None:
        if parsed.sign != cls.SIGN or len(parsed.parts) < 2:
            return None
        return cls.together([part.sources[0] for part in parsed.parts], parsed, at)

    def when_stacked(self, piles: set[int], parsed: "ParsedMove", at: "Refusals") -> str | None:
        if len(piles) != 2 or not piles <= {*self.piles.piles}:
            return None
        return self.together(piles, parsed, at)

    @classmethod
    def together(cls, piles: Iterable[int], parsed: "ParsedMove", at: "Refusals") -> str | None:
        """Why the top cards of piles do not leave together; ``None`` if no rule is for them."""
        rules = [
            (index, rule)
            for index, rule in enumerate(at.book.rules)
            if isinstance(rule.action, cls) and not rule.forced
            and (parsed.rules is None or index in parsed.rules)
        ]  # fmt: skip
        if not rules:
            return None
        ends = sorted(piles)
        if (vacant := next((pile for pile in ends if not at.heaps[pile]), None)) is not None:
            return at.empty((vacant,))
        if (covered := next(filter(None, map(at.covered, ends)), None)) is not None:
            return covered
        failed = None
        for index, rule in rules:
            action = rule.action
            assert isinstance(action, cls)
            if len(ends) not in action._sizes or not action._may_give(ends):
                continue
            if (condition := at.failed(index)) is not None:
                failed = failed or at.condition(rule, condition)
                continue
            heaps = [at.cards(pile) for pile in ends]
            deep = len(ends) == 2 and ends[0] == ends[1]
            if deep and len(heaps[0]) < 2:
                continue
            cards = [heaps[0][-1], heaps[0][-2]] if deep else [heap[-1] for heap in heaps]
            texts = [] if action.match is None else list(action.match.texts)
            texts += [each.text for each in action.sets]
            return gettext(
                "{cards} do not belong together ({how})",
                cards=listed(map(str, cards), "and"), how=" / ".join(texts),
            )  # fmt: skip
        return failed

    def _may_give(self, piles: Sequence[int]) -> bool:
        """Whether cards of these piles may leave together, whatever the cards."""
        if len(piles) == 2 and piles[0] == piles[1]:
            return self.two_of is not None and piles[0] in self.two_of.piles
        return all(
            other in self.along.targets.get(pile, ())
            for index, pile in enumerate(piles)
            for other in piles[:index]
        )

    def instead(
        self, rule: "Rule", sources: set[int], targets: set[int], ends: Mapping[str, str]
    ) -> str | None:
        if sources.isdisjoint(self.piles.piles) or targets.isdisjoint({*self.piles.piles, self.to}):
            return None
        if max(self._sizes) == 2:
            return gettext(
                "{piles} and {others}: cards leave only in pairs ({rule})",
                piles=ends["start"], others=ends["end"], rule=rule_label(rule.name),
            )  # fmt: skip
        return gettext(
            "{piles} and {others}: cards leave only together ({rule})",
            piles=ends["start"], others=ends["end"], rule=rule_label(rule.name),
        )  # fmt: skip

    def english(self, words: "English", *, forced: bool) -> list[str]:
        where = words.words.one_of(self.piles.piles, "a")
        to = words.words.the([self.to])
        linked = words.words.linked_pair(self.along)
        cards = words.words.cards
        found: list[str] = []
        may = "go" if forced else "may go"
        again = "so do" if forced else "so may"
        if self.match is not None:
            how = "whatever the cards are"
            if not any(term.anything for term in self.match.terms):
                how = f"if {cards.two(self.match)}"
            two = f"two top cards{linked}, each of {where}"
            if self.which.mask != ANY.mask:
                two = (
                    f"two {_or(cards.many(self.which.mask), 'and')}, each on top of {where}{linked}"
                )
            found.append(f"{two}, {may} to {to} together, {how}")
        for each in self.sets:
            who, how = cards.card_set(each, self.which.mask)
            named = bool(each.cards) or self.which.mask != ANY.mask
            if named and not each.cards:
                who = who.replace("top cards", _or(cards.many(self.which.mask), "and"))
            condition = f", if {how}" if how else ""
            if found:
                found.append(f"{again} {who}{condition}")
            elif each.size == (1, 1):
                goes = "goes" if forced else "may go"
                found.append(f"{who} on top of {where} {goes} to {to}{condition}")
            elif named:
                found.append(
                    f"{who}, each on top of {where}{linked}, {may} to {to} together{condition}"
                )
            else:
                found.append(f"{who}{linked}, each of {where}, {may} to {to} together{condition}")
        if self.two_of is not None:
            two = words.words.one_of(self.two_of.piles, "a")
            found.append(f"the top two cards of {two} may be such a pair, too")
        return ["; ".join(found)]

    def english_use(self, rule: "Rule", words: "English") -> str:
        if max(self._sizes) == 2:
            return "whenever a pair of cards leaves the game"
        return "whenever cards leave the game together"

    def german(self, words: "German", *, forced: bool) -> list[str]:
        where = words.german.some(self.piles.piles, "a", DAT)
        to = words.german.whole([self.to], ACC)
        linked = words.german.pair_link(self.along)
        cards = words.german.german
        does = f"kommen zusammen auf {to}" if forced else f"dürfen zusammen auf {to} gelegt werden"
        found: list[str] = []
        if self.match is not None:
            how = f", wenn {cards.two(self.match)}"
            if any(term.anything for term in self.match.terms):
                how = ", gleich welche Karten es sind"
            two = f"zwei oberste Karten{linked}, jede auf {where}"
            if self.which.mask != ANY.mask:
                kinds = _or(cards.some(self.which.mask), "und")
                two = f"zwei {kinds}, jeweils oben auf {where}{linked}"
            found.append(f"{two},|{does}{how}")
        for each in self.sets:
            who, how = cards.card_set(each, self.which.mask)
            named = bool(each.cards) or self.which.mask != ANY.mask
            if named and not each.cards:
                who = who.replace("oberste Karten", _or(cards.some(self.which.mask), "und"))
            condition = f", wenn {how}" if how else ""
            if found:
                found.append(f"ebenso {who}{condition}")
            elif each.size == (1, 1):
                goes = f"kommt auf {to}" if forced else f"darf auf {to} gelegt werden"
                found.append(f"{who} oben auf {where}|{goes}{condition}")
            elif named:
                found.append(f"{who}, jeweils oben auf {where}{linked},|{does}{condition}")
            else:
                found.append(f"{who}{linked}, jede auf {where},|{does}{condition}")
        if self.two_of is not None:
            two = words.german.some(self.two_of.piles, "a", GEN)
            found.append(f"auch die beiden obersten Karten {two} dürfen ein solches Paar sein")
        return ["; ".join(found)]

    def german_use(self, rule: "Rule", words: "German", sooft: str) -> str:
        if max(self._sizes) == 2:
            return f"{sooft} ein Paar das Spiel verlässt"
        return f"{sooft} Karten zusammen das Spiel verlassen"


_SINGLE = 254
"""The count in the code of a move that takes one card."""


def _place(pile: str) -> tuple[str, int]:
    """Sorts piles by their group and number."""
    group, _, number = pile.partition(".")
    return group, int(number or 0)


def is_each_one(piles: Sequence[int], wanted: Sequence[Sequence[int]]) -> bool:
    """Whether each pile is one of the candidates of one place, and no place is left over."""
    if len(piles) != len(wanted):
        return False
    if not piles:
        return True
    return any(
        piles[0] in some and is_each_one(piles[1:], [*wanted[:at], *wanted[at + 1 :]])
        for at, some in enumerate(wanted)
    )


def _or(words: str, last: str) -> str:
    """Kinds of cards, of which two are picked: any of these."""
    head, word, end = words.rpartition(f" {last} ")
    return f"{head} {'or' if last == 'and' else 'oder'} {end}" if word else words
