"""Argument: a card that can never go up, even if nothing ever gets worse.

*Claim.* Suppose that all cards must go to foundations, that nothing leaves foundations, and that
cards move one by one from the top of a pile. Pretend that whatever was possible once remains
possible: a card that was once on top of its first pile is free for ever, a card that left that pile
can lie on top of any pile for ever, a pile that was empty once can always be filled, and a card
that went up counts as up and can still be built on. If some card does not go up even then, the
position cannot be won.

*Proof.* By induction along any line of moves: whatever is on top, empty or up after a move is so in
the pretended game. The card that moves was on top of its first pile, or had left it. Its target was
an empty pile, a card on top of a pile, or a foundation whose top card is up. All of this holds in
the pretended game, so there the card can leave its first pile, too, and the card below it is free
or the pile is empty. Conditions and limits of rules only forbid moves, so they can be ignored.
"""

from types import SimpleNamespace
from typing import Any

from cadogan.certificates.interpreter import CARD, Position, piles_of
from cadogan.certificates.locks import not_all_go_up
from cadogan.certificates.relaxations import (
    CARDS,
    foundations_of,
    is_fixed,
    is_regular,
    rules_in_play,
)
from cadogan.i18n.text import gettext


class DeadEnds:
    """Finds cards that can never go up.

    Attributes:
        fault: Why the argument does not apply to the game; none if it does.
    """

    def __init__(self, tables: SimpleNamespace) -> None:
        self.tables = tables
        self.foundations = foundations_of(tables)
        rules = [rule.action for rule in rules_in_play(tables)]
        self.fault = not_all_go_up(tables) or self._fault(rules)
        builds = [rule for rule in rules if rule.kind == "move" and not rule.build_order]
        self.builds = [] if self.fault is not None else [_Build(tables, b) for b in builds]
        self.first = 0
        self.after = [0] * CARDS
        for order in tables.build_orders:
            self.first |= order.wants[0]
            for height in range(1, len(order.wants)):
                for card in piles_of(order.wants[height - 1]):
                    suited = (
                        -1 if order.relation is None else tables.relations[order.relation][card]
                    )
                    self.after[card] |= order.wants[height] & suited

    def _fault(self, rules: list[Any]) -> str | None:
        if not all(is_fixed(order) for order in self.tables.build_orders):
            return gettext("a build order begins with a card that only the deal decides")
        for rule in rules:
            if rule.kind == "turn-up":
                continue
            if rule.kind != "move" or rule.cards.kind != "top":
                return gettext("cards do not move one by one")
            if self.foundations.intersection(rule.source):
                return gettext("cards leave foundations")
            if not rule.build_order and self.foundations.intersection(rule.to):
                return gettext("cards go to foundations in another way")
        return None

    def is_dead(self, position: Position) -> bool:
        """Whether some card can never go up, so that the position cannot be won."""
        if self.fault is not None or not is_regular(self.tables, position):
            return False
        up = loose = empty = 0
        wanted = self.first
        # For each pile the cards that have not left it, and those that were on top of it.
        places: dict[int, list[int]] = {}
        shown: dict[int, int] = {}
        for pile, content in enumerate(position.piles):
            cards = [card & CARD for card in content]
            if pile in self.foundations:
                for card in cards:
                    up |= 1 << card
                    wanted |= self.after[card]
            else:
                places[pile] = cards
                shown[pile] = 1 << cards[-1] if cards else 0
                empty |= 0 if cards else 1 << pile
        changed = True
        while changed:
            changed = False
            free = loose
            for cards_shown in shown.values():
                free |= cards_shown
            for card in piles_of(free & wanted & ~up):
                changed = True
                up |= 1 << card
                wanted |= self.after[card]
            tops = [build.tops(empty, loose, shown) for build in self.builds]
            for pile, cards in places.items():
                if cards and (
                    wanted >> cards[-1] & 1
                    or any(
                        build.takes(pile, cards[-1], *top)
                        for build, top in zip(self.builds, tops, strict=True)
                    )
                ):
                    changed = True
                    loose |= 1 << cards.pop()
                    if cards:
                        shown[pile] |= 1 << cards[-1]
                    else:
                        empty |= 1 << pile
        return any(places.values()) or bool(loose & ~up)


class _Build:
    """A rule that moves cards elsewhere than to foundations."""

    def __init__(self, tables: SimpleNamespace, action: Any) -> None:
        self.action = action
        self.sources = set(action.source)
        # For each card the cards on which it may be put.
        self.under = [-1 if action.build is None else 0] * CARDS
        if action.build is not None:
            for under, cards in enumerate(tables.relations[action.build]):
                for card in piles_of(cards):
                    self.under[card] |= 1 << under

    def tops(self, empty: int, loose: int, shown: dict[int, int]) -> tuple[bool, int]:
        """Whether a target can be empty, and the cards that can lie on top of one."""
        if self.action.to_holds[1] > 0:
            for target in self.action.to:
                loose |= shown[target]
        else:
            loose = 0
        return any(empty >> target & 1 for target in self.action.to), loose

    def takes(self, pile: int, card: int, empty: bool, tops: int) -> bool:
        """Whether a card may leave a pile by this rule."""
        action = self.action
        return (
            pile in self.sources
            and bool(action.which >> card & 1)
            and ((empty and bool(action.space >> card & 1)) or bool(self.under[card] & tops))
        )
