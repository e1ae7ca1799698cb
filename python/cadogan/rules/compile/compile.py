"""Compiling: from a rulebook to a program of tables.

Every predicate over two cards is evaluated here, once, into a table; every phrase has become a
number or a mask. What comes out knows no words but the names that people see. Nothing here can
fail: the rulebook has been checked.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any, assert_never

from cadogan.rules.compile.program import FORMAT, Program
from cadogan.rules.compile.symmetry import interchangeable
from cadogan.rules.rulebook.asks import Asks, Uncovers
from cadogan.rules.rulebook.condition import Condition
from cadogan.rules.rulebook.counter import Effect
from cadogan.rules.rulebook.group import BuildOrder, PileSet
from cadogan.rules.rulebook.neighbours import Neighbours
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.rulebook import Rule, Rulebook
from cadogan.rules.rulebook.score import Score, ScoreTerm
from cadogan.rules.rulebook.step import PACK, Quantity, Runs, Step
from cadogan.rules.rulebook.words import ALL_CARDS, SUITED, CardClass
from cadogan.rules.rulebook.worth import counted


def compile_rulebook(rulebook: Rulebook) -> Program:
    """Makes the program of a game.

    Args:
        rulebook: A checked game.

    Returns:
        Its tables, see ``crates/kernel/src/program/format/``.
    """
    return Tables(rulebook).program()


class Tables:
    """The tables of a program, while it is made.

    Args:
        rulebook: A checked game.
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.pack = ALL_CARDS if rulebook.jokers else SUITED
        self.relations: list[list[str]] = []
        self.build_orders: list[dict[str, Any]] = []

    def program(self) -> Program:
        """The whole program."""
        book = self.rulebook
        rules = [self._rule(rule) for rule in book.rules]
        piles = self._piles()
        rare: dict[str, Any] = {}
        if book.score is not None:
            rare["score"] = self._score(book.score)
        if book.deal_again:
            rare["deal_again"] = [self._condition(condition) for condition in book.deal_again]
        return Program(
            {
                "format": FORMAT,
                "deck": list(book.deck),
                "preset": [{"card": card, "pile": pile} for card, pile in book.preset],
                "source_pile": book.source_pile,
                "piles": piles,
                "relations": self.relations,
                "build_orders": self.build_orders,
                "counters": [
                    {"name": c.name, "start": c.start, "cap": c.cap} for c in book.counters
                ],
                "layout": self.steps(book.layout),
                "rules": rules,
                "aim": [self._condition(condition) for condition in book.aim],
                **rare,
            }
        )

    # -- piles -------------------------------------------------------------------------------------

    def _piles(self) -> list[dict[str, Any]]:
        book = self.rulebook
        capacities = self._capacities()
        piles: list[dict[str, Any]] = []
        classes = 0
        known: dict[str, bool] = {}
        for group in book.groups:
            even = interchangeable(group, book, known)
            build_order = (
                self._build_order(group.build_order) if group.build_order is not None else None
            )
            for index in range(group.count):
                number = classes if even else classes + index
                pile: dict[str, Any] = {
                    "name": group.pile_name(index),
                    "class": number,
                    "capacity": capacities[len(piles)],
                    "build_order": build_order,
                }
                if ways := book.open_when.get(len(piles)):
                    pile["open_when"] = [self.piles(way) for way in ways]
                piles.append(pile)
            classes += 1 if even else group.count
        if book.source_pile == len(piles):
            piles.append(
                {"name": PACK, "class": classes, "capacity": len(book.deck), "build_order": None}
            )
        return piles

    def _capacities(self) -> list[int]:
        """The most cards each pile can ever hold, from what can be put on it."""
        book = self.rulebook
        total = len(book.deck) + len(book.preset)
        count = len(book.pile_names) + 1
        dealt = [0] * count
        for _, pile in book.preset:
            dealt[pile] += 1
        bound = [0] * count
        bound[book.source_pile] = total

        def put(filled: Iterable[tuple[Iterable[int], int]]) -> None:
            for piles, most in filled:
                for pile in piles:
                    bound[pile] = max(bound[pile], min(most, total))

        for step in book.layout:
            if step.kind == "deal" and step.to is not None:
                for pile in step.to.piles:
                    dealt[pile] += step.each
            else:
                put(step.fills())
        for rule in book.rules:
            put(rule.action.fills(total))
        most = [max(a, min(b, total), 1) for a, b in zip(bound, dealt, strict=True)]
        for group in book.groups:
            if group.build_order is not None:
                for pile in group.piles:
                    most[pile] = max(len(group.build_order.wants), dealt[pile])
            elif group.holds is not None:
                for pile in group.piles:
                    most[pile] = min(most[pile], group.holds)
        _level(most, book)
        return most

    def _build_order(self, order: BuildOrder) -> int:
        build_order: dict[str, Any] = {
            "wants": [self.mask(mask) for mask in order.wants],
            "relation": self.relation(order.relation),
            "base": order.base,
            "one_suit_each": order.one_suit_each,
        }
        if order.ways:
            build_order["ways"] = [[self.mask(mask) for mask in way] for way in order.ways]
        for key in ("one_way", "own_base", "by_first", "waits"):
            if getattr(order, key):
                build_order[key] = True
        if build_order not in self.build_orders:
            self.build_orders.append(build_order)
        return self.build_orders.index(build_order)

    def relation(self, relation: Relation | None) -> int | None:
        """The number of the table of what may lie on what."""
        if relation is None:
            return None
        table = list(_hex_table(relation, self.pack))
        if table not in self.relations:
            self.relations.append(table)
        return self.relations.index(table)

    def neighbours(self, neighbours: Neighbours) -> dict[str, Any]:
        """Piles that lie beside others, and the relation of their cards."""
        return {
            "pairs": [list(pair) for pair in neighbours.pairs],
            "relation": self.relation(neighbours.relation),
        }

    @staticmethod
    def piles(piles: tuple[int, ...]) -> str:
        """A set of piles, as a mask."""
        return _hex_piles(piles)

    def mask(self, mask: int) -> str:
        """Cards as a mask; the joker is left out where a game has none."""
        return f"{mask & self.pack:x}"

    def cards(self, cards: CardClass) -> str:
        """A class of cards, as a mask."""
        return self.mask(cards.mask)

    def asks(self, asks: Asks, build: Relation | None) -> dict[str, Any]:
        """What few moves ask for, without what this one does not."""
        found: dict[str, Any] = {}
        for key, cards in (("which", asks.which), ("space", asks.space)):
            if cards is not None:
                masks = [self.mask(mask) for mask in cards.masks()]
                found[key] = {"counter": cards.counter, "cards": masks}
        if build is not None and build.directions:
            found["begun"] = [self.relation(direction) for direction in build.directions]
        if asks.takes:
            found["takes"] = [self.mask(mask) for mask in asks.takes]
        if asks.ranks_in:
            found["ranks_in"] = [_hex_piles(piles) for piles in asks.ranks_in]
        for key, turn in (("from", asks.from_turn), ("to", asks.to_turn)):
            if turn is not None:
                piles = [_hex_piles((pile,)) for pile in turn.piles]
                found[key] = {"counter": turn.counter, "piles": piles}
        for key in ("last_filled", "emptiest"):
            if getattr(asks, key):
                found[key] = True
        if asks.never_on is not None:
            # As long as the rank is not known, nothing is forbidden.
            allowed = [*(ALL_CARDS & ~mask for mask in asks.never_on.masks()), ALL_CARDS]
            masks = [self.mask(mask) for mask in allowed]
            found["onto"] = {"counter": asks.never_on.counter, "cards": masks}
        if asks.uncovers is not None:
            found["uncovers"] = self._uncovers(asks.uncovers)
        if asks.drops:
            found["drops"] = True
        if asks.longest is not None:
            found["longest"] = {"relation": self.relation(build), "most": asks.longest}
        if (total := asks.total) is not None:
            found["total"] = {
                "least": total.least,
                "most": total.most,
                "worth": [counted(total.worth, rank) for rank in range(13)],
                "wild": self.mask(0 if total.wild is None else total.wild.mask),
            }
        return found

    def _uncovers(self, uncovers: Uncovers) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if uncovers.nothing:
            found["nothing"] = True
        if uncovers.hidden:
            found["hidden"] = True
        if uncovers.cards is not None:
            found["cards"] = self.cards(uncovers.cards)
        if uncovers.wanted_by:
            found["wanted_by"] = self.piles(uncovers.wanted_by)
        if uncovers.whole:
            found["whole_run"] = True
        return found

    # -- rules -------------------------------------------------------------------------------------

    def _rule(self, rule: Rule) -> dict[str, Any]:
        return {
            "name": rule.name,
            "forced": rule.forced,
            "during": rule.during,
            "when": [self._condition(condition) for condition in rule.when],
            "action": rule.action.program(self),
            "effects": [self._effect(effect) for effect in rule.effects],
        }

    def steps(self, steps: Iterable[Step]) -> list[dict[str, Any]]:
        """The transfers of a script or of the layout."""
        return [self._step(one) for step in steps for one in _single(step)]

    def _step(self, step: Step) -> dict[str, Any]:
        if step.takes_turns:
            return self._by_counter(step)
        if step.by_pass:
            deals = [self._step(replace(step, each=n, by_pass=())) for n in step.by_pass]
            return {"kind": "by-counter", "counter": step.counter, "steps": deals}
        if step.rank is not None:
            each = (CardClass(mask, "") for mask in step.rank.masks())
            picks = [self._step(replace(step, rank=None, cards=cards)) for cards in each]
            return {"kind": "by-counter", "counter": step.rank.counter, "steps": picks}
        match step.kind:
            case "deal":
                assert step.from_ is not None
                assert step.to is not None
                dealt: dict[str, Any] = {
                    "kind": "deal",
                    "from": step.from_.piles[0],
                    "to": list(step.to.piles),
                    "each": step.each,
                    "face": step.face,
                }
                if len(step.from_.piles) > 1:
                    dealt["then"] = list(step.from_.piles[1:])
                if step.only != "any":
                    dealt["only"] = step.only
                if step.apart is not None:
                    dealt["apart"] = self.relation(step.apart)
                if step.lines:
                    dealt["leave"] = [list(line) for line in step.lines]
                if terms := self._deal_terms(step):
                    dealt["terms"] = terms
                return dealt
            case "take":
                assert step.from_ is not None
                assert step.to is not None
                assert step.number is not None
                return {
                    "kind": "take",
                    "from": step.from_.piles[0],
                    "number": self._quantity(step.number),
                    "end": step.end,
                    "to": step.to.piles[0],
                    "at": step.at,
                    "turned": step.turned,
                    "face": step.face,
                }
            case "gather":
                assert step.piles is not None
                assert step.to is not None
                gathered: dict[str, Any] = {
                    "kind": "gather",
                    "piles": list(step.piles.piles),
                    "to": step.to.piles[0],
                    "at": step.at,
                    "turned": step.turned,
                    "face": step.face,
                }
                if step.runs is not None:
                    gathered["keep"] = self._runs(step.runs)
                return gathered
            case "route":
                assert step.from_ is not None
                return {
                    "kind": "route",
                    "from": step.from_.piles[0],
                    "ways": [
                        {
                            "cards": self.mask(way.cards.mask),
                            "to": list(way.to.piles),
                            "overflow": way.overflow.piles[0],
                        }
                        for way in step.ways
                    ],
                    "until": _hex_piles(step.until.piles if step.until is not None else ()),
                }
            case "sink" | "slip":
                assert step.piles is not None
                assert step.cards is not None
                return {
                    "kind": step.kind,
                    "piles": list(step.piles.piles),
                    "cards": self.mask(step.cards.mask),
                }
            case "turn":
                assert step.piles is not None
                return {
                    "kind": "turn",
                    "piles": list(step.piles.piles),
                    "face": step.face,
                    "turned": step.turned,
                }
            case "pick":
                assert step.from_ is not None
                assert step.to is not None
                assert step.cards is not None
                return {
                    "kind": "pick",
                    "from": step.from_.piles[0],
                    "cards": self.mask(step.cards.mask),
                    "to": step.to.piles[0],
                    "face": step.face,
                }
            case "close_up":
                assert step.piles is not None
                return {"kind": "close-up", "piles": list(step.piles.piles)}
            case "close":
                assert step.piles is not None
                assert step.partners is not None
                pairs = zip(step.piles.piles, step.partners.piles, strict=True)
                return {"kind": "close", "pairs": [list(pair) for pair in pairs]}
            case "base":
                assert step.piles is not None
                return {"kind": "base", "counter": step.counter, "of": step.piles.piles[0]}
            case "shuffle":
                assert step.piles is not None
                return {"kind": "shuffle", "pile": step.piles.piles[0], "counter": step.counter}
            case "settle":
                return {"kind": "settle"}
            case _:
                assert_never(step.kind)

    def _runs(self, runs: Runs) -> dict[str, Any]:
        """Cards that lie in order."""
        return {
            "lines": [list(line) for line in runs.lines],
            "cards": self.mask(runs.cards.mask),
            "relation": self.relation(runs.relation),
        }

    def _deal_terms(self, step: Step) -> dict[str, Any]:
        """What few deals ask for, without what this one does not."""
        terms: dict[str, Any] = {}
        if step.goes_up is not None:
            terms["goes_up"] = {
                "cards": self.mask(step.goes_up.cards.mask),
                "to": list(step.goes_up.to.piles),
                "replaced": step.goes_up.replaced,
            }
        if step.up_to is not None:
            terms["up_to"] = self._quantity(step.up_to)
        if step.emptiest_first:
            terms["emptiest_first"] = True
        if step.passes_over is not None:
            terms["passes_over"] = {
                "relation": self.relation(step.passes_over.relation),
                "cards": self.mask(step.passes_over.cards.mask),
                "whole": step.passes_over.whole,
            }
        return terms

    def _by_counter(self, step: Step) -> dict[str, Any]:
        """A step of which a counter selects the piles, written out for each of its values."""
        every: list[Step] = []
        for value in range(len(step.takes_turns[0][1].lists())):
            one = replace(step, takes_turns=())
            for key, chosen in step.takes_turns:
                rounds = 1
                if step.kind == "deal" and step.to is not None:
                    rounds = len(step.to.piles) // len(chosen.piles)
                piles = PileSet(chosen.lists(rounds)[value], "")
                if key == "to":
                    one = replace(one, to=piles)
                elif step.kind == "gather":
                    one = replace(one, piles=piles)
                else:
                    one = replace(one, from_=piles)
            every.append(one)
        return {
            "kind": "by-counter",
            "counter": step.takes_turns[0][1].counter,
            "steps": [self._step(one) for one in every],
        }

    def _quantity(self, quantity: Quantity) -> dict[str, Any]:
        match quantity.kind:
            case "fixed":
                return {"kind": "fixed", "number": quantity.number}
            case "times":
                return {"kind": "times", "factor": quantity.number, "counter": quantity.counter}
            case "held":
                assert quantity.cards is not None
                return {
                    "kind": "held",
                    "factor": quantity.number,
                    "cards": self.mask(quantity.cards.mask),
                    "pile": quantity.pile,
                }
            case "until":
                assert quantity.cards is not None
                return {
                    "kind": "until",
                    "factor": quantity.number,
                    "counter": quantity.counter,
                    "cards": self.mask(quantity.cards.mask),
                }
            case "all":
                return {"kind": "all"}
            case _:
                assert_never(quantity.kind)

    def _condition(self, condition: Condition) -> dict[str, Any]:
        piles = condition.piles.piles if condition.piles is not None else ()
        kind = condition.kind
        match kind:
            case "vacant" | "filled":
                return {"kind": kind, "piles": _hex_piles(piles), "number": condition.number}
            case "holds":
                assert condition.cards is not None
                return {
                    "kind": kind,
                    "piles": _hex_piles(piles),
                    "cards": self.mask(condition.cards.mask),
                    "compare": condition.compare,
                    "number": condition.number,
                }
            case "top":
                assert condition.cards is not None
                return {"kind": kind, "pile": piles[0], "cards": self.mask(condition.cards.mask)}
            case "counter":
                return {
                    "kind": kind,
                    "counter": condition.counter,
                    "compare": condition.compare,
                    "number": condition.number,
                }
            case "size":
                assert condition.than is not None
                return {
                    "kind": kind,
                    "piles": _hex_piles(piles),
                    "compare": condition.compare,
                    "than": _hex_piles(condition.than.piles),
                }
            case "each":
                assert condition.cards is not None
                return {
                    "kind": kind,
                    "piles": _hex_piles(piles),
                    "number": condition.number,
                    "cards": self.mask(condition.cards.mask),
                    "compare": condition.compare,
                    "held": condition.held,
                    **({"tops": True} if condition.tops else {}),
                }
            case "by-counter":
                return {
                    "kind": kind,
                    "counter": condition.counter,
                    "conditions": [self._condition(each) for each in condition.any_of],
                }
            case "any-of":
                return {
                    "kind": kind,
                    "conditions": [self._condition(each) for each in condition.any_of],
                }
            case "complete":
                return {"kind": kind, "piles": _hex_piles(piles)}
            case "ordered":
                return {
                    "kind": kind,
                    "lines": [list(line) for line in condition.lines],
                    "relation": self.relation(condition.relation),
                    "length": condition.number,
                    **({"gaps": True} if condition.joined else {}),
                    **({"first": self.cards(condition.cards)} if condition.cards else {}),
                }
            case "sums":
                return {
                    "kind": kind,
                    "lines": [list(line) for line in condition.lines],
                    "sum": {"total": condition.number, "values": list(range(1, 14))},
                }
            case "blocked":
                everywhere = range(len(self.rulebook.pile_names))
                return {
                    "kind": "blocked",
                    "rules": list(condition.rules),
                    "from": _hex_piles(piles or tuple(everywhere)),
                }
            case _:
                assert_never(kind)

    def _score(self, score: Score) -> dict[str, Any]:
        table: dict[str, Any] = {
            "aim": score.aim,
            "start": score.start,
            "terms": [self._term(term) for term in score.terms],
        }
        if score.won_from is not None:
            table["won_from"] = score.won_from
        return table

    def _term(self, term: ScoreTerm) -> dict[str, Any]:
        kind, points = term.kind, term.points[0]
        match kind:
            case "cards":
                assert term.piles is not None
                assert term.cards is not None
                piles, cards = _hex_piles(term.piles.piles), self.mask(term.cards.mask)
                return {"kind": kind, "piles": piles, "cards": cards, "points": points}
            case "counter":
                return {"kind": kind, "counter": term.counter, "points": points}
            case "runs":
                assert term.runs is not None
                return {"kind": kind, "runs": self._runs(term.runs), "points": points}
            case "bonus":
                assert term.when is not None
                return {"kind": kind, "when": [self._condition(term.when)], "points": points}
            case "poker" | "cribbage":
                lines = [list(line) for line in term.lines]
                starter = {"starter": term.starter} if kind == "cribbage" else {}
                return {"kind": kind, "lines": lines, "points": list(term.points), **starter}
            case _:
                assert_never(kind)

    def _effect(self, effect: Effect) -> dict[str, Any]:
        match effect.kind:
            case "count":
                assert effect.cards is not None
                return {
                    "kind": effect.kind,
                    "counter": effect.counter,
                    "cards": self.mask(effect.cards.mask),
                }
            case "rank":
                return {"kind": effect.kind, "counter": effect.counter, "once": effect.once}
            case "tally":
                return {
                    "kind": effect.kind,
                    "counter": effect.counter,
                    "of": effect.of,
                    "times": effect.value,
                    "grows": effect.grows,
                }
            case "set" | "add":
                return {"kind": effect.kind, "counter": effect.counter, "value": effect.value}
            case _:
                assert_never(effect.kind)


