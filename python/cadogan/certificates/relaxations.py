"""Arguments that change the game: one that is easier, and cards that count as equal.

Both turn the tables into those of another game. Each line of moves of the real game is one of that
game, too, so a game that cannot be won there cannot be won at all.
"""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from cadogan.certificates.interpreter import CARD, Position, piles_of
from cadogan.i18n.text import gettext

CARDS = 53


def rules_in_play(tables: SimpleNamespace) -> list[Any]:
    """The rules that can apply after the layout."""
    return [rule for rule in tables.rules if rule.during != "layout"]


def foundations_of(tables: SimpleNamespace) -> set[int]:
    """The piles with a build order."""
    return {number for number, pile in enumerate(tables.piles) if pile.build_order is not None}


def asks_much(action: Any) -> bool:
    """Whether a rule is a move that asks for something that few moves ask for."""
    return any(vars(action.asks).values()) if action.kind == "move" else False


def is_fixed(order: Any) -> bool:
    """Whether what a build order wants depends only on the height and on the top card."""
    return order.base is None and not (order.ways or order.own_base or order.waits)


def is_regular(tables: SimpleNamespace, position: Position) -> bool:
    """Whether all foundations hold what their build orders want, height by height."""
    for pile in foundations_of(tables):
        wants = tables.build_orders[tables.piles[pile].build_order].wants
        cards = position.piles[pile]
        if len(cards) > len(wants) or not all(
            wants[at] >> (card & CARD) & 1 for at, card in enumerate(cards)
        ):
            return False
    return True


def tables_shuffle(tables: SimpleNamespace) -> bool:
    """Whether cards are shuffled after the layout."""
    return any(
        step.kind == "shuffle"
        for rule in rules_in_play(tables)
        for step in getattr(rule.action, "steps", ())
    )


def piles_named(value: Any, name: str = "") -> set[int]:
    """All piles that a rule or the steps of a script name, as a source or as a target."""
    if isinstance(value, SimpleNamespace):
        parts = (piles_named(part, field) for field, part in vars(value).items())
        return set().union(*parts)
    if isinstance(value, list):
        return set().union(*(piles_named(item, name) for item in value))
    if name in ("exchange", "turn_up", "until"):
        return set(piles_of(value))
    names = ("source", "to", "piles", "of", "overflow", "pile", "pairs")
    return {value} if isinstance(value, int) and name in names else set()


# Suits that count only below a height.


def suit_rows(tables: SimpleNamespace, height: int) -> dict[int, list[int]]:
    """The relations of the easier game in which foundations ask for suits only below a height.

    Only what can be tested remains: which cards may follow a card that the build order wants one
    height lower. So cards that the easier game treats alike have the same rows.

    Args:
        tables: The program.
        height: Where suits begin to be ignored.

    Returns:
        By build order: for each card the set of cards that may follow it.
    """
    rows: dict[int, list[int]] = {}
    for number, order in enumerate(tables.build_orders):
        if order.relation is not None:
            row = [0] * len(tables.relations[order.relation])
            for at in range(1, len(order.wants)):
                for under in piles_of(order.wants[at - 1]):
                    suited = tables.relations[order.relation][under] if at < height else -1
                    row[under] |= order.wants[at] & suited
            rows[number] = row
    return rows


