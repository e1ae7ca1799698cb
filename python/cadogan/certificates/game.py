"""The game that a certificate is about: the rules, and what its arguments make of them."""

from types import SimpleNamespace
from typing import Any

from cadogan.certificates.interpreter import CARD, DOWN, Choice, Interpreter, Position, piles_of
from cadogan.certificates.relaxations import merged, suit_rows
from cadogan.certificates.tables import (
    read_tables,
    with_cards,
    with_classes,
    with_suit_relations,
)

SEPARATOR = b"\xff"


def easier_program(
    data: dict[str, Any], groups: list[list[int]], suits_below: int | None, equal: list[list[int]]
) -> dict[str, Any]:
    """The program that a certificate plays instead of the real one.

    Args:
        data: The program of the real game.
        groups: The piles that may be exchanged.
        suits_below: The height from which foundations ignore suits; none if they never do.
        equal: The cards that count as the same card.
    """
    classes = list(range(len(data["piles"])))
    for group in groups:
        for pile in group:
            classes[pile] = group[0]
    if suits_below is not None:
        data = with_suit_relations(data, suit_rows(read_tables(data), suits_below))
    return with_cards(with_classes(data, classes), merged(equal))


def with_equal_cards(position: Position, equal: list[list[int]]) -> Position:
    """The same position with the first card of each group in place of the others."""
    first = merged(equal)
    changed = position.copy()
    changed.piles = [
        bytes(first[card & CARD] | card & DOWN for card in pile) for pile in position.piles
    ]
    return changed


class Keys:
    """Positions as bytes, the same bytes for positions that differ by an exchange of equal piles.

    Args:
        tables: The program.
        seed: What the shuffles of the deal follow from.
    """

    def __init__(self, tables: SimpleNamespace, seed: int = 0) -> None:
        self.seed = seed
        classes: dict[int, list[int]] = {}
        for pile, place in enumerate(tables.piles):
            classes.setdefault(place.exchange_class, []).append(pile)
        self.groups = [group for group in classes.values() if len(group) > 1]
        self.counters = len(tables.counters)
        self.tail = 2 * self.counters + 16 + 3

    def key(self, position: Position) -> bytes:
        """The bytes of a position."""
        piles = position.piles
        closed, choice = position.closed, position.choice or Choice(255)
        names = list(range(len(piles)))
        for group in self.groups:
            order = sorted(
                group,
                key=lambda pile: (
                    piles[pile],
                    closed >> pile & 1,
                    choice.source == pile,
                    choice.target == pile,
                ),
            )
            for place, pile in zip(group, order, strict=True):
                names[place] = pile
        place_of = {pile: place for place, pile in enumerate(names)} if closed else {}
        places = sum(1 << place_of[pile] for pile in piles_of(closed))
        return b"".join(
            (
                SEPARATOR.join([piles[pile] for pile in names]),
                *(value.to_bytes(2, "little") for value in position.counters),
                places.to_bytes(16, "little"),
                bytes(
                    (
                        choice.rule,
                        names.index(choice.source) if choice.source < 255 else 255,
                        names.index(choice.target) if choice.target < 255 else 255,
                    )
                ),
            )
        )

    def position(self, key: bytes) -> Position:
        """The position of a key."""
        cards, tail = key[: -self.tail], key[-self.tail :]
        values = (tail[at : at + 2] for at in range(0, 2 * self.counters, 2))
        rule, source, target = tail[-3:]
        return Position(
            cards.split(SEPARATOR),
            (int.from_bytes(value, "little") for value in values),
            int.from_bytes(tail[-19:-3], "little"),
            None if rule == 255 else Choice(rule, source, target),
            self.seed,
        )


def interpreter_of(data: dict[str, Any]) -> Interpreter:
    """An interpreter of a program."""
    return Interpreter(read_tables(data))
