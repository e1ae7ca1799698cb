"""Argument: positions that differ only by an exchange of equal piles are one position.

*Claim.* If exchanging two piles leaves the rules as they are, then it maps every line of moves onto
a line of moves. So one of two such positions can be won if and only if the other can.

*Test.* :func:`may_be_exchanged` exchanges the two piles everywhere in the tables and compares.
Lists whose order has no effect are compared as sets: the sources and targets of a free move, and of
a forced move those from which the player chooses. If a rule takes the first empty pile of a list,
it does not matter which of two neighbours in that list is the first: both are empty, and so the
results differ only by an exchange. All other lists must not contain the piles. Rules that apply
only while the table is laid out do not matter, because proofs begin after the layout.
``docs/certificates.md`` has the complete argument.
"""

from collections.abc import Iterable
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from cadogan.certificates.interpreter import piles_of
from cadogan.certificates.relaxations import is_fixed
from cadogan.i18n.text import gettext

_SETS = frozenset(
    (
        *("along", "deep", "exchange", "partners", "piles", "than", "turn_up", "until"),
        *("wanted_by", "yields_to"),
    )
)
_LISTS = frozenset(("lines", "pairs", "piles", "source", "to"))
_PILES = frozenset(("of", "overflow", "pile", "pairs", "prefer", "source", "starter", "to"))


def may_be_exchanged(tables: SimpleNamespace, one: int, other: int) -> bool:
    """Whether two piles may change places in any position after the layout."""
    places = tables.piles
    first, second = places[one], places[other]
    if (first.capacity, first.build_order) != (second.capacity, second.build_order):
        return False
    covers = {
        pile
        for at, place in enumerate(places)
        for way in getattr(place, "open_when", ())
        for pile in (at, *piles_of(way))
    }
    if one in covers or other in covers:
        return False
    plain, exchanged = _View(tables), _View(tables, one, other)
    wanted = [tables.aim, getattr(tables, "score", None)]
    return plain.rules() == exchanged.rules() and plain.shape(wanted) == exchanged.shape(wanted)


