"""Cards that beat a pile: ``beat = "wall"``, ``with = "attackers"``.

The top cards of some piles leave the game with all cards of another pile, if they add up to more.
Piles behind the other one may help it (``backed_by``), and cards may be tried against what lies
face down (``blind``).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Any, Self

from cadogan.i18n.english import number
from cadogan.i18n.german import ACC, GEN
from cadogan.i18n.german import number as number_german
from cadogan.i18n.names import rule_label
from cadogan.i18n.text import gettext, listed
from cadogan.rules.kinds.keys import NUMBER, TO, WORTH, Key
from cadogan.rules.kinds.kind import Action, Transfers
from cadogan.rules.kinds.move.reading import bounds
from cadogan.rules.kinds.pair import is_each_one
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.worth import (
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
    from cadogan.rules.explain.german.actions import GermanActions as German
    from cadogan.rules.rulebook.rulebook import Rule
    from cadogan.rules.source.span import Path

MOST_WITH = 8
"""How many piles, one after the other, may beat another one: a move has a bit for each."""

_BACKED = re.compile(r"(?:by )?(?:the )?(?P<which>one|two nearest|those) (?P<side>above|below)")


@dataclass(frozen=True, slots=True)
class Backing:
    """The piles that help others, by their places in the picture.

    Attributes:
        nearest: Whether a card at the edge is backed by the one straight behind it, too.
        side: Where they lie: ``"above"`` or ``"below"``.
        piles: For each pile that may be beaten: those that back it.
    """

    nearest: bool
    side: str
    piles: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Beat(Action):
    """The top cards of some piles, and all cards of another one that they beat, leave the game.

    Attributes:
        beat: The piles that may be beaten.
        with_: The piles whose top cards beat them.
        least: The fewest cards that beat a pile.
        most: The most cards.
        backing: The piles that help those that may be beaten.
        blind: Whether cards may be tried against piles that lie face down.
        worth: What classes of cards count; other cards count their rank.
        to: The pile that takes them.
    """

    beat: PileSet
    with_: PileSet
    least: int
    most: int
    backing: Backing | None
    blind: bool
    worth: Worth
    to: int

    KEY = "beat"
    KEYS = (
        Key("beat", "Phrases", "piles all of whose cards leave if others add up to more", "piles"),
        Key("with", "Phrases", "piles whose top cards beat another pile", "piles"),
        NUMBER,
        Key(
            "backed_by",
            "Phrase",
            "the cards behind a pile that are added to its own",
            '"the two nearest above", "the one above" or "those above"',
        ),
        Key(
            "blind",
            "bool",
            "whether cards may be tried against what lies face down",
            "true or false",
        ),
        WORTH,
        TO,
    )
    VALUES = (Backing,)
    SECTION = "building"
    DISPLAY = "joint"

    @classmethod
    def read(cls, raw: dict[str, Any], path: "Path", reader: "Reader") -> Self | None:
        report = reader.report
        beat = reader.piles.read(raw["beat"], (*path, "beat"))
        for key, hint in (
            ("with", gettext('add with = "waste"')),
            ("to", gettext('add to = "discard"')),
        ):
            if key not in raw and not report.is_faulty(*path, key):
                report.error(
                    "missing-key",
                    path,
                    gettext('{rule} must have "{key}"', rule=reader.named(raw), key=key),
                    hint=hint,
                    missing=key,
                )
        worth = read_worth(raw, path, reader)
        backing = _read_backing(raw, beat, path, reader)
        if "with" not in raw or "to" not in raw:
            return None
        with_ = reader.piles.read(raw["with"], (*path, "with"))
        to = reader.piles.single(reader.piles.read(raw["to"], (*path, "to")), (*path, "to"))
        if to is None or not beat.piles or not with_.piles:
            return None
        with_ = PileSet(tuple(sorted(with_.piles)), with_.text)
        least, most = _read_number(raw, len(with_.piles), path, reader)
        rule = cls(beat, with_, least, most, backing, raw.get("blind", False), worth, to)
        rule._check_piles(path, reader)
        return rule

    def _check_piles(self, path: "Path", reader: "Reader") -> None:
        """Reports piles that cannot beat others, or cannot take the cards."""
        report = reader.report
        if self.with_.piles[-1] - self.with_.piles[0] >= MOST_WITH:
            report.error(
                "too-many",
                (*path, "with"),
                gettext(
                    "cards of at most {most} piles, one after the other, beat another pile",
                    most=MOST_WITH,
                ),
                hint=gettext("put the groups of these piles next to each other in the file"),
            )
        both = next((pile for pile in self.with_.piles if pile in self.beat.piles), None)
        ends = [("to", self.to)] if self.to in {*self.beat.piles, *self.with_.piles} else []
        for key, pile in [*ends, *([] if both is None else [("with", both)])]:
            name = reader.piles.group_of(pile).name
            report.error(
                "onto-itself",
                (*path, key),
                gettext('cards cannot go from "{name}" to itself', name=name)
                if key == "to"
                else gettext('"{name}" cannot beat itself', name=name),
            )
        if reader.piles.is_ordered(self.to):
            report.error(
                "mixed-targets",
                (*path, "to"),
                gettext("what is beaten leaves the game, it does not go to a foundation"),
                hint=gettext('add to = "discard"'),
            )

    @property
    def adds_up(self) -> bool:
        return True

    @property
    def looks_beside(self) -> bool:
        return self.backing is not None

    @property
    def is_tried(self) -> bool:
        return self.blind

    def takes_from(self) -> set[int]:
        return {*self.beat.piles, *self.with_.piles}

    def puts_on(self) -> set[int]:
        return {self.to}

    def turns_up(self) -> set[int]:
        return set(self.beat.piles) if self.blind else set()

    def can_stack(self, piles: set[int]) -> bool:
        return self.to in piles

    def separates(self, piles: set[int]) -> bool:
        return not piles.isdisjoint({*self.beat.piles, *self.with_.piles, self.to})

    def most_moves(self, bounds: "Bounds") -> int:
        with_ = bounds.filled(len(self.with_.piles))
        groups = sum(comb(with_, many) for many in range(self.least, self.most + 1))
        return groups * bounds.filled(len(self.beat.piles))

    def demands(self) -> Iterator[tuple[str, Iterator[int] | Sequence[int], int]]:
        yield gettext("cards that beat others"), self.with_.piles, self.least
        yield gettext("a pile to beat"), self.beat.piles, 1

    def _backs(self, pile: int) -> tuple[int, ...]:
        """The piles that back one."""
        if self.backing is None:
            return ()
        return self.backing.piles[self.beat.piles.index(pile)]

    def program(self, tables: "Tables") -> dict[str, Any]:
        return {
            "kind": "beat",
            "beat": list(self.beat.piles),
            "with": list(self.with_.piles),
            "number": [self.least, self.most],
            "worth": [counted(self.worth, rank) for rank in range(13)],
            "backing": [tables.piles(self._backs(pile)) for pile in self.beat.piles],
            "blind": self.blind,
            "to": self.to,
        }

    def fills(self, total: int) -> Iterator[tuple[Sequence[int], int]]:
        yield (self.to,), total

    def is_even(self, rule: "Rule", among: "Symmetry") -> bool:
        if rule.forced:
            return among.piles.isdisjoint({*self.beat.piles, *self.with_.piles, self.to})
        if self.backing is not None and not among.piles.isdisjoint(self.beat.piles):
            return False
        return all(
            among.all_or_none(some) for some in (self.beat.piles, self.with_.piles, (self.to,))
        )

    def _beaters(self, move: "MoveCode") -> list[int]:
        """The piles of a move whose cards beat the other one.

        The kernel has a bit for each: see ``Move`` in ``crates/kernel/src/position/moves.rs``.
        """
        return [move.source + at for at in range(MOST_WITH) if move.count >> at & 1]

    def transfers(self, move: "MoveCode") -> Transfers:
        return [(pile, 1, self.to) for pile in (*self._beaters(move), move.target)]

    def write(self, source: str, target: str, count: int, transfers: Sequence[str] | None) -> str:
        if transfers is None:
            return f"{source} > {target}"
        piles = [each.partition(" > ")[0] for each in transfers]
        return f"{' + '.join(piles[:-1])} > {piles[-1]}"

    def fits(self, parts: Sequence["MovePart"], move: "MoveCode", transfers: Transfers) -> bool:
        """Whether parts name the piles: ``a + b > c``, or ``a + b + c``."""
        named = [part.sources for part in parts]
        if (beaten := parts[-1].targets) is not None:
            return move.target in beaten and is_each_one(self._beaters(move), named)
        return is_each_one([*self._beaters(move), move.target], named)

    @classmethod
    def refusal(cls, parsed: "ParsedMove", at: "Refusals") -> str | None:
        if parsed.sign != cls.SIGN:
            return None
        sources = [part.sources[0] for part in parsed.parts]
        targets = parsed.parts[-1].targets
        ends = sources if targets is None else [*sources, targets[0]]
        for index, rule in enumerate(at.book.rules):
            action = rule.action
            if not isinstance(action, cls) or rule.forced:
                continue
            if parsed.rules is not None and index not in parsed.rules:
                continue
            beaten = [pile for pile in ends if pile in action.beat.piles]
            with_ = [pile for pile in ends if pile in action.with_.piles]
            if len(beaten) == 1 and len(beaten) + len(with_) == len(ends):
                if (condition := at.failed(index)) is not None:
                    return at.condition(rule, condition)
                return action._refused(sorted(set(with_)), beaten[0], at)
        return None

    def _refused(self, with_: Sequence[int], beaten: int, at: "Refusals") -> str:
        """Why certain cards do not beat a pile."""
        for pile in (*with_, beaten):
            if not at.heaps[pile]:
                return at.empty((pile,))
            if (covered := at.covered(pile)) is not None:
                return covered
        if not self.least <= len(with_) <= self.most:
            return gettext(
                "{number} cards cannot beat a pile here: {least} to {most} can",
                number=len(with_), least=self.least, most=self.most,
            )  # fmt: skip
        if any(byte >= 64 for byte in at.heaps[beaten]):
            return gettext("cards of {pile} lie face down", pile=at.names[beaten])
        cards = [at.cards(pile)[-1] for pile in with_]
        behind = [pile for pile in self._backs(beaten) if at.heaps[pile]]
        shown = [byte for pile in behind for byte in at.heaps[pile] if byte < 64]
        needed = sum(counted(self.worth, byte // 4) for byte in (*(at.heaps[beaten]), *shown))
        names: dict[str, object] = {
            "cards": listed(map(str, cards), "and"),
            "total": sum(counted(self.worth, card.rank) for card in cards),
            "pile": at.names[beaten],
            "needed": needed,
        }
        if behind:
            return gettext(
                "{total} ({cards}) is not more than {needed} ({pile} with {piles})",
                piles=at.pile_names(behind),
                **names,
            )
        return gettext("{total} ({cards}) is not more than {needed} ({pile})", **names)

    def instead(
        self, rule: "Rule", sources: set[int], targets: set[int], ends: Mapping[str, str]
    ) -> str | None:
        if sources.isdisjoint(self.takes_from()) or targets.isdisjoint({*self.beat.piles, self.to}):
            return None
        return gettext(
            "{piles} and {others}: cards leave only when they beat a pile, or are beaten ({rule})",
            piles=ends["start"], others=ends["end"], rule=rule_label(rule.name),
        )  # fmt: skip

    # Words.

    def english(self, words: "English", *, forced: bool) -> list[str]:
        beaten, to = words.words.one_of(self.beat.piles, "a"), words.words.the([self.to])
        with_ = words.words.one_of(self.with_.piles, "a")
        one = self.most == 1
        many = number(self.most)
        if self.least < self.most:
            many = f"{number(self.least)} to {many}"
        who = f"the top card of {with_}" if one else f"{many} top cards, each of {with_},"
        does, go = ("beats", "goes") if one else ("beat", "go")
        if not forced:
            does, go = "may beat", "go"
        it, they = ("it counts", "it") if one else ("they count", "they")
        notes = values_in_english(self.worth, words.words.cards)
        than = "these"
        if self.backing is not None:
            than = "these and the cards that back them"
            notes += f"; {self._backing_in_english()}"
        play = f"{who} {does} {beaten} and {go} to {to} with all its cards"
        text = f"{play}, if {it} more than {than} ({notes})"
        if self.blind:
            alone = "only it goes" if one else "only they go"
            text += (
                f"; {they} may be tried against what lies face down, too: it is then turned up, "
                f"and if {it} no more, {alone} to {to}"
            )
        return [text]

    def _backing_in_english(self) -> str:
        assert self.backing is not None
        side = self.backing.side
        edge = f", at the edge also by the one straight {side} that" if self.backing.nearest else ""
        return (
            f"a pile is backed by the face-up cards of its group that touch it from {side}{edge}, "
            "as in the picture"
        )

    def english_use(self, rule: "Rule", words: "English") -> str:
        return "whenever cards beat a pile, or are tried"

    def german(self, words: "German", *, forced: bool) -> list[str]:
        of = words.german.some(self.with_.piles, "a", GEN)
        beaten = words.german.some(self.beat.piles, "a", ACC)
        to = words.german.whole([self.to], ACC)
        one = self.most == 1
        many = number_german(self.most)
        if self.least < self.most:
            many = f"{'eine' if self.least == 1 else number_german(self.least)} bis {many}"
        who = f"die oberste Karte {of}" if one else f"{many} oberste Karten, jede {of},"
        does, come = ("schlägt", "kommt") if one else ("schlagen", "kommen")
        counts, may = ("zählt", "darf") if one else ("zählen", "dürfen")
        with_it = f"mit allen Karten dort auf {to}"
        play = f"{does} {beaten} und {come} {with_it}"
        if not forced:
            play = f"{may} {beaten} schlagen und {with_it} kommen"
        notes = values_in_german(self.worth, words.german.german)
        than = "diese"
        if self.backing is not None:
            than = "diese samt denen, die ihnen beistehen"
            notes += f"; {self._backing_in_german()}"
        text = f"{who}|{play}, wenn sie mehr {counts} als {than} ({notes})"
        if self.blind:
            text += (
                f"; sie {may} es auch mit dem versuchen, was verdeckt liegt: es wird dann "
                f"aufgedeckt, und {counts} sie nicht mehr, {come} nur sie auf {to}"
            )
        return [text]

    def _backing_in_german(self) -> str:
        assert self.backing is not None
        side, over = {"above": ("oben", "über"), "below": ("unten", "unter")}[self.backing.side]
        edge = f", am Rand auch die gerade {over} dieser" if self.backing.nearest else ""
        return (
            f"einem Stapel stehen die offenen Karten seiner Gruppe bei, die ihn von {side} "
            f"berühren{edge}, wie im Bild"
        )

    def german_use(self, rule: "Rule", words: "German", sooft: str) -> str:
        return f"{sooft} Karten einen Stapel schlagen oder es versuchen"


def _read_number(
    raw: dict[str, Any], piles: int, path: "Path", reader: "Reader"
) -> tuple[int, int]:
    """The fewest and the most cards that beat a pile."""
    found = bounds(raw["number"]) if "number" in raw else (1, piles)
    if found is None or not found[0] <= found[1] or found[1] < 1 or found[0] > piles:
        reader.report.error(
            "out-of-range",
            (*path, "number"),
            gettext(
                'the cards come from {piles} piles; "number" must be a number up to that, or '
                "[fewest, most]",
                piles=piles,
            ),
        )
        return 1, piles
    return max(1, found[0]), min(found[1], piles)


def _read_backing(
    raw: dict[str, Any], beat: PileSet, path: "Path", reader: "Reader"
) -> Backing | None:
    """The piles that lie behind others in the picture."""
    if "backed_by" not in raw:
        return None
    place = (*path, "backed_by")
    match = _BACKED.fullmatch(" ".join(raw["backed_by"].split()).lower())
    if match is None:
        reader.report.error(
            "unknown-phrase",
            place,
            gettext('"{text}" does not say which cards help others', text=raw["backed_by"]),
            hint=gettext('say "the two nearest above", "the one above" or "those above"'),
        )
        return None
    where = {pile: spot for spot, pile in reader.picture.items()}
    step = -1 if match["side"] == "above" else 1
    nearest = match["which"] == "two nearest"
    found = []
    for pile in beat.piles:
        group = reader.piles.group_of(pile)
        own = {other: where[other] for other in group.piles if other in where}
        row, column = own.get(pile, (0, 0.0))
        behind = [p for p, (r, c) in own.items() if r == row + step and abs(c - column) < 1]
        if nearest and len(behind) == 1:
            behind += [p for p, (r, c) in own.items() if (r, c) == (row + 2 * step, column)]
        found.append(tuple(behind if pile in own else ()))
    if not any(found):
        if not reader.report.is_faulty("picture"):
            reader.report.error(
                "not-in-picture",
                place,
                gettext(
                    'in the picture no card of "{name}" lies {side} another one',
                    name=beat.text, side=match["side"],
                ),
                hint=gettext('"/" shifts the places after it by half a place'),
            )  # fmt: skip
        return None
    most = {"one": 1, "two nearest": 2}.get(match["which"], max(map(len, found)))
    wrong = next((p for p, some in zip(beat.piles, found, strict=True) if len(some) > most), None)
    if wrong is not None:
        reader.report.error(
            "wrong-count",
            place,
            gettext(
                'in the picture {number} places lie there behind "{name}", not {most}',
                number=max(map(len, found)), most=most,
                name=reader.piles.group_of(wrong).name,
            ),
            hint=gettext('say "those above" or "those below"'),
        )  # fmt: skip
    return Backing(nearest, match["side"], tuple(found))
