"""What moves, on what conditions and how often, in German."""

from collections.abc import Sequence
from typing import NamedTuple, assert_never

from cadogan.i18n.german import (
    ACC,
    CARD,
    CARDS,
    DAT,
    GEN,
    NOM,
    PLACE,
    Case,
    Determiner,
    Noun,
    after,
    counted,
    either,
    join,
    number,
    ordinal,
    sentence,
    so_many,
    stands_open,
    times,
)
from cadogan.i18n.text import inflected, term, translate
from cadogan.rules.explain.english.asks import UNKNOWN, is_all_face_up
from cadogan.rules.explain.english.phrases import (
    _DONE,
    _MANY,
    Phrases,
    _of_all_lines,
)
from cadogan.rules.explain.german.asks import GermanAsking
from cadogan.rules.explain.german.cards import RANKS, building, sequence
from cadogan.rules.explain.german.sides import beside, sides, touching
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.asks import Along
from cadogan.rules.rulebook.condition import Condition
from cadogan.rules.rulebook.counter import Chosen, Counter, Turn
from cadogan.rules.rulebook.group import Group
from cadogan.rules.rulebook.neighbours import Beside, Neighbours
from cadogan.rules.rulebook.rulebook import Rule


class Words(NamedTuple):
    """Words that are the subject of a sentence, perhaps in the plural."""

    text: str
    plural: bool = False

    def verb(self, one: str, many: str) -> str:
        """The form of a verb that goes with them."""
        return many if self.plural else one

    @property
    def closed(self) -> str:
        """The words, with a comma if a clause stands open at their end."""
        return f"{self.text}," if stands_open(self.text) else self.text


