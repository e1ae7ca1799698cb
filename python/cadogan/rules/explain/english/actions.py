"""What a rule does, in words: the steps of scripts, and what happens automatically."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import assert_never

from cadogan.i18n.english import an, counted, join, number, ordinal, sentence
from cadogan.rules.explain.english.phrases import Phrases
from cadogan.rules.explain.english.prose import run
from cadogan.rules.rulebook.counter import Chosen
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.rulebook import Rule
from cadogan.rules.rulebook.step import Quantity, Step, Way
from cadogan.rules.rulebook.words import RANK_NAMES

_GO = "as far as the cards go"
_LINE = {"rows": "row", "columns": "column", None: ""}


class Actions:
    """Tells the actions of one rulebook.

    Args:
        wording: The names of its piles and conditions.
    """

    def __init__(self, wording: Phrases) -> None:
        self.words = wording
        self.book = wording.book

    # -- scripts -----------------------------------------------------------------------------------

    def steps(self, steps: Sequence[Step]) -> list[str]:
        """The steps of a script, a clause each."""
        clauses: list[str] = []
        before: Step | None = None
        for step, following in zip_longest(steps, steps[1:]):
            if step.again:
                if before is None or not before.again:
                    clauses.append(
                        "the table is laid out again as at the beginning, as far as the cards go"
                    )
            elif following is not None and is_shuffle_of(following, step):
                clauses.append(self._shuffled(step))
            elif before is not None and is_shuffle_of(step, before):
                pass
            elif before is not None and (more := self._deal_too(before, step)):
                clauses[-1] += more
            elif clause := self.step(step):
                if before is not None:
                    for _, chosen in before.takes_turns:
                        clause = clause.replace(self.whose(chosen), "")
                clauses.append(clause)
            before = step
        return clauses

    def _deal_too(self, before: Step, step: Step) -> str:
        """The words for a deal that is like the one before it, on other piles."""
        piles = dealt_alike(before, step)
        return f", and then in the same way on {self._each(piles)}" if piles else ""

    def _each(self, piles: Sequence[int]) -> str:
        """Piles that are dealt to in turn."""
        groups = self.words.groups(piles)
        if len(groups) == 1 and list(piles) == list(groups[0].piles):
            noun = self.words.noun(groups[0])
            return f"each of {noun.the}" if noun.is_plural else f"each {noun.one}"
        if len(piles) <= 4:
            return f"each of these piles: {join(self.words.pile(pile) for pile in piles)}"
        if len(groups) == 1 and list(piles) == list(range(piles[0], piles[-1] + 1)):
            noun, first = self.words.noun(groups[0]), groups[0].first - 1
            each = f"each of {noun.the}" if noun.is_plural else f"each {noun.one}"
            return (
                f"{each} from the {ordinal(piles[0] - first)} to the {ordinal(piles[-1] - first)}"
            )
        return f"each of these piles in turn: {self.words.in_order(piles)}"

    def step(self, step: Step) -> str:
        """A step as a clause; empty if there is nothing to say."""
        match step.kind:
            case "deal":
                return self._deal(step)
            case "take":
                return self._take(step)
            case "gather":
                return self._gather(step)
            case "route":
                return self._route(step)
            case "sink":
                return self._sink(step)
            case "slip":
                return self._slip(step)
            case "turn":
                return self._turn(step)
            case "pick":
                return self._pick(step)
            case "close":
                return self._close(step)
            case "close_up":
                return self._close_up(step)
            case "base":
                assert step.piles is not None
                return (
                    f"the rank of the top card of {self.words.pile(step.piles.piles[0])} "
                    "becomes the base rank"
                )
            case "shuffle":
                return self._shuffle(step)
            case "settle":
                return ""
            case _:
                assert_never(step.kind)

    def _deal(self, step: Step) -> str:
        special = f"{self.kept_apart(step)}{self.going_up(step)}{self.passed_over(step)}"
        return f"{self._dealing(step)}{special}"

    def _dealing(self, step: Step) -> str:
        assert step.from_ is not None
        piles, rounds = visits(step)
        face = {"up": " face up", "down": " face down", "keep": ""}[step.face]
        first, *then = step.from_.piles
        source = self.words.the([first]) + "".join(
            f" or, if there is none there, from {self.words.the([pile])}" for pile in then
        )
        if step.takes_turns:
            return self._dealt_in_turn(step, source, face)
        if step.by_pass:
            later = ", ".join(f"then {number(each)}" for each in step.by_pass[1:])
            further = self._further(step.counter)
            if self.book.counters[step.counter].cap >= len(step.by_pass):
                further += ", and no cards after the last number"
            where = self._each(piles) if len(piles) > 1 else self.words.pile(piles[0])
            return (
                f"{counted(step.by_pass[0])}, {later} (one number further {further}), are dealt "
                f"from {source}{face} on {where}, as far as the cards go"
            )
        if step.up_to is not None:
            return self._filled(step, piles, source, face)
        if step.only != "any" and (len(piles) > 1 or step.lines):
            where = self.words.vacancy(piles, "each")
            if step.lines:
                where += f", except the first of each {_LINE[step.leaves]}"
            if step.only == "occupied":
                where = f"each pile of {self.words.the(piles)} that is not empty"
            are = "is" if step.each == 1 else "are"
            return f"{counted(step.each)} {are} dealt from {source}{face} on {where}, {_GO}"
        if len(piles) == 1:
            count = step.each * rounds
            fewer = " (or as many as are left, if fewer)" if count > 1 else ""
            verb = "is" if count == 1 else "are"
            to = self.words.pile(piles[0])
            state = {"any": "", "vacant": ", if it is empty", "occupied": ", if it is not empty"}
            only = state[step.only]
            if step.passes_over is not None and rounds > 1:
                only = f", {'one' if step.each == 1 else number(step.each)} at a time"
            return f"{counted(count)} {verb} dealt from {source}{face} on {to}{only}{fewer}"
        count = step.each * rounds
        verb = "is" if count == 1 else "are"
        each = self._each(piles)
        order = (
            ", from the first to the last" if ":" not in each and " from the " not in each else ""
        )
        how = "" if count == 1 else ", pile by pile"
        if rounds > 1:
            a_time = "one card" if step.each == 1 else counted(step.each)
            how = f", in rounds, {a_time} to a pile at a time"
        return f"{counted(count)} {verb} dealt from {source}{face} on {each}{order}{how}, {_GO}"

    def _further(self, counter: int) -> str:
        """How a counter goes on: ``"with each redeal"``."""
        if self.book.counters[counter].name == "redeals":
            return "with each redeal"
        return f"for each of the {self.words.thing(self.book.counters[counter])}"

    def _dealt_in_turn(self, step: Step, source: str, face: str) -> str:
        """A deal that begins at a pile that a counter selects."""
        chosen = step.takes_turns[0][1]
        rounds = len(visits_of(step)) // len(chosen.piles)
        if chosen.along is not None:
            where = self._each(chosen.piles)
            if step.only == "vacant":
                where = self.words.vacancy(chosen.piles, "each")
            if step.only == "occupied":
                where = f"{self.words.one_of(chosen.piles, 'each')} that is not empty,"
            are = "is" if step.each * rounds == 1 else "are"
            lines = self.words.lines_chosen(chosen)
            return (
                f"{counted(step.each * rounds)} {are} dealt from {source}{face} on {where} "
                f"{lines}, {_GO}"
            )
        if chosen.how == "but":
            are = "is" if step.each == 1 else "are"
            return (
                f"{counted(step.each)} {are} dealt from {source}{face} on "
                f"{self._each(chosen.piles)}, as far as the cards go, but on one pile fewer "
                f"{self._further(chosen.counter)}: the last ones are left out"
            )
        if chosen.how == "at":
            many = counted(step.each * rounds)
            are = "is" if step.each * rounds == 1 else "are"
            return f"{many} {are} dealt from {source}{face} on {self.chosen(chosen)}"
        begin = "the pile after " if chosen.how == "after" else ""
        way = f"{number(rounds)} times round" if rounds > 1 else "once round"
        return (
            f"the cards of {source} are dealt{face} one by one round "
            f"{self.words.the(chosen.piles)}, beginning with {begin}{self.chosen(chosen)}, "
            f"at most {way}"
        )

    def chosen(self, chosen: Chosen) -> str:
        """The pile that a counter selects."""
        return f"{self.words.one_of(chosen.piles, 'the')} whose turn has come{self.whose(chosen)}"

    def whose(self, chosen: Chosen) -> str:
        """How a counter selects a pile, in brackets."""
        return self.words.whose(chosen.counter, from_end=chosen.from_end)

    def said_once(self, clauses: Sequence[str], rule: Rule) -> list[str]:
        """Clauses that do not repeat how a counter selects a pile if the condition says it."""
        parts = list(clauses)
        for each in rule.when:
            if each.kind == "by-counter" and each.chosen is None and each.piles is not None:
                piles = each.piles.piles
                chosen = Chosen(each.counter, piles, from_end=piles[0] > piles[-1])
                parts = [clause.replace(self.whose(chosen), "") for clause in parts]
        return parts

    def _filled(self, step: Step, piles: Sequence[int], source: str, face: str) -> str:
        """A deal that fills piles up to a number."""
        assert step.up_to is not None
        most = counted(step.up_to.number)
        if step.up_to.kind == "times":
            why = self.words.thing(self.book.counters[step.up_to.counter])
            most = f"as many cards as {self.words.named(step.up_to.counter)} says"
            if why.partition(" ")[0].endswith("s"):
                most = f"as many cards as there have been {why}"
        each = self._each(piles) if len(piles) > 1 else self.words.pile(piles[0])
        order = (
            ", from the first to the last"
            if len(piles) > 1 and ":" not in each and " from " not in each
            else ""
        )
        if step.only == "vacant":
            each, order = self.words.vacancy(piles, "each"), ""
        if step.only == "occupied":
            each, order = f"each pile of {self.words.the(piles)} that is not empty", ""
        if step.emptiest_first:
            order = ", one by one, always on the pile with the fewest cards (the first of several)"
        return f"cards are dealt from {source}{face} on {each}, until it holds {most}{order}, {_GO}"

    def going_up(self, step: Step) -> str:
        """Which cards go up instead of being dealt; empty if none do."""
        if step.goes_up is None:
            return ""
        up = step.goes_up
        card = self.words.cards.one(up.cards.mask)
        if self.words.cards.is_any(up.cards.mask):
            card = "a card"
        where = self.words.one_of(up.to.piles, "a")
        then = "the next card takes its place" if up.replaced else "its place stays empty"
        return f"; {card} that comes next on {where} goes up at once, and {then}"

    def passed_over(self, step: Step) -> str:
        """Which piles a deal passes over; empty if none are."""
        if step.passes_over is None:
            return ""
        ending = step.passes_over
        what = f"{run(ending.relation)}, beginning with {self.words.cards.one(ending.cards.mask)}"
        how = "is as a whole" if ending.whole else "ends in"
        return f"; a pile that {how} a face-up sequence ({what}) is passed over"

    def _slip(self, step: Step) -> str:
        assert step.piles is not None
        assert step.cards is not None
        kind = self.words.cards.one(step.cards.mask)
        pile = self.words.one_of(step.piles.piles, "a")
        if len(step.piles.piles) == 1:
            pile = self.words.pile(step.piles.piles[0])
        return f"as long as {kind} lies on top of {pile}, it is put under that pile"

    def _turn(self, step: Step) -> str:
        assert step.piles is not None
        many = len(step.piles.piles) > 1
        where = self._each(step.piles.piles) if many else self.words.pile(step.piles.piles[0])
        if step.face == "keep":
            return f"the order of the cards of {where} is turned round, but none is turned over"
        if step.turned:
            return (
                f"{where} is turned over as a whole, face {step.face}, so that its lowest card "
                "lies on top"
            )
        return f"all cards of {where} are turned {step.face}, and keep their order"

    def kept_apart(self, step: Step) -> str:
        """Which cards a deal keeps apart; empty if any card may come to any pile."""
        if step.apart is None or step.from_ is None:
            return ""
        fits = self.words.cards.fits(step.apart).removesuffix(", whatever its suit")
        pile = "the pack" if self.words.is_pack(step.from_.piles[0]) else ""
        pile = pile or self.words.the(step.from_.piles[:1])
        kind = f"a card that is {fits}, compared with a card that lies in the pile already,"
        if step.apart.texts == ("same rank",):
            kind = "a card whose rank lies in the pile already"
        return (
            f"; {kind} goes under {pile}, and the next one is tried; "
            "if none will do, the first one is dealt"
        )

    def _sink(self, step: Step) -> str:
        assert step.piles is not None
        assert step.cards is not None
        kinds = self.words.cards.many(step.cards.mask)
        pile = "their pile" if len(step.piles.piles) == 1 else "their piles"
        where = self.words.the(step.piles.piles)
        return f"the {kinds} in {where} go to the bottom of {pile} and keep their order"

    def _pick(self, step: Step) -> str:
        assert step.from_ is not None
        assert step.to is not None
        many = len(step.to.piles)
        if step.rank is not None:
            cards = f"first {number(many)} cards" if many > 1 else "first card"
            return self._picked(step, f"{cards} {self.words.rank_of(step.rank)}")
        assert step.cards is not None
        kind = self.words.cards.one(step.cards.mask).partition(" ")[2]
        which = f"first {kind}"
        if many > 1:
            which = f"first {number(many)} {self.words.cards.many(step.cards.mask)}"
        return self._picked(step, which)

    def _picked(self, step: Step, which: str) -> str:
        """The words for certain cards that are taken out of a pile."""
        assert step.from_ is not None
        assert step.to is not None
        source, to = self.words.the(step.from_.piles), self.words.the(step.to.piles)
        face = " face down" if step.face == "down" else ""
        are = "are" if len(step.to.piles) > 1 else "is"
        lie = (
            f" as {'they lie' if len(step.to.piles) > 1 else 'it lies'}"
            if step.face == "keep"
            else ""
        )
        return f"the {which} of {source} {are} taken out and put{face} on {to}{lie}"

    def _turn_round(self, step: Step) -> str:
        assert step.from_ is not None
        assert step.number is not None
        each = self._each(step.from_.piles)
        if step.number.kind == "fixed" and step.number.number == 1:
            return f"the {step.end} card of {each} goes to the {step.at}"
        count = self._quantity(step.number)
        if step.number.kind == "fixed":
            count = counted(step.number.number)
        return f"in {each}, {count} go from the {step.end} to the {step.at}, in their order"

    def _take(self, step: Step) -> str:
        assert step.from_ is not None
        assert step.to is not None
        assert step.number is not None
        if step.is_loop:
            return self._turn_round(step)
        quantity = step.number
        source, to = self.words.pile(step.from_.piles[0]), self.words.pile(step.to.piles[0])
        for key, chosen in step.takes_turns:
            if key == "to":
                to = self.chosen(chosen)
            else:
                source = self.chosen(chosen)
        if step.is_pairwise:
            source = self._each(step.from_.piles)
            to = f"{self.words.one_of(step.to.piles, 'the')} of the same place"
        below = "put under" if step.at == "bottom" else "laid on"
        end = f"the {step.end} of {source}"
        fewer = " (all, if there are fewer)"
        if quantity.kind == "all":
            text = f"all the cards of {source} are taken and"
        elif quantity.kind == "fixed":
            are = "is" if quantity.number == 1 else "are"
            fewer = "" if quantity.number == 1 else fewer
            text = f"{counted(quantity.number)} {are} taken from {end}{fewer} and"
        elif quantity.kind == "until":
            reckoned = self._quantity(quantity)
            text = f"cards are taken from {end} until {reckoned} are among them{fewer}, and"
        else:
            text = f"cards are taken from {end}, {self._quantity(quantity)}{fewer}, and"
        return f"{text} {below} {to}{self._manner(step)}"

    def _quantity(self, quantity: Quantity) -> str:
        """A number of cards that is reckoned."""
        many = number(quantity.number)
        if quantity.kind == "held":
            assert quantity.cards is not None
            kind = self.words.cards.many(quantity.cards.mask)
            return f"{many} for each of the {kind} in {self.words.pile(quantity.pile)}"
        thing = self.words.thing(self.book.counters[quantity.counter])
        if quantity.cards is None:
            return f"{many} for each of the {thing}"
        kind = self.words.cards.many(quantity.cards.mask)
        if quantity.number == 1:
            kind = self.words.bare(quantity.cards.mask)
        return f"{many} {kind} for each of the {thing}"

    def _manner(self, step: Step) -> str:
        """How cards are put down, and which of them comes first when they are dealt again."""
        assert step.to is not None
        quantity = step.number
        face = {"up": "face up", "down": "face down", "keep": ""}[step.face]
        if quantity is not None and quantity.kind == "fixed" and quantity.number == 1:
            return f", {face}" if face else ""
        if step.face == "keep":
            return (
                ", one by one, so that their order is turned round"
                if step.turned
                else " as they lie"
            )
        how = "in their order"
        if step.turned:
            over = step.face == "down"
            how = "turned over as one packet" if over else "their order being turned round"
        if self.book.group_of(step.to.piles[0]).role != "stock":
            return f", {how}, {face}"
        first = "lowest" if step.turned else "uppermost"
        return f", {how}, {face} and unshuffled, so that the {first} of them will be dealt first"

    def _gather(self, step: Step) -> str:
        assert step.piles is not None
        assert step.to is not None
        to = self.words.pile(step.to.piles[0])
        face = {"up": ", face up", "down": ", face down", "keep": ""}[step.face]
        if step.takes_turns:
            way = "turned over and " if step.turned and step.face == "down" else ""
            if step.turned and step.face != "down":
                way = f"{_reversed(step)} "
            put = f"{way}put under" if step.at == "bottom" else f"{way}laid on"
            return f"{self.chosen(step.takes_turns[0][1])} is taken up and {put} {to}{face}"
        if self.words.is_pack(step.to.piles[0]):
            to = "those before it"
        put = "put" if step.at == "bottom" else "laid"
        turned = "turned over and " if step.turned and step.face == "down" else ""
        where = "under" if step.at == "bottom" else "on"
        if step.turned and step.face != "down":
            put += f" {_reversed(step)}"
        order = self.words.in_order(step.piles.piles)
        first = ""
        if self.book.role_of(step.to.piles[0]) == "stock":
            card = "lowest" if step.turned else "uppermost"
            pile = "first" if step.at == "bottom" else "last"
            first = (
                f", so that of all these cards the {card} of the pile taken up {pile} "
                "will be dealt first"
            )
        return (
            f"the piles{self._kept(step)} are taken up one after another, {order}; each is "
            f"{turned}{put} {where} {to}{face}, without shuffling{first}"
        )

    def _shuffled(self, step: Step) -> str:
        """Cards that are gathered and then shuffled."""
        assert step.to is not None
        to = self.words.pile(step.to.piles[0])
        cards = f"all the cards of {self.words.the(step.sources)}{self._kept(step)}"
        return f"{cards} are gathered on {to}, which is shuffled and lies face down"

    def _kept(self, step: Step) -> str:
        """Which cards are not gathered, because they lie in order."""
        if step.runs is None:
            return ""
        begin = self.words.cards.one(step.runs.cards.mask)
        first = "" if self.words.cards.is_any(step.runs.cards.mask) else f"first {begin}, then "
        return (
            f", except those that lie in order at the beginning of their {_LINE[step.runs.along]} "
            f"({first}{run(step.runs.relation)}),"
        )

    def _shuffle(self, step: Step) -> str:
        assert step.piles is not None
        return f"{self.words.pile(step.piles.piles[0])} is shuffled and lies face down"

    def _route(self, step: Step) -> str:
        assert step.from_ is not None
        source = self.words.the(step.from_.piles)
        ways = "; ".join(self.way(way, other=n > 0) for n, way in enumerate(step.ways))
        if self.words.cards.played & ~step.routed:
            ways += "; any other card stays where it is"
            ways += "" if step.until is None else ", and no more are turned"
        if step.until is None:
            return f"the top card of {source} is turned: {ways}"
        until = self.words.the(step.until.piles)
        has = "have" if self.words.are_many(step.until.piles) else "has"
        full = "is no longer empty" if _is_one(step.until) else f"{has} no vacancy left"
        return f"cards are turned from {source} one by one: {ways}; until {until} {full}"

    def way(self, way: Way, *, other: bool) -> str:
        """Where a class of dealt cards goes, perhaps one after others."""
        card = self.words.cards.one(way.cards.mask)
        if self.words.cards.is_any(way.cards.mask):
            card = "any other card" if other else "it"
        rest = self.words.the(way.overflow.piles)
        if not way.to.piles:
            return f"{card} goes on {rest}"
        if _is_one(way.to):
            return (
                f"{card} goes on {self.words.the(way.to.piles)}, if that is empty, else on {rest}"
            )
        vacancy = self.words.vacancy(way.to.piles, "the first")
        return f"{card} goes to {vacancy}, or, when there is none, on {rest}"

    def _close_up(self, step: Step) -> str:
        assert step.piles is not None
        row = self.words.the(step.piles.piles)
        groups = self.words.groups(step.piles.piles)
        single = all(self.words.is_single(group) for group in groups)
        what = "each card" if single else "each pile"
        if step.along is not None:
            line, way = ("row", "to the left") if step.along == "rows" else ("column", "upwards")
            return (
                f"each {line} of {row} closes up: {what} moves {way} over the vacancies before it, "
                "and the order stays the same"
            )
        return (
            f"{row} close{'' if self.words.are_many(step.piles.piles) else 's'} up: {what} moves "
            "over the vacancies before it, towards the first place, and the order stays the same"
        )

    def _close(self, step: Step) -> str:
        assert step.piles is not None
        assert step.partners is not None
        group = self.words.groups(step.piles.piles)[0]
        partner = self.words.groups(step.partners.piles)[0]
        one, other = self.words.noun(group).one, self.words.noun(partner).one
        return (
            f"every {one} is passed over in dealing from now on if the {other} of the same place "
            f"is complete (the first {one} belongs to the first {other}, and so on)"
        )

    # -- rules that are carried out automatically ---------------------------------------------

    def forced(self, rule: Rule, *, titled: bool = False) -> str:
        """A forced rule as sentences, under its title where other words speak of it."""
        when = self.words.when(rule.when, of=rule)
        done = rule.action.english(self, forced=True) or self.changes(rule)
        clauses = ". Then ".join(self.said_once(done, rule))
        label = self.words.label(rule)
        if label in {f"{group.name} closes up" for group in self.book.groups}:
            label = f"the {label}"
        parts = [f"**{sentence(label)}**"] if rule.action.TITLED or titled else []
        parts.append(sentence(f"{when}, {clauses}" if when else clauses))
        parts += [sentence(more) for e in rule.effects if (more := self.words.effect(rule, e))]
        if limits := self.words.limits(rule):
            parts.append(limits)
        if rule.why:
            parts.append(sentence(rule.why))
        return " ".join(parts)

    def changes(self, rule: Rule) -> list[str]:
        """What a rule does that only changes counters, a clause each."""
        parts = []
        for effect in rule.effects:
            counter, value = self.book.counters[effect.counter], effect.value
            if done := self.words.done_when(counter):
                word = "" if value else " no longer"
                parts.append(f"from now on it counts{word} that {done}")
            elif effect.kind == "set" and self.words.holds_rank(effect.counter):
                base = self.words.is_base(effect.counter)
                what = "the base rank" if base else self.words.named(effect.counter)
                parts.append(f"{what} becomes {an(RANK_NAMES[min(value, 12)])}")
            elif effect.kind == "tally":
                how = "grows by" if effect.grows else "becomes"
                thing = self.words.number_of(effect.counter)
                more = f"{how} {self.words.multiple(effect)}"
                parts.append(f"{thing} {'doubles' if effect.doubles else more}")
            else:
                how = "becomes" if effect.kind == "set" else "grows by"
                thing = self.words.number_of(effect.counter)
                parts.append(f"{thing} {how} {number(value, 'nought')}")
        return parts

    def use(self, rule: Rule) -> str:
        """A use of a rule: ``"whenever a card goes to the foundations"``, ``"with each deal"``."""
        return rule.action.english_use(rule, self)

    def only_together(self, piles: Iterable[int]) -> bool:
        """Whether two cards that lie on one another in these piles can leave them only together."""
        taken, actions = set(piles), [rule.action for rule in self.book.rules]
        return not any(action.separates(taken) for action in actions) and any(
            action.takes_two(taken) for action in actions
        )


def is_shuffle_of(step: Step, before: Step) -> bool:
    """Whether a step shuffles the pile on which the step before it has gathered whole piles."""
    whole = before.kind == "gather" or (
        before.kind == "take" and before.number is not None and before.number.kind == "all"
    )
    return (
        step.kind == "shuffle"
        and whole
        and before.to is not None
        and step.piles is not None
        and step.piles.piles == before.to.piles
    )


def _reversed(step: Step) -> str:
    """How a pile is put down in reverse order, without being turned over."""
    # Under another pile, cards keep their order if they are put there one by one.
    return "card by card" if step.at == "top" else "in reverse order"


def dealt_alike(before: Step, step: Step) -> tuple[int, ...]:
    """The piles of a deal that is like the one before it, but for its piles; none of any other."""
    if step.kind != "deal" or step.takes_turns or before.takes_turns:
        return ()
    piles, rounds = visits(step)
    like = replace(before, to=step.to, lines=step.lines) == step and visits(before)[1] == rounds
    return piles if like and len(piles) > 1 else ()


def visits_of(step: Step) -> tuple[int, ...]:
    """The piles that a deal visits."""
    assert step.to is not None
    return step.to.piles


def _is_one(piles: PileSet) -> bool:
    return len(set(piles.piles)) == 1


def visits(step: Step) -> tuple[tuple[int, ...], int]:
    """The piles that a deal visits in one round, and how many rounds there are."""
    assert step.to is not None
    piles = step.to.piles
    size = len(piles)
    for length in range(1, size + 1):
        if size % length == 0 and piles[:length] * (size // length) == piles:
            return piles[:length], size // length
    return piles, 1
