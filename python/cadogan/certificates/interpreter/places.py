"""What piles want, and what they have room for."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from cadogan.certificates.interpreter.position import CARD, Position, piles_of


class Places:
    """The piles of one program.

    Args:
        tables: The program, as :func:`cadogan.certificates.tables.read_tables` reads it.
    """

    def __init__(self, tables: SimpleNamespace) -> None:
        self.tables = tables
        self.places: list[Any] = tables.piles
        self.relations: list[list[int]] = tables.relations
        self.orders: list[Any] = tables.build_orders
        self.rules: list[Any] = tables.rules
        self.free = [number for number, rule in enumerate(self.rules) if not rule.forced]

    def is_open(self, position: Position, pile: int, without: int | None = None) -> bool:
        """Whether the cards of a pile may be used, for nothing covers them; a vacancy is open.

        Args:
            position: The position.
            pile: The pile.
            without: Another pile, which counts as empty.
        """
        ways = getattr(self.places[pile], "open_when", None)
        return (
            not ways
            or not position.piles[pile]
            or any(
                not any(position.piles[other] for other in piles_of(way) if other != without)
                for way in ways
            )
        )

    def _room(self, position: Position, pile: int) -> int:
        capacity: int = self.places[pile].capacity
        return capacity - len(position.piles[pile])

    def wanted(self, position: Position, pile: int, laid: bytes = b"") -> int:
        """The cards that the build order of a pile wants, after some cards were laid on it."""
        number = self.places[pile].build_order
        if number is None:
            return 0
        order = self.orders[number]
        cards = position.piles[pile] + laid
        height, steps = len(cards), len(order.wants)
        if height >= steps:
            return 0
        wants = self._wanted_at(position, order, cards)
        if order.one_suit_each and not height:
            for other, place in enumerate(self.places):
                if other != pile and place.build_order == number and position.piles[other]:
                    first = position.piles[other][0] & CARD
                    if first < 52:  # Jokers have no suit.
                        wants &= ~sum(1 << card for card in range(first % 4, 52, 4))
        if order.relation is not None and height:
            wants &= self.relations[order.relation][cards[-1] & CARD]
        return wants

    def _wanted_at(self, position: Position, order: Any, cards: bytes) -> int:
        """What a build order wants on some cards, whatever the suits."""
        if order.waits and cards and not self._first(position, order) >> (cards[0] & CARD) & 1:
            return 0
        if not cards:
            return self._first(position, order)
        ways = [order.wants, *order.ways]
        if len(ways) > 1:
            decided = cards
            if len(cards) == 1 and order.one_way:
                others = (
                    pile
                    for pile, place in zip(position.piles, self.places, strict=True)
                    if place.build_order is not None
                    and self.orders[place.build_order] is order
                    and len(pile) > 1
                )
                decided = next(others, cards)
            if len(decided) > 1:
                ways = [
                    way
                    for way in ways
                    if self._of_way(position, order, way, decided[0], 1) >> (decided[1] & CARD) & 1
                ]
        wanted = 0
        for way in ways:
            wanted |= self._of_way(position, order, way, cards[0], len(cards))
        return wanted

    def _first(self, position: Position, order: Any) -> int:
        """The cards with which a pile of a build order begins."""
        wants: list[int] = order.wants
        base = None if order.base is None else position.counters[order.base]
        if order.own_base or (base is not None and base > 12):
            return sum({1 << card for mask in wants for card in piles_of(mask)})
        if base is None:
            return wants[0]
        place = self._place(wants, base)
        return 0 if place is None else wants[place] & 15 << 4 * base

    def _of_way(
        self, position: Position, order: Any, way: list[int], bottom: int, height: int
    ) -> int:
        """The cards that one way of a build order wants on a pile with this bottom card."""
        if order.own_base:
            place = self._place(way, (bottom & CARD) // 4)
        else:
            place = 0 if order.base is None else self._place(way, position.counters[order.base])
        if place is None:
            return 0
        return way[(place + height * (place + 1 if order.by_first else 1)) % len(way)]

    @staticmethod
    def _place(way: list[int], rank: int) -> int | None:
        """The first place at which a way wants a card of a rank."""
        return next((at for at, mask in enumerate(way) if mask >> 4 * rank & 15), None)

    def _is_complete(self, position: Position, pile: int) -> bool:
        order = self.places[pile].build_order
        return order is not None and len(position.piles[pile]) >= len(self.orders[order].wants)

    def _run_at_top(self, cards: bytes, relation: int) -> int:
        """How many face-up cards at the top of a pile follow one another."""
        over, length = self.relations[relation], 0
        for at in range(len(cards) - 1, -1, -1):
            follows = not length or over[cards[at] & CARD] >> (cards[at + 1] & CARD) & 1
            if cards[at] != cards[at] & CARD or not follows:
                break
            length += 1
        return length

    def _count(self, cards: Iterable[int], mask: int) -> int:
        return sum(mask >> (card & CARD) & 1 for card in cards)
