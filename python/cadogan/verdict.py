"""Verdicts: whether a position can be won.

The search is the kernel's. Here its answer is checked: a line that wins is played again, move by
move as a player would, before anybody sees it.
"""

from dataclasses import dataclass
from typing import Literal

from cadogan import _kernel
from cadogan.game import Position
from cadogan.notation import Move

Status = Literal["winnable", "unwinnable", "unknown"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a search found out.

    Attributes:
        status: ``"winnable"`` (there is a line), ``"unwinnable"`` (every line was tried) or
            ``"unknown"`` (the budget was spent).
        line: The player's moves to a win, if it is winnable; what they force is not told.
        nodes: How many positions were searched.
        budget: How many might be searched.
        strategy: The way of searching that found it out, or was tried last.
    """

    status: Status
    line: tuple[Move, ...]
    nodes: int
    budget: int
    strategy: str

    def __str__(self) -> str:
        if self.status == "winnable":
            moves = "1 move" if len(self.line) == 1 else f"{len(self.line)} moves"
            return f"winnable in {moves} ({self.nodes:,} nodes)"
        if self.status == "unwinnable":
            return f"unwinnable ({self.nodes:,} nodes)"
        return f"unknown after {self.nodes:,} nodes"


def solve(position: Position, budget: int = 1_000_000) -> Verdict:
    """Searches for a line that wins, knowing all cards.

    The same question gives the same answer, line and nodes and all. Ctrl-C interrupts.

    Args:
        position: Where to begin.
        budget: How many positions may be searched.

    Returns:
        The verdict. A line in it has been played from the position to a win.

    Raises:
        ValueError: If the budget is negative.

    >>> from cadogan import load
    >>> verdict = solve(load("flower-garden").deal("cadogan:1"), budget=10)
    >>> verdict.status, verdict.nodes
    ('unknown', 10)
    """
    if budget < 0:
        raise ValueError(f"a budget of {budget} nodes cannot be spent")
    status, codes, nodes, strategy = _kernel.solve(position._state, budget)
    line = _replayed(position, codes) if status == "winnable" else ()
    return Verdict(_STATUSES[status], line, nodes, budget, strategy)


_STATUSES: dict[str, Status] = {
    "winnable": "winnable",
    "unwinnable": "unwinnable",
    "unknown": "unknown",
}


def _replayed(position: Position, codes: list[int]) -> tuple[Move, ...]:
    """Plays a line of the search by the texts of its moves.

    Raises:
        RuntimeError: If it does not win: a verdict is never wrong, not even by a fault of ours.
    """
    start, line = position, []
    for code in codes:
        move = next((move for move in position.moves() if move.code == code), None)
        if move is None:
            raise RuntimeError(
                f"the search played a move ({code:#x}) that is not legal in {position}"
            )
        position = position.play(move.text)
        line.append(move)
    if position.outcome != "won":
        raise RuntimeError(f"the search found a line from {start} that does not win: {position}")
    return tuple(line)
