"""Compiling: from a rulebook to a program of tables.

Every predicate over two cards is evaluated here, once, into a table; every phrase has become a
number or a mask. What comes out knows no words but the names that people see. Nothing here can
fail: the rulebook has been checked.
"""

from functools import lru_cache
from typing import Any, assert_never

from cadogan.rules.compile.program import FORMAT, Program
from cadogan.rules.compile.symmetry import interchangeable
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.rulebook import (
    PACK,
    Action,
    Condition,
    Effect,
    Joint,
    Move,
    Order,
    Quantity,
    Rule,
    Rulebook,
    Script,
    Step,
    Swap,
    TurnUp,
    Unit,
)


def compile_rulebook(rulebook: Rulebook) -> Program:
    """Makes the program of a game.

    Args:
        rulebook: A checked game.

    Returns:
        Its tables, see ``crates/kernel/src/program/format.rs``.
    """
    return _Compiler(rulebook).program()


class _Compiler:
    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.relations: list[list[str]] = []
        self.build_orders: list[dict[str, Any]] = []

    def program(self) -> Program:
        book = self.rulebook
        rules = [self._rule(rule) for rule in book.rules]
        piles = self._piles()
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
                "layout": [self._step(step) for step in book.layout],
                "rules": rules,
                "aim": [self._condition(condition) for condition in book.aim],
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
            build_order = self._build_order(group.order) if group.order is not None else None
            for index in range(group.count):
                number = classes if even else classes + index
                piles.append(
                    {
                        "name": group.pile_name(index),
                        "class": number,
                        "capacity": capacities[len(piles)],
                        "build_order": build_order,
                    }
                )
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

        def put(piles: tuple[int, ...], most: int) -> None:
            for pile in piles:
                bound[pile] = max(bound[pile], min(most, total))

        for step in book.layout:
            if step.kind == "deal" and step.to is not None:
                for pile in step.to.piles:
                    dealt[pile] += step.each
            else:
                self._put_step(step, put)
        for rule in book.rules:
            action = rule.action
            match action:
                case Move():
                    put(action.to.piles, action.to_holds[1] + _most_moved(action.unit, total))
                case Joint():
                    put(action.to.piles, total)
                case Script():
                    for step in action.steps:
                        self._put_step(step, put)
                case Swap() | TurnUp():
                    pass  # No pile gets more cards than it has.
                case _:
                    assert_never(action)
        most = [max(a, min(b, total), 1) for a, b in zip(bound, dealt, strict=True)]
        for group in book.groups:
            if group.order is not None:
                for pile in group.piles:
                    most[pile] = max(len(group.order.wants), dealt[pile])
        return most

    @staticmethod
    def _put_step(step: Step, put: Any) -> None:
        if step.to is not None:
            put(step.to.piles, 65535)
        for way in step.ways:
            put(way.vacant.piles, 1)
            put(way.overflow.piles, 65535)

    def _build_order(self, order: Order) -> int:
        build_order = {
            "wants": [_hex(mask) for mask in order.wants],
            "relation": self._relation(order.suit),
            "base": order.base,
            "one_suit_each": order.apart,
        }
        if build_order not in self.build_orders:
            self.build_orders.append(build_order)
        return self.build_orders.index(build_order)

    def _relation(self, relation: Relation | None) -> int | None:
        if relation is None:
            return None
        table = list(_hex_table(relation))
        if table not in self.relations:
            self.relations.append(table)
        return self.relations.index(table)

    # -- rules -------------------------------------------------------------------------------------

    def _rule(self, rule: Rule) -> dict[str, Any]:
        return {
            "name": rule.name,
            "forced": rule.forced,
            "during": rule.during,
            "when": [self._condition(condition) for condition in rule.when],
            "action": self._action(rule.action),
            "effects": [self._effect(effect) for effect in rule.effects],
        }

    def _action(self, action: Action) -> dict[str, Any]:
        match action:
            case Move():
                return self._move(action)
            case Joint():
                return {
                    "kind": "joint",
                    "together": [
                        {"from": list(part.source.piles), "holds": part.size}
                        for part in action.parts
                    ],
                    "to": list(action.to.piles),
                    "only_if_blocked": action.only_if_blocked,
                }
            case Swap():
                return {"kind": "swap", "exchange": _hex_piles(action.piles.piles)}
            case TurnUp():
                return {"kind": "turn-up", "turn_up": _hex_piles(action.piles.piles)}
            case Script():
                return {"kind": "script", "steps": [self._step(step) for step in action.steps]}
            case _:
                assert_never(action)

    def _move(self, move: Move) -> dict[str, Any]:
        yields = [
            _hex_piles(lane.piles[:place])
            for lane in move.lanes
            for place in range(len(lane.piles))
        ]
        return {
            "kind": "move",
            "from": list(move.sources),
            "yields_to": yields,
            "to": list(move.to.piles),
            "along": [_hex_piles(move.links.get(pile, ())) for pile in move.sources],
            "from_holds": list(move.from_holds),
            "to_holds": list(move.to_holds),
            "cards": self._unit(move.unit, turned=move.face == "up"),
            "which": _hex(move.lead.mask),
            "build": self._relation(move.build),
            "space": _hex(move.space.mask),
            "build_order": move.ladder,
            "first_vacant": move.first_vacant,
            "prefer": move.prefer,
            "laid_one_by_one": move.reverse,
            "face": move.face,
            "choose": move.choose,
        }

    def _unit(self, unit: Unit, *, turned: bool) -> dict[str, Any]:
        if unit.kind == "top" and turned:
            # A top card must lie face up to be moved; one that is turned up on its way need not.
            return {"kind": "count", "number": 1}
        match unit.kind:
            case "run":
                return {
                    "kind": "run",
                    "relation": self._relation(unit.relation),
                    "least": unit.least,
                    "most": unit.most,
                }
            case "count":
                return {"kind": "count", "number": unit.most}
            case "top" | "packet" | "all":
                return {"kind": unit.kind}
            case _:
                assert_never(unit.kind)

    def _step(self, step: Step) -> dict[str, Any]:
        match step.kind:
            case "deal":
                assert step.source is not None
                assert step.to is not None
                return {
                    "kind": "deal",
                    "from": step.source.piles[0],
                    "to": list(step.to.piles),
                    "each": step.each,
                    "face": step.face,
                }
            case "take":
                assert step.source is not None
                assert step.to is not None
                assert step.number is not None
                return {
                    "kind": "take",
                    "from": step.source.piles[0],
                    "number": self._quantity(step.number),
                    "end": step.from_end,
                    "to": step.to.piles[0],
                    "at": step.to_end,
                    "turned": step.reverse,
                    "face": step.face,
                }
            case "gather":
                assert step.piles is not None
                assert step.to is not None
                return {
                    "kind": "gather",
                    "piles": list(step.piles.piles),
                    "to": step.to.piles[0],
                    "at": step.to_end,
                    "turned": step.reverse,
                    "face": step.face,
                }
            case "route":
                assert step.source is not None
                return {
                    "kind": "route",
                    "from": step.source.piles[0],
                    "ways": [
                        {
                            "cards": _hex(way.cards.mask),
                            "to": list(way.vacant.piles),
                            "overflow": way.overflow.piles[0],
                        }
                        for way in step.ways
                    ],
                    "until": _hex_piles(step.until.piles if step.until is not None else ()),
                }
            case "close":
                assert step.piles is not None
                assert step.partners is not None
                pairs = zip(step.piles.piles, step.partners.piles, strict=True)
                return {"kind": "close", "pairs": [list(pair) for pair in pairs]}
            case "base":
                assert step.piles is not None
                return {"kind": "base", "counter": step.counter, "of": step.piles.piles[0]}
            case "settle":
                return {"kind": "settle"}
            case _:
                assert_never(step.kind)

    @staticmethod
    def _quantity(quantity: Quantity) -> dict[str, Any]:
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
                    "cards": _hex(quantity.cards.mask),
                    "pile": quantity.pile,
                }
            case "until":
                assert quantity.cards is not None
                return {
                    "kind": "until",
                    "factor": quantity.number,
                    "counter": quantity.counter,
                    "cards": _hex(quantity.cards.mask),
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
                    "cards": _hex(condition.cards.mask),
                    "compare": condition.compare,
                    "number": condition.number,
                }
            case "top":
                assert condition.cards is not None
                return {"kind": kind, "pile": piles[0], "cards": _hex(condition.cards.mask)}
            case "counter":
                return {
                    "kind": kind,
                    "counter": condition.counter,
                    "compare": condition.compare,
                    "number": condition.number,
                }
            case "complete":
                return {"kind": kind, "piles": _hex_piles(piles)}
            case "blocked":
                everywhere = range(len(self.rulebook.pile_names))
                return {
                    "kind": "blocked",
                    "rules": list(condition.rules),
                    "from": _hex_piles(piles or tuple(everywhere)),
                }
            case _:
                assert_never(kind)

    @staticmethod
    def _effect(effect: Effect) -> dict[str, Any]:
        match effect.kind:
            case "add-cards":
                assert effect.cards is not None
                return {
                    "kind": "count",
                    "counter": effect.counter,
                    "cards": _hex(effect.cards.mask),
                }
            case "set" | "add":
                return {"kind": effect.kind, "counter": effect.counter, "value": effect.value}
            case _:
                assert_never(effect.kind)


def _most_moved(unit: Unit, total: int) -> int:
    """The most cards that a unit can have."""
    match unit.kind:
        case "top":
            return 1
        case "run" | "packet" | "count":
            return unit.most
        case "all":
            return total
        case _:
            assert_never(unit.kind)


def _hex(mask: int) -> str:
    return f"{mask:x}"


@lru_cache(maxsize=1024)
def _hex_table(relation: Relation) -> tuple[str, ...]:
    return tuple(_hex(mask) for mask in relation.table())


@lru_cache(maxsize=4096)
def _hex_piles(piles: tuple[int, ...]) -> str:
    return f"{sum(1 << pile for pile in set(piles)):x}"
