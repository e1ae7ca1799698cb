"""Plots how many deals two solvers decide over time.

Run it as ``python -m bench.beside.plot deals.csv decided.svg``, where ``deals.csv`` was written by
``bench.beside.solvitaire --csv``.
"""

import argparse
import csv
from pathlib import Path

from matplotlib.figure import Figure

OURS, THEIRS = "Cadogan", "Solvitaire"
_HEIGHT = 3.6
"""Inches."""


def decided(path: Path) -> dict[str, dict[str, list[float]]]:
    """Reads when deals were decided.

    Args:
        path: A file that the comparison wrote.

    Returns:
        For each game and program, the sorted seconds after which deals were decided.

    Raises:
        OSError: If the file cannot be read.
        KeyError: If a column is missing.
    """
    games: dict[str, dict[str, list[float]]] = {}
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            times = games.setdefault(row["game"], {OURS: [], THEIRS: []})
            for program, verdict, column in (
                (OURS, "ours", "our_seconds"),
                (THEIRS, "theirs", "their_seconds"),
            ):
                if row[verdict] in ("winnable", "unwinnable"):
                    times[program].append(float(row[column]))
    return {
        game: {name: sorted(seconds) for name, seconds in times.items()}
        for game, times in games.items()
    }


def draw(games: dict[str, dict[str, list[float]]], path: Path) -> None:
    """Draws one plot per game, side by side: decided deals over seconds on a logarithmic scale."""
    figure = Figure(figsize=(_HEIGHT * 1.3 * len(games), _HEIGHT), layout="constrained")
    for place, (game, times) in enumerate(games.items(), start=1):
        axes = figure.add_subplot(1, len(games), place)
        for program, seconds in times.items():
            # Zero has no place on a logarithmic scale.
            shown = [max(second, 1e-4) for second in seconds]
            axes.step(shown, range(1, len(shown) + 1), where="post", label=program)
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.set_title(game)
        axes.set_xlabel("processor seconds per deal")
        axes.set_ylabel("deals decided")
        axes.grid(visible=True, alpha=0.3)
        axes.legend()
    # The same numbers give the same file.
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description="Draw deals decided over time.")
    parser.add_argument("tables", type=Path, nargs="+", help="what --csv wrote")
    parser.add_argument("picture", type=Path, help="the .svg or .png to write")
    arguments = parser.parse_args()
    games: dict[str, dict[str, list[float]]] = {}
    for table in arguments.tables:
        games |= decided(table)
    draw(games, arguments.picture)
    print(f"Drawn: {arguments.picture}, {', '.join(games)}")


if __name__ == "__main__":
    main()
