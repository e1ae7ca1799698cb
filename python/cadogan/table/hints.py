"""Hints: the next move of a winning line, or the best advice that is not proved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from cadogan.cards import Card
from cadogan.game import Position
from cadogan.moves import Move
from cadogan.solver.solve import Verdict, solve

BUDGET: Final = 20_000
"""The node budget of a hint: enough for a quick answer."""

Reason = Literal["foundation", "uncovers", "vacates", "lays", "word"]
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)
"""The rules of thumb; the best comes first."""

MOST_REMEMBERED: Final = 10_000

_Key = tuple[str, int, tuple[tuple[Card, ...], ...]]


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint.

    Attributes:
        move: The suggested move, or ``None``.
        proved: Whether it is the next move of a winning line.
        left: The number of moves to the win, if the move is proved.
        verdict: The verdict of the search, or ``None`` if the position lies on a line that was
            found before.
        reason: Why the move looks good, if it is not proved: it brings a card to a foundation,
            turns up a hidden card, empties a pile, or lays a card into the tableau. ``word`` means
            that no better move was found than a named one, such as ``deal``.
    """

    move: Move | None
    proved: bool
    left: int
    verdict: Verdict | None
    reason: Reason | None = None


class Adviser:
    """Gives hints, and follows a winning line once it has found one."""

    def __init__(self) -> None:
        self._known: dict[_Key, tuple[Move, int]] = {}

    def hint(self, position: Position, budget: int = BUDGET) -> Hint:
        """Suggests a move. The search knows all cards; Ctrl-C interrupts it.

        Args:
            position: The current position.
            budget: How many nodes the search may use.

        Returns:
            The hint.
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
    # Positions with the same hash may differ in the order of piles, and a move names piles.
    return position.game.digest, position.hash, tuple(position.piles.values())


def _likely(position: Position) -> tuple[Move, Reason] | None:
    """Finds the best move by rules of thumb that use only what the player sees.

    The rules are, from best to worst: play a card to a foundation, turn up a hidden card, empty a
    tableau pile without filling another vacancy, bring a card from a cell, reserve or waste into
    the tableau, or make a named move, such as a deal.
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