def suits_fault(tables: SimpleNamespace, start: Position) -> str | None:
    """Why the easier game proves nothing about this one; none if it does.

    *Claim.* A legal move of the real game is legal in the same position of the easier one, and
    leads to the same position. *Proof.* The games differ only in what foundations take. They take
    more in the easier game: the card on top of a foundation is one that the build order wants at
    its height, and for such a card the new row contains the part of the old one that is tested.
    More legal plays take no other move away, since no rule asks whether plays are impossible, no
    play is forced, and no other rule makes the same move.
    """
    foundations = foundations_of(tables)
    if tables_shuffle(tables):
        return gettext("the order of a shuffle depends on which cards they are")
    for order in tables.build_orders:
        if not is_fixed(order) or order.one_suit_each:
            return gettext("a build order begins with a card that only the deal decides")
    pairs: set[tuple[int, int]] = set()
    played: set[tuple[int, int]] = set()
    for rule in rules_in_play(tables):
        action = rule.action
        if any(condition.kind == "blocked" for condition in rule.when):
            return gettext("a rule applies only while others do not")
        if action.kind == "move":
            if action.build_order and (rule.forced or action.prefer is not None):
                return gettext("plays to foundations are forced or depend on one another")
            if not action.build_order and foundations.intersection(action.to):
                return gettext("cards go to foundations in another way")
            here = {(source, target) for source in action.source for target in action.to}
            if here & (pairs if action.build_order else played):
                return gettext("two rules allow the same move")
            pairs |= here
            played |= here if action.build_order else set()
        elif action.kind == "joint":
            return gettext("cards go to foundations together")
        elif action.kind == "script":
            if foundations & piles_named(action.steps):
                return gettext("a script moves cards of foundations")
        elif foundations & piles_named(action):
            return gettext("cards of foundations change otherwise")
    if not is_regular(tables, start):
        return gettext("a foundation holds cards that its build order does not want")
    return None


# Cards that no rule distinguishes.


def equal_cards(tables: SimpleNamespace) -> list[list[int]]:
    """The cards that no rule distinguishes, in groups of two or more.

    *Claim.* If all cards of a group are replaced by one of them, then every line of moves remains
    one. *Proof.* Every test of a rule asks whether a card belongs to a set, or whether two cards
    are related. Cards of a group belong to the same sets, and are related to the same cards. So
    every test has the same result. Only exchanges of two top cards compare cards for equality; an
    exchange of two cards of a group changes nothing afterwards.
    """
    rules = rules_in_play(tables)
    parts = [rules, tables.aim, tables.build_orders]
    unlike = tables_shuffle(tables) or any(
        order.one_suit_each or not is_fixed(order) for order in tables.build_orders
    )
    if unlike or any(
        asks_much(rule.action)
        or any(effect.kind == "rank" for effect in rule.effects)
        or getattr(rule.action, "prefer", None) is not None
        or any(step.kind == "base" for step in getattr(rule.action, "steps", ()))
        for rule in rules
    ):
        return []
    used = sorted(set(_relations(parts)))
    sets = set(_card_sets(parts))
    pack = sorted({*tables.deck, *(preset.card for preset in tables.preset)})
    groups: dict[Any, list[int]] = {}
    within = sum(1 << card for card in pack)
    for card in pack:
        belongs = tuple(mask >> card & 1 for mask in sorted(sets))
        carries = tuple(tables.relations[number][card] & within for number in used)
        lies_on = tuple(
            tables.relations[number][under] >> card & 1 for number in used for under in pack
        )
        groups.setdefault((belongs, carries, lies_on), []).append(card)
    return [group for group in groups.values() if len(group) > 1]


def _relations(value: Any, name: str = "") -> Iterable[int]:
    if isinstance(value, SimpleNamespace):
        for field, part in vars(value).items():
            yield from _relations(part, field)
    elif isinstance(value, list):
        for item in value:
            yield from _relations(item, name)
    elif (
        name in ("apart", "around", "beaten_by", "build", "chain", "every", "pair", "relation")
        and value is not None
    ):
        yield value


def _card_sets(value: Any, name: str = "") -> Iterable[int]:
    if name == "sum" and value is not None:
        for number in value.values:
            ranks = (rank for rank in range(13) if value.values[rank] == number)
            yield sum(0b1111 << 4 * rank for rank in ranks)
    elif isinstance(value, SimpleNamespace):
        for field, part in vars(value).items():
            yield from _card_sets(part, field)
    elif name == "worth":
        # Cards that are worth the same when they are added up.
        for worth in set(value):
            yield sum(0b1111 << rank * 4 for rank in range(13) if value[rank] == worth)
    elif isinstance(value, list):
        for item in value:
            yield from _card_sets(item, name)
    elif isinstance(value, int) and name in ("cards", "edge", "space", "wants", "which", "wild"):
        yield value


def merged(groups: Iterable[list[int]]) -> list[int]:
    """For each card the first card of its group."""
    first = list(range(CARDS))
    for group in groups:
        for card in group:
            first[card] = group[0]
    return first
