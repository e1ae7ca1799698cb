"""Puzzles: positions in which exactly one move keeps the win.

A puzzle is proved on both sides. The line it was found on wins, so its next move keeps the win; of
every other legal move it is proved that it loses.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cadogan.game import Position
from cadogan.moves import Move
from cadogan.solver.solve import solve

BUDGET = 20_000
"""The nodes searched for each wrong move, unless the caller says otherwise."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which exactly one move keeps the win.

    Attributes:
        position: The position.
        played: How many moves of the line lead to it.
        answer: The move that keeps the win.
        wrong: The number of other legal moves, all of them proved to lose.
        nodes: The positions searched to prove that.
    """

    position: Position
    played: int
    answer: Move
    wrong: int
    nodes: int


def find_puzzles(
    position: Position,
    line: Sequence[str],
    *,
    budget: int = BUDGET,
    wrong: int = 2,
    left: int = 6,
) -> Iterator[Puzzle]:
    """Finds the puzzles along a line that wins, from its end to its beginning.

    Near the end searches are short, and so are puzzles.

    Args:
        position: Where the line begins.
        line: The moves, as texts.
        budget: The largest number of nodes to search for each wrong move. If a move is not decided
            with it, the position is no puzzle.
        wrong: The fewest other moves that a puzzle must have.
        left: The fewest moves of the line from the puzzle to the win, the answer among them.

    Yields:
        The puzzles.

    Raises:
        IllegalMoveError: If a move of the line is not legal.
        ValueError: If the line does not win.

    >>> from cadogan import load
    >>> deal = load("golf").deal("cadogan:1")
    >>> line = [move.text for move in solve(deal, 30_000).line]
    >>> puzzle = next(find_puzzles(deal, line, budget=3_000))
    >>> puzzle.answer.text, puzzle.wrong
    ('tableau.4 > waste', 2)
    """
    positions = [position]
    for text in line:
        positions.append(positions[-1].play(text))
    if positions[-1].outcome != "won":
        raise ValueError("the line does not win")
    for played in range(len(line) - max(left, 1), -1, -1):
        here, after = positions[played], positions[played + 1]
        answer = after.last_move
        assert answer is not None
        others = [move for move in here.moves() if move != answer]
        if len(others) < wrong:
            continue
        nodes = 0
        for move in others:
            verdict = solve(here.play(move), budget)
            nodes += verdict.nodes
            if verdict.status != "unwinnable":
                break
        else:
            yield Puzzle(here, played, answer, len(others), nodes)
