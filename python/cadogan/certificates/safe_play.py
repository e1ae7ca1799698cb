"""Argument: a card that nothing needs any more may go up at once.

*Claim.* Let x be a card on top of a pile that its foundation wants now, and suppose that every card
that may be put on x is up already. If the position can be won, it can be won after x went up.

*Proof.* Take a winning line, drop all moves of x from it, and play x up first. Then the table is at
any time that of the line without x, and x is up. The other moves remain possible. Nothing is ever
put on x, because the cards that fit are up and never come back. Where a unit of cards contained x,
x was its top card, and the rest is still a unit. What is empty in the line is empty now, and a pile
that shows another card than x in the line shows it now. Each card has one place on the
foundations, on one certain card, so x takes no place from another card, and a card goes up when the
one before it is up. Which of the empty foundations a first card takes does not matter: they are
alike, and there are enough.

*Chains.* If units are single cards, a card y that may be put on x need not be up if its foundation
wants it now and it is safe itself: where the line puts y on a card that is gone, y goes up instead,
and later moves of y are dropped. The card before y is up from the beginning, so this is possible at
any time.

*Preconditions* (:class:`SafePlay` checks them): after the layout there are only free moves without
conditions and effects; the aim is to complete the foundations; nothing leaves them; cards go there
one by one; cards are put on others only by a relation.
"""

from types import SimpleNamespace
from typing import Any

from cadogan.certificates.interpreter import CARD, Position, piles_of
from cadogan.certificates.relaxations import (
    asks_much,
    foundations_of,
    is_fixed,
    rules_in_play,
)
from cadogan.i18n.text import gettext


class SafePlay:
    """Which cards may go up at once.

    Attributes:
        fault: Why the argument does not apply to the game; none if it does.
        foundations: The foundations.
        fits: For each card that can be safe: the set of cards that may be put on it.
        before: For each card that can be safe: the card before it on its foundation, or none.
        chains: Whether cards that are safe themselves count as up.
    """

    def __init__(self, tables: SimpleNamespace) -> None:
        self.foundations = foundations_of(tables)
        self.fits: dict[int, int] = {}
        self.before: dict[int, int | None] = {}
        self.chains = True
        self.fault = self._fault(tables)
        if self.fault is None:
            self._find_cards(tables)

    def _fault(self, tables: SimpleNamespace) -> str | None:
        complete: set[int] = set()
        for condition in tables.aim:
            if condition.kind != "complete":
                return gettext("the aim is not only to complete foundations")
            complete.update(piles_of(condition.piles))
        orders = {tables.piles[pile].build_order for pile in complete}
        if complete != self.foundations or len(orders) != 1:
            return gettext("the foundations differ")
        order = tables.build_orders[orders.pop()]
        if not is_fixed(order) or order.one_suit_each:
            return gettext("a build order begins with a card that only the deal decides")
        if any(tables.piles[pile].capacity < len(order.wants) for pile in complete):
            return gettext("the foundations have no room")
        return next(
            filter(None, (self._rule_fault(tables, r) for r in rules_in_play(tables))), None
        )

    def _rule_fault(self, tables: SimpleNamespace, rule: Any) -> str | None:
        action = rule.action
        if rule.forced or rule.when or rule.effects or action.kind != "move":
            return gettext("there are rules with conditions or effects")
        unit = action.cards
        if (
            not (unit.kind in ("top", "packet") or (unit.kind == "run" and unit.least <= 1))
            or action.prefer is not None
            or getattr(action, "beside", None) is not None
            or action.first_vacant
            or asks_much(action)
            or action.laid_one_by_one
            or action.face == "down"
            or max(action.from_holds[0], action.to_holds[0]) > 1
        ):
            return gettext("there are moves of an unusual kind")
        self.chains = self.chains and unit.kind == "top"
        if self.foundations.intersection(action.source):
            return gettext("cards leave foundations")
        if action.build_order:
            everywhere = all(
                action.along[at] >> target & 1
                for at in range(len(action.source))
                for target in self.foundations
            )
            is_plain = (
                unit.kind == "top"
                and action.build is None
                and action.to_holds[0] == 0
                and action.to_holds[1] >= max(tables.piles[p].capacity for p in self.foundations)
            )
            if set(action.to) != self.foundations or not everywhere or not is_plain:
                return gettext("not all cards go to all foundations alike")
        elif self.foundations.intersection(action.to):
            return gettext("cards go to foundations in another way")
        elif (
            action.build is None
            and action.to_holds[1] > 0
            and any(tables.piles[target].capacity > 1 for target in action.to)
        ):
            return gettext("any card may be put on any other")
        return None

    def _find_cards(self, tables: SimpleNamespace) -> None:
        """Finds the cards that have one place on the foundations."""
        pack = [*tables.deck, *(preset.card for preset in tables.preset)]
        within = sum(1 << card for card in set(pack))
        number = tables.piles[min(self.foundations)].build_order
        order = tables.build_orders[number]
        relations = [
            tables.relations[rule.action.build]
            for rule in rules_in_play(tables)
            if rule.action.build is not None
        ]
        seen = 0
        lower: list[int] = []
        for height, wanted in enumerate(order.wants):
            cards = piles_of(wanted & within)
            if seen & wanted or any(pack.count(card) > 1 for card in cards):
                return
            if not height and len(cards) > len(self.foundations):
                return
            seen |= wanted
            before: dict[int, int | None] = {}
            for card in cards:
                under = [
                    other
                    for other in lower
                    if order.relation is None or tables.relations[order.relation][other] >> card & 1
                ]
                if height and len(under) != 1:
                    return
                before[card] = under[0] if height else None
            if height and len(set(before.values())) < len(cards):
                return
            self.before.update(before)
            for card in cards:
                fits = 0
                for relation in relations:
                    fits |= relation[card]
                self.fits[card] = fits & within
            lower = cards

    def is_safe(self, position: Position, pile: int) -> bool:
        """Whether the top card of a pile may go up at once without losing a win."""
        cards = position.piles[pile]
        if self.fault is not None or not cards:
            return False
        up = {card for other in self.foundations for card in position.piles[other]}
        return not cards[-1] & ~CARD and self._is_safe(cards[-1], up)

    def _is_safe(self, card: int, up: set[int]) -> bool:
        if card not in self.fits:
            return False
        before = self.before[card]
        if before is not None and before not in up:
            return False
        missing = [other for other in piles_of(self.fits[card]) if other not in up]
        # Of a chain only lower cards, so that this comes to an end.
        return not missing or (
            self.chains
            and all(
                self._height(other) < self._height(card) and self._is_safe(other, up)
                for other in missing
            )
        )

    def _height(self, card: int | None) -> int:
        height = -1
        while card is not None:
            card, height = self.before.get(card), height + 1
        return height
