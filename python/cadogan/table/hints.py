"""Hints: the next move of a line that wins, or what can honestly be said instead."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from cadogan.cards import Card
from cadogan.game import Position
from cadogan.moves import Move
from cadogan.solver.solve import Verdict, solve

BUDGET: Final = 20_000
"""How many positions are searched for a hint: a moment's work."""

Reason = Literal["foundation", "uncovers", "vacates", "lays", "word"]
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)
"""The rules of thumb, the best first."""

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
        reason: What speaks for the move, if it is not proved: it brings a card to a foundation,
            turns up a hidden card, empties a pile, lays a card into the tableau, or nothing better
            was seen than a word, such as ``deal``.
    """

    move: Move | None
    proved: bool
    left: int
    verdict: Verdict | None
    reason: Reason | None = None


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
        likely = _likely(position)
        if likely is None:
            return Hint(None, False, 0, verdict)
        return Hint(likely[0], False, 0, verdict, likely[1])

    def _remember(self, position: Position, line: tuple[Move, ...]) -> None:
        if len(self._known) > MOST_REMEMBERED:
            self._known.clear()
        for place, move in enumerate(line):
            self._known[_key(position)] = move, len(line) - place
            position = position.play(move)


def _key(position: Position) -> _Key:
    # Equal positions may have their piles interchanged, and a move names piles.
    return position.game.digest, position.hash, tuple(position.piles.values())


def _likely(position: Position) -> tuple[Move, Reason] | None:
    """The best move by a rule of thumb, which sees what the player sees.

    First a card for a foundation, then a move that turns up a hidden card, then one that empties a
    pile of the tableau without filling another vacancy, then one that brings a card from a cell,
    reserve or waste into the tableau, and at last a move that is one word, such as a deal.
    """
    roles = position.game.rulebook.roles
    best: tuple[Move, Reason] | None = None
    hidden = _hidden(position)
    for move in position.moves():
        reason = _reason(position, move, roles, hidden)
        if reason is not None and (best is None or REASONS.index(reason) < REASONS.index(best[1])):
            best = move, reason
    return best


def _reason(position: Position, move: Move, roles: Mapping[str, str], hidden: int) -> Reason | None:
    source, target = roles.get(move.source or ""), roles.get(move.target or "")
    if source == "foundation":
        return None
    if target == "foundation" and source is not None:
        return "foundation"
    if move.text in position.game.verbs.values():
        return "word"
    if source is None or target != "tableau":
        return None
    if _hidden(position.play(move)) < hidden:
        return "uncovers"
    piles = position.piles
    filled = bool(piles[move.target or ""])
    if source == "tableau":
        rest = len(piles[move.source or ""]) - move.count
        return "vacates" if filled and rest == 0 else None
    return "lays" if filled else None


def _hidden(position: Position) -> int:
    return sum(sum(down) for down in position.face_down.values())
