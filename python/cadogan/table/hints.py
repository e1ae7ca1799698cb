"""Hints: the next move of a line that wins, or what can honestly be said instead."""

from dataclasses import dataclass
from typing import Final

from cadogan.cards import Card
from cadogan.game import Position
from cadogan.notation import Move
from cadogan.verdict import Verdict, solve

BUDGET: Final = 20_000
"""How many positions are searched for a hint: a moment's work."""

MOST_REMEMBERED: Final = 10_000

_Key = tuple[str, int, tuple[tuple[Card, ...], ...]]


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint.

    Attributes:
        move: The move advised, or ``None``.
        proved: Whether it is the next move of a line that was played to a win.
        left: Moves to the win, if it is proved.
        verdict: What the search said, or ``None`` if it was not needed because the position lies on
            a line found before.
    """

    move: Move | None
    proved: bool
    left: int
    verdict: Verdict | None


class Adviser:
    """Gives hints, and keeps to a line once it has found one."""

    def __init__(self) -> None:
        self._known: dict[_Key, tuple[Move, int]] = {}

    def hint(self, position: Position, budget: int = BUDGET) -> Hint:
        """Advises a move. The search knows all cards; Ctrl-C interrupts.

        Args:
            position: Where the player stands.
            budget: How many positions may be searched.
        """
        known = self._known.get(_key(position))
        if known is not None:
            return Hint(known[0], True, known[1], None)
        verdict = solve(position, budget=budget)
        if verdict.status == "winnable" and verdict.line:
            self._remember(position, verdict.line)
            return Hint(verdict.line[0], True, len(verdict.line), verdict)
        if verdict.status == "unwinnable":
            return Hint(None, False, 0, verdict)
        return Hint(_likely(position), False, 0, verdict)

    def _remember(self, position: Position, line: tuple[Move, ...]) -> None:
        if len(self._known) > MOST_REMEMBERED:
            self._known.clear()
        for place, move in enumerate(line):
            self._known[_key(position)] = move, len(line) - place
            position = position.play(move)


def _key(position: Position) -> _Key:
    # Equal positions may have their piles interchanged, and a move names piles.
    return position.game.digest, position.hash, tuple(position.piles.values())


def _likely(position: Position) -> Move | None:
    """A move to a foundation, which is rarely wrong; there is no other advice without a proof."""
    book = position.game.rulebook
    roles = {
        group.pile_name(index): group.role for group in book.groups for index in range(group.count)
    }
    return next(
        (
            move
            for move in position.moves()
            if roles.get(move.target or "") == "foundation"
            and roles.get(move.source or "") != "foundation"
        ),
        None,
    )
