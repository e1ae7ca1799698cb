"""The size of a game: the limits of the kernel, and how many moves a position may have.

Nothing is played here. The rules give an upper bound of the number of legal moves in all positions,
so in games that pass, no position takes long to list.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

from cadogan.i18n.text import told
from cadogan.rules.faults.report import Report
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.rulebook import Joint, Move, Rule, Rulebook, Swap, TurnUp
from cadogan.rules.source.span import Path

MAX_MOVES = 5_000
"""The largest number of legal moves of a position. The largest bound in the catalogue is 4,081;
positions in play have far fewer."""

MAX_RELATIONS = 128
"""The largest number of different relations; the kernel numbers them with seven bits."""


def check_extent(rulebook: Rulebook, report: Report) -> None:
    """Reports a game that is too large.

    Args:
        rulebook: A game without other errors.
        report: Receives the faults.
    """
    tables: set[tuple[int, ...]] = set()
    known: set[Relation] = set()
    for path, relation in _relations(rulebook):
        if relation in known:
            continue
        known.add(relation)
        tables.add(tuple(relation.table()))
        if len(tables) > MAX_RELATIONS:
            report.error(
                "too-many",
                path,
                told("a game has at most {most} different rules of building", most=MAX_RELATIONS),
                label=told("here the limit is passed"),
            )
            break
    most = most_moves(rulebook)
    forced = [rule.forced for rule in rulebook.rules]
    free = sum(number for number, by_itself in zip(most, forced, strict=True) if not by_itself)
    choices = [number for number, by_itself in zip(most, forced, strict=True) if by_itself]
    choice = max(choices, default=0)
    if max(free, choice) <= MAX_MOVES:
        return
    worst = max(range(len(most)), key=lambda index: most[index])
    report.error(
        "too-many-moves",
        ("rule", worst),
        told(
            "a position could have up to {number} legal moves, but {most} is the limit",
            number=max(free, choice),
            most=MAX_MOVES,
        ),
        label=told("up to {number} of them by this rule", number=most[worst]),
        hint=told("fewer piles, fewer packs or a stricter rule of building make fewer moves"),
    )


def _relations(rulebook: Rulebook) -> Iterator[tuple[Path, Relation]]:
    """Every relation that the kernel needs as a table, with its place."""
    for group in rulebook.groups:
        if group.order is not None and group.order.suit is not None:
            yield (group.name, "build"), group.order.suit
    for index, rule in enumerate(rulebook.rules):
        if isinstance(rule.action, Move):
            for relation in (rule.action.build, rule.action.unit.relation):
                if relation is not None:
                    yield ("rule", index), relation


def most_moves(rulebook: Rulebook) -> list[int]:
    """For each rule, the largest number of moves that it can have in any position.

    A forced rule has moves only while it waits for a choice, and then no other rule has any.

    >>> from cadogan.rules import load_rules
    >>> most_moves(load_rules("flower-garden").rulebook)
    [16, 96]
    """
    bounds = _Bounds(rulebook)
    return [bounds.most(rule) for rule in rulebook.rules]


class _Bounds:
    def __init__(self, rulebook: Rulebook) -> None:
        self.book = rulebook
        cards = Counter([*rulebook.deck, *(card for card, _ in rulebook.preset)])
        self.cards = list(cards.items())
        self.total = cards.total()
        # One mask per copy: cards that occur at least once, at least twice, and so on.
        most = max(cards.values(), default=0)
        self._layers = [
            sum(1 << card for card, number in self.cards if number > least) for least in range(most)
        ]
        self._sums: dict[tuple[Relation | None, int], list[int]] = {}

    def most(self, rule: Rule) -> int:
        action = rule.action
        if isinstance(action, Move):
            if rule.forced and action.choose == "none":
                return 0
            return self._of_move(action)
        if isinstance(action, Joint):
            sizes = [self._filled(len(part.source.piles)) for part in action.parts]
            if len(sizes) == 1:
                return 0 if rule.forced else sizes[0]
            return 0 if rule.forced else sizes[0] * sizes[1]
        if isinstance(action, Swap):
            piles = self._filled(len(action.piles.piles))
            return 0 if rule.forced else piles * (piles - 1) // 2
        if isinstance(action, TurnUp):
            return 0
        return 0 if rule.forced else 1

    def _filled(self, piles: int) -> int:
        """How many of a number of piles can hold cards at the same time."""
        return min(piles, self.total)

    def _count(self, mask: int) -> int:
        """The number of cards of a class in the game."""
        return sum((mask & layer).bit_count() for layer in self._layers)

    def _of_move(self, move: Move) -> int:
        unit, targets = move.unit, move.to.piles
        several = unit.kind in ("run", "packet")
        # Different units touch the target with different cards. But if cards are laid down one by
        # one, the top card touches it, whatever the number of cards.
        distinct = not (several and move.reverse)
        lead = self._count(move.lead.mask) if distinct else self.total
        rows = [max((len(move.links.get(pile, ())) for pile in lane.piles), default=0)
                for lane in move.lanes]  # fmt: skip
        each = max(0, min(unit.most, self.total) - unit.least + 1) if several else 1
        linked = sum(rows) * each
        units = min(lead, len(rows) * each)
        crude = min(linked, units * len(targets))
        if crude <= len(targets):
            return crude
        vacant, most_vacant = 0, 0
        if move.to_holds[0] == 0:
            fitting = self._count(move.lead.mask & move.space.mask)
            vacant = min(units, fitting) if distinct else units
            most_vacant = 1 if move.first_vacant else len(targets)
        onto = self._onto(move) if move.to_holds[1] > 0 else [0]
        wanted = self._wanted(move) if move.ladder else units
        vacant = min(vacant, wanted)
        # A vacant target is not a source.
        single = all(len(lane.piles) == 1 for lane in move.lanes)
        apart = len(targets) - len(set(targets) & set(move.sources)) if single else len(targets)
        most = 0
        for number in range(most_vacant + 1):
            if most >= crude:
                break
            sources = len(rows) - max(0, number - apart)
            left = min(units, sources * each)
            filled = len(targets) - number
            laid = filled * min(wanted, left)
            if distinct:
                laid = min(laid, onto[min(filled, len(onto) - 1)])
            most = max(most, number * min(vacant, left) + laid)
        return min(crude, most)

    def _onto(self, move: Move) -> list[int]:
        """For each number of targets, the number of pairs of cards that may lie on one another.

        Every target has a different top card, so the worst case is the top cards that accept most.
        """
        key = (move.build, move.lead.mask)
        if key not in self._sums:
            rows = [move.lead.mask] * 52 if move.build is None else move.build.table()
            counts = {mask: self._count(mask) for mask in {row & move.lead.mask for row in rows}}
            taken = (
                count
                for card, number in self.cards
                for count in [counts[rows[card] & move.lead.mask]] * number
            )
            self._sums[key] = [0, *accumulate(sorted(taken, reverse=True))]
        return self._sums[key]

    def _wanted(self, move: Move) -> int:
        """The largest number of cards that a foundation accepts at the same time."""
        masks: set[int] = set()
        for pile in move.to.piles:
            order = self.book.group_of(pile).order
            masks.update(() if order is None else order.wants)
        return max((self._count(mask & move.lead.mask) for mask in masks), default=0)
