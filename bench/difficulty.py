"""How far the difficulty of deals is right: ``python -m bench.difficulty``.

The fair player plays deals of several games, and the three signs of their difficulty are found
(``cadogan/solver/difficulty.py``). A logistic regression fits the weights of the signs on each half
of the deals; the other half shows how many games were really lost where the figure promised so
many. Figures: docs/solver.md.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product

from cadogan import load, solve
from cadogan.solver.difficulty import WEIGHTS, Difficulty, Signs, Weights, signs_of
from cadogan.solver.fair import play_fair

GAMES = ("klondike", "klondike:draw-three", "yukon")
SEED = 1_000
"""The seed of the game that counts; those of the quick games are small numbers."""
USUAL = (0.0, -0.2, 3.0, 0.7)
"""The weights where the deals say nothing: each sign counts in its direction."""
PULL = (0.01, 40.0, 1.0, 1.0)
"""How strongly each weight is drawn to its usual value."""

Tried = tuple[str, int, Signs, bool]


def tried(task: tuple[str, int]) -> Tried | None:
    """The signs of a deal and whether the fair player won it; none if it is not known to be won."""
    name, number = task
    position = load(name).deal(f"cadogan:{number}")
    verdict = solve(position, budget=50_000)
    if verdict.status != "winnable":
        return None
    return name, number, signs_of(position, verdict), play_fair(position, SEED).won


def fit(deals: Sequence[Tried]) -> Weights:
    """The weights that make the results most likely, by Newton's method."""
    weights = list(USUAL)
    for _ in range(25):
        pulls = zip(PULL, USUAL, weights, strict=True)
        slope = [pull * (usual - weight) for pull, usual, weight in pulls]
        curve = [[PULL[row] * (row == column) for column in range(4)] for row in range(4)]
        for _, _, signs, won in deals:
            terms = signs.terms()
            chance = 1 / (1 + math.exp(-sum(map(float.__mul__, weights, terms))))
            for row in range(4):
                slope[row] += (won - chance) * terms[row]
                for column in range(4):
                    curve[row][column] += chance * (1 - chance) * terms[row] * terms[column]
        weights = [
            weight + step for weight, step in zip(weights, solution(curve, slope), strict=True)
        ]
    return Weights(*(round(weight, 3) for weight in weights))


def solution(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of linear equations with a positive definite matrix.

    >>> solution([[2.0, 0.0], [0.0, 4.0]], [2.0, 2.0])
    [1.0, 0.5]
    """
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at, row in enumerate(rows):
        for other in rows[at + 1 :]:
            share = other[at] / row[at]
            other[:] = [a - share * b for a, b in zip(other, row, strict=True)]
    found: list[float] = []
    for at in reversed(range(len(rows))):
        known = sum(map(float.__mul__, rows[at][at + 1 : -1], found))
        found.insert(0, (rows[at][-1] - known) / rows[at][at])
    return found


def main() -> None:
    """Prints the weights and a table of promised and real losses."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--deals", type=int, default=60, help="deals of each game")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    tasks = [(name, number) for number, name in product(range(options.deals), options.games)]
    found: list[Tried] = []
    with ProcessPoolExecutor(options.workers) as pool:
        for deal in pool.map(tried, tasks):
            if deal is not None:
                found.append(deal)
                print(*deal, file=sys.stderr, flush=True)
    halves = [[deal for deal in found if deal[1] % 2 == half] for half in range(2)]
    fitted = [fit(half) for half in halves]
    print(f"fitted on even deals: {fitted[0]}")
    print(f"fitted on odd deals:  {fitted[1]}")
    print(f"fitted on all deals:  {fit(found)}")
    print(f"in use:               {WEIGHTS}\n")
    print("| Difficulty | Deals | Mean | Lost, % |")
    print("|---|--:|--:|--:|")
    rated = [
        (Difficulty.of(signs, weights).figure, won)
        for weights, half in zip(reversed(fitted), halves, strict=True)
        for _, _, signs, won in half
    ]
    for low in range(0, 100, 20):
        group = [each for each in rated if low <= min(each[0], 99) < low + 20]
        if group:
            mean = sum(figure for figure, _ in group) / len(group)
            lost = 100 * sum(not won for _, won in group) / len(group)
            print(f"| {low} to {low + 19} | {len(group)} | {mean:.0f} | {lost:.0f} |")


if __name__ == "__main__":
    main()
