"""Plays a program by its tables, in plain Python.

This is the trusted part of the checker: a second reading of the program's format, which
``crates/kernel/src/program/format/`` documents. It shares no code with the kernel. It takes no
short cuts: it tries all forced rules after every move, and evaluates every condition again.
"""

from collections.abc import Iterator
from typing import Any, Final

from cadogan.certificates.interpreter.position import (
    CARD,
    DOWN,
    Choice,
    Move,
    Position,
    compares,
    group_piles,
    pick,
    piles_of,
    set_piles,
)
from cadogan.certificates.interpreter.scripts import Scripts
from cadogan.certificates.interpreter.together import Together
from cadogan.certificates.interpreter.transfers import Transfers
from cadogan.deals.own import seed_of_shuffles

MAX_FORCED: Final = 4096
"""The most forced moves after one move."""


class ForcedLoopError(Exception):
    """The forced rules do not come to an end."""


class Interpreter(Scripts, Together, Transfers):
    """Plays one program.

    Args:
        tables: The program, as :func:`cadogan.certificates.tables.read_tables` reads it.
    """

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
            since = -1 if getattr(condition, "tops", False) else 0
            held = (piles[p][since:] for p in piles_of(condition.piles))
            counts = (self._count(cards, condition.cards) for cards in held)
            how, number = condition.compare, condition.held
            return bool(sum(compares(n, how, number) for n in counts) >= condition.number)
        if kind == "by-counter":
            selected = position.counters[condition.counter]
            every = condition.conditions
            return selected < len(every) and self._holds(position, every[selected])
        if kind == "any-of":
            return any(self._holds(position, each) for each in condition.conditions)
        if kind == "sums":
            return all(self._adds_up(position, line, condition.sum) for line in condition.lines)
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
        return compares(value, condition.compare, limit)

    def _adds_up(self, position: Position, line: list[int], wanted: Any) -> bool:
        """Whether the top cards of some piles lie face up and have a sum."""
        tops = [position.piles[pile][-1:] for pile in line]
        values = [wanted.values[top[0] // 4] for top in tops if top and top[0] < DOWN]
        return len(values) == len(line) and sum(values) == wanted.total

    def _is_ordered(self, position: Position, condition: Any) -> bool:
        """Whether the cards of all lines lie in order, and there are any."""
        over = self.tables.relations[condition.relation]
        length = condition.length
        lines = [[position.piles[pile] for pile in line] for line in condition.lines]
        for line in lines:
            ends = [bool(cards) for cards in line]
            if not condition.gaps and ends != sorted(ends, reverse=True):
                return False
            cards = [byte for pile in line for byte in pile]
            if cards and condition.first is not None and not condition.first >> cards[0] & 1:
                return False
            if any(byte != byte & CARD for byte in cards) or (length and len(cards) % length):
                return False
            for at in range(1, len(cards)):
                begins = length and at % length == 0
                if not begins and not over[cards[at - 1]] >> cards[at] & 1:
                    return False
        return any(any(line) for line in lines)

    def _sources(self, move: Move) -> list[int]:
        """The piles that a move takes cards from."""
        if self.rules[move.rule].action.kind == "pair":
            return set_piles(move)
        if self.rules[move.rule].action.kind == "beat":
            return [*group_piles(move), move.target]
        return [move.source]

    def _instances(self, position: Position, number: int) -> Iterator[Move]:
        """The instances of a rule, without its conditions, in the order of the format."""
        action = self.rules[number].action
        if action.kind == "move":
            yield from self._moves(position, number)
        elif action.kind == "joint":
            yield from self._joint_plays(position, number)
        elif action.kind == "pair":
            yield from self._pairs(position, number)
        elif action.kind == "beat":
            yield from self._beats(position, number)
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
                        and (not action.sides or self._of_sides(position, action, one, other))
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

    def _of_sides(self, position: Position, action: Any, *piles: int) -> bool:
        """Whether one of two top cards is of the first side of an exchange, one of the second."""
        return any(
            all(
                side.piles >> pile & 1 and side.cards >> position.piles[pile][-1] & 1
                for side, pile in zip(action.sides, order, strict=True)
            )
            for order in (piles, piles[::-1])
        )

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
            picked = pick(action.together, (move.source, move.target))
            played = self._joint_order(position, action, picked)
            for card, source, target in played or ():
                end = "top" if piles[source][-1] == card else "bottom"
                self._transfer(position, source, target, 1, "up", source_end=end)
        elif action.kind == "pair":
            for pile in sorted(set_piles(move), key=lambda pile: piles[pile][-1]):
                self._transfer(position, pile, action.to, 1, "up")
        elif action.kind == "beat":
            group, at = group_piles(move), action.beat.index(move.target)
            wins = self._beats_pile(position, action, group, at)
            for pile in sorted(group, key=lambda pile: piles[pile][-1]):
                self._transfer(position, pile, action.to, 1, "up")
            if wins:
                count = len(piles[move.target])
                self._transfer(position, move.target, action.to, count, "up")
            else:
                piles[move.target] = bytes(card & CARD for card in piles[move.target])
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
            elif effect.kind == "tally":
                value = self._tallied(position, effect)
            elif effect.kind == "rank":
                if moved and not (effect.once and value <= 12):
                    value = (moved[0] & CARD) // 4
            else:
                value += self._count(moved, effect.cards)
            self._set_counter(position, effect.counter, value)
