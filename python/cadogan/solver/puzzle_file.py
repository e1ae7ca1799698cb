"""Puzzles in files: how they are made, written, read and checked.

A file is JSON. It has, for each puzzle, the deal and the moves to the position, the line that wins
from there, and every other legal move with its proof. Nothing in a file is trusted:
:func:`check_puzzle` replays the line and solves every alternative again.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Final

from cadogan.deals import DealError
from cadogan.game import Game, Position
from cadogan.moves import MoveError
from cadogan.solver.puzzles import MOST_POSITIONS, depth_after, find_puzzles
from cadogan.solver.solve import solve

FORMAT: Final = 1
"""The version of the format."""
MOST_BYTES: Final = 8 << 20
"""The largest file that is read."""
MOST_PUZZLES: Final = 10_000
MOST_MOVES: Final = 5_000
BUDGET: Final = 50_000
"""The nodes searched for the line of a deal."""
CHECK_BUDGET: Final = 200_000
"""The nodes searched for each alternative when a file is checked."""
CANDIDATES: Final = 4
"""How many puzzles of a line are compared; the deepest is taken."""
EASIEST: Final = 900
STEP: Final = 60
HARDEST: Final = 2_400


class PuzzleFileError(ValueError):
    """The file of puzzles cannot be read; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class WrongMove:
    """A legal move that loses.

    Attributes:
        move: Its text.
        nodes: The positions searched to prove that it loses.
        proof: What the proof rests on.
        depth: How many moves at most can follow it.
    """

    move: str
    nodes: int
    proof: str
    depth: int


@dataclass(frozen=True, slots=True)
class SavedPuzzle:
    """A puzzle of a file.

    Attributes:
        deal: The name of the deal.
        moves: The moves from the deal to the puzzle.
        line: The line that wins from there; its first move is the answer.
        wrong: All other legal moves.
    """

    deal: str
    moves: tuple[str, ...]
    line: tuple[str, ...]
    wrong: tuple[WrongMove, ...]

    @property
    def depth(self) -> int:
        """How far one must look to see that all other moves lose."""
        return max((each.depth for each in self.wrong), default=0)

    @property
    def rating(self) -> int:
        """The strength at which a player may solve it, before anybody has tried.

        >>> SavedPuzzle("cadogan:1", (), ("deal",), ()).rating
        900
        """
        return min(EASIEST + STEP * self.depth, HARDEST)


@dataclass(frozen=True, slots=True)
class PuzzleSet:
    """The puzzles of a file.

    Attributes:
        game: The game, with variants.
        digest: The digest of its rules.
        puzzles: The puzzles, the easiest first.
    """

    game: str
    digest: str
    puzzles: tuple[SavedPuzzle, ...]


def make_puzzles(game: Game, first: int = 1) -> Iterator[SavedPuzzle | None]:
    """Looks for puzzles in the deals ``cadogan:first`` and after it, at most one in each.

    Yields:
        For each deal its puzzle, or ``None``.

    >>> from cadogan import load
    >>> puzzle = next(each for each in make_puzzles(load("golf")) if each is not None)
    >>> check_puzzle(load("golf"), puzzle) is None
    True
    """
    number = first
    while True:
        yield _puzzle(game.deal(f"cadogan:{number}"))
        number += 1


def _puzzle(deal: Position) -> SavedPuzzle | None:
    verdict = solve(deal, BUDGET)
    line = [move.text for move in verdict.line]
    found = []
    for puzzle in islice(find_puzzles(deal, line) if line else (), CANDIDATES):
        wrong = []
        for each in puzzle.tries:
            depth = depth_after(puzzle.position.play(each.move))
            if depth is None:
                break
            wrong.append(WrongMove(each.move.text, each.nodes, each.proof, depth))
        else:
            moves, rest = line[: puzzle.played], line[puzzle.played :]
            name = deal.deal_name or ""
            found.append(SavedPuzzle(name, tuple(moves), tuple(rest), tuple(wrong)))
    return max(found, key=lambda each: each.depth, default=None)


