"""Plays a program by its tables, in plain Python.

This is the trusted part of the checker: a second reading of the program's format, which
``crates/kernel/src/program/format.rs`` documents. It shares no code with the kernel. It takes no
short cuts: it tries all forced rules after every move, and evaluates every condition again.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise, permutations
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from cadogan.deals.own import reshuffled, seed_of_shuffles

DOWN: Final = 64
"""The bit of a card that lies face down."""
CARD: Final = 63
"""The bits of a card without that one."""
MAX_FORCED: Final = 4096
"""The most forced moves after one move."""


class ForcedLoopError(Exception):
    """The forced rules do not come to an end."""


class Move(NamedTuple):
    """A move: a rule, the pile it takes from, the number of cards, the pile it puts them on.

    Piles that a kind of rule does not have are 255.
    """

    rule: int
    source: int
    cards: int
    target: int

    @property
    def code(self) -> int:
        """The move as one number, as in the lines of the kernel."""
        return self.rule << 24 | self.source << 16 | min(self.cards, 255) << 8 | self.target


class Choice(NamedTuple):
    """A forced rule that waits for the player, with the source or target that is fixed."""

    rule: int
    source: int = 255
    target: int = 255

    def offers(self, move: Move) -> bool:
        """Whether a move of the rule can be chosen."""
        return self.source in (255, move.source) and self.target in (255, move.target)


def _compares(value: int, how: str, limit: int) -> bool:
    return {"below": value < limit, "equal": value == limit, "at-least": value >= limit}[how]


_Picked = Sequence[tuple[Any, int]]
"""The piles of a joint play, each after the part that it is picked for."""


def _picked(parts: Sequence[Any], piles: Sequence[int]) -> _Picked:
    return [(part, pile) for part, pile in zip(parts, piles, strict=False) if pile != 255]


def set_move(rule: int, piles: Sequence[int]) -> Move:
    """The move that takes away a set, by its piles in ascending order."""
    first, last = piles[0], piles[-1]
    match len(piles):
        case 1:
            count = 254
        case 2:
            count = 255 if first == last else 0
        case 3:
            count = 2 + piles[1] - first - 1
        case _:
            low, high = piles[1] - first - 1, piles[2] - first - 1
            count = 2 + (last - first - 1) + high * (high - 1) // 2 + low
    return Move(rule, first, count, last)


def set_piles(move: Move) -> list[int]:
    """The piles of a move that takes away a set."""
    first, count, last = move.source, move.cards, move.target
    if first == last:
        return [first] if count == 254 else [first, first]
    between = list(range(first + 1, last))
    if count == 0:
        return [first, last]
    if count - 2 < len(between):
        return [first, between[count - 2], last]
    couples = [(low, high) for high in range(len(between)) for low in range(high)]
    low, high = couples[count - 2 - len(between)]
    return [first, between[low], between[high], last]


class Position:
    """One position: piles of cards (bottom card first), counters, closed piles, open choice.

    The seed is what the shuffles of its deal follow from.
    """

    __slots__ = ("choice", "closed", "counters", "piles", "seed")

    def __init__(
        self,
        piles: Iterable[bytes],
        counters: Iterable[int],
        closed: int = 0,
        choice: Choice | None = None,
        seed: int = 0,
    ) -> None:
        self.piles = list(piles)
        self.counters = list(counters)
        self.closed = closed
        self.choice = choice
        self.seed = seed

    def copy(self) -> "Position":
        """The same position, to change."""
        return Position(self.piles, self.counters, self.closed, self.choice, self.seed)


def piles_of(mask: int) -> list[int]:
    """The members of a set of piles."""
    return [pile for pile in range(mask.bit_length()) if mask >> pile & 1]


class Interpreter:
    """Plays one program.

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

    # Dealing and playing.

    def deal(self, deck: bytes) -> Position:
        """Lays out a deck, listed in dealing order.

        Raises:
            ValueError: If it is not a shuffle of the pack.
            ForcedLoopError: If the forced rules do not come to an end.
        """
        position = self._lay_out(deck)
        self._settle(position, "play")
        return position

    def is_dealt_again(self, deck: bytes) -> bool:
        """Whether the rules ask for another deal after this deck."""
        asked: list[Any] = getattr(self.tables, "deal_again", [])
        return bool(asked) and self._all_hold(self._lay_out(deck), asked)

    def _lay_out(self, deck: bytes) -> Position:
        """Lays out a deck, without the forced rules of play."""
        if sorted(deck) != self.tables.deck:
            raise ValueError("the deck is not a shuffle of the pack")
        position = Position(
            [b""] * len(self.places),
            [counter.start for counter in self.tables.counters],
            seed=seed_of_shuffles(deck),
        )
        position.piles[self.tables.source_pile] = bytes(card | DOWN for card in reversed(deck))
        for preset in self.tables.preset:
            position.piles[preset.pile] += bytes([preset.card])
        for step in self.tables.layout:
            if step.kind == "settle":
                self._settle(position, "layout")
            else:
                self._run_step(position, step)
        return position

    def is_won(self, position: Position) -> bool:
        """Whether the aim is reached."""
        return bool(self.tables.aim) and self._all_hold(position, self.tables.aim)

    def moves(self, position: Position) -> list[Move]:
        """The legal moves."""
        if self.is_won(position):
            return []
        choice = position.choice
        if choice is not None:
            return [m for m in self._instances(position, choice.rule) if choice.offers(m)]
        listed: list[Move] = []
        before: set[tuple[str, int, int, int]] = set()
        for number in self.free:
            rule = self.rules[number]
            if self._all_hold(position, rule.when):
                for move in self._instances(position, number):
                    # Two rules that allow the same move: the first one counts.
                    same = (rule.action.kind, *move[1:])
                    if same not in before or rule.action.kind == "script":
                        before.add(same)
                        listed.append(move)
        return listed

    def play(self, position: Position, move: Move) -> Position:
        """The position after a legal move and all that it forces.

        Raises:
            ForcedLoopError: If the forced rules do not come to an end.
        """
        after = position.copy()
        after.choice = None
        self._apply(after, move)
        self._settle(after, "play")
        return after

    def _settle(self, position: Position, phase: str) -> None:
        """Carries out forced rules until none applies or the player has to choose."""
        in_force = [
            number
            for number, rule in enumerate(self.rules)
            if rule.forced and rule.during in (phase, "always")
        ]
        for _ in range(MAX_FORCED + 1):
            due: Move | Choice | None = None
            for number in in_force:
                due = due or self._due(position, number, phase)
            if not isinstance(due, Move):
                # In a won position no choice remains.
                position.choice = None if due is None or self.is_won(position) else due
                return
            self._apply(position, due)
        raise ForcedLoopError

    def _due(self, position: Position, number: int, phase: str) -> Move | Choice | None:
        """What a forced rule does now."""
        rule = self.rules[number]
        if not self._all_hold(position, rule.when):
            return None
        instances = self._instances(position, number)
        choose = rule.action.choose if phase == "play" and rule.action.kind == "move" else "none"
        first = next(instances, None)
        if first is None or choose == "none":
            return first
        every = [first, *instances]
        choice = Choice(number)
        if choose == "place":
            choice = Choice(number, source=first.source)
        elif choose == "card":
            served = {move.target for move in every}
            choice = Choice(number, target=next(t for t in rule.action.to if t in served))
        offered = [move for move in every if choice.offers(move)]
        return offered[0] if len(offered) == 1 else choice

    # Conditions.

    def _all_hold(self, position: Position, conditions: list[Any]) -> bool:
        return all(self._holds(position, condition) for condition in conditions)

    def _holds(self, position: Position, condition: Any) -> bool:
        piles = position.piles
        kind = condition.kind
        if kind == "complete":
            return all(self._is_complete(position, pile) for pile in piles_of(condition.piles))
        if kind == "vacant":
            return bool(sum(not piles[p] for p in piles_of(condition.piles)) >= condition.number)
        if kind == "filled":
            return bool(sum(bool(piles[p]) for p in piles_of(condition.piles)) >= condition.number)
        if kind == "top":
            pile = piles[condition.pile]
            return bool(pile) and bool(condition.cards >> (pile[-1] & CARD) & 1)
        if kind == "each":
            counts = (self._count(piles[p], condition.cards) for p in piles_of(condition.piles))
            how, held = condition.compare, condition.held
            return bool(sum(_compares(n, how, held) for n in counts) >= condition.number)
        if kind == "by-counter":
            selected = position.counters[condition.counter]
            every = condition.conditions
            return selected < len(every) and self._holds(position, every[selected])
        if kind == "any-of":
            return any(self._holds(position, each) for each in condition.conditions)
        if kind == "ordered":
            return self._is_ordered(position, condition)
        if kind == "blocked":
            return not any(
                self._all_hold(position, self.rules[number].when)
                and any(
                    condition.source >> pile & 1
                    for move in self._instances(position, number)
                    for pile in self._sources(move)
                )
                for number in condition.rules
            )
        if kind == "holds":
            held = (piles[pile] for pile in piles_of(condition.piles))
            value = sum(self._count(cards, condition.cards) for cards in held)
        elif kind == "counter":
            value = position.counters[condition.counter]
        elif kind == "size":
            value = sum(len(piles[pile]) for pile in piles_of(condition.piles))
        else:
            raise ValueError(f"unknown condition {kind!r}")
        limit: int
        if kind == "size":
            limit = sum(len(piles[pile]) for pile in piles_of(condition.than))
        else:
            limit = condition.number
        return _compares(value, condition.compare, limit)

    def _is_ordered(self, position: Position, condition: Any) -> bool:
        """Whether the cards of all lines lie in order, and there are any."""
        over = self.tables.relations[condition.relation]
        length = condition.length
        lines = [[position.piles[pile] for pile in line] for line in condition.lines]
        for line in lines:
            ends = [bool(cards) for cards in line]
            if ends != sorted(ends, reverse=True):
                return False
            cards = [byte for pile in line for byte in pile]
            if any(byte != byte & CARD for byte in cards) or (length and len(cards) % length):
                return False
            for at in range(1, len(cards)):
                begins = length and at % length == 0
                if not begins and not over[cards[at - 1]] >> cards[at] & 1:
                    return False
        return any(any(line) for line in lines)

    def _count(self, cards: Iterable[int], mask: int) -> int:
        return sum(mask >> (card & CARD) & 1 for card in cards)

    def _is_complete(self, position: Position, pile: int) -> bool:
        order = self.places[pile].build_order
        return order is not None and len(position.piles[pile]) >= len(self.orders[order].wants)

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
                    suit = (position.piles[other][0] & CARD) % 4
                    wants &= ~sum(1 << card for card in range(suit, 52, 4))
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
        return 0 if place is None else way[(place + height) % len(way)]

    @staticmethod
    def _place(way: list[int], rank: int) -> int | None:
        """The first place at which a way wants a card of a rank."""
        return next((at for at, mask in enumerate(way) if mask >> 4 * rank & 15), None)

    def is_open(self, position: Position, pile: int) -> bool:
        """Whether the cards of a pile may be used, for nothing covers them; a vacancy is open."""
        ways = getattr(self.places[pile], "open_when", None)
        return (
            not ways
            or not position.piles[pile]
            or any(not any(position.piles[other] for other in piles_of(way)) for way in ways)
        )

    def _room(self, position: Position, pile: int) -> int:
        capacity: int = self.places[pile].capacity
        return capacity - len(position.piles[pile])

    def _sources(self, move: Move) -> list[int]:
        """The piles that a move takes cards from."""
        if self.rules[move.rule].action.kind == "pair":
            return set_piles(move)
        return [move.source]

    # The instances of rules.

    def _instances(self, position: Position, number: int) -> Iterator[Move]:
        """The instances of a rule, without its conditions, in the order of the format."""
        action = self.rules[number].action
        if action.kind == "move":
            yield from self._moves(position, number)
        elif action.kind == "joint":
            yield from self._joint_plays(position, number)
        elif action.kind == "pair":
            yield from self._pairs(position, number)
        elif action.kind == "stretch":
            yield from self._stretches(position, number)
        elif action.kind == "swap":
            filled = [
                pile
                for pile in piles_of(action.exchange)
                if position.piles[pile] and self.is_open(position, pile)
            ]
            for one in filled:
                for other in filled:
                    if (
                        one < other
                        and position.piles[one][-1] != position.piles[other][-1]
                        and (not action.belong or self._belong(position, one, other))
                    ):
                        yield Move(number, one, 0, other)
        elif action.kind == "turn-up":
            for pile in piles_of(action.turn_up):
                cards = position.piles[pile]
                if cards and cards[-1] & DOWN and self.is_open(position, pile):
                    yield Move(number, pile, 0, 255)
        elif action.kind == "script":
            if self._script_applies(position, self.rules[number]):
                yield Move(number, 255, 0, 255)
        else:
            raise ValueError(f"unknown kind of rule {action.kind!r}")

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
        if not self.is_open(position, target):
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

    def _belong(self, position: Position, one: int, other: int) -> bool:
        """Whether two single cards belong to each other's piles and not to their own."""
        here, there = position.piles[one], position.piles[other]
        if len(here) != 1 or len(there) != 1:
            return False
        empty = position.copy()
        empty.piles[one] = empty.piles[other] = b""
        first, second = self.wanted(empty, one), self.wanted(empty, other)
        a, b = here[0] & CARD, there[0] & CARD
        comes_home = bool(second >> a & 1 and first >> b & 1)
        return comes_home and not first >> a & 1 and not second >> b & 1

    def _takes_all(self, position: Position, action: Any, unit: bytes, target: int) -> bool:
        """Whether a target that takes the first card of a unit takes the rest, too."""
        if len(unit) > self._room(position, target):
            return False
        laid = unit[::-1] if action.laid_one_by_one else unit
        return not action.build_order or all(
            self.wanted(position, target, laid[:at]) >> (laid[at] & CARD) & 1
            for at in range(len(laid))
        )

    def _may_uncover(self, position: Position, action: Any, cards: bytes, count: int) -> bool:
        """Whether so many top cards may leave what lies below them."""
        asked = action.asks.uncovers
        if asked is None:
            return True
        if count == len(cards):
            return bool(asked.nothing or asked.whole_run)
        below, lowest = cards[-count - 1], cards[-count] & CARD
        if below & DOWN:
            return bool(asked.whole_run)
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

    # Cards that go up together.

    def _joint_plays(self, position: Position, number: int) -> Iterator[Move]:
        action = self.rules[number].action
        parts = [
            [
                pile
                for pile in part.source
                if position.piles[pile]
                and self.is_open(position, pile)
                and part.holds in (0, len(position.piles[pile]))
                and not any(card & DOWN for card in position.piles[pile][-(part.holds or 1) :])
            ]
            for part in action.together
        ]
        if len(parts) == 1:
            pairs = [(pile, 255) for pile in parts[0]]
        else:
            same = action.together[0].source == action.together[1].source
            pairs = [
                (one, other)
                for one in parts[0]
                for other in parts[1]
                if (one < other if same else one != other)
            ]
            if action.only_if_blocked:
                alone = {
                    pile
                    for part, some in zip(action.together, parts, strict=True)
                    for pile in some
                    if self._joint_order(position, action, _picked([part], (pile,))) is not None
                }
                pairs = [pair for pair in pairs if not alone.intersection(pair)]
        wanted = getattr(action, "match", None)
        for pair in pairs:
            picked = _picked(action.together, pair)
            cards = [card for card, _ in self._batch(position, picked)]
            if (wanted is None or self._is_set(wanted, cards)) and (
                self._joint_order(position, action, picked) is not None
            ):
                yield Move(number, pair[0], 0, pair[1])

    def _batch(self, position: Position, picked: _Picked) -> list[tuple[int, int]]:
        """The cards that go from some piles, each with its pile."""
        return [
            (card, pile)
            for part, pile in picked
            for card in reversed(position.piles[pile][-(part.holds or 1) :])
        ]

    def _joint_order(
        self, position: Position, action: Any, picked: _Picked
    ) -> list[tuple[int, int, int]] | None:
        """The first order in which all cards of some piles are accepted: card, source, target."""
        batch = self._batch(position, picked)
        for order in permutations(batch):
            table = position.copy()
            played = []
            for card, source in order:
                takers = (
                    pile
                    for pile in action.to
                    if self._room(table, pile) > 0 and self.wanted(table, pile) >> (card & CARD) & 1
                )
                target = next(takers, None)
                if target is None:
                    break
                table.piles[target] += bytes([card])
                played.append((card, source, target))
            else:
                return played
        return None

    # Carrying out moves.

    def _apply(self, position: Position, move: Move) -> None:
        """Applies a move and the effects of its rule, but nothing that it forces."""
        rule = self.rules[move.rule]
        action = rule.action
        piles = position.piles
        moved = b""
        if action.kind == "move" and action.cards.kind in ("any", "bottom"):
            # The card comes to the top first.
            cards, at = piles[move.source], len(piles[move.source]) - move.cards
            piles[move.source] = cards[:at] + cards[at + 1 :] + cards[at : at + 1]
            moved = self._transfer(position, move.source, move.target, 1, action.face)
        elif action.kind == "move":
            moved = self._transfer(
                position,
                move.source,
                move.target,
                move.cards,
                action.face,
                turn=action.laid_one_by_one,
            )
        elif action.kind == "joint":
            picked = _picked(action.together, (move.source, move.target))
            played = self._joint_order(position, action, picked)
            for card, source, target in played or ():
                end = "top" if piles[source][-1] == card else "bottom"
                self._transfer(position, source, target, 1, "up", source_end=end)
        elif action.kind == "pair":
            for pile in sorted(set_piles(move), key=lambda pile: piles[pile][-1]):
                self._transfer(position, pile, action.to, 1, "up")
        elif action.kind == "stretch":
            row = action.piles
            for pile in row[row.index(move.source) : row.index(move.target) + 1]:
                self._transfer(position, pile, action.to, 1, "up")
        elif action.kind == "swap":
            one, other = piles[move.source], piles[move.target]
            piles[move.source] = one[:-1] + other[-1:]
            piles[move.target] = other[:-1] + one[-1:]
        elif action.kind == "turn-up":
            cards = piles[move.source]
            piles[move.source] = cards[:-1] + bytes([cards[-1] ^ DOWN])
        else:
            for step in action.steps:
                self._run_step(position, step)
        for effect in rule.effects:
            value = position.counters[effect.counter]
            if effect.kind == "set":
                value = effect.value
            elif effect.kind == "add":
                value += effect.value
            elif effect.kind == "rank":
                if moved and not (effect.once and value <= 12):
                    value = (moved[0] & CARD) // 4
            else:
                value += self._count(moved, effect.cards)
            self._set_counter(position, effect.counter, value)

    def _set_counter(self, position: Position, counter: int, value: int) -> None:
        position.counters[counter] = min(value, self.tables.counters[counter].cap)

    def _transfer(
        self,
        position: Position,
        source: int,
        target: int,
        count: int,
        face: str,
        *,
        source_end: str = "top",
        target_end: str = "top",
        turn: bool = False,
    ) -> bytes:
        """Moves a block of cards, at most as many as there are and as fit; returns the cards."""
        piles = position.piles
        cards = piles[source]
        count = min(count, len(cards), self._room(position, target))
        if count <= 0:
            return b""
        if source_end == "top":
            block, piles[source] = cards[-count:], cards[:-count]
        else:
            block, piles[source] = cards[:count], cards[count:]
        if turn:
            block = block[::-1]
        if face == "up":
            block = bytes(card & CARD for card in block)
        elif face == "down":
            block = bytes(card | DOWN for card in block)
        onto = piles[target]
        piles[target] = onto + block if target_end == "top" else block + onto
        return block

    # Scripts.

    def _script_applies(self, position: Position, rule: Any) -> bool:
        """Whether a script would change anything."""
        steps = rule.action.steps
        if any(self._would_change(position, step) for step in steps):
            return True
        if any(
            step.kind in ("deal", "take", "gather", "route", "shuffle", "close-up", "by-counter")
            or step.kind in ("sink", "slip", "pick", "turn")
            for step in steps
        ):
            return False
        for effect in rule.effects:
            value, cap = position.counters[effect.counter], self.tables.counters[effect.counter].cap
            if effect.kind == "set" and value != min(effect.value, cap):
                return True
            if effect.kind == "add" and effect.value > 0 and value < cap:
                return True
        return False

    def _would_change(self, position: Position, step: Any) -> bool:
        """Whether a step would change the position."""
        if step.kind == "shuffle":
            return bool(position.piles[step.pile])
        after = position.copy()
        self._run_step(after, step)
        if step.kind == "take":
            return bool(after.piles[step.to] != position.piles[step.to])
        return (after.piles, after.counters, after.closed) != (
            position.piles,
            position.counters,
            position.closed,
        )

    def _run_step(self, position: Position, step: Any) -> None:
        piles = position.piles
        if step.kind == "deal":
            self._deal_cards(position, step)
        elif step.kind == "take" and step.source == step.to:
            cards, count = piles[step.to], self._quantity(position, step)
            cut = min(count, len(cards)) if step.end == "bottom" else max(len(cards) - count, 0)
            piles[step.to] = cards[cut:] + cards[:cut]
        elif step.kind == "take":
            self._transfer(
                position,
                step.source,
                step.to,
                self._quantity(position, step),
                step.face,
                source_end=step.end,
                target_end=step.at,
                turn=step.turned,
            )
        elif step.kind == "gather":
            kept = self._kept(position, getattr(step, "keep", None))
            for pile in step.piles:
                count = 0 if pile in kept else len(piles[pile])
                self._transfer(
                    position,
                    pile,
                    step.to,
                    count,
                    step.face,
                    target_end=step.at,
                    turn=step.turned,
                )
        elif step.kind == "route":
            self._route(position, step)
        elif step.kind == "sink":
            for pile in step.piles:
                below = [card for card in piles[pile] if step.cards >> (card & CARD) & 1]
                above = [card for card in piles[pile] if not step.cards >> (card & CARD) & 1]
                piles[pile] = bytes(below + above)
        elif step.kind == "slip":
            for pile in step.piles:
                cards = piles[pile]
                if any(not step.cards >> (card & CARD) & 1 for card in cards):
                    while step.cards >> (piles[pile][-1] & CARD) & 1:
                        piles[pile] = piles[pile][-1:] + piles[pile][:-1]
        elif step.kind == "turn":
            for pile in step.piles:
                cards = piles[pile][::-1] if step.turned else piles[pile]
                if step.face != "keep":
                    down = DOWN if step.face == "down" else 0
                    cards = bytes(card & CARD | down for card in cards)
                piles[pile] = cards
        elif step.kind == "by-counter":
            selected = position.counters[step.counter]
            if selected < len(step.steps):
                self._run_step(position, step.steps[selected])
        elif step.kind == "pick":
            held = piles[step.source]
            fits = [at for at, card in enumerate(held) if step.cards >> (card & CARD) & 1]
            if fits and self._room(position, step.to) > 0:
                at = fits[-1]
                piles[step.source] = held[:at] + held[at + 1 :] + held[at : at + 1]
                self._transfer(position, step.source, step.to, 1, step.face)
        elif step.kind == "close-up":
            closed = [piles[pile] for pile in step.piles if piles[pile]]
            closed += [b""] * (len(step.piles) - len(closed))
            for pile, cards in zip(step.piles, closed, strict=True):
                piles[pile] = cards
        elif step.kind == "close":
            for pile, partner in step.pairs:
                bit = 1 << pile
                closes = self._is_complete(position, partner)
                position.closed = position.closed | bit if closes else position.closed & ~bit
        elif step.kind == "base":
            if piles[step.of]:
                self._set_counter(position, step.counter, (piles[step.of][-1] & CARD) // 4)
        elif step.kind == "shuffle":
            if piles[step.pile]:
                made = position.counters[step.counter]
                cards = (card & CARD for card in piles[step.pile])
                order = reshuffled(cards, position.seed, made)
                piles[step.pile] = bytes(card | DOWN for card in reversed(order))
                self._set_counter(position, step.counter, made + 1)
        elif step.kind != "settle":
            raise ValueError(f"unknown step {step.kind!r}")

    def _kept(self, position: Position, runs: Any) -> set[int]:
        """The piles that are not gathered, because their cards lie in order."""
        kept: set[int] = set()
        for line in runs.lines if runs is not None else ():
            fits = runs.cards
            for pile in line:
                in_order = bool(position.piles[pile])
                for card in position.piles[pile]:
                    in_order &= card == card & CARD and bool(fits >> (card & CARD) & 1)
                    fits = self.relations[runs.relation][card & CARD]
                if not in_order:
                    break
                kept.add(pile)
        return kept

    def _deal_cards(self, position: Position, step: Any) -> None:
        """Deals cards one by one to some piles."""
        piles = position.piles
        lines = getattr(step, "leave", ())
        left = [next((pile for pile in line if not piles[pile]), None) for line in lines]
        if getattr(getattr(step, "terms", None), "emptiest_first", False):
            while takers := [
                pile
                for pile in step.to
                if self._takes_dealt(position, step, pile) and self._lacks(position, step, pile)
            ]:
                emptiest = min(takers, key=lambda pile: len(piles[pile]))
                if not self._deal_card(position, step, emptiest):
                    return
            return
        for target in step.to:
            if target in left or not self._takes_dealt(position, step, target):
                continue
            for _ in range(step.each):
                if not self._room(position, target) or not self._lacks(position, step, target):
                    break
                if not self._deal_card(position, step, target):
                    return

    def _takes_dealt(self, position: Position, step: Any, pile: int) -> bool:
        """Whether a pile is one of those that get cards."""
        only = getattr(step, "only", "any")
        state = only == "any" or bool(position.piles[pile]) == (only == "occupied")
        return state and not position.closed >> pile & 1 and self._room(position, pile) > 0

    def _lacks(self, position: Position, step: Any, pile: int) -> bool:
        """Whether a pile holds fewer cards than the number up to which it gets any."""
        up_to = getattr(getattr(step, "terms", None), "up_to", None)
        if up_to is None:
            return True
        most = up_to.number if up_to.kind == "fixed" else self._times(position, up_to)
        return len(position.piles[pile]) < int(most)

    def _deal_card(self, position: Position, step: Any, target: int) -> bool:
        """Deals a card to a pile that has room, after those that go up instead."""
        piles = position.piles
        goes_up = getattr(getattr(step, "terms", None), "goes_up", None)
        apart = getattr(step, "apart", None)
        while True:
            sources = [pile for pile in (step.source, *getattr(step, "then", ())) if piles[pile]]
            if not sources:
                return False
            source = sources[0]
            card = piles[source][-1] & CARD
            if goes_up is not None and goes_up.cards >> card & 1:
                takers = (
                    pile
                    for pile in goes_up.to
                    if self._room(position, pile) > 0 and self.wanted(position, pile) >> card & 1
                )
                taker = next(takers, None)
                if taker is not None:
                    self._transfer(position, source, taker, 1, "up")
                    if goes_up.replaced:
                        continue
                    return True
            if apart is not None:
                table = self.relations[apart]
                barred = [table[under & CARD] for under in piles[target]]
                for passed in range(len(piles[source])):
                    card = piles[source][-1 - passed] & CARD
                    if not any(cards >> card & 1 for cards in barred):
                        cut = len(piles[source]) - passed
                        piles[source] = piles[source][cut:] + piles[source][:cut]
                        break
            self._transfer(position, source, target, 1, step.face)
            return True

    def _times(self, position: Position, number: Any) -> int:
        """A multiple of a counter."""
        return int(number.factor * position.counters[number.counter])

    def _route(self, position: Position, step: Any) -> None:
        """Deals top cards by class, each to the first empty pile of its way."""
        piles = position.piles
        stops = piles_of(step.until)
        while piles[step.source] and (not stops or any(not piles[pile] for pile in stops)):
            card = piles[step.source][-1] & CARD
            way = next((way for way in step.ways if way.cards >> card & 1), None)
            if way is None:
                return
            vacant = (p for p in way.to if not piles[p] and self._room(position, p) > 0)
            if not self._transfer(position, step.source, next(vacant, way.overflow), 1, "up"):
                return
            if not stops:
                return

    def _quantity(self, position: Position, step: Any) -> int:
        """How many cards to take."""
        number = step.number
        cards = position.piles[step.source]
        if number.kind == "all":
            return len(cards)
        if number.kind == "fixed":
            return int(number.number)
        if number.kind == "held":
            return int(number.factor * self._count(position.piles[number.pile], number.cards))
        product = self._times(position, number)
        if number.kind == "times":
            return product
        # The fewest cards that include so many of the class.
        taken = found = 0
        for card in reversed(cards) if step.end == "top" else cards:
            if found == product:
                break
            found += self._count((card,), number.cards)
            taken += 1
        return taken
