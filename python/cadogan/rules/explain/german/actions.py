"""What a rule does, in German: the steps of scripts, and what happens automatically."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import assert_never

from cadogan.i18n.german import (
    ACC,
    CARD,
    DAT,
    GEN,
    NOM,
    PILE,
    Case,
    after,
    counted,
    join,
    number,
    sentence,
    times,
)
from cadogan.rules.explain.english.actions import (
    Actions,
    dealt_alike,
    is_shuffle_of,
    visits,
    visits_of,
)
from cadogan.rules.explain.german.cards import RANKS, building
from cadogan.rules.explain.german.phrases import GermanPhrases
from cadogan.rules.rulebook.counter import Chosen
from cadogan.rules.rulebook.rulebook import Rule
from cadogan.rules.rulebook.step import Quantity, Step, Way

_END = {"top": "oberste", "bottom": "unterste"}
_LINE = {"rows": "Zeile", "columns": "Spalte"}


class GermanActions(Actions):
    """Tells the actions of one rulebook in German.

    Args:
        wording: The names of its piles and conditions.
    """

    def __init__(self, wording: GermanPhrases) -> None:
        super().__init__(wording)
        self.german = wording

    # Scripts.

    def steps(self, steps: Sequence[Step]) -> list[str]:
        """The steps of a script, a clause each."""
        clauses: list[str] = []
        before: Step | None = None
        for step, following in zip_longest(steps, steps[1:]):
            if step.again:
                if before is None or not before.again:
                    clauses.append(
                        "der Tisch|wird noch einmal wie zu Beginn ausgelegt, so weit die Karten "
                        "reichen"
                    )
            elif following is not None and is_shuffle_of(following, step):
                clauses.append(self._gathered(step))
            elif before is not None and is_shuffle_of(step, before):
                pass
            elif before is not None and (more := self._as_before(before, step)):
                clauses[-1] += more
            elif clause := self.doing(step):
                if before is not None:
                    for _, chosen in before.takes_turns:
                        clause = clause.replace(self.whose(chosen), "")
                clauses.append(clause)
            before = step
        return clauses

    def _as_before(self, before: Step, step: Step) -> str:
        """The words for a deal that is like the one before it, on other piles."""
        piles = dealt_alike(before, step)
        return f", und dann ebenso auf {self._every(piles)}" if piles else ""

    def _every(self, piles: Sequence[int], case: Case = ACC) -> str:
        """Piles that are dealt to in turn."""
        groups = self.german.groups(piles)
        if len(groups) == 1 and list(piles) == list(groups[0].piles):
            name = self.german.called(groups[0])
            if name.one is not None:
                return name.one("any", case)
            return f"{PILE('any', case)} {name.whole('the', GEN)}"
        these = "jedem dieser Stapel" if case is DAT else "jeden dieser Stapel"
        if len(piles) <= 4:
            return f"{these}: {join(self.german.one_pile(p, NOM) for p in piles)}"
        if len(groups) == 1 and list(piles) == list(range(piles[0], piles[-1] + 1)):
            name = self.german.called(groups[0])
            whole = name.whole("the", GEN)
            one = name.one("any", case) if name.one else f"{PILE('any', case)} {whole}"
            _, from_, way = self.german.ordered(piles).rpartition(" vo")
            return f"{one}{from_}{way}"
        return f"{these}: {self.german.ordered(piles)}"

    def doing(self, step: Step) -> str:
        """A step as a main clause, ``Subject|wird rest``; empty if there is nothing to say."""
        match step.kind:
            case "deal":
                return self._deals(step)
            case "take":
                return self._takes(step)
            case "gather":
                return self._gathers(step)
            case "route":
                return self._routes(step)
            case "sink":
                return self._sinks(step)
            case "slip":
                return self._slips(step)
            case "turn":
                return self._turned_over(step)
            case "pick":
                return self._picks(step)
            case "close":
                return self._closes(step)
            case "close_up":
                return self._closes_up(step)
            case "base":
                assert step.piles is not None
                pile = self.german.one_pile(step.piles.piles[0], GEN)
                return f"der Wert der obersten Karte {pile}|wird zum Grundwert"
            case "shuffle":
                return self._shuffles(step)
            case "settle":
                return ""
            case _:
                assert_never(step.kind)

    def _deals(self, step: Step) -> str:
        special = f"{self.kept_apart(step)}{self.going_up(step)}{self.passed_over(step)}"
        return f"{self._given(step)}{special}"

    def _given(self, step: Step) -> str:
        assert step.from_ is not None
        piles, rounds = visits(step)
        face = {"up": " offen", "down": " verdeckt", "keep": ""}[step.face]
        first, *then = step.from_.piles
        source = after("von", self.german.whole([first], DAT)) + "".join(
            f" oder, wenn dort keine ist, {after('von', self.german.whole([pile], DAT))}"
            for pile in then
        )
        count = step.each * rounds
        verb = "wird" if count == 1 else "werden"
        if step.takes_turns:
            return self._given_in_turn(step, source, face)
        if step.by_pass:
            more = ("eine" if each == 1 else number(each) for each in step.by_pass[1:])
            later = ", ".join(f"dann {each}" for each in more)
            further = "mit jedem Neugeben eine Zahl weiter"
            if self.book.counters[step.counter].name != "redeals":
                often = self.german.sum_of(self.book.counters[step.counter])
                further = f"so viele Zahlen weiter, wie {often} beträgt"
            if self.book.counters[step.counter].cap >= len(step.by_pass):
                further += ", nach der letzten Zahl keine Karten mehr"
            where = self._every(piles) if len(piles) > 1 else self.german.one_pile(piles[0], ACC)
            return (
                f"{counted(step.by_pass[0])}, {later} ({further}),|werden {source}{face} "
                f"auf {where} gegeben, so weit die Karten reichen"
            )
        if step.up_to is not None:
            return self._filled_up(step, piles, source, face)
        if step.only != "any" and (len(piles) > 1 or step.lines):
            where = self.german.empty(piles, "any", ACC)
            if step.leaves is not None:
                where += f", außer auf den ersten jeder {_LINE[step.leaves]},"
            if step.only == "occupied":
                where = self.german.some(piles, "any", ACC, "belegt")
            ends = "so weit die Karten reichen"
            return f"{counted(step.each)}|{verb} {source}{face} auf {where} gegeben, {ends}"
        if len(piles) == 1:
            fewer = " (oder so viele, wie noch da sind)" if count > 1 else ""
            to = self.german.one_pile(piles[0], ACC)
            state = {
                "any": "",
                "vacant": ", wenn dort keine Karte liegt",
                "occupied": ", wenn dort schon eine Karte liegt",
            }
            only = state[step.only]
            if step.passes_over is not None and rounds > 1:
                only = f", je {counted(step.each)} auf einmal"
            return f"{counted(count)}|{verb} {source}{face} auf {to} gegeben{only}{fewer}"
        each = self._every(piles)
        group = self.german.groups(piles)[0]
        one = self.german.called(group).one
        way = (
            "von der ersten zur letzten" if one and one.gender == "f" else "vom ersten zum letzten"
        )
        order = "" if ":" in each or " bis zu" in each else f", {way}"
        how = "" if count == 1 else ", Stapel für Stapel"
        if rounds > 1:
            how = f", rundum, je {counted(step.each)} auf jeden Stapel"
        ends = "so weit die Karten reichen"
        given = "" if ":" in each else " gegeben"
        if not given:
            return f"{counted(count)}|{verb} {source}{face} gegeben auf {each}{order}{how}, {ends}"
        return f"{counted(count)}|{verb} {source}{face} auf {each}{given}{order}{how}, {ends}"

    def _given_in_turn(self, step: Step, source: str, face: str) -> str:
        """A deal that begins at a pile that a counter selects."""
        chosen = step.takes_turns[0][1]
        rounds = len(visits_of(step)) // len(chosen.piles)
        if chosen.along is not None:
            many = step.each * rounds
            where = self.german.some(chosen.piles, "any", ACC)
            if step.only == "vacant":
                where = self.german.empty(chosen.piles, "any", ACC)
            if step.only == "occupied":
                where = self.german.some(chosen.piles, "any", ACC, "belegt")
            verb = "wird" if many == 1 else "werden"
            given = f"{counted(many)}|{verb} {source}{face} auf {where} gegeben"
            return f"{given}, {self.german.lines_in_german(chosen)}, so weit die Karten reichen"
        if chosen.how == "but":
            verb = "wird" if step.each == 1 else "werden"
            fewer = "mit jedem Neugeben auf einen Stapel weniger"
            if self.book.counters[chosen.counter].name != "redeals":
                count = self.german.sum_of(self.book.counters[chosen.counter])
                fewer = f"auf so viele Stapel weniger, wie {count} beträgt"
            return (
                f"{counted(step.each)}|{verb} {source}{face} auf {self._every(chosen.piles)} "
                f"gegeben, so weit die Karten reichen, aber {fewer}: die letzten bleiben aus"
            )
        if chosen.how == "at":
            many = step.each * rounds
            verb = "wird" if many == 1 else "werden"
            return f"{counted(many)}|{verb} {source}{face} auf {self.selected(chosen, ACC)} gegeben"
        begin = "hinter" if chosen.how == "after" else "mit"
        begin = f"beginnend {begin} {self.selected(chosen, DAT)}"
        way = f"höchstens {number(rounds)} Runden" if rounds > 1 else "höchstens eine Runde"
        piles = self.german.whole(chosen.piles, ACC)
        return f"die Karten|werden {source}{face} einzeln reihum auf {piles} gegeben, {begin} {way}"

    def selected(self, chosen: Chosen, case: Case) -> str:
        """The pile that a counter selects."""
        pile = self.german.some(chosen.piles, "the", case)
        one = self.german.called(self.german.groups(chosen.piles)[0]).one or PILE
        relative = {"m": "der", "n": "das", "f": "die", "p": "die"}[one.gender]
        return f"{pile}, {relative} an der Reihe ist{self.whose(chosen)},"

    def whose(self, chosen: Chosen) -> str:
        """How a counter selects a pile, in brackets."""
        one = self.german.called(self.german.groups(chosen.piles)[0]).one or PILE
        return self.german.whose_in_german(chosen.counter, one, from_end=chosen.from_end)

    def _filled_up(self, step: Step, piles: Sequence[int], source: str, face: str) -> str:
        """A deal that fills piles up to a number."""
        assert step.up_to is not None
        most = counted(step.up_to.number)
        if step.up_to.kind == "times":
            count = self.german.sum_of(self.book.counters[step.up_to.counter])
            most = f"so viele Karten hat, wie {count} beträgt"
        else:
            most = f"{most} hat"
        each = self._every(piles) if len(piles) > 1 else self.german.one_pile(piles[0], ACC)
        if step.only == "vacant":
            each = self.german.empty(piles, "any", ACC)
        if step.only == "occupied":
            each = self.german.some(piles, "any", ACC, "belegt")
        how = ""
        if step.emptiest_first:
            how = ", einzeln, immer auf den mit den wenigsten Karten (den ersten von mehreren)"
        ends = "so weit die Karten reichen"
        return f"Karten|werden {source}{face} auf {each} gegeben, bis er {most}{how}, {ends}"

    def going_up(self, step: Step) -> str:
        """Which cards go up instead of being dealt; empty if none do."""
        if step.goes_up is None:
            return ""
        up = step.goes_up
        card = self.german.german.single(up.cards.mask)
        if self.german.german.is_any(up.cards.mask):
            card = "eine Karte"
        where = after("auf", self.german.some(up.to.piles, "a", DAT))
        onto = "ihre Stelle" if not card.startswith(("ein ", "das ")) else "seine Stelle"
        place = onto.replace("Stelle", "Platz").replace("ihre ", "ihr ").replace("seine ", "sein ")
        word = "die" if onto.startswith("ihre") else "das"
        then = f"die nächste Karte tritt an {onto}" if up.replaced else f"{place} bleibt leer"
        return f"; {card}, {word} {where} als Nächstes passt, kommt sofort dorthin, und {then}"

    def passed_over(self, step: Step) -> str:
        """Which piles a deal passes over; empty if none are."""
        if step.passes_over is None:
            return ""
        ending = step.passes_over
        way = join((building(term) for term in ending.relation.terms), "oder")
        first = self.german.german.single(ending.cards.mask)
        how = "als Ganzes eine offene Folge ist" if ending.whole else "in einer offenen Folge endet"
        return f"; ein Stapel, der {how}, zuerst {first}, dann {way}, wird übergangen"

    def _slips(self, step: Step) -> str:
        assert step.piles is not None
        assert step.cards is not None
        kind = self.german.german.single(step.cards.mask)
        pile = self.german.some(step.piles.piles, "a", DAT)
        if len(step.piles.piles) == 1:
            pile = self.german.one_pile(step.piles.piles[0], DAT)
        return f"solange {kind} oben auf {pile} liegt,|kommt diese Karte unter den Stapel"

    def _turned_over(self, step: Step) -> str:
        assert step.piles is not None
        many = len(step.piles.piles) > 1
        piles = step.piles.piles
        if step.face == "keep":
            where = self._every(piles, DAT) if many else self.german.one_pile(piles[0], DAT)
            return (
                f"{after('in', where)}|wird die Reihenfolge der Karten umgekehrt, ohne sie "
                "umzudrehen"
            )
        if step.turned:
            where = self._every(piles, NOM) if many else self.german.one_pile(piles[0], NOM)
            face = {"up": " offen", "down": " verdeckt"}[step.face]
            return f"{where}|wird als Ganzes{face} umgedreht, so dass die unterste Karte oben liegt"
        face = {"up": "aufgedeckt", "down": "zugedeckt"}[step.face]
        where = self.german.whole(piles, GEN)
        return f"alle Karten {where}|werden {face} und behalten ihre Reihenfolge"

    def kept_apart(self, step: Step) -> str:
        """Which cards a deal keeps apart; empty if any card may come to any pile."""
        if step.apart is None or step.from_ is None:
            return ""
        fits = self.german.german.may_lie(step.apart, "eine Karte gegenüber einer im Stapel")
        if step.apart.texts == ("same rank",):
            fits = "der Wert einer Karte im Stapel schon vorkommt"
        pile = "unter die restlichen Karten"
        if not self.german.is_pack(step.from_.piles[0]):
            pile = f"unter {self.german.whole(step.from_.piles[:1], ACC)}"
        return (
            f"; wenn {fits}, kommt sie {pile}, und die nächste wird versucht; taugt keine, so "
            "wird die erste gegeben"
        )

    def _sinks(self, step: Step) -> str:
        assert step.piles is not None
        assert step.cards is not None
        kinds = self.german.german.some(step.cards.mask, NOM, "the")
        where = after("in", self.german.whole(step.piles.piles, DAT))
        pile = "" if len(step.piles.piles) == 1 else " in ihren Stapeln"
        return f"{kinds} {where}|kommen{pile} nach unten und behalten ihre Reihenfolge"

    def _picks(self, step: Step) -> str:
        assert step.from_ is not None
        assert step.to is not None
        many = len(step.to.piles)
        if step.rank is not None:
            cards = f"die ersten {number(many)} Karten" if many > 1 else "die erste Karte"
            return self._picked_out(step, f"{cards} {self.german.worth(step.rank)}")
        assert step.cards is not None
        article, _, kind = self.german.german.single(step.cards.mask).partition(" ")
        which = "die erste" if article == "eine" else "das erste" if "Ass" in kind else "der erste"
        if many > 1:
            kind = self.german.german.some(step.cards.mask)
            which = f"die ersten {number(many)}"
        return self._picked_out(step, f"{which} {kind}")

    def _picked_out(self, step: Step, which: str) -> str:
        """The words for certain cards that are taken out of a pile."""
        assert step.from_ is not None
        assert step.to is not None
        source = "den Karten"
        if not self.german.is_pack(step.from_.piles[0]):
            source = self.german.whole(step.from_.piles, DAT)
        to = self.german.whole(step.to.piles, ACC)
        several = len(step.to.piles) > 1
        lies = "so, wie sie liegen, " if several else "so, wie sie liegt, "
        face = {"up": "", "down": "verdeckt ", "keep": lies}[step.face]
        verb = "werden" if several else "wird"
        return f"{which}|{verb} aus {source} herausgesucht und {face}auf {to} gelegt"

    def _turns_round(self, step: Step) -> str:
        assert step.from_ is not None
        assert step.number is not None
        each = self._every(step.from_.piles, DAT)
        side, other = ("oben", "unten") if step.end == "top" else ("unten", "oben")
        if step.number.kind == "fixed" and step.number.number == 1:
            return f"bei {each}|kommt die {_END[step.end]} Karte nach {other}"
        if step.number.kind == "fixed":
            count = counted(step.number.number)
        else:
            count = f"Karten, {''.join(self._reckoned(step.number))},"
        return f"bei {each}|kommen {count} von {side} nach {other}, in ihrer Reihenfolge"

    def _takes(self, step: Step) -> str:
        assert step.from_ is not None
        assert step.to is not None
        assert step.number is not None
        if step.is_loop:
            return self._turns_round(step)
        quantity = step.number
        source, to = step.from_.piles[0], self.german.one_pile(step.to.piles[0], ACC)
        cases: tuple[Case, Case] = (GEN, DAT)
        of_source, at_source = (self.german.one_pile(source, case) for case in cases)
        for key, chosen in step.takes_turns:
            if key == "to":
                to = self.selected(chosen, ACC)
            else:
                of_source, at_source = (self.selected(chosen, case) for case in cases)
        if step.is_pairwise:
            of_source = f"jedes Stapels {self.german.whole(step.from_.piles, GEN)}"
            at_source = f"jedem Stapel {self.german.whole(step.from_.piles, GEN)}"
            to = f"{self.german.some(step.to.piles, 'the', ACC)} am gleichen Platz"
        below = f"unter {to} gelegt" if step.at == "bottom" else f"auf {to} gelegt"
        side = "oben" if step.end == "top" else "unten"
        end = f"{side} {after('von', at_source)}"
        fewer = " (alle, wenn es weniger sind)"
        manner, so_that = self._lying(step)
        if quantity.kind == "all":
            return f"alle Karten {of_source}|werden {manner}{below}{so_that}"
        if quantity.kind == "fixed":
            verb = "wird" if quantity.number == 1 else "werden"
            fewer = "" if quantity.number == 1 else fewer
            joined = "," if manner and not manner.startswith("so, ") else " und"
            joined = joined if quantity.number > 1 else " und"
            return (
                f"{counted(quantity.number)}|{verb} {end} genommen{fewer}{joined} {manner}{below}"
                f"{so_that}"
            )
        if quantity.kind == "until":
            many, like = self._reckoned(quantity)
            until = f"so lange Karten genommen, bis {many} dabei sind{like}"
            return f"{end}|werden {until}{fewer}; sie werden {manner}{below}{so_that}"
        return (
            f"{end}|werden Karten genommen, {''.join(self._reckoned(quantity))}{fewer}; sie werden "
            f"{manner}{below}{so_that}"
        )

    def _reckoned(self, quantity: Quantity) -> tuple[str, str]:
        """A number of cards that is reckoned, and by what."""
        many = "so viele" if quantity.number == 1 else f"{times(quantity.number)} so viele"
        if quantity.kind == "held":
            assert quantity.cards is not None
            kind = self.german.german.some(quantity.cards.mask, NOM)
            where = after("in", self.german.one_pile(quantity.pile, DAT))
            return many, f", wie {where} {kind} liegen"
        thing = self.german.sum_of(self.book.counters[quantity.counter])
        if quantity.cards is not None:
            many += f" {self.german.german.some(quantity.cards.mask, NOM)}"
        return many, f", wie {thing} beträgt"

    def _lying(self, step: Step) -> tuple[str, str]:
        """How cards are put down, and which of them comes first when they are dealt again."""
        assert step.to is not None
        quantity = step.number
        face = {"up": "offen", "down": "verdeckt", "keep": ""}[step.face]
        if quantity is not None and quantity.kind == "fixed" and quantity.number == 1:
            return (f"{face} " if face else ""), ""
        if step.face == "keep":
            lying = (
                "einzeln, in umgekehrter Reihenfolge, " if step.turned else "so, wie sie liegen, "
            )
            return lying, ""
        how = "in ihrer Reihenfolge"
        if step.turned:
            over = step.face == "down"
            how = "als Ganzes umgedreht" if over else "in umgekehrter Reihenfolge"
        if self.book.group_of(step.to.piles[0]).role != "stock":
            return f"{how} und {face} ", ""
        first = "unterste" if step.turned else "oberste"
        return (
            f"{how} und {face}, ohne zu mischen, ",
            f", so dass die {first} von ihnen zuerst wieder gegeben wird",
        )

    def _gathers(self, step: Step) -> str:
        assert step.piles is not None
        assert step.to is not None
        to = self.german.one_pile(step.to.piles[0], ACC)
        face = {"up": " offen", "down": " verdeckt", "keep": ""}[step.face]
        turned = "umgedreht und" if step.turned and step.face == "down" else ""
        where = "unter" if step.at == "bottom" else "auf"
        if step.takes_turns:
            way = turned or (_reversed(step) if step.turned else "")
            pile = self.selected(step.takes_turns[0][1], NOM)
            put = " ".join(part for part in (way + face, where, to) if part)
            return f"{pile}|wird aufgenommen und {put} gelegt"
        if self.german.is_pack(step.to.piles[0]):
            to = "die vorigen"
        single = f" {_reversed(step)}" if step.turned and step.face != "down" else ""
        order = self.german.ordered(step.piles.piles)
        first = ""
        if self.book.role_of(step.to.piles[0]) == "stock":
            card = "unterste" if step.turned else "oberste"
            pile = "zuerst" if step.at == "bottom" else "zuletzt"
            first = (
                f", so dass von all diesen Karten die {card} des {pile} aufgenommenen Stapels "
                "zuerst ausgeteilt wird"
            )
        put = f"wird {turned}{single}{face} {where} {to} gelegt".replace("  ", " ")
        return (
            f"die Stapel{self._left(step)}|werden einer nach dem anderen aufgenommen, {order}; "
            f"jeder {put}, ohne zu mischen{first}"
        )

    def _gathered(self, step: Step) -> str:
        """Cards that are gathered and then shuffled."""
        assert step.to is not None
        to = self.german.one_pile(step.to.piles[0], DAT)
        cards = f"alle Karten {self.german.whole(step.sources, GEN)}{self._left(step)}"
        return f"{cards}|werden auf {to} gesammelt, gemischt und verdeckt hingelegt"

    def _left(self, step: Step) -> str:
        """Which cards are not gathered, because they lie in order."""
        if step.runs is None:
            return ""
        begin, cards = "", step.runs.cards.mask
        if not self.german.german.is_any(cards):
            begin = f"zuerst {self.german.german.single(cards)}, dann "
        way = join((building(term) for term in step.runs.relation.terms), "oder")
        line = _LINE[step.runs.along]
        return f" außer denen, die am Anfang ihrer {line} in Folge liegen ({begin}{way}),"

    def _shuffles(self, step: Step) -> str:
        assert step.piles is not None
        pile = self.german.one_pile(step.piles.piles[0], NOM)
        return f"{pile}|wird gemischt und liegt verdeckt"

    def _routes(self, step: Step) -> str:
        assert step.from_ is not None
        source = step.from_.piles
        ways = "; ".join(self.goes(way, other=n > 0) for n, way in enumerate(step.ways))
        if self.german.german.played & ~step.routed:
            ways += f"; {CARD('any other', NOM)} bleibt liegen"
            ways += "" if step.until is None else ", und es wird keine mehr aufgedeckt"
        if step.until is None:
            top = f"{CARD('the', NOM, 'oberst')} {self.german.whole(source, GEN)}"
            return f"{top}|wird umgedreht: {ways}"
        until = f"{self.german.empty(step.until.piles, 'no', NOM)} mehr da"
        if len(set(step.until.piles)) == 1:
            until = f"{self.german.whole(step.until.piles, NOM)} nicht mehr leer"
        single = after("von", self.german.whole(source, DAT))
        return f"{single}|wird Karte um Karte aufgedeckt: {ways}; so lange, bis {until} ist"

    def goes(self, way: Way, *, other: bool) -> str:
        """Where a class of dealt cards goes, perhaps one after others."""
        card = self.german.german.single(way.cards.mask)
        if self.german.german.is_any(way.cards.mask):
            card = CARD("any other", NOM) if other else "sie"
        rest = self.german.whole(way.overflow.piles, ACC)
        if not way.to.piles:
            return f"{card} kommt auf {rest}"
        if len(set(way.to.piles)) == 1:
            place = self.german.whole(way.to.piles, ACC)
            return f"{card} kommt auf {place}, wenn dort noch nichts liegt, sonst auf {rest}"
        vacancy = self.german.empty(way.to.piles, "the first", ACC)
        return f"{card} kommt auf {vacancy} oder, wenn keiner da ist, auf {rest}"

    def _closes_up(self, step: Step) -> str:
        assert step.piles is not None
        piles = step.piles.piles
        single = all(self.german.is_single(group) for group in self.german.groups(piles))
        what = CARD("any", NOM) if single else PILE("any", NOM)
        if step.along is not None:
            line, way = ("Reihe", "links") if step.along == "rows" else ("Spalte", "oben")
            return (
                f"jede {line} {self.german.whole(piles, GEN)}|rückt zusammen: {what} rückt in der "
                f"alten Reihenfolge über die leeren Plätze davor nach {way}"
            )
        close = "rücken" if self.german.are_plural(piles) else "rückt"
        return (
            f"{self.german.whole(piles, NOM)}|{close} zusammen: {what} rückt in der alten "
            "Reihenfolge über die leeren Plätze davor nach vorn"
        )

    def _closes(self, step: Step) -> str:
        assert step.piles is not None
        assert step.partners is not None
        group = self.german.groups(step.piles.piles)[0]
        partner = self.german.groups(step.partners.piles)[0]
        one = self.german.called(group).one or PILE
        other = self.german.called(partner).one or PILE
        relative = {"m": "dessen", "n": "dessen", "f": "deren", "p": "deren"}[one.gender]
        belongs = f"{one('the', NOM, 'erst')} gehört {after('zu', other('the', DAT, 'erst'))}"
        it = {"m": "der", "n": "das", "f": "die", "p": "die"}[one.gender]
        return (
            f"beim Geben|wird von nun an {one('any', NOM)} übergangen, {relative} "
            f"{other.forms[NOM]} vollständig ist ({belongs} und so weiter)"
        ).replace(f", {it} {it} ", f", {it} ")

    # Rules that are carried out automatically.

    def by_itself(self, rule: Rule, *, titled: bool = False) -> str:
        """A forced rule as sentences, under its title where other words speak of it."""
        when = self.german.wenn(rule.when, of=rule)
        titled = rule.action.TITLED or titled
        parts = [f"**{sentence(self.german.title(rule))}**"] if titled else []
        done = rule.action.german(self, forced=True) or self.changing(rule)
        parts += self.sentences(self.said_once(done, rule), when)
        parts += [sentence(more) for e in rule.effects if (more := self.german.change(rule, e))]
        if often := self.german.often(rule):
            parts.append(often)
        if rule.why:
            parts.append(self.german.words_of(rule.why))
        return " ".join(parts)

    def changing(self, rule: Rule) -> list[str]:
        """What a rule does that only changes counters, a clause each."""
        parts = []
        for effect in rule.effects:
            counter, value = self.book.counters[effect.counter], effect.value
            if done := self.german.done(counter):
                word = "" if value else " nicht mehr"
                parts.append(f"von nun an|gilt{word}, dass {done}")
            elif effect.kind == "set" and self.german.is_base(effect.counter):
                parts.append(f"der Grundwert|wird {RANKS[min(value, 12)]('a', NOM)}")
            elif effect.kind == "set" and self.german.holds_rank(effect.counter):
                rank = RANKS[min(value, 12)]("a", NOM)
                parts.append(f"{self.german.sum_of(counter)}|wird {rank}")
            elif effect.kind == "tally":
                how = "wächst um" if effect.grows else "wird auf"
                end = "" if effect.grows else " gesetzt"
                more = f"{how} {self.german.multiple_of(effect)}{end}"
                more = "wird verdoppelt" if effect.doubles else more
                parts.append(f"{self.german.sum_of(counter)}|{more}")
            else:
                how = "wird auf" if effect.kind == "set" else "wächst um"
                end = " gesetzt" if effect.kind == "set" else ""
                parts.append(f"{self.german.sum_of(counter)}|{how} {number(value)}{end}")
        return parts

    def sentences(self, clauses: Sequence[str], when: str) -> list[str]:
        """Clauses ``subject|verb rest`` as sentences; the first may follow a condition."""
        leads = [f"{when}, " if when else "", *("dann " for _ in clauses[1:])]
        return [
            sentence(straight(lead + inverted(clause) if lead else clause))
            for lead, clause in zip(leads, clauses, strict=bool(clauses))
        ]

    def begun(self, piles: Sequence[int]) -> str:
        """A foundation on which a card lies, in the accusative."""
        return self.german.some(piles, "a", ACC, "begonnen")

    def use_of(self, rule: Rule, sooft: str = "sooft") -> str:
        """A use of a rule: ``"sooft eine Karte auf die Grundstapel kommt"``."""
        return rule.action.german_use(rule, self, sooft)


def straight(clause: str) -> str:
    """A clause that begins with its subject."""
    return clause.replace("|", " ").replace(", ,", ",")


def inverted(clause: str) -> str:
    """A clause after something that stands before the verb: ``"wird die Karte umgedreht"``."""
    subject, bar, rest = clause.partition("|")
    if not bar:
        return clause
    verb, _, more = rest.partition(" ")
    comma = "," if verb.endswith(",") else ""
    return f"{verb.rstrip(',')} {subject}{comma} {more}".rstrip()


def _reversed(step: Step) -> str:
    """How a pile is put down in reverse order, without being turned over."""
    # Under another pile, cards keep their order if they are put there one by one.
    return "Karte für Karte" if step.at == "top" else "in umgekehrter Reihenfolge"