class GermanPhrases(GermanAsking, Phrases):
    """The German words for the moves, conditions and counters of one rulebook."""

    # Cards on the move.

    def moving(
        self,
        move: Move,
        case: Case = NOM,
        *,
        mine: Sequence[int] = (),
        determiner: Determiner = "any",
    ) -> Words:
        """What moves: ``"die oberste Karte jeder Spalte"``.

        Args:
            move: The move.
            case: The case.
            mine: The piles to describe, if not all sources.
            determiner: The word for one of several piles.
        """
        words = self._moving(move, case, mine=mine, determiner=determiner)
        if asked := self.is_asked(move):
            words = Words(f"{words.text}, sofern {asked}", words.plural)
        if move.beaten_by is None:
            return words
        which = f"{self.german.may_lie(move.beaten_by, 'die')},"
        if any(term.anything for term in move.beaten_by.terms):
            which = ""
        lies = f"solange ein anderer dieser Stapel eine Karte zeigt, {which}"
        return Words(f"{words.text}, {lies}", words.plural)

    def _moving(
        self, move: Move, case: Case, *, mine: Sequence[int], determiner: Determiner
    ) -> Words:
        if turn := self.turn_in_german(move.asks.from_turn):
            head = self._heads(mine or move.sources, move, case, "the")[0]
            return Words(f"{head.text} {turn}", head.plural)
        lanes = [lane.piles for lane in move.from_ if len(lane.piles) > 1 and not mine]
        taken = {pile for lane in lanes for pile in lane}
        singles = [pile for pile in (mine or move.sources) if pile not in taken]
        parts = self._heads(singles, move, case, determiner) if singles else []
        for lane in lanes:
            ones = [self._heads([pile], move, case, determiner)[0].text for pile in lane]
            if len(lanes) == 1 and not parts and self.german.is_any(move.which.mask):
                return Words(" oder, wenn keine da ist, ".join(ones))
            parts.append(Words(f"{ones[0]} (oder, wenn keine da ist, {' oder '.join(ones[1:])})"))
        text = either([part.text for part in parts])
        if self._one_by_one(move):
            text += " (einzeln gelegt)"
        plural = bool(parts) and parts[-1].plural
        which = self.which(move)
        complete = move.cards.kind == "run" and move.cards.least == move.cards.most
        named = self._is_plain(move) and self.german.is_special(which)
        if self.german.is_any(which) or named or complete:
            return Words(text, plural)
        being = self.german.being(which)
        return Words(f"{text}, sofern {self.decisive(move)} {being} ist", plural)

    def _heads(
        self, piles: Sequence[int], move: Move, case: Case, determiner: Determiner
    ) -> list[Words]:
        unit = move.cards
        groups = self.groups(piles)
        top = CARD("the", case, "oberst")
        if self._is_plain(move):
            which = self.which(move)
            named = self.german.single(which, case) if self.german.is_special(which) else ""
            parts: list[Words] = []
            several = [g for g in groups if not self.is_single(g) and g.role != "hand"]
            if several:
                own = [pile for pile in piles if self.book.group_of(pile) in several]
                if named:
                    parts.append(Words(f"{named} oben auf {self.some(own, 'a', DAT)}"))
                else:
                    parts.append(Words(f"{top} {self.some(own, determiner, GEN)}"))
            for g in groups:
                if g not in several:
                    own = [pile for pile in piles if pile in g.piles]
                    turned = ("offen",) if move.face != "up" and self.lies_hidden(own) else ()
                    card = self._only_card(g, own, named, case, determiner, turned)
                    parts.append(Words(card))
            return parts
        where = self.some(piles, determiner if determiner != "any" else "a", GEN)
        whole = self.some(piles, determiner, GEN)
        if move.from_holds[1] < 65535 or move.from_holds[0] > 1:
            least, most = move.from_holds
            if (least, most) == (1, 1) and unit.kind == "top":
                lone = self.some(piles, determiner if determiner != "any" else "a", DAT)
                return [Words(f"{CARD('a', case)}, die allein {after('in', lone)} liegt")]
            if unit.kind == "top":
                return [Words(f"{top} {where} mit {so_many(least, most)}")]
            where = f"{where} mit {so_many(least, most)}"
            whole = f"{whole} mit {so_many(least, most)}"
        if unit.kind == "top" or (unit.kind == "count" and unit.most == 1):
            return [Words(f"{top} {whole}")]
        if unit.kind == "any" and unit.place:
            end = "oben" if unit.place < 0 else "unten"
            card = f"{CARD('the', case, ordinal(abs(unit.place)))} {where}"
            return [Words(f"{card}, von {end} gezählt, was auch auf ihr liegt")]
        if unit.kind == "any":
            return [Words(f"{CARD('any', case, 'offen')} {whole}, was auch auf ihr liegt")]
        if unit.kind == "bottom":
            return [Words(f"{CARD('the', case, 'unterst')} {where}")]
        if unit.kind == "longest":
            assert unit.relation is not None
            together = f"die zusammen eine {sequence(unit.relation)} bilden, nicht weniger"
            return [Words(f"{CARDS('any', case, 'oberst')} {where}, {together}", True)]
        if is_all_face_up(move):
            return [Words(f"{CARDS('any', case, 'offen')} {where} zusammen, nicht weniger", True)]
        if unit.kind == "packet":
            together = "zusammen mit allen Karten, die auf ihr liegen, ob in Folge oder nicht"
            return [Words(f"{CARD('any', case, 'offen')} {whole}, {together}")]
        if unit.kind == "all" and unit.by_top:
            return [Words(f"{self.some(piles, determiner, case)} als Ganzes")]
        if unit.kind == "all":
            return [Words(f"{CARDS('any', case)} {where}", True)]
        if unit.kind == "count":
            article = "den" if case is DAT else "der" if case is GEN else "die"
            few = f"oder so {'vielen' if case is DAT else 'viele'}, wie noch da sind"
            if unit.least > 1:
                return [Words(f"{article} obersten {number(unit.most)} Karten {where}", True)]
            return [Words(f"{article} obersten {number(unit.most)} Karten {where} ({few})", True)]
        assert unit.relation is not None
        order = sequence(unit.relation)
        if unit.least == unit.most:
            which = self.which(move)
            start = "" if self.german.is_any(which) else f" ab {self.german.single(which, DAT)}"
            article = {NOM: "eine", GEN: "einer", DAT: "einer", ACC: "eine"}[case]
            adjective = "vollständige" if case in (NOM, ACC) else "vollständigen"
            one = self.some(piles, determiner if determiner != "any" else "a", DAT)
            return [
                Words(
                    f"{article} {adjective} {order}, {counted(unit.most)} lang{start}, "
                    f"oben auf {one}"
                )
            ]
        limit = f", höchstens {counted(unit.most)}" if unit.most < _MANY else ""
        several_cards = "mehreren obersten Karten" if case is DAT else "mehrere oberste Karten"
        if unit.least > 1:
            least_cards = f"mindestens {counted(unit.least, case=case)}"
            return [Words(f"{least_cards} oben auf {where}, die eine {order} bilden{limit}", True)]
        return [
            Words(
                f"{top} {whole} oder {several_cards} zusammen, die eine {order} bilden{limit}", True
            )
        ]

    def _only_card(
        self,
        group: Group,
        piles: Sequence[int],
        named: str,
        case: Case,
        determiner: Determiner,
        turned: Sequence[str] = (),
    ) -> str:
        """The card of a pile that never has more than one."""
        own = [pile for pile in piles if pile in group.piles]
        if named:
            return f"{named} {after('in', self.whole(own, DAT))}"
        if len(own) == 1:
            if group.role in ("hand", "cell"):
                return f"{CARD('the', case)} {after('in', self.one_pile(own[0], DAT))}"
            return f"{CARD('the', case)} {self.one_pile(own[0], GEN)}"
        if group.role == "cell":
            return f"{CARD(determiner, case, *turned)} {after('in', self.whole(own, DAT))}"
        return f"{CARD(determiner, case, *turned)} {self.whole(own, GEN)}"

    def pair_link(self, along: Along) -> str:
        """How two cards lie to each other, to follow "zwei Karten"."""
        if along.sides:
            return f" {touching(along.sides)}"
        return {None: "", "lines": " in einer Zeile oder Spalte", "same place": " am selben Platz"}[
            along.text
        ]

    def link(self, move: Move, case: Case = NOM) -> str:
        """The words for a link between source and target, to follow the target."""
        if move.along.text == "same place":
            if not move.sources or not move.to.piles:
                return ""
            first = self._lone(self.book.group_of(move.sources[0]))
            other = self._lone(self.book.group_of(move.to.piles[0]))
            return (
                (
                    f"an derselben Stelle ({first('the', NOM, 'erst')} gehört zu "
                    f"{other('the', DAT, 'erst')} und so weiter)"
                )
                .replace("zu dem ", "zum ")
                .replace("zu der ", "zur ")
            )
        if move.along.text == "lines":
            return "in derselben Zeile oder derselben Spalte des Bildes"
        if move.asks.drops:
            return "(wenn nur dieser Stapel im Weg liegt)"
        if move.along.sides:
            return sides(move.along.sides)
        return self.place_in_german(move)

    def taken_beside(self, rule: Beside, subject: str = "sie") -> str:
        """What lies beside a vacancy decides what it takes, to follow "wenn"; the verb last."""
        if not any(each.pairs for each in rule.neighbours):
            return f"sie {self.german.being(rule.edge.mask)} ist"
        return join((self._fits_neighbour_of(each, subject) for each in rule.neighbours), "oder")

    def _fits_neighbour_of(self, each: Neighbours, subject: str) -> str:
        where, relation = beside(each.side), each.relation
        if relation.terms and (pair := relation.terms[0].pair) is not None:
            over, under = pair
            other = self.german.single(under.mask)
            return f"{subject} {self.german.single(over.mask)} ist und die Karte {where} {other}"
        if each.takes_any_card:
            return f"{where} eine Karte liegt"
        compared = f"{subject}, verglichen mit der Karte {where},"
        return self.german.may_lie(relation, compared).replace(",,", ",")

    def taken_at_edge(self, rule: Beside) -> str:
        """What a vacancy without neighbours takes, as a sentence; empty if there is none."""
        if not any(each.pairs for each in rule.neighbours):
            return ""
        ends = " oder ".join(dict.fromkeys(beside(each.side) for each in rule.neighbours))
        if self.german.is_any(rule.edge.mask):
            taken = "darf jede Karte liegen"
        elif not rule.edge.mask & self.german.all:
            taken = "darf keine Karte hin"
        else:
            taken = f"darf nur {self.german.single(rule.edge.mask)} hin"
        return f"Wo {ends} kein Platz ist, {taken}."

    def _lone(self, group: Group) -> Noun:
        return self.called(group).one or PLACE

    # Conditions.

    def wenn(self, conditions: Sequence[Condition], *, of: Rule | None = None) -> str:
        """Conditions as a clause: ``"wenn der Talon leer ist und ..."``; empty if there are none.

        Args:
            conditions: All of which must hold.
            of: The rule they belong to; a limit on its own use is left to :meth:`often`.
        """
        parts = [c for c in conditions if of is None or self.limit(c, of) is None]
        if not parts:
            return ""
        word = "solange" if all(self._lasts(c) for c in parts) else "wenn"
        return f"{word} {self.all_that_holds(parts)}"

    def all_that_holds(self, conditions: Sequence[Condition]) -> str:
        """Conditions that hold together, the verb last."""
        return join(self.merged_clauses(conditions, self.holds))

    def holds(self, condition: Condition) -> str:
        """A condition as a clause without its conjunction, the verb last."""
        piles = condition.piles.piles if condition.piles is not None else ()
        are = "sind" if self.are_plural(piles) else "ist"
        match condition.kind:
            case "vacant" | "filled":
                return self._emptiness(condition, piles)
            case "holds":
                return self._contents(condition, piles)
            case "top":
                assert condition.cards is not None
                if self.german.is_any(condition.cards.mask):
                    return f"{self.whole(piles, NOM)} nicht leer {are}"
                top = self.german.single(condition.cards.mask)
                if not condition.cards.mask & self.german.all:
                    top = "eine Karte, die nicht mitspielt,"
                return f"oben auf {self.whole(piles, DAT)} {top} liegt"
            case "complete":
                return f"{self.whole(piles, NOM)} vollständig {are}"
            case "ordered":
                return self._in_order(condition, piles)
            case "sums":
                one = {"rows": "jeder Zeile", "columns": "jeder Spalte"}
                lines = join(one.get(shape, "beider Diagonalen") for shape in condition.shapes)
                of = f"die obersten Karten {lines} {self.whole(piles, GEN)}"
                worths = self.german.worths(condition.number)
                return f"{of} zusammen {number(condition.number)} ergeben{worths}"
            case "counter":
                return self._count(condition)
            case "each":
                return self._contained_in_each(condition, piles)
            case "by-counter" if condition.chosen is not None:
                every = _of_all_lines(condition)
                lines = self.lines_in_german(condition.chosen)
                return f"{lines} {self._emptiness(every, piles)}"
            case "by-counter":
                turn = self.turn_in_german(Turn(condition.counter, tuple(piles)))
                vacant = condition.any_of and condition.any_of[0].kind == "vacant"
                empty = "leer" if vacant else "nicht leer"
                return f"{self.some(piles, 'the', NOM)} {turn} {empty} ist"
            case "any-of":
                if counts := self.alternatives(condition.any_of):
                    return counts
                return f"entweder {join((self.holds(each) for each in condition.any_of), 'oder')}"
            case "size":
                return self._compared(condition, piles)
            case "blocked":
                rules = [self.book.rules[rule] for rule in condition.rules]
                return join(self._impossible(rule, piles) for rule in rules)
            case _:
                assert_never(condition.kind)

    def lines_in_german(self, chosen: Chosen) -> str:
        """The lines of the picture that a counter selects: ``"in den ersten Zeilen ..."``."""
        line = {"row": "Zeile", "column": "Spalte", None: ""}[chosen.along]
        count = self.sum_of(self.book.counters[chosen.counter])
        if chosen.how == "before":
            return f"in den ersten {line}n des Bildes (so vielen, wie {count} beträgt)"
        return (
            f"in der nächsten {line} des Bildes (der ersten, und von dort so viele weiter, wie "
            f"{count} beträgt)"
        )

    def _emptiness(self, condition: Condition, piles: Sequence[int]) -> str:
        whole, count, needed = self.whole(piles, NOM), len(set(piles)), condition.number
        are = "sind" if self.are_plural(piles) else "ist"
        groups = self.groups(piles)
        several = len(groups) > 1 and all(group.count == 1 for group in groups)
        vacant = condition.kind == "vacant"
        if needed >= count:
            if vacant:
                every = ("beide " if count == 2 else "alle ") if several else ""
                return f"{whole} {every}leer {are}"
            if count == 1:
                return f"{whole} nicht leer ist"
            return f"{self.some(piles, 'no', NOM, unit=PLACE)} leer ist"
        if vacant and needed >= count - 4 and needed > 1 and not several:
            left = count - needed
            if all(self.is_single(group) for group in groups) and self.is_whole(piles):
                if len(groups) > 1:
                    over = "ist" if left == 1 else "sind"
                    whole = after("von", self.whole(piles, DAT))
                    return f"{whole} nur noch {counted(left)} übrig {over}"
                lie = "liegt" if left == 1 else "liegen"
                return f"{self.within(groups[0])} nur noch {counted(left)} {lie}"
            stand = "ein Stapel" if left == 1 else f"{number(left)} Stapel"
            hold = "Karten enthält" if left == 1 else "Karten enthalten"
            return f"nur noch {stand} {self.whole(piles, GEN)} {hold}"
        if needed <= 1:
            if vacant:
                if several:
                    return f"{self.whole(piles, NOM, 'oder')} leer ist"
                return f"{self.some(piles, 'a', NOM, unit=PLACE)} leer ist"
            if several:
                return f"{whole} nicht {'beide' if count == 2 else 'alle'} leer sind"
            if not self.is_whole(piles):
                return f"auf {self.whole(piles, DAT, 'oder')} noch eine Karte liegt"
            places = join((self.within(group) for group in groups), "oder")
            return f"{places} noch eine Karte liegt"
        state = "leer" if vacant else "belegt"
        return f"{after('von', self.whole(piles, DAT))} mindestens {number(needed)} {state} sind"

    def _contents(self, condition: Condition, piles: Sequence[int]) -> str:
        assert condition.cards is not None
        mask, count = condition.cards.mask, condition.number
        contain = "enthalten" if self.are_plural(piles) else "enthält"
        none = self.german.some(mask, ACC, "no", "oder")
        kind = self.german.some(mask, ACC, last="oder")
        if not mask & self.german.all:
            kind, none = "Karten, die nicht mitspielen,", "keine Karten, die nicht mitspielen,"
        if condition.compare == "below":
            some = none if count <= 1 else f"weniger als {number(count)} {kind}"
        elif condition.compare == "equal":
            some = none if count == 0 else f"genau {number(count)} {kind}"
            if count == 1:
                some = f"genau {self._one_such(mask)}"
        else:
            some = kind if count <= 1 else f"mindestens {number(count)} {kind}"
        return f"{self.whole(piles, NOM)} {some} {contain}"

    def _contained_in_each(self, condition: Condition, piles: Sequence[int]) -> str:
        assert condition.cards is not None
        if condition.tops:
            return self._tops_in_each(condition, piles)
        which: Determiner = "any" if condition.number > 1 or len(piles) == 1 else "a"
        pile = self.some(piles, which, NOM)
        held, mask = condition.held, condition.cards.mask
        kind = self.german.some(mask, ACC, last="oder")
        few = f"weniger als {number(held)} {kind}"
        if (condition.compare, held) in (("below", 1), ("equal", 0)):
            few = self.german.some(mask, ACC, "no", "oder")
        elif condition.compare != "below":
            some = self._one_such(mask) if held == 1 else f"{number(held)} {kind}"
            few = f"{'genau' if condition.compare == 'equal' else 'mindestens'} {some}"
        return f"{pile} {few} enthält"

    def _one_such(self, mask: int) -> str:
        """One card of a class: ``"eine rote Karte"``."""
        return "eine Karte" if self.german.is_any(mask) else self.german.single(mask, ACC)

    def _tops_in_each(self, condition: Condition, piles: Sequence[int]) -> str:
        assert condition.cards is not None
        mask = condition.cards.mask
        if condition.compare == "below":
            none = self.some(piles, "no", DAT)
            return f"oben auf {none} {self.german.single(mask)} liegt"
        which: Determiner = "any" if condition.number > 1 or len(piles) == 1 else "a"
        return f"oben auf {self.some(piles, which, DAT)} {self.german.single(mask)} liegt"

    def _in_order(self, condition: Condition, piles: Sequence[int]) -> str:
        assert condition.relation is not None
        way = join((building(term) for term in condition.relation.terms), "oder")
        whole, length = self.whole(piles, NOM), counted(condition.number, case=DAT)
        contain = "enthalten" if self.are_plural(piles) else "enthält"
        complete = f"nur vollständige Folgen von {length}, {way},"
        if condition.along is None:
            if condition.number:
                return f"{whole} {complete} {contain}"
            if condition.relation.texts == ("same rank",):
                return f"{self.some(piles, 'any', NOM)} nur Karten eines Werts enthält"
            return f"die Karten {self.some(piles, 'any', GEN)} in Folge liegen, {way}"
        rows = condition.along == "rows"
        line, run = (
            ("Zeile", "von links nach rechts") if rows else ("Spalte", "von oben nach unten")
        )
        if condition.joined:
            begun = ""
            if condition.cards is not None:
                begun = f", die mit {self.german.single(condition.cards.mask, DAT)} beginnt"
            lines = "Zeilen" if rows else "Spalten"
            return (
                f"die Karten aller {lines} {self.whole(piles, GEN)} hintereinander gelesen eine "
                f"einzige {sequence(condition.relation)} bilden{begun}, gleich wo die Lücken liegen"
            )
        where = after("in", self.whole(piles, DAT))
        if condition.number:
            return f"{where} jede {line} {run} {complete} enthält"
        return (
            f"{where} die Karten jeder {line} {run} eine {sequence(condition.relation)} bilden, "
            "hinter der die Lücken liegen"
        )

    def _compared(self, condition: Condition, piles: Sequence[int]) -> str:
        assert condition.than is not None
        contain = "enthalten" if self.are_plural(piles) else "enthält"
        how = {"below": "weniger", "equal": "ebenso viele", "at-least": "mindestens so viele"}
        than = "als" if condition.compare == "below" else "wie"
        other = self.whole(condition.than.piles, NOM)
        return f"{self.whole(piles, NOM)} {how[condition.compare]} Karten {than} {other} {contain}"

    def _impossible(self, rule: Rule, piles: Sequence[int]) -> str:
        action = rule.action
        if isinstance(action, Move):
            mine = [pile for pile in action.sources if pile in piles] if piles else []
            one = self.moving(action, mine=mine, determiner="a") if piles else Words("keine Karte")
            nowhere = " nicht" if piles else ""
            target = self.whole(action.to.piles, ACC)
            if action.build_order and (
                action.to_holds[0] > 1 or 0 < action.to_holds[1] < len(self.book.deck)
            ):
                target = f"{self.some(action.to.piles, 'a', ACC)} mit {so_many(*action.to_holds)}"
            verb = one.verb("werden kann", "werden können")
            return f"{one.closed}{nowhere} auf {target} gelegt {verb}"
        return f"der Zug „{self.title(rule)}“ nicht möglich ist"

    # Counters.

    def title(self, rule: Rule) -> str:
        """What a rule is called in the text: its verb, else its name."""
        return translate(term(rule.verb or rule.name), "de")

    @staticmethod
    def words_of(text: str) -> str:
        """The author's words as a sentence, if the catalogue has them; else as they are."""
        return sentence(translate(term(" ".join(text.split())), "de"))

    def often(self, rule: Rule) -> str:
        """The sentence on how often a rule may be used, or nothing."""
        found = [n for c in rule.when if (n := self.limit(c, rule)) is not None]
        if not found:
            return ""
        if min(found) == 1:
            return "Das darf im ganzen Spiel nur einmal geschehen."
        return f"Das darf im ganzen Spiel höchstens {times(min(found))} geschehen."

    def done(self, counter: Counter, often: str = "") -> str:
        """What has been done, the verb last: ``"die Reserve umgelegt worden ist"``."""
        match = _DONE.match(counter.why)
        if match is None:
            return ""
        found = inflected("done", counter.why, "de")
        return found.replace("{often}", f"{often} " if often else "") if found else ""

    def between(self, counter: int, least: int, most: int) -> str:
        """That a counter has counted so many, as a subordinate clause."""
        subject = self.sum_of(self.book.counters[counter])
        return f"{subject} zwischen {number(least)} und {number(most)} liegt"

    def one_of_counts(self, counter: int, counts: Sequence[int]) -> str:
        """That a counter has one of these values, as a subordinate clause."""
        subject = self.sum_of(self.book.counters[counter])
        return f"{subject} {join([number(count) for count in counts], 'oder')} ist"

    def _count(self, condition: Condition) -> str:
        counter = self.book.counters[condition.counter]
        count, compare = condition.number, condition.compare
        if self.is_base(condition.counter) and count == UNKNOWN:
            return f"der Grundwert {'bekannt' if compare == 'below' else 'noch nicht gewählt'} ist"
        if self.done(counter):
            if (compare, count) in (("below", 1), ("equal", 0)):
                return self.done(counter, "noch nicht")
            flag = counter.why.startswith("whether") and (compare, count) == ("equal", 1)
            if flag or (compare, count) == ("at-least", 1):
                return self.done(counter)
            word = {"below": "höchstens", "equal": "genau", "at-least": "mindestens"}[compare]
            return self.done(counter, f"{word} {times(count - 1 if compare == 'below' else count)}")
        subject = self.sum_of(counter)
        if self.is_of_rank(condition):
            subject = "der Grundwert" if self.is_base(condition.counter) else subject
            word = {"below": "niedriger als ", "equal": "", "at-least": "mindestens "}[compare]
            return f"{subject} {word}{RANKS[count]('a', NOM)} ist"
        if (compare, count) in (("below", 1), ("equal", 0)):
            return f"{subject} null ist"
        if (compare, count) == ("at-least", 1):
            return f"{subject} größer als null ist"
        word = {"below": "kleiner als ", "equal": "gleich ", "at-least": "mindestens "}[compare]
        return f"{subject} {word}{number(count)} ist"
