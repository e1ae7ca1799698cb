"""How many moves a rule that moves cards allows at most."""

from functools import reduce
from itertools import accumulate
from operator import or_
from typing import TYPE_CHECKING

from cadogan.rules.rulebook.words import JOKER

if TYPE_CHECKING:
    from cadogan.rules.check.extent import Bounds
    from cadogan.rules.kinds.move.move import Move


def most_moves(move: "Move", bounds: "Bounds") -> int:
    """How many moves there can be in any position at most."""
    unit, targets = move.cards, move.to.piles
    several = unit.kind in ("run", "packet", "any") and not unit.place
    # The cards that touch the target are different for all that can be moved, unless several
    # cards are laid down one by one: then it is the top card, however many follow it.
    distinct = not (several and move.laid_one_by_one)
    which = bounds.count(move.which.mask) if distinct else bounds.total
    rows = [
        max((len(move.along.targets.get(pile, ())) for pile in lane.piles), default=0)
        for lane in move.from_
    ]
    each = max(0, min(unit.most, bounds.total) - unit.least + 1) if several else 1
    linked = sum(rows) * each
    units = min(which, len(rows) * each)
    crude = min(linked, units * len(targets))
    if crude <= len(targets):
        return crude
    vacant, most_vacant = 0, 0
    if move.to_holds[0] == 0:
        fitting = bounds.count(move.which.mask & move.space.mask)
        vacant = min(units, fitting) if distinct else units
        most_vacant = 1 if move.first_vacant else len(targets)
    pairs = _pairs(move, bounds) if move.to_holds[1] > 0 else [0]
    wanted = _wanted(move, bounds) if move.build_order else units
    vacant = min(vacant, wanted)
    # A vacant target is no source.
    single = all(len(lane.piles) == 1 for lane in move.from_)
    apart = len(targets) - len(set(targets) & set(move.sources)) if single else len(targets)
    most = 0
    for number in range(most_vacant + 1):
        if most >= crude:
            break
        sources = len(rows) - max(0, number - apart)
        left = min(units, sources * each)
        filled = len(targets) - number
        laid = filled * min(wanted, left)
        if distinct:
            laid = min(laid, pairs[min(filled, len(pairs) - 1)])
        most = max(most, number * min(vacant, left) + laid)
    return min(crude, most)


def _pairs(move: "Move", bounds: "Bounds") -> list[int]:
    """For each number of targets, how many pairs of cards there are to be laid on one another.

    Every target has a card of its own on top, so at most those that take most cards are there.
    """
    key = (move.build, move.which.mask)
    if key not in bounds.sums:
        rows = [move.which.mask] * (JOKER + 1) if move.build is None else move.build.table()
        counts = {mask: bounds.count(mask) for mask in {row & move.which.mask for row in rows}}
        taken = (
            count
            for card, number in bounds.cards
            for count in [counts[rows[card] & move.which.mask]] * number
        )
        bounds.sums[key] = [0, *accumulate(sorted(taken, reverse=True))]
    return bounds.sums[key]


def _wanted(move: "Move", bounds: "Bounds") -> int:
    """How many cards at most a foundation wants at the same time."""
    orders = {bounds.book.group_of(pile).build_order for pile in move.to.piles}
    most = 0
    for order in orders:
        if order is None:
            continue
        masks = set(order.wants)
        if order.chosen or order.own_base:
            # While the base is not known, any card may begin.
            masks.add(reduce(or_, order.wants))
        each = max(bounds.count(mask & move.which.mask) for mask in masks)
        most = max(most, each * (1 + len(order.ways)))
    return most
