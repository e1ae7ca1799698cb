"""The size of a game: the limits of the kernel, and how many moves a position may have.

Nothing is played here. The rules give an upper bound of the number of legal moves in all positions,
so in games that pass, no position takes long to list.
"""

from collections import Counter
from collections.abc import Iterator

from cadogan.i18n.text import gettext
from cadogan.rules.faults.report import Report
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.rulebook import Rule, Rulebook
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
                gettext(
                    "a game has at most {most} different rules of building", most=MAX_RELATIONS
                ),
                label=gettext("here the limit is passed"),
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
        gettext(
            "a position could have up to {number} legal moves, but {most} is the limit",
            number=max(free, choice),
            most=MAX_MOVES,
        ),
        label=gettext("up to {number} of them by this rule", number=most[worst]),
        hint=gettext("fewer piles, fewer packs or a stricter rule of building make fewer moves"),
    )


def _relations(rulebook: Rulebook) -> Iterator[tuple[Path, Relation]]:
    """Every relation that the kernel needs as a table, with its place."""
    for group in rulebook.groups:
        if group.build_order is not None and group.build_order.relation is not None:
            yield (group.name, "build"), group.build_order.relation
    for index, rule in enumerate(rulebook.rules):
        for relation in rule.action.relations():
            yield ("rule", index), relation


def most_moves(rulebook: Rulebook) -> list[int]:
    """For each rule, the largest number of moves that it can have in any position.

    A forced rule has moves only while it waits for a choice, and then no other rule has any.

    >>> from cadogan.rules import load_rules
    >>> most_moves(load_rules("flower-garden").rulebook)
    [16, 96]
    """
    bounds = Bounds(rulebook)
    return [bounds.most(rule) for rule in rulebook.rules]


class Bounds:
    """What bounds the number of moves of a game.

    Attributes:
        book: The game.
        cards: Its cards, and how many there are of each.
        total: How many cards there are.
        sums: What kinds of rule have worked out, to be used again.
    """

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        cards = Counter([*book.deck, *(card for card, _ in book.preset)])
        self.cards = list(cards.items())
        self.total = cards.total()
        # One mask per copy: cards that occur at least once, at least twice, and so on.
        most = max(cards.values(), default=0)
        self._layers = [
            sum(1 << card for card, number in self.cards if number > least) for least in range(most)
        ]
        self.sums: dict[tuple[Relation | None, int], list[int]] = {}

    def most(self, rule: Rule) -> int:
        """How many moves a rule can make at most."""
        if rule.forced and not rule.action.may_wait:
            return 0
        return rule.action.most_moves(self)

    def filled(self, piles: int) -> int:
        """How many of a number of piles can hold cards at the same time."""
        return min(piles, self.total)

    def count(self, mask: int) -> int:
        """The number of cards of a class in the game."""
        return sum((mask & layer).bit_count() for layer in self._layers)
