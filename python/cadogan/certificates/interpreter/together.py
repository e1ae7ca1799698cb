"""The moves of several cards at once: joint plays, sets that leave, stretches that close up."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations
from typing import Any

from cadogan.certificates.interpreter.places import Places
from cadogan.certificates.interpreter.position import (
    CARD,
    DOWN,
    Move,
    Picked,
    Position,
    pick,
    piles_of,
    set_move,
)


class Together(Places):
    """Lists the moves of cards of several piles."""

    def _pairs(self, position: Position, number: int) -> Iterator[Move]:
        """Cards that belong together and leave their piles."""
        action = self.rules[number].action
        piles = position.piles
        available = {
            pile: at
            for at, pile in enumerate(action.source)
            if piles[pile]
            and not piles[pile][-1] & DOWN
            and self.is_open(position, pile)
            and not any(piles[other] for other in piles_of(action.yields_to[at]))
        }
        deep = {
            pile
            for pile in available
            if getattr(action, "deep", 0) >> pile & 1
            and len(piles[pile]) > 1
            and not piles[pile][-2] & DOWN
        }
        sets = getattr(action, "sets", ())
        most = max([2, *(each.size[1] for each in sets)])

        def extended(taken: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            yield taken
            if len(taken) == 1 and taken[0] in deep:
                yield taken * 2
            if len(taken) < most:
                for pile in sorted(available):
                    if pile > taken[-1] and all(
                        action.partners[available[other]] >> pile & 1 for other in taken
                    ):
                        yield from extended((*taken, pile))

        for first in sorted(available):
            for taken in extended((first,)):
                cards = [piles[pile][-1] for pile in taken]
                if len(taken) == 2 and taken[0] == taken[1]:
                    cards[1] = piles[first][-2]
                if self._room(position, action.to) < len(taken):
                    continue
                pair = getattr(action, "pair", None)
                if (len(cards) == 2 and pair is not None and self._related(pair, *cards)) or any(
                    self._is_set(each, cards) for each in sets
                ):
                    yield set_move(number, taken)

    def _related(self, relation: int, one: int, other: int) -> bool:
        rows = self.relations[relation]
        return bool(rows[one] >> other & 1 or rows[other] >> one & 1)

    def _is_set(self, wanted: Any, cards: Sequence[int]) -> bool:
        """Whether cards belong together."""
        chain, each = getattr(wanted, "chain", None), getattr(wanted, "every", None)
        classes, total = getattr(wanted, "cards", ()), getattr(wanted, "sum", None)
        return (
            wanted.size[0] <= len(cards) <= wanted.size[1]
            and (total is None or sum(total.values[card // 4] for card in cards) == total.total)
            and (each is None or all(self._related(each, *two) for two in combinations(cards, 2)))
            and any(
                all(mask >> card & 1 for mask, card in zip(classes, order, strict=False))
                for order in permutations(cards)
            )
            and (
                chain is None
                or any(
                    all(self.relations[chain][low] >> high & 1 for low, high in pairwise(order))
                    for order in permutations(cards)
                )
            )
        )

    def _stretches(self, position: Position, number: int) -> Iterator[Move]:
        """Top cards of piles that follow one another in a row and leave together."""
        action = self.rules[number].action
        tops = [position.piles[pile][-1:] for pile in action.piles]
        for at, pile in enumerate(action.piles):
            if tops[at] and (tops[at][0] & DOWN or not self.is_open(position, pile)):
                tops[at] = b""
        least, most = action.number
        room = self._room(position, action.to)
        for first in range(len(tops)):
            for last in range(first, len(tops)):
                cards = tops[first : last + 1]
                if not all(cards):
                    break
                total = sum(action.worth[card[0] // 4] for card in cards)
                if (
                    least <= len(cards) <= min(most, room)
                    and (not action.sums or total in action.sums)
                    and (action.around is None or self._between(action.around, tops, first, last))
                ):
                    yield Move(number, action.piles[first], 0, action.piles[last])

    def _between(self, number: int, tops: list[bytes], first: int, last: int) -> bool:
        """Whether the cards before and after a stretch belong together."""
        if first == 0 or last + 1 == len(tops) or not tops[first - 1] or not tops[last + 1]:
            return False
        one, other = tops[first - 1][0], tops[last + 1][0]
        relation = self.relations[number]
        return bool(relation[one] >> other & 1 or relation[other] >> one & 1)

    def _beats(self, position: Position, number: int) -> Iterator[Move]:
        """Top cards that beat a pile, or are tried against it."""
        action = self.rules[number].action
        piles = position.piles
        with_ = [
            pile
            for pile in action.with_
            if piles[pile] and not piles[pile][-1] & DOWN and self.is_open(position, pile)
        ]
        beaten = [
            (pile, at)
            for at, pile in enumerate(action.beat)
            if piles[pile] and self.is_open(position, pile)
        ]
        least, most = action.number
        groups = [
            (group[0], sum(1 << pile - group[0] for pile in group), group)
            for many in range(least, most + 1)
            for group in combinations(sorted(with_), many)
        ]
        room = self._room(position, action.to)
        for first, bits, group in sorted(groups):
            for pile, at in sorted(beaten):
                hidden = any(card & DOWN for card in piles[pile])
                may = action.blind if hidden else self._beats_pile(position, action, group, at)
                if may and len(group) + len(piles[pile]) <= room:
                    yield Move(number, first, bits, pile)

    def _beats_pile(self, position: Position, action: Any, group: Sequence[int], at: int) -> bool:
        """Whether top cards are worth more than a pile with those that back it."""
        against = list(position.piles[action.beat[at]])
        for pile in piles_of(action.backing[at]):
            against += [card for card in position.piles[pile] if not card & DOWN]
        own = sum(action.worth[position.piles[pile][-1] // 4] for pile in group)
        return bool(own > sum(action.worth[(card & CARD) // 4] for card in against))

    def _joint_plays(self, position: Position, number: int) -> Iterator[Move]:
        action = self.rules[number].action
        parts = [
            [
                pile
                for pile in part.source
                if position.piles[pile]
                and self.is_open(position, pile)
                and part.holds in (0, len(position.piles[pile]))
                and len(position.piles[pile]) >= part.least
                and not any(card & DOWN for card in position.piles[pile][-(part.holds or 1) :])
            ]
            for part in action.together
        ]
        if len(parts) == 1:
            pairs = [(pile, 255) for pile in parts[0]]
        else:
            pairs = [(one, other) for one in parts[0] for other in parts[1] if one != other]
            if action.only_if_blocked:
                alone = {
                    pile
                    for part, some in zip(action.together, parts, strict=True)
                    for pile in some
                    if self._joint_order(position, action, pick([part], (pile,))) is not None
                }
                pairs = [pair for pair in pairs if not alone.intersection(pair)]
        wanted = getattr(action, "match", None)
        found: dict[tuple[int, int], None] = {}
        for pair in pairs:
            picked = pick(action.together, pair)
            cards = [card for card, _ in self._batch(position, picked)]
            if (wanted is None or self._is_set(wanted, cards)) and (
                self._joint_order(position, action, picked) is not None
            ):
                found[pair] = None
        numbers = {part.holds or 1 for part in action.together}
        for one, other in found:
            # The same cards, picked the other way round, are the same move.
            if len(numbers) > 1 or one < other or (other, one) not in found:
                yield Move(number, one, 0, other)

    def _batch(self, position: Position, picked: Picked) -> list[tuple[int, int]]:
        """The cards that go from some piles, each with its pile."""
        return [
            (card, pile)
            for part, pile in picked
            for card in reversed(position.piles[pile][-(part.holds or 1) :])
        ]

    def _joint_order(
        self, position: Position, action: Any, picked: Picked
    ) -> list[tuple[int, int, int]] | None:
        """The first order in which all cards of some piles are accepted: card, source, target."""
        batch = self._batch(position, picked)

        def extend(
            table: Position, left: list[tuple[int, int]]
        ) -> list[tuple[int, int, int]] | None:
            if not left:
                return []
            for card, source in left[:1] if action.in_turn else left:
                for pile in action.to:
                    if (
                        self._room(table, pile) > 0
                        and self.wanted(table, pile) >> (card & CARD) & 1
                    ):
                        then = table.copy()
                        then.piles[pile] += bytes([card])
                        rest = left.copy()
                        rest.remove((card, source))
                        if (others := extend(then, rest)) is not None:
                            return [(card, source, pile), *others]
            return None

        return extend(position.copy(), batch)
