"""How hard a deal is for somebody who cannot see hidden cards.

The figure goes from 0 to 100: how many of a hundred games the fair player would lose with this
deal, as far as three signs of it can say. These are the positions that the solver searches until
the first win, the share of the moves along its line that keep the win, and a few quick games of the
fair player. ``bench/difficulty.py`` fits their weights on deals of several games, and shows how far
the figures are right for deals that were not fitted.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from cadogan.game import Position
from cadogan.i18n.text import Translatable, gettext
from cadogan.moves import Move
from cadogan.solver.fair import OPTIONS, play_fair
from cadogan.solver.solve import BUDGET, Verdict, solve

GAMES: Final = 8
"""The quick games of the fair player."""
QUICK: Final = MappingProxyType({**OPTIONS, "budget": 50_000, "samples": 6, "solver": 300})
"""The options of its quick games."""
PLACES: Final = 16
"""The most positions of the line whose moves are tried."""
MOVES: Final = 8
"""The most moves that are tried in a position."""
MOVE_BUDGET: Final = 1_000
"""The nodes searched after a move; what they do not decide counts as lost."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the signs in the log-odds of a win."""

    constant: float
    nodes: float
    kept: float
    games: float


WEIGHTS: Final = Weights(constant=-0.237, nodes=-0.181, kept=2.971, games=0.894)
"""What ``bench/difficulty.py`` has fitted."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What the figure is made of.

    Attributes:
        nodes: The number of positions that the solver searched until the first win.
        kept: The share of the moves along its line that keep the win, from 0 to 1.
        won: How many of the quick games the fair player won.
        games: The number of quick games.
    """

    nodes: int
    kept: float
    won: int
    games: int

    def terms(self) -> tuple[float, float, float, float]:
        """What the weights multiply."""
        odds = math.log((self.won + 0.5) / (self.games - self.won + 0.5))
        return 1.0, math.log(max(self.nodes, 1)), self.kept, odds


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard a deal is.

    Attributes:
        figure: From 0 (everybody wins it) to 100 (hardly anybody does).
        signs: What it is made of.
    """

    figure: int
    signs: Signs

    @classmethod
    def of(cls, signs: Signs, weights: Weights = WEIGHTS) -> "Difficulty":
        """The difficulty that follows from some signs.

        >>> easy, hard = Signs(60, 0.9, 8, 8), Signs(90_000, 0.3, 0, 8)
        >>> Difficulty.of(easy).figure < Difficulty.of(hard).figure
        True
        """
        by_sign = (weights.constant, weights.nodes, weights.kept, weights.games)
        odds = sum(map(float.__mul__, by_sign, signs.terms()))
        return cls(round(100 / (1 + math.exp(odds))), signs)

    def text(self) -> Translatable:
        """Says it in words."""
        return gettext(
            "difficulty {figure} of 100: {nodes} nodes to the first win, {kept} % of the moves "
            "along the line keep it, a fair player won {won} of {games} games",
            figure=self.figure,
            nodes=f"{self.signs.nodes:,}",
            kept=round(100 * self.signs.kept),
            won=self.signs.won,
            games=self.signs.games,
        )

    def __str__(self) -> str:
        return str(self.text())


def difficulty(position: Position, verdict: Verdict | None = None) -> Difficulty | None:
    """Finds out how hard a deal is.

    Args:
        position: The position after the deal.
        verdict: What :func:`cadogan.solve` found there, if it was asked already.

    Returns:
        The difficulty; ``None`` if no line that wins is known.

    Raises:
        ValueError: If moves were made already.

    >>> from cadogan import load
    >>> found = difficulty(load("amazons").deal("cadogan:1"))
    >>> found is not None and 0 <= found.figure <= 100
    True
    """
    if position.move_count:
        raise ValueError("the difficulty is that of a deal; moves were made already")
    if verdict is None:
        verdict = solve(position, budget=BUDGET)
    if verdict.status != "winnable":
        return None
    return Difficulty.of(signs_of(position, verdict))


def signs_of(position: Position, verdict: Verdict) -> Signs:
    """Finds the signs of difficulty of a deal that can be won."""
    won = sum(play_fair(position, seed, QUICK).won for seed in range(GAMES))
    return Signs(verdict.nodes, _kept(position, verdict.line), won, GAMES)


def _kept(position: Position, line: tuple[Move, ...]) -> float:
    """The mean share of moves that keep the win, in positions of the line with a choice."""
    places = list(_places(position, line))
    shares = [_share(*places[number]) for number in _spread(len(places), PLACES)]
    return sum(shares) / len(shares) if shares else 1.0


def _places(position: Position, line: tuple[Move, ...]) -> Iterator[tuple[Position, Move]]:
    """The positions of a line in which there is a choice, with the moves that the line makes."""
    for move in line:
        if len(position.moves()) > 1:
            yield position, move
        position = position.play(move)


def _share(position: Position, move: Move) -> float:
    """The share of the moves in a position that keep the win; ``move`` is known to keep it."""
    others = [each for each in position.moves() if each.code != move.code]
    tried = [position.play(others[number]) for number in _spread(len(others), MOVES)]
    kept = sum(solve(after, budget=MOVE_BUDGET).status == "winnable" for after in tried)
    return (1 + kept) / (1 + len(tried))


def _spread(count: int, most: int) -> list[int]:
    """The numbers of so many items; if there are more than ``most``, an even choice of them.

    >>> _spread(3, 8), _spread(6, 3)
    ([0, 1, 2], [0, 2, 4])
    """
    chosen = min(most, count)
    return [place * count // chosen for place in range(chosen)]
