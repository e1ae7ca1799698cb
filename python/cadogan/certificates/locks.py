"""Argument: a pile whose cards wait for cards below them in the same pile.

*Claim.* Suppose that all cards must go to foundations, and that the cards of a pile can only go
there, one by one from the top. Say that a card *needs* another one if every foundation takes it
only on that one. Then, if a card needs more copies of some card than can have gone up before it,
because the others lie below it in the same pile, the position cannot be won.

*Proof.* Cards never leave foundations, and each copy of a card there lies on a copy of its own of
the card that it needs. So at any time at least as many copies of the needed card have gone up. Take
the cards of the pile from the top down. Let up(c) be a lower bound on the copies of c that have
gone up, and below(c) the number of copies in the pile below the current card. When the current card
c goes up, up(c) grows by one; then up(p) is at least up(c) for the card p that c needs, and so on
down the chain. Copies below have not gone up. So if up(p) + below(p) exceeds the number of all
copies of p, the current card can never go up.
"""

from collections import Counter
from types import SimpleNamespace

from cadogan.certificates.interpreter import CARD, Position, piles_of
from cadogan.certificates.relaxations import (
    foundations_of,
    is_fixed,
    piles_named,
    rules_in_play,
)
from cadogan.i18n.text import gettext


def not_all_go_up(tables: SimpleNamespace) -> str | None:
    """Why a game can be won although not all cards are on foundations; none if it cannot."""
    complete: set[int] = set()
    for condition in tables.aim:
        if condition.kind == "complete":
            complete.update(piles_of(condition.piles))
    places, orders = tables.piles, tables.build_orders
    heights = sum(len(orders[places[pile].build_order].wants) for pile in complete)
    if complete != foundations_of(tables) or heights != len(tables.deck) + len(tables.preset):
        return gettext("not all cards must go to foundations")
    return None


class Locks:
    """The piles of a game from which cards only go up.

    Attributes:
        fault: Why the argument does not apply to the game; none if it does.
        piles: The piles.
    """

    def __init__(self, tables: SimpleNamespace) -> None:
        pack = [*tables.deck, *(preset.card for preset in tables.preset)]
        self.copies = Counter(pack)
        self.foundations = foundations_of(tables)
        self.piles = set(range(len(tables.piles))) - self.foundations
        self.fault = self._fault(tables)
        self.needs = _needs(tables)

    def _fault(self, tables: SimpleNamespace) -> str | None:
        fault = not_all_go_up(tables)
        if fault is not None:
            return fault
        if not all(is_fixed(order) for order in tables.build_orders):
            return gettext("a build order begins with a card that only the deal decides")
        for rule in rules_in_play(tables):
            action = rule.action
            gives: set[int] = set()
            takes: set[int] = set()
            if action.kind == "move":
                takes = set(action.to)
                if action.build_order and action.cards.kind == "top":
                    if self.foundations.intersection(action.source):
                        return gettext("cards leave foundations")
                else:
                    gives = set(action.source)
                if action.build_order:
                    takes -= self.foundations
            elif action.kind == "joint":
                gives = {pile for part in action.together for pile in part.source}
            elif action.kind == "script":
                gives = takes = piles_named(action.steps)
                self.piles -= takes
            elif action.kind != "turn-up":
                gives = takes = piles_named(action)
            if self.foundations & (gives | takes):
                return gettext("cards of foundations move in another way")
            self.piles -= gives
        return None if self.piles else gettext("from no pile cards only go to foundations")

    def is_stuck(self, position: Position) -> bool:
        """Whether some pile can never be emptied, so that the position cannot be won."""
        up: Counter[int] = Counter()
        for pile in self.foundations:
            cards = [card & CARD for card in position.piles[pile]]
            up.update(cards)
            for at, card in enumerate(cards):
                needed = self.needs.get(card)
                if needed is not None and (not at or cards[at - 1] != needed):
                    return False
        return self.fault is None and any(
            self._is_locked(position.piles[pile], up.copy()) for pile in self.piles
        )

    def _is_locked(self, cards: bytes, up: "Counter[int]") -> bool:
        below = Counter(card & CARD for card in cards)
        for byte in reversed(cards):
            card = byte & CARD
            below[card] -= 1
            up[card] += 1
            least = up[card]
            needed: int | None = card
            while needed is not None:
                up[needed] = max(up[needed], least)
                if up[needed] + below[needed] > self.copies[needed]:
                    return True
                needed = self.needs.get(needed)
        return False


def _needs(tables: SimpleNamespace) -> dict[int, int]:
    """For each card the one card on which foundations take it, if there is only one."""
    unders: dict[int, set[int]] = {}
    starts: set[int] = set()
    for order in tables.build_orders:
        starts.update(piles_of(order.wants[0]))
        for height in range(1, len(order.wants)):
            for card in piles_of(order.wants[height]):
                unders.setdefault(card, set()).update(
                    under
                    for under in piles_of(order.wants[height - 1])
                    if order.relation is None or tables.relations[order.relation][under] >> card & 1
                )
    return {
        card: min(under) for card, under in unders.items() if len(under) == 1 and card not in starts
    }
