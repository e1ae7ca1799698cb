"""What moves, on what conditions and how often, in words."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import assert_never

from cadogan.i18n.english import an, counted, held, join, number, ordinal, times
from cadogan.rules.explain.english.asks import UNKNOWN, Asking, is_all_face_up
from cadogan.rules.explain.english.prose import run
from cadogan.rules.explain.english.sides import beside, sides, touching
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.asks import Along
from cadogan.rules.rulebook.condition import Condition
from cadogan.rules.rulebook.counter import Chosen, Counter, Turn
from cadogan.rules.rulebook.group import Group, PileSet
from cadogan.rules.rulebook.neighbours import Beside, Neighbours
from cadogan.rules.rulebook.rulebook import Rule
from cadogan.rules.rulebook.words import ALL_CARDS, RANK_NAMES

_DONE = re.compile(r"(?:times|whether) (?P<what>.+?) (?P<verb>has|have) been (?P<done>.+)$")
_MANY = 400


class Phrases(Asking):
    """The words for the moves, conditions and counters of one rulebook."""

    # -- cards on the move -------------------------------------------------------------------------

    def source(self, move: Move, *, mine: Sequence[int] = (), any_word: str = "any") -> str:
        """What moves: ``"the top card of any column"``.

        Args:
            move: The move.
            mine: The piles to describe, if not all sources.
            any_word: The word for one of several piles.
        """
        words = self._source(move, mine=mine, any_word=any_word)
        clauses = []
        if asked := self.asked_of_card(move):
            clauses.append(f"{self.deciding(move)} is {asked}")
        if asked := self.ranks_in(move):
            clauses.append(asked)
        if not is_all_face_up(move) and (asked := self.uncovered(move)):
            clauses.append(asked)
        clauses += [asked for asked in (self.longest(move), self.total(move)) if asked]
        words = f"{words}, if {join(clauses)}" if clauses else words
        if move.beaten_by is None:
            return words
        if any(term.anything for term in move.beaten_by.terms):
            return f"{words}, while another of these piles shows a card"
        fits = self.cards.fits(move.beaten_by).removesuffix(", whatever its suit")
        return f"{words}, while another of these piles shows a card that is {fits}"

    def _source(self, move: Move, *, mine: Sequence[int], any_word: str) -> str:
        turn = self.turn(move.asks.from_turn)
        if turn:
            return f"{self._tops(mine or move.sources, move, 'the')[0]} {turn}"
        lanes = [lane.piles for lane in move.from_ if len(lane.piles) > 1 and not mine]
        taken = {pile for lane in lanes for pile in lane}
        singles = [pile for pile in (mine or move.sources) if pile not in taken]
        # One lane after the other, but all that is taken from single piles in one breath.
        parts = self._tops(singles, move, any_word) if singles else []
        for lane in lanes:
            ones = [self._tops([pile], move, any_word)[0] for pile in lane]
            if len(lanes) == 1 and not parts and self.cards.is_any(move.which.mask):
                return ", or, when there is none, ".join(ones)
            parts.append(f"{ones[0]} (or, when there is none, {' or then '.join(ones[1:])})")
        words = f"{join(parts, 'or')}{self._one_by_one(move)}"
        which = self.which(move)
        complete = move.cards.kind == "run" and move.cards.least == move.cards.most
        named = self._is_plain(move) and self._named(which)
        if self.cards.is_any(which) or named or complete:
            return words
        return f"{words}, if {self.deciding(move)} is {self.cards.one(which)}"

    @staticmethod
    def _one_by_one(move: Move) -> str:
        """That cards come to lie in reverse order, if the words for vacancies do not say it."""
        said = move.cards.kind == "count" and move.to_holds == (0, 0) and move.face == "up"
        return " (laid down one by one)" if move.turns_order and not said else ""

    def which(self, move: Move) -> int:
        """The class of the lowest card that moves; on empty foundations their first card."""
        mask = move.which.mask
        if move.build_order and move.to_holds[1] == 0:
            orders = [group.build_order for group in self.groups(move.to.piles)]
            if all(order is not None and order.base is None for order in orders):
                first = 0
                for order in orders:
                    if order is not None:
                        first |= ALL_CARDS if order.own_base else order.wants[0]
                mask &= first
        return mask

    def _named(self, mask: int) -> str:
        """A class that can stand for the card itself: ``"an ace"``; empty for most cards."""
        one = self.cards.one(mask)
        return "" if one.startswith("any card") else one

    @staticmethod
    def _is_plain(move: Move) -> bool:
        return move.cards.kind == "top" and move.from_holds == (1, 65535)

    def _tops(self, piles: Sequence[int], move: Move, any_word: str) -> list[str]:
        unit = move.cards
        groups = self.groups(piles)
        if self._is_plain(move):
            which = self.which(move)
            what = self._named(which)
            parts: list[str] = []
            several = [g for g in groups if not self.is_single(g) and g.role != "hand"]
            if several:
                own = [pile for pile in piles if self.book.group_of(pile) in several]
                top = f"{what} on top" if what else "the top card"
                parts.append(f"{top} {self._of_any(own, any_word)}")
            for g in groups:
                if g not in several:
                    own = [pile for pile in piles if pile in g.piles]
                    hidden = move.face != "up" and self.lies_hidden(own)
                    parts.append(self._single(g, own, what, hidden=hidden))
            return parts
        where = self.one_of(piles, any_word if any_word != "any" else "a")
        whole = self.one_of(piles, any_word)
        if move.from_holds[1] < 65535 or move.from_holds[0] > 1:
            if move.from_holds == (1, 1) and unit.kind == "top":
                return [f"a card that lies alone in {where}"]
            least, most = move.from_holds
            how = held(0 if least <= 1 < most else least, most)
            where, whole = f"{where} that holds {how}", f"{whole} that holds {how}"
        if unit.kind == "top":
            return [f"the top card of {where}"]
        if unit.kind == "any" and unit.place:
            end = "top" if unit.place < 0 else "bottom"
            card = f"the {ordinal(abs(unit.place))} card of {where}"
            return [f"{card}, counted from the {end}, whatever lies on it"]
        if unit.kind == "any":
            return [f"any face-up card of {whole}, whatever lies on it"]
        if unit.kind == "bottom":
            return [f"the bottom card of {where}"]
        if unit.kind == "longest":
            assert unit.relation is not None
            sequence = f"form a sequence {run(unit.relation)}"
            return [f"all the top cards of {where} together that {sequence}, no fewer"]
        if is_all_face_up(move):
            return [f"all the face-up cards of {where} together, no fewer"]
        if unit.kind == "packet":
            together = "together with all the cards that lie on it, whether in sequence or not"
            return [f"any face-up card of {whole}, {together}"]
        if unit.kind == "all" and unit.by_top:
            return [f"{whole} as a whole"]
        if unit.kind == "all":
            return [f"all the cards of {where}"]
        if unit.kind == "count":
            if unit.most == 1:
                return [f"the top card of {where}"]
            few = "or as many as there are, if fewer"
            if unit.least > 1:
                return [f"the top {counted(unit.most)} of {where}"]
            return [f"the top {counted(unit.most)} of {where} ({few})"]
        assert unit.relation is not None
        if unit.least == unit.most:
            which = self.which(move)
            start = "" if self.cards.is_any(which) else f" from {self.cards.one(which)}"
            sequence = f"a complete sequence of {counted(unit.most)}"
            return [f"{sequence}, {run(unit.relation)}{start}, on top of {where}"]
        limit = f", at most {counted(unit.most)}" if unit.most < _MANY else ""
        sequence = f"form a sequence {run(unit.relation)}{limit}"
        if unit.least > 1:
            return [f"at least {counted(unit.least)} on top of {where} that {sequence}"]
        return [f"the top card of {whole}, or several top cards together that {sequence}"]

    def _of_any(self, piles: Sequence[int], word: str) -> str:
        """Piles after "the top card": ``"of the key, of any column or of the waste"``."""
        words = f"of {self.one_of(piles, word)}"
        groups = self.groups(piles)
        if len(groups) < 2 or words.count(" of ") + words.count(" or ") + words.count(",") == 1:
            return words
        owns = [[pile for pile in piles if pile in group.piles] for group in groups]
        return join((f"of {self.one_of(own, word)}" for own in owns), "or")

    def lies_hidden(self, piles: Sequence[int]) -> bool:
        """Whether cards may lie face down on some piles."""
        book, own = self.book, set(piles)
        laid = any(step.face == "down" and own & set(step.targets) for step in book.layout)
        return laid or any(own & rule.action.lays_down() for rule in book.rules)

    def _single(
        self, group: Group, piles: Sequence[int], what: str = "", *, hidden: bool = False
    ) -> str:
        own = [pile for pile in piles if pile in group.piles]
        noun = self.noun(group)
        if what:
            return f"{what} in {self.the(own)}"
        if group.count == 1:
            return f"the card in {noun.the}"
        if len(own) == 1:
            return f"the card in {self.pile(own[0])}"
        place = "in" if group.role == "cell" else "of"
        return f"any {'face-up ' if hidden else ''}card {place} {noun.the}"

    def linked_pair(self, along: Along) -> str:
        """How two cards lie to each other, to follow "two cards"."""
        if along.sides:
            return f" {touching(along.sides)}"
        return {None: "", "lines": " in one row or column", "same place": " at the same place"}[
            along.text
        ]

    def linked(self, move: Move) -> str:
        """The words for a link between source and target, to follow the target."""
        if move.along.text == "same place":
            if not move.sources or not move.to.piles:
                return ""
            first = self.book.group_of(move.sources[0])
            other = self.book.group_of(move.to.piles[0])
            return (
                f"of the same place (from the first {self.noun(first).one} only to the first "
                f"{self.noun(other).one}, and so on)"
            )
        if move.along.text == "lines":
            return "that stands in the same row or the same column of the picture"
        if move.asks.drops:
            return "that only this pile covers"
        if move.along.sides:
            return f"that is {sides(move.along.sides)}"
        return self.place_asked(move)

    def fits_beside(self, rule: Beside) -> str:
        """How a card must fit what lies beside a vacancy, to follow "if it"."""
        terms = [self._fits_neighbour(each) for each in rule.neighbours]
        return join(terms, "or").replace("its suit compared", "its suit, compared")

    def _fits_neighbour(self, each: Neighbours) -> str:
        where, relation = beside(each.side), each.relation
        if relation.terms and (pair := relation.terms[0].pair) is not None:
            over, under = pair
            other = self.cards.one(under.mask)
            return f"is {self.cards.one(over.mask)} and the card {where} is {other}"
        if each.takes_any_card:
            return f"is any card, as long as there is a card {where}"
        fits = self.cards.fits(relation)
        compared = "as" if fits.startswith("of the same") else "compared with"
        return f"is {fits} {compared} the card {where}"

    def taken_beside(self, rule: Beside) -> str:
        """What lies beside a vacancy decides what it takes, to follow "if it"."""
        places = {pile for each in rule.neighbours for pile, _ in each.pairs}
        if not places:
            return f"is {self.cards.one(rule.edge.mask)}"
        ends = " or ".join(dict.fromkeys(beside(each.side) for each in rule.neighbours))
        if self.cards.is_any(rule.edge.mask):
            taken = "any card may go there"
        elif not rule.edge.mask & self.cards.all:
            taken = "no card may go there"
        else:
            taken = f"only {self.cards.one(rule.edge.mask)} may go there"
        return f"{self.fits_beside(rule)}; where there is no place {ends}, {taken}"

    # -- conditions --------------------------------------------------------------------------------

    def when(self, conditions: Sequence[Condition], *, of: Rule | None = None) -> str:
        """Conditions as a clause: ``"when the stock is empty and ..."``; empty if there are none.

        Args:
            conditions: All of which must hold.
            of: The rule they belong to; a limit on its own use is left to :meth:`limit`.
        """
        parts = [c for c in conditions if of is None or self.limit(c, of) is None]
        if not parts:
            return ""
        word = "as long as" if all(self._lasts(c) for c in parts) else "when"
        return f"{word} {self.all_of(parts)}"

    def all_of(self, conditions: Sequence[Condition]) -> str:
        """Conditions that hold together."""
        return join(self.merged_clauses(conditions, self.condition))

    def merged_clauses(
        self, conditions: Sequence[Condition], clause: Callable[[Condition], str]
    ) -> list[str]:
        """Clauses for conditions; those that say the same of several piles are one clause."""
        merged: list[Condition] = []
        for condition in conditions:
            for place, other in enumerate(merged):
                if (joined := _joined(other, condition)) is not None:
                    merged[place] = joined
                    break
            else:
                merged.append(condition)
        merged.sort(key=lambda condition: condition.kind == "any-of")
        parts: list[str] = []
        while merged:
            condition = merged.pop(0)
            bounds = [each for each in merged if self._are_bounds(condition, each)]
            if not bounds:
                parts.append(clause(condition))
            else:
                merged.remove(bounds[0])
                pair = (condition, bounds[0])
                least, most = sorted(pair, key=lambda each: each.compare == "below")
                parts.append(self.between(condition.counter, least.number, most.number - 1))
        return parts

    def _are_bounds(self, one: Condition, two: Condition) -> bool:
        """Whether two conditions say how few and how many a counter may have counted."""
        if one.counter != two.counter or not self._is_counted(one) or not self._is_counted(two):
            return False
        least, most = sorted((one, two), key=lambda each: each.compare == "below")
        bounds = (least.compare, most.compare) == ("at-least", "below")
        return bounds and 1 <= least.number < most.number - 1

    def _is_counted(self, condition: Condition) -> bool:
        """Whether a condition is on a number of things, not on a rank or on what has been done."""
        if condition.kind != "counter" or self.is_base(condition.counter):
            return False
        why = self.thing(self.book.counters[condition.counter])
        return not self.is_of_rank(condition) and _DONE.match(why) is None

    def between(self, counter: int, least: int, most: int) -> str:
        """That a counter has counted so many: ``"there have been one to four deals"``."""
        return self._so_many(counter, f"{number(least)} to {number(most)}")

    def one_of_counts(self, counter: int, counts: Sequence[int]) -> str:
        """That a counter has one of these values: ``"there have been no or two deals"``."""
        return self._so_many(counter, join([number(count, "no") for count in counts], "or"))

    def _so_many(self, counter: int, many: str) -> str:
        why = self.thing(self.book.counters[counter])
        if why.split()[0].endswith("s"):
            return f"there have been {many} {why}"
        return f"the count ({why}) is {many}"

    def alternatives(self, options: Sequence[Condition]) -> str:
        """Conditions of which one must hold, if they are different numbers of the same things."""
        counter = options[0].counter
        same = all(each.counter == counter and each.compare == "equal" for each in options)
        if not same or not all(self._is_counted(each) for each in options):
            return ""
        return self.one_of_counts(counter, [each.number for each in options])

    def _lasts(self, condition: Condition) -> bool:
        if condition.kind == "filled":
            return True
        if condition.kind == "counter":
            return condition.compare == "below" or condition.number == 0
        return False

    def condition(self, condition: Condition) -> str:
        """A condition as a clause without its conjunction."""
        piles = condition.piles.piles if condition.piles is not None else ()
        match condition.kind:
            case "vacant" | "filled":
                return self._filling(condition, piles)
            case "holds":
                return self._holding(condition, piles)
            case "top":
                assert condition.cards is not None
                if self.cards.is_any(condition.cards.mask):
                    return f"{self.the(piles)} is not empty"
                card = self.cards.one(condition.cards.mask)
                if not condition.cards.mask & self.cards.all:
                    card = "one that is not in the pack"
                return f"the top card of {self.the(piles)} is {card}"
            case "complete":
                return f"{self.the(piles)} {'are' if self.are_many(piles) else 'is'} complete"
            case "ordered":
                return self._ordered(condition, piles)
            case "sums":
                one = {"rows": "each row", "columns": "each column"}
                lines = join(one.get(shape, "both diagonals") for shape in condition.shapes)
                of = f"the top cards of {lines} of {self.the(piles)}"
                values = self.cards.values(condition.number)
                return f"{of} add up to {number(condition.number)}{values}"
            case "counter":
                return self._counting(condition)
            case "each":
                return self._held_by_each(condition, piles)
            case "by-counter" if condition.chosen is not None:
                every = _of_all_lines(condition)
                return f"{self._filling(every, piles)} {self.lines_chosen(condition.chosen)}"
            case "by-counter":
                turn = Turn(condition.counter, tuple(piles))
                vacant = condition.any_of and condition.any_of[0].kind == "vacant"
                is_empty = "is empty" if vacant else "is not empty"
                return f"{self.one_of(piles, 'the')} {self.turn(turn)} {is_empty}"
            case "any-of":
                if counts := self.alternatives(condition.any_of):
                    return counts
                return f"either {join((self.condition(each) for each in condition.any_of), 'or')}"
            case "size":
                return self._comparing(condition, piles)
            case "blocked":
                return join(
                    (self._blocked(self.book.rules[rule], piles) for rule in condition.rules), "and"
                )
            case _:
                assert_never(condition.kind)

    def lines_chosen(self, chosen: Chosen) -> str:
        """The lines of the picture that a counter selects: ``"in the first rows ..."``."""
        thing = self.thing(self.book.counters[chosen.counter])
        if chosen.how == "before":
            return f"in the first {chosen.along}s of the picture (one for each of the {thing})"
        return (
            f"in the next {chosen.along} of the picture (the first, then one further for each of "
            f"the {thing})"
        )

    def _filling(self, condition: Condition, piles: Sequence[int]) -> str:
        whole, count, needed = self.the(piles), len(set(piles)), condition.number
        are = "are" if self.are_many(piles) else "is"
        several = len(self.groups(piles)) > 1 and all(g.count == 1 for g in self.groups(piles))
        vacant = condition.kind == "vacant"
        if needed >= count:
            if vacant:
                every = ("both " if count == 2 else "all ") if several else ""
                return f"{whole} {are} {every}empty"
            if count == 1:
                return f"{whole} is not empty"
            roles = {group.role for group in self.groups(piles)}
            if roles <= {"foundation", "cell"}:
                return f"{self.one_of(piles, 'no')} is empty"
            return f"there is no vacancy {self.vacancy(piles, '').strip().removeprefix('vacancy ')}"
        if vacant and needed >= count - 4 and needed > 1 and not several:
            left, groups = count - needed, self.groups(piles)
            if all(self.is_single(group) for group in groups) and self.is_whole(piles):
                are = "is" if left == 1 else "are"
                within = self.noun(groups[0]).within if len(groups) == 1 else f"of {whole}"
                return f"only {counted(left)} {are} left {within}"
            stand = "pile of" if left == 1 else "piles of"
            return f"only {number(left)} {stand} {whole} hold{'s' if left == 1 else ''} cards"
        if needed <= 1:
            if vacant:
                if several:
                    return f"at least one of {whole} is empty"
                return f"there is {self.vacancy(piles)}"
            if several:
                return f"{whole} are not {'both' if count == 2 else 'all'} empty"
            if not self.is_whole(piles):
                return f"there is a card on {self.the(piles, 'or')}"
            within = join((self.noun(group).within for group in self.groups(piles)), "or")
            return f"there is a card {within}"
        state = "are vacant" if vacant else "hold cards"
        return f"at least {number(needed)} of {whole} {state}"

    def _held_by_each(self, condition: Condition, piles: Sequence[int]) -> str:
        assert condition.cards is not None
        kind, number_of = self.cards.many(condition.cards.mask, "or"), condition.held
        if condition.tops:
            return self._tops_of_each(condition, piles)
        which = "each" if condition.number > 1 or len(piles) == 1 else "some"
        pile = self.one_of(piles, which)
        if which == "some":
            pile = self.one_of(piles, "a")
        if (condition.compare, number_of) in (("below", 1), ("equal", 0)):
            return f"{pile} holds no {kind}"
        if condition.compare == "below":
            return f"{pile} holds fewer than {number(number_of)} {kind}"
        how = "exactly" if condition.compare == "equal" else "at least"
        if number_of == 1:
            kind = self.bare(condition.cards.mask)
        return f"{pile} holds {how} {number(number_of)} {kind}"

    def _tops_of_each(self, condition: Condition, piles: Sequence[int]) -> str:
        assert condition.cards is not None
        card = self.cards.one(condition.cards.mask)
        if condition.compare == "below":
            return (
                f"no {self.bare(condition.cards.mask)} lies on top of {self.one_of(piles, 'any')}"
            )
        if condition.number > 1 or len(piles) == 1:
            return f"there is {card} on top of {self.one_of(piles, 'each')}"
        return f"there is {card} on top of {self.one_of(piles, 'a')}"

    def bare(self, mask: int) -> str:
        """A class in the singular, without articles: ``"red ten or king"``."""
        card = self.cards.one(mask)
        if self.cards.is_any(mask):
            return "card"
        if card.startswith("any card but "):
            return f"card other than {card.removeprefix('any card but ')}"
        return re.sub(r"(^|, | or )an? ", r"\1", card)

    def _holding(self, condition: Condition, piles: Sequence[int]) -> str:
        assert condition.cards is not None
        kind, count = self.cards.many(condition.cards.mask, "or"), condition.number
        if not condition.cards.mask & self.cards.all:
            kind = "cards that are not in the pack"
        holds = f"{self.the(piles)} hold{'' if self.are_many(piles) else 's'}"
        if condition.compare == "below":
            return f"{holds} {'no' if count <= 1 else f'fewer than {number(count)}'} {kind}"
        if condition.compare == "equal":
            if count == 1 and condition.cards.mask & self.cards.all == self.cards.all:
                return f"{holds} exactly one card"
            return f"{holds} {'no' if count == 0 else f'exactly {number(count)}'} {kind}"
        return f"{holds} {kind}" if count <= 1 else f"{holds} at least {number(count)} {kind}"

    def _ordered(self, condition: Condition, piles: Sequence[int]) -> str:
        assert condition.relation is not None
        runs, whole = run(condition.relation), self.the(piles)
        length = counted(condition.number, "card")
        if condition.along is None:
            if condition.number:
                hold = "hold" if self.are_many(piles) else "holds"
                return f"{whole} {hold} only complete sequences of {length}, {runs}"
            each = whole if len(set(piles)) == 1 else self.one_of(piles, "each")
            if condition.relation.texts == ("same rank",):
                return f"{each} holds cards of one rank only"
            return f"the cards of {each} lie in order, {runs}"
        one = f"each {'row' if condition.along == 'rows' else 'column'} of {whole}"
        way = "from left to right" if condition.along == "rows" else "from top to bottom"
        if condition.joined:
            begun = ""
            if condition.cards is not None:
                begun = f", beginning with {self.cards.one(condition.cards.mask)}"
            along = "rows" if condition.along == "rows" else "columns"
            return (
                f"the cards of all {along} of {whole} lie in order as one line, {runs}{begun}; "
                "vacancies may lie anywhere"
            )
        if condition.number:
            return f"{one} holds only complete sequences of {length} {way}, {runs}"
        return f"the cards of {one} lie in order {way}, {runs}, and vacancies come last"

    def _comparing(self, condition: Condition, piles: Sequence[int]) -> str:
        assert condition.than is not None
        holds = f"{self.the(piles)} hold{'' if self.are_many(piles) else 's'}"
        how = {"below": "fewer", "equal": "as many", "at-least": "at least as many"}
        than = "than" if condition.compare == "below" else "as"
        return f"{holds} {how[condition.compare]} cards {than} {self.the(condition.than.piles)}"

    def _blocked(self, rule: Rule, piles: Sequence[int]) -> str:
        action = rule.action
        if isinstance(action, Move):
            mine = [pile for pile in action.sources if pile in piles] if piles else []
            one = self.source(action, mine=mine) if piles else "no card"
            can = "cannot" if piles else "can"
            if action.build_order:
                place = self.the(action.to.piles)
                if action.to_holds[0] > 1 or 0 < action.to_holds[1] < len(self.book.deck):
                    place = self.one_of(action.to.piles, "a")
                    place = f"{place} that holds {held(*action.to_holds)}"
                return f"{one} {can} be played to {place}"
            return f"{one} {can} be put on {self.the(action.to.piles)}"
        return f"the move “{self.label(rule)}” is not possible"

    def is_capped(self, move: Move) -> bool:
        """Whether only the sizes that its target may ever have bound the sizes of a move."""
        limits = {self.book.group_of(pile).holds for pile in move.to.piles}
        return move.to_holds[0] <= 1 and limits == {move.to_holds[1] + 1}

    # -- counters ----------------------------------------------------------------------------------

    @staticmethod
    def label(rule: Rule) -> str:
        """What a rule is called in the text: its verb, else its name."""
        return (rule.verb or rule.name).replace("-", " ").replace("_", " ")

    def is_limit(self, index: int) -> bool:
        """Whether a counter only counts how often one rule has been used."""
        if self.book.counters[index].start:
            return False
        uses = [(e, r) for r in self.book.rules for e in r.effects if e.counter == index]
        shuffles = [made for r in self.book.rules for made in self.book.shuffles(r)]
        if index in shuffles:
            return shuffles.count(index) == 1 and not uses
        return len(uses) == 1 and uses[0][0].kind == "add" and uses[0][0].value == 1

    def done_when(self, counter: Counter) -> str:
        """What has been done once a counter that tells "whether ..." is no longer nought."""
        match = _DONE.match(counter.why)
        if match is None or not counter.why.startswith("whether"):
            return ""
        return f"{match['what']} {match['verb']} been {match['done']}"

    def is_of_rank(self, condition: Condition) -> bool:
        """Whether a counter is compared with a rank."""
        base = self.holds_rank(condition.counter) and condition.number < len(RANK_NAMES)
        return condition.is_rank or base

    def limit(self, condition: Condition, rule: Rule) -> int | None:
        """How often a rule may be used, if that is what a condition says."""
        if condition.kind != "counter" or not self.is_limit(condition.counter):
            return None
        changed = [effect.counter for effect in rule.effects] + self.book.shuffles(rule)
        if condition.counter not in changed:
            return None
        if condition.compare == "below":
            return condition.number
        return 1 if condition.compare == "equal" and condition.number == 0 else None

    def limits(self, rule: Rule) -> str:
        """The sentence on how often a rule may be used, or nothing."""
        found = [n for c in rule.when if (n := self.limit(c, rule)) is not None]
        if not found:
            return ""
        if min(found) == 1:
            return "This may be done only once in the game."
        return f"This may be done at most {times(min(found))} in the game."

    def thing(self, counter: Counter) -> str:
        """What a counter counts."""
        return " ".join(counter.why.split()) or counter.name.replace("-", " ").replace("_", " ")

    def _counting(self, condition: Condition) -> str:
        counter = self.book.counters[condition.counter]
        count, compare = condition.number, condition.compare
        why = self.thing(counter)
        if self.is_base(condition.counter) and count == UNKNOWN:
            return f"the base {'is known' if compare == 'below' else 'has not been chosen yet'}"
        if match := _DONE.match(why):
            if why.startswith("whether") and (compare, count) == ("equal", 1):
                compare = "at-least"
            return _done(match, count, compare)
        if self.is_of_rank(condition):
            base = (
                "the base rank"
                if self.is_base(condition.counter)
                else self.number_of(condition.counter)
            )
            word = {"below": "below ", "equal": "", "at-least": "at least "}[compare]
            return f"{base} is {word}{an(RANK_NAMES[count])}"
        if why.split()[0].endswith("s"):
            if (compare, count) in (("below", 1), ("equal", 0)):
                return f"there have been no {why}"
            word = {"below": "fewer than ", "equal": "exactly ", "at-least": "at least "}[compare]
            if (compare, count) == ("at-least", 1):
                return f"there have been any {why}"
            if (compare, count) == ("equal", 1):
                return f"there has been exactly one of the {why}"
            return f"there have been {word}{number(count)} {why}"
        word = {"below": "less than ", "equal": "", "at-least": "at least "}[compare]
        count_words = number(count, "nought")
        return f"{self.number_of(condition.counter)} is {word}{count_words}"


def _joined(one: Condition, two: Condition) -> Condition | None:
    """Two conditions as one: piles that are all empty, foundations that are all complete."""
    if one.kind != two.kind or one.piles is None or two.piles is None:
        return None
    piles = PileSet((*one.piles.piles, *two.piles.piles), f"{one.piles.text} and {two.piles.text}")
    if one.kind == "complete":
        return replace(one, piles=piles)
    whole = all(c.piles is not None and c.number >= len(set(c.piles.piles)) for c in (one, two))
    if one.kind == "vacant" and whole:
        return replace(one, piles=piles, number=len(set(piles.piles)))
    return None


def _of_all_lines(condition: Condition) -> Condition:
    """A condition on lines that a counter selects, as one on all lines."""
    assert condition.piles is not None
    one = condition.any_of[-1]
    every = one.piles is not None and one.number == len(one.piles.piles)
    number = len(condition.piles.piles) if every else one.number
    return replace(one, piles=condition.piles, number=number)


def _done(match: re.Match[str], count: int, compare: str) -> str:
    what, verb, done = match["what"], match["verb"], match["done"]
    if (compare, count) in (("below", 1), ("equal", 0)):
        return f"{what} {verb} not yet been {done}"
    if (compare, count) == ("at-least", 1):
        return f"{what} {verb} been {done}"
    word = {"below": "at most ", "equal": "exactly ", "at-least": "at least "}[compare]
    often = times(count - 1 if compare == "below" else count)
    return f"{what} {verb} been {done} {word}{often}"
