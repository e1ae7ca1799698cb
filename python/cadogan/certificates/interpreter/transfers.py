"""The moves of one card, or of several as a unit."""

from collections.abc import Iterable, Iterator
from typing import Any

from cadogan.certificates.interpreter.places import Places
from cadogan.certificates.interpreter.position import CARD, DOWN, Move, Position, piles_of


class Transfers(Places):
    """Lists the moves of cards from one pile to another."""

    def _moves(self, position: Position, number: int) -> Iterator[Move]:
        action = self.rules[number].action
        piles = position.piles
        takers = [
            (pile, takes) for pile in action.to if (takes := self._takes(position, action, pile))
        ]
        if not takers:
            return
        any_of_them = 0
        for _, takes in takers:
            any_of_them |= takes
        any_of_them &= action.which & self._by_counter(position, action.asks.which, "cards")
        turn = self._by_counter(position, action.asks.source, "piles")
        least, most = action.from_holds
        beaten_by = getattr(action, "beaten_by", None)
        for at, source in enumerate(action.source):
            cards = piles[source]
            if not cards or not least <= len(cards) <= most or not self.is_open(position, source):
                continue
            if any(piles[pile] for pile in piles_of(action.yields_to[at])):
                continue
            if not turn >> source & 1 or not self._may_leave(position, source):
                continue
            single = action.cards.kind in ("top", "any", "bottom")
            for count in self._unit_sizes(position, action, cards):
                if not self._may_uncover(position, action, cards, count):
                    continue
                by_top = action.laid_one_by_one or getattr(action, "by_top", False)
                card = cards[-1 if by_top and not single else -count] & CARD
                moved = 1 if single else count
                if not any_of_them >> card & 1:
                    continue
                if beaten_by is not None and not any(
                    piles[other]
                    and not piles[other][-1] & DOWN
                    and self.relations[beaten_by][card] >> piles[other][-1] & 1
                    for other in action.source
                    if other != source and self.is_open(position, other)
                ):
                    continue
                prefer = action.prefer
                if prefer not in (None, source) and piles[prefer] and piles[prefer][-1] == card:
                    continue
                accepted: list[int] = []
                for target, takes in takers:
                    if (
                        takes >> card & 1
                        and action.along[at] >> target & 1
                        and target != source
                        and self.is_open(position, target, source if action.asks.drops else None)
                        and self._fits_in_length(position, action, moved, target)
                        and self._comes_to(position, action, cards[-1], target)
                        and (
                            moved == 1 or self._takes_all(position, action, cards[-count:], target)
                        )
                        and not self._changes_nothing(position, source, moved, target)
                        and not any(self._alike(position, action, t, target) for t in accepted)
                    ):
                        accepted.append(target)
                        yield Move(number, source, count, target)

    def _takes(self, position: Position, action: Any, target: int) -> int:
        """The single cards that a target takes."""
        cards = position.piles[target]
        least, most = action.to_holds
        if not least <= len(cards) <= most or self._room(position, target) < 1:
            return 0
        if not action.asks.drops and not self.is_open(position, target):
            return 0
        takes = -1
        if not cards:
            takes = action.space & self._takes_beside(position, action, target)
        elif action.build is not None:
            takes = 0 if cards[-1] & DOWN else self.relations[action.build][cards[-1]]
        if action.build_order and takes:
            takes &= self.wanted(position, target)
        return takes & self._asked(position, action, target) if takes else 0

    def _asked(self, position: Position, action: Any, target: int) -> int:
        """The cards that a target takes by what few moves ask for."""
        asks, cards = action.asks, position.piles[target]
        takes = -1
        if asks.last_filled and target != next(
            (pile for pile in reversed(action.to) if position.piles[pile]), None
        ):
            return 0
        if asks.emptiest and target != min(action.to, key=lambda pile: len(position.piles[pile])):
            return 0
        if not self._by_counter(position, asks.to, "piles") >> target & 1:
            return 0
        if not cards:
            takes &= self._by_counter(position, asks.space, "cards")
        if asks.begun and len(cards) > 1 and not (cards[-1] | cards[-2]) & DOWN:
            rows = [self.relations[number] for number in asks.begun]
            begun = [row[cards[-1]] for row in rows if row[cards[-2]] >> cards[-1] & 1]
            if begun:
                takes &= sum({1 << card for row in begun for card in piles_of(row)})
        if cards and not self._by_counter(position, asks.onto, "cards") >> (cards[-1] & CARD) & 1:
            return 0
        if asks.takes:
            takes &= asks.takes[action.to.index(target)]
        if asks.ranks_in and (others := piles_of(asks.ranks_in[action.to.index(target)])):
            shown = {card // 4 for pile in others for card in position.piles[pile] if card < DOWN}
            takes &= sum(15 << 4 * rank for rank in shown)
        return takes

    def _takes_beside(self, position: Position, action: Any, target: int) -> int:
        """The cards that an empty target takes because of the piles beside it."""
        beside = getattr(action, "beside", None)
        if beside is None:
            return -1
        found = [
            (neighbour, each.relation)
            for each in beside.neighbours
            for pile, neighbour in each.pairs
            if pile == target
        ]
        if not found:
            return int(beside.edge)
        takes = 0
        for neighbour, relation in found:
            cards = position.piles[neighbour]
            if cards and not cards[-1] & DOWN:
                takes |= self.relations[relation][cards[-1]]
        return takes

    def _by_counter(self, position: Position, asked: Any, what: str) -> int:
        """The cards or piles of a counter's value; all, if nothing is asked."""
        if asked is None:
            return -1
        sets: list[int] = getattr(asked, what)
        value = position.counters[asked.counter]
        return sets[value] if value < len(sets) else 0

    def _may_leave(self, position: Position, pile: int) -> bool:
        """Whether cards of a pile need not stay because they lie where they belong."""
        number = self.places[pile].build_order
        if number is None or not self.orders[number].waits:
            return True
        begins = self._first(position, self.orders[number])
        return not begins >> (position.piles[pile][0] & CARD) & 1

    def _takes_all(self, position: Position, action: Any, unit: bytes, target: int) -> bool:
        """Whether a target that takes the first card of a unit takes the rest, too."""
        if len(unit) > self._room(position, target):
            return False
        laid = unit[::-1] if action.laid_one_by_one else unit
        return not action.build_order or all(
            self.wanted(position, target, laid[:at]) >> (laid[at] & CARD) & 1
            for at in range(len(laid))
        )

    def _fits_in_length(self, position: Position, action: Any, moved: int, target: int) -> bool:
        """Whether so many more cards make no sequence that is too long."""
        asked = action.asks.longest
        if asked is None:
            return True
        length = self._run_at_top(position.piles[target], asked.relation)
        return bool(length + moved <= asked.most)

    def _comes_to(self, position: Position, action: Any, added: int, target: int) -> bool:
        """Whether a target comes to the right total with a card."""
        asked = action.asks.total
        if asked is None:
            return True
        held = [card for card in position.piles[target] if not card & DOWN] + [added & CARD]
        plain = [card for card in held if not asked.wild >> card & 1]
        total = sum(asked.worth[card // 4] for card in plain)
        return bool(total <= asked.most and (total >= asked.least or len(plain) < len(held)))

    def _may_uncover(self, position: Position, action: Any, cards: bytes, count: int) -> bool:
        """Whether so many top cards may leave what lies below them."""
        asked = action.asks.uncovers
        if asked is None:
            return True
        if count == len(cards):
            return bool(asked.nothing or asked.whole_run)
        below, lowest = cards[-count - 1], cards[-count] & CARD
        if below & DOWN:
            return bool(asked.hidden or asked.whole_run)
        onto = self._by_counter(position, action.asks.onto, "cards")
        if asked.whole_run and not (
            onto >> below & 1 and self.relations[action.cards.relation][below] >> lowest & 1
        ):
            return True
        wanted = any(self.wanted(position, pile) >> below & 1 for pile in piles_of(asked.wanted_by))
        return wanted or bool(asked.cards >> below & 1)

    def _unit_sizes(self, position: Position, action: Any, cards: bytes) -> Iterable[int]:
        """How many top cards of a pile may move together."""
        unit = action.cards
        if unit.kind == "top":
            return (1,) if action.face == "up" or not cards[-1] & DOWN else ()
        if unit.kind == "all" and getattr(action, "by_top", False) and cards[-1] & DOWN:
            return ()
        if unit.kind == "all":
            return (len(cards),)
        if unit.kind == "bottom":
            return (len(cards),) if action.face == "up" or not cards[0] & DOWN else ()
        if unit.kind == "any" and (place := getattr(unit, "place", None)) is not None:
            at = place.number if place.end == "top" else len(cards) - place.number + 1
            return (at,) if 1 <= at <= min(len(cards), 255) and not cards[-at] & DOWN else ()
        if unit.kind == "any":
            return [at for at in range(1, min(len(cards), 255) + 1) if not cards[-at] & DOWN]
        if unit.kind == "count":
            return (min(len(cards), unit.number),)
        longest = 0
        onto = self._by_counter(position, action.asks.onto, "cards")
        for at in range(len(cards) - 1, -1, -1):
            if cards[at] & DOWN or (
                unit.kind in ("run", "longest")
                and longest
                and not (
                    onto >> cards[at] & 1
                    and self.relations[unit.relation][cards[at]] >> cards[at + 1] & 1
                )
            ):
                break
            longest += 1
        if unit.kind == "packet":
            return range(1, min(longest, 255) + 1)
        if unit.kind == "longest":
            return (min(longest, 255),) if longest else ()
        return range(unit.least, min(longest, unit.most, 255) + 1)

    def _changes_nothing(self, position: Position, source: int, count: int, target: int) -> bool:
        return (
            not position.piles[target]
            and count == len(position.piles[source])
            and self.places[source].exchange_class == self.places[target].exchange_class
        )

    def _alike(self, position: Position, action: Any, earlier: int, target: int) -> bool:
        """Whether a target is as good as an earlier one, so that only that one counts."""
        one, other = position.piles[earlier], position.piles[target]
        same = self.places[earlier].exchange_class == self.places[target].exchange_class
        if not one or not other:
            return not one and not other and (same or action.first_vacant)
        return same and action.build_order and one == other
