"""The best score: the best that a search finds, and the best that is possible."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from cadogan import _kernel
from cadogan.game import Position
from cadogan.moves import Move
from cadogan.solver.solve import (
    BUDGET,
    STOP_REASONS,
    Progress,
    SearchRequest,
    StopReason,
    check_budget,
)


@dataclass(frozen=True, slots=True)
class BestScore:
    """The result of :func:`best_score`.

    Attributes:
        score: The best score found.
        line: The player's moves that reach it, without forced moves.
        bound: No score is better than this one; ``None`` if no bound is known.
        aim: Whether many points are good (``"most"``), or few (``"fewest"``).
        stop_reason: Why the search ended.
        nodes: The number of positions searched.
        budget: The budget.
        seconds: The elapsed time.
    """

    score: int
    line: tuple[Move, ...]
    bound: int | None
    aim: Literal["most", "fewest"]
    stop_reason: StopReason
    nodes: int
    budget: int
    seconds: float = field(default=0.0, compare=False)

    @property
    def is_proved(self) -> bool:
        """Whether it is proved that no line reaches a better score."""
        return self.bound == self.score

    def __str__(self) -> str:
        if self.is_proved:
            return f"best {self.score}, proved ({self.nodes:,} nodes)"
        limit = "at most" if self.aim == "most" else "at least"
        bound = "" if self.bound is None else f", {limit} {self.bound}"
        return f"best found {self.score}{bound} ({self.nodes:,} nodes)"


def best_score(
    position: Position,
    budget: int = BUDGET,
    *,
    memory: int | None = None,
    threads: int = 1,
    progress: Callable[[Progress], object] | None = None,
) -> BestScore:
    """Searches for the best score that can be reached, with knowledge of all cards.

    Args:
        position: A position of a scored game.
        budget: The largest number of positions to search.
        memory: The limit of memory in bytes, as for :func:`cadogan.solve`.
        threads: The number of strategies that may run at the same time.
        progress: Is called regularly; if it returns false, the search ends.

    Returns:
        The best score found, a line that reaches it, and a bound.

    Raises:
        ValueError: If the game is not scored, or an argument is out of range.

    >>> from cadogan import load
    >>> found = best_score(load("golf:scored").deal("cadogan:1"), budget=20_000)
    >>> found.score >= (found.bound or 0)
    True
    """
    score = position.game.rulebook.score
    if score is None:
        raise ValueError(f"{position.game.title} has no points")
    check_budget(budget)
    request = SearchRequest(memory, threads, ())

    def observe(*numbers: object) -> bool:
        if progress is None:
            return True
        return progress(Progress(*numbers)) is not False  # type: ignore[arg-type]

    begun = time.perf_counter()
    found = _kernel.best_score(
        position._state,
        budget,
        memory=request.memory,
        threads=threads,
        observer=observe,
    )
    assert found is not None
    points, codes, bound, nodes, end = found
    line = []
    here = position
    for code in codes:
        move = next(move for move in here.moves() if move.code == code)
        line.append(move)
        here = here.play(move)
    if here.score != points:
        raise RuntimeError(f"the line reaches {here.score} points, not {points}")
    return BestScore(
        *(points, tuple(line), bound, score.aim, STOP_REASONS[end], nodes, budget),
        seconds=time.perf_counter() - begun,
    )