def _single(step: Step) -> Iterable[Step]:
    """The steps that a loop or a pick of several cards stands for, one for each pile."""
    piles = [PileSet((pile,), "") for pile in step.targets]
    if step.is_loop:
        return [replace(step, from_=pile, to=pile) for pile in piles]
    if step.is_pairwise:
        assert step.from_ is not None
        pairs = zip(step.from_.piles, piles, strict=True)
        return [replace(step, from_=PileSet((start,), ""), to=end) for start, end in pairs]
    if step.kind == "pick":
        return [replace(step, to=pile) for pile in piles]
    if step.kind == "close_up" and step.lines:
        return [replace(step, piles=PileSet(line, "")) for line in step.lines]
    return [step]


def _level(most: list[int], book: Rulebook) -> None:
    """Gives all piles of a row that closes up room for what any of them can hold."""
    scripts = [book.layout, *(getattr(rule.action, "steps", ()) for rule in book.rules)]
    rows = [
        step.piles.piles
        for steps in scripts
        for step in steps
        if step.kind == "close_up" and step.piles is not None
    ]
    for row in rows * len(rows):
        largest = max((most[pile] for pile in row), default=0)
        for pile in row:
            most[pile] = largest


@lru_cache(maxsize=1024)
def _hex_table(relation: Relation, pack: int) -> tuple[str, ...]:
    return tuple(f"{mask & pack:x}" for mask in relation.table()[: pack.bit_length()])


@lru_cache(maxsize=4096)
def _hex_piles(piles: tuple[int, ...]) -> str:
    return f"{sum(1 << pile for pile in set(piles)):x}"
