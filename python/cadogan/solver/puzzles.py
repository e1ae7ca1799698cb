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
MOST_POSITIONS = 2_000
"""The most positions that may follow a wrong move, where its depth is asked for."""


@dataclass(frozen=True, slots=True)
class Try:
    """A move that loses.

    Attributes:
        move: The move.
        nodes: The positions searched to prove that it loses.
        proof: What the proof rests on, as in :class:`cadogan.Verdict`.
    """

    move: Move
    nodes: int
    proof: str


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which exactly one move keeps the win.

    Attributes:
        position: The position.
        played: How many moves of the line lead to it.
        answer: The move that keeps the win.
        tries: The other legal moves, all of them proved to lose.
    """

    position: Position
    played: int
    answer: Move
    tries: tuple[Try, ...]

    @property
    def wrong(self) -> int:
        """The number of moves that lose."""
        return len(self.tries)

    @property
    def nodes(self) -> int:
        """The positions searched to prove that they lose."""
        return sum(each.nodes for each in self.tries)


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
        tries = []
        for move in others:
            verdict = solve(here.play(move), budget)
            if verdict.status != "unwinnable":
                break
            tries.append(Try(move, verdict.nodes, verdict.proof))
        else:
            yield Puzzle(here, played, answer, tuple(tries))


def depth_after(position: Position, most: int = MOST_POSITIONS) -> int | None:
    """How many moves at most can follow in a lost position before all is played out.

    Every position that can follow is visited, each by its shortest way, so this also shows without
    any search that the position is lost.

    Args:
        position: The position.
        most: The largest number of positions to visit.

    Returns:
        The depth; ``None`` if more positions can follow, or if one of them is won.

    >>> from cadogan import load
    >>> depth_after(load("amazons").deal("cadogan:171"))
    56
    """
    seen, layer, depth = {position.hash}, [position], 0
    while layer:
        following = []
        for here in layer:
            if here.outcome == "won":
                return None
            for move in here.moves():
                after = here.play(move)
                if after.hash not in seen:
                    seen.add(after.hash)
                    following.append(after)
            if len(seen) > most:
                return None
        if not following:
            break
        layer, depth = following, depth + 1
    return depth