def position_of(game: Game, puzzle: SavedPuzzle) -> Position:
    """The position of a puzzle.

    Raises:
        DealError: If the game has no such deal.
        MoveError: If a move to the position is illegal.
    """
    position = game.deal(puzzle.deal)
    for text in puzzle.moves:
        position = position.play(text)
    return position


def check_puzzle(game: Game, puzzle: SavedPuzzle, budget: int = CHECK_BUDGET) -> str | None:
    """Checks a puzzle: its line must win, and every other legal move must lose.

    Every alternative is solved again, and all that can follow it is visited without the search.

    Returns:
        What is wrong with it; ``None`` if nothing is.
    """
    try:
        here = position_of(game, puzzle)
        after = here
        for text in puzzle.line:
            after = after.play(text)
    except (DealError, MoveError) as fault:
        return str(fault)
    if not puzzle.line or after.outcome != "won":
        return "its line does not win"
    answer = here.play(puzzle.line[0]).last_move
    others = {move.text: move for move in here.moves() if move != answer}
    if sorted(others) != sorted(each.move for each in puzzle.wrong):
        return "its wrong moves are not all the other legal moves"
    for each in puzzle.wrong:
        lost = here.play(others[each.move])
        verdict = solve(lost, budget)
        if verdict.status != "unwinnable":
            return f"{each.move} is not proved to lose: {verdict}"
        if depth_after(lost, max(MOST_POSITIONS, budget)) != each.depth:
            return f"the depth of {each.move} is not {each.depth}"
    return None


def write_puzzles(found: PuzzleSet) -> str:
    """The text of a file of puzzles."""
    puzzles = [
        {
            "deal": each.deal,
            "moves": "; ".join(each.moves),
            "line": "; ".join(each.line),
            "depth": each.depth,
            "wrong": [asdict(wrong) for wrong in each.wrong],
        }
        for each in found.puzzles
    ]
    data = {"format": FORMAT, "game": found.game, "digest": found.digest, "puzzles": puzzles}
    return json.dumps(data, indent=1) + "\n"


def read_puzzles(text: str) -> PuzzleSet:
    """Reads a file of puzzles, without playing any move.

    Raises:
        PuzzleFileError: If it is not such a file.

    >>> read_puzzles("{}")
    Traceback (most recent call last):
    ...
    cadogan.solver.puzzle_file.PuzzleFileError: it is not a file of puzzles: 'format' is missing
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise PuzzleFileError(f"it is not JSON: {fault}") from None
    if not isinstance(data, dict):
        raise PuzzleFileError("it is not a file of puzzles")
    if _part(data, "format", int) != FORMAT:
        raise PuzzleFileError(f"its format is not {FORMAT}")
    listed = _part(data, "puzzles", list)
    if len(listed) > MOST_PUZZLES:
        raise PuzzleFileError(f"it has more than {MOST_PUZZLES} puzzles")
    puzzles = tuple(_read(each) for each in listed)
    return PuzzleSet(_part(data, "game", str), _part(data, "digest", str), puzzles)


def _read(data: object) -> SavedPuzzle:
    if not isinstance(data, dict):
        raise PuzzleFileError("a puzzle is not an object")
    wrong = []
    for each in _part(data, "wrong", list):
        if not isinstance(each, dict):
            raise PuzzleFileError("a wrong move is not an object")
        move, proof = _part(each, "move", str), _part(each, "proof", str)
        wrong.append(WrongMove(move, _part(each, "nodes", int), proof, _part(each, "depth", int)))
    moves, line = (_moves(_part(data, name, str)) for name in ("moves", "line"))
    return SavedPuzzle(_part(data, "deal", str), moves, line, tuple(wrong))


def _moves(text: str) -> tuple[str, ...]:
    moves: Sequence[str] = [each.strip() for each in text.split(";") if each.strip()]
    if len(moves) > MOST_MOVES:
        raise PuzzleFileError(f"a line has more than {MOST_MOVES} moves")
    return tuple(moves)


def _part(data: dict[str, Any], name: str, kind: type) -> Any:
    if name not in data:
        raise PuzzleFileError(f"it is not a file of puzzles: '{name}' is missing")
    if type(data[name]) is not kind:
        raise PuzzleFileError(f"'{name}' is not of the right type")
    return data[name]