class _View:
    """The rules in a form to compare, with two piles exchanged."""

    def __init__(self, tables: SimpleNamespace, one: int = -1, other: int = -1) -> None:
        self.tables = tables
        self.names = list(range(len(tables.piles)))
        if one >= 0:
            self.names[one], self.names[other] = other, one

    def rules(self) -> list[Any]:
        in_play = [rule for rule in self.tables.rules if rule.during != "layout"]
        forced = [rule for rule in in_play if rule.forced]
        return [self.rule(rule, rule is forced[0] if forced else False) for rule in in_play]

    def rule(self, rule: Any, is_first: bool) -> Any:
        action = rule.action
        if action.kind == "move":
            does = self.move(rule.forced, action)
        elif action.kind == "swap" and not rule.forced:
            sides = [(self.mask(side.piles), side.cards) for side in action.sides]
            does = self.mask(action.exchange), sorted(sides)
        elif action.kind == "turn-up" and is_first and not rule.when and not rule.effects:
            # All these piles are turned up before anything else happens.
            does = self.mask(action.turn_up)
        elif action.kind == "turn-up":
            does = [self.names[pile] for pile in piles_of(action.turn_up)]
        elif action.kind == "script":
            does = self.script(action.steps)
        else:
            does = self.shape(action)
        return rule.forced, rule.during, self.shape(rule.when), does, self.shape(rule.effects)

    def move(self, forced: bool, action: Any) -> Any:
        links = {
            (self.names[source], self.names[target])
            for at, source in enumerate(action.source)
            for target in action.to
            if action.along[at] >> target & 1 and target != source
        }
        yields = {
            (self.names[source], self.mask(action.yields_to[at]))
            for at, source in enumerate(action.source)
        }
        sources = [self.names[pile] for pile in action.source]
        targets = [self.names[pile] for pile in action.to]
        if not forced or action.choose in ("card", "any"):
            sources.sort()
        if (forced and action.choose in ("none", "card")) or action.first_vacant:
            if not forced or action.to_holds[1] == 0:
                self.sort_neighbours(targets)
        else:
            targets.sort()
        rest = {
            name: self.shape(value, name)
            for name, value in vars(action).items()
            if name not in ("source", "to", "along", "yields_to", "asks")
        }
        return links, yields, sources, targets, rest, self.asks(action)

    def asks(self, action: Any) -> Any:
        """What few moves ask for."""
        asks = action.asks
        names = [self.names[pile] for pile in action.to]
        turns = [
            turn and (turn.counter, [self.mask(piles) for piles in turn.piles])
            for turn in (asks.source, asks.to)
        ]
        return (
            (self.shape(asks.which), self.shape(asks.space), asks.begun, turns),
            sorted(zip(names, asks.takes, strict=False)),
            sorted(zip(names, map(self.mask, asks.ranks_in), strict=False)),
            names if asks.last_filled or asks.emptiest else [],
            self.shape(asks.onto),
            self.shape(asks.uncovers),
        )

    def script(self, steps: list[Any]) -> list[Any]:
        """The steps. In which order piles are gathered before a shuffle does not matter."""
        shaped = []
        pair = {pile for pile, name in enumerate(self.names) if pile != name}
        for at, step in enumerate(steps):
            shaped.append(self.shape(step))
            if step.kind in ("sink", "slip", "turn"):
                shaped[-1]["piles"].sort()
            if self.only_to_vacancies(step):
                self.sort_neighbours(shaped[-1]["terms"]["goes_up"]["to"])
            following = steps[at + 1] if at + 1 < len(steps) else None
            if (
                step.kind == "gather"
                and following is not None
                and following.kind == "shuffle"
                and step.to == following.pile
                and not hasattr(step, "keep")
            ):
                shaped[-1]["piles"].sort()
                if pair.issubset(step.piles):
                    # Both piles are empty, and their cards lie in the same order as without the
                    # exchange. So the rest does the same without it.
                    return shaped + [_View(self.tables).shape(rest) for rest in steps[at + 1 :]]
        return shaped

    def only_to_vacancies(self, step: Any) -> bool:
        """Whether a deal brings cards up to foundations, and only to empty ones."""
        goes_up = getattr(getattr(step, "terms", None), "goes_up", None)
        if goes_up is None:
            return False
        orders = [self.tables.build_orders[self.tables.piles[p].build_order] for p in goes_up.to]
        return all(
            is_fixed(order) and not any(goes_up.cards & wants for wants in order.wants[1:])
            for order in orders
        )

    def sort_neighbours(self, targets: list[int]) -> None:
        """Sorts the two exchanged piles if they are neighbours."""
        pair = {pile for pile, name in enumerate(self.names) if pile != name}
        for at in range(len(targets) - 1):
            if set(targets[at : at + 2]) == pair:
                targets[at : at + 2] = sorted(targets[at : at + 2])

    def mask(self, mask: int) -> int:
        return sum(1 << self.names[pile] for pile in piles_of(mask))

    def shape(self, value: Any, name: str = "") -> Any:
        """Any part of a rule, with lists in their order."""
        if isinstance(value, SimpleNamespace):
            asks = getattr(value, "kind", "") == "blocked"
            shaped = {
                field: self.mask(part) if asks and field == "source" else self.shape(part, field)
                for field, part in vars(value).items()
            }
            if getattr(value, "kind", "") in ("ordered", "sums"):
                shaped["lines"] = sorted(
                    [self.names[pile] for pile in line] for line in value.lines
                )
            return shaped
        if name in ("lines", "leave"):
            return [[self.names[pile] for pile in line] for line in value]
        if isinstance(value, list):
            return [self.shape(item, "pile" if name in _LISTS else name) for item in value]
        if isinstance(value, int) and name in _SETS:
            return self.mask(value)
        return self.names[value] if isinstance(value, int) and name in _PILES else value


def verified(tables: SimpleNamespace, groups: Iterable[list[int]]) -> str | None:
    """What is wrong with a claim that the piles of each group are interchangeable."""
    seen: set[int] = set()
    for group in groups:
        for pile in group:
            if pile in seen:
                return gettext("{pile} is in two groups", pile=tables.piles[pile].name)
            seen.add(pile)
        for one, other in pairwise(group):
            if not may_be_exchanged(tables, one, other):
                names = tables.piles[one].name, tables.piles[other].name
                return gettext(
                    "{one} and {other} are not interchangeable", one=names[0], other=names[1]
                )
    return None
