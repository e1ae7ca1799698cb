"""Which piles may be interchanged without changing the game.

Two piles of a group are interchangeable if every rule that can be used after the layout treats them
alike. Then positions that differ only by permuting such piles are the same position for the solver:
their hashes are equal. The test here is sufficient, not necessary; where it is in doubt it says no.

Proof idea: let s be a permutation of the piles of a group that passes :func:`interchangeable`.
Every condition, link and script is invariant under s, so s maps the legal moves of a position onto
those of its image, and the forced rules carried out after them onto one another (forced rules that
could prefer one pile of the group to another by its number alone are refused below). Hence s is an
automorphism of the graph of positions that keeps won positions won.
"""

from collections.abc import Iterable, Sequence
from typing import assert_never

from cadogan.rules.rulebook.rulebook import (
    Condition,
    Group,
    Joint,
    Move,
    Rule,
    Rulebook,
    Script,
    Step,
    Swap,
    TurnUp,
)


def interchangeable(group: Group, rulebook: Rulebook, known: dict[str, bool] | None = None) -> bool:
    """Whether all piles of a group may be interchanged.

    Args:
        group: The group.
        rulebook: The game.
        known: Answers for groups of this game, by name; new answers are added. Groups may ask for
            each other's answers, so without it the work would double with every such link.
    """
    known = {} if known is None else known
    if group.name not in known:
        # A group whose answer depends on itself finds this one: when in doubt, no.
        known[group.name] = False
        known[group.name] = group.count > 1 and _is_even(group, rulebook, known)
    return known[group.name]


def _is_even(group: Group, rulebook: Rulebook, known: dict[str, bool]) -> bool:
    piles = frozenset(group.piles)
    rules = [rule for rule in rulebook.rules if not (rule.forced and rule.during == "layout")]
    return (
        all(_rule_is_even(rule, group, piles, rulebook, known) for rule in rules)
        and all(_condition_is_even(condition, piles) for condition in rulebook.aim)
        and not _turning_is_interrupted(rules, piles)
    )


def _turning_is_interrupted(rules: Sequence[Rule], piles: frozenset[int]) -> bool:
    """Whether a forced rule could come between the turning up of two piles.

    Then the pile that is turned first, the one of the lower number, could make a difference.
    """
    earlier = False
    for rule in rules:
        if rule.forced and isinstance(rule.action, TurnUp) and piles & {*rule.action.piles.piles}:
            if earlier:
                return True
        elif rule.forced:
            earlier = True
    return False


def _all_or_none(some: Iterable[int], piles: frozenset[int]) -> bool:
    inside = piles.intersection(some)
    return not inside or inside == piles


def _condition_is_even(condition: Condition, piles: frozenset[int]) -> bool:
    return condition.piles is None or _all_or_none(condition.piles.piles, piles)


def _rule_is_even(
    rule: Rule, group: Group, piles: frozenset[int], rulebook: Rulebook, known: dict[str, bool]
) -> bool:
    if not all(_condition_is_even(condition, piles) for condition in rule.when):
        return False
    action = rule.action
    match action:
        case Move():
            return _move_is_even(rule, action, group, piles, rulebook, known)
        case Joint():
            parts = [part.source.piles for part in action.parts]
            touched = any(piles.intersection(some) for some in (*parts, action.to.piles))
            even = all(_all_or_none(some, piles) for some in (*parts, action.to.piles))
            return even and not (rule.forced and touched)
        case Swap() | TurnUp():
            return _all_or_none(action.piles.piles, piles)
        case Script():
            return all(_step_is_even(step, piles) for step in action.steps)
        case _:
            assert_never(action)


def _move_is_even(
    rule: Rule,
    move: Move,
    group: Group,
    piles: frozenset[int],
    rulebook: Rulebook,
    known: dict[str, bool],
) -> bool:
    if not _all_or_none(move.sources, piles) or not _all_or_none(move.to.piles, piles):
        return False
    if any(len(lane.piles) > 1 and piles.intersection(lane.piles) for lane in move.lanes):
        return False
    if move.prefer in piles:
        return False
    sources = [pile for pile in move.sources if pile in piles]
    rows = {frozenset(move.links.get(pile, ())) - piles for pile in sources}
    if len(rows) > 1:
        return False
    if sources and move.to.piles and piles.issubset(move.to.piles):
        within = {frozenset(move.links.get(pile, ())) & piles == piles - {pile} for pile in sources}
        if within != {True} and any(piles & set(move.links.get(pile, ())) for pile in sources):
            return False
    for pile, row in move.links.items():
        if pile not in piles and not _all_or_none(row, piles):
            return False
    if not rule.forced:
        return True
    if sources and move.choose not in ("card", "any"):
        # Complete runs leave one after the other whatever the order, if it is all the same where
        # each of them goes; other forced moves might not.
        target = rulebook.group_of(move.to.piles[0])
        return (
            move.unit.kind == "run"
            and move.unit.least == move.unit.most
            and move.to_holds == (0, 0)
            and set(move.to.piles) == set(target.piles)
            and not piles & set(target.piles)
            and (target.count == 1 or interchangeable(target, rulebook, known))
        )
    if piles.intersection(move.to.piles) and move.choose in ("none", "card"):
        distinct = group.order is None or len(set(group.order.ranks)) == len(group.order.ranks)
        return move.to_holds == (0, 0) or (move.ladder and distinct)
    return True


def _step_is_even(step: Step, piles: frozenset[int]) -> bool:
    single = [step.source, step.to, step.piles, step.partners]
    if any(some is not None and piles.intersection(some.piles) for some in single):
        return False
    for way in step.ways:
        if not _all_or_none(way.vacant.piles, piles) or piles.intersection(way.overflow.piles):
            return False
    return step.until is None or _all_or_none(step.until.piles, piles)
