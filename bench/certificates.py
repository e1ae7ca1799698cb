"""``python -m bench.certificates``: how large certificates of lost deals are, and how fast.

Goes through the deals of each game in order, certifies those that are lost, and checks every
certificate. The table is in ``docs/certificates.md``. Seconds are processor time on one thread.
"""

import argparse
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from cadogan import Position, load, solve
from cadogan.certificates import check
from cadogan.solver.certificate import NoCertificateError, certify

GAMES = (
    "fan",
    "freecell:one-cell",
    "beleaguered-castle",
    "bakers-game",
    "streets-and-alleys",
    "amazons",
    "the-queens",
    "canfield",
    "king-albert",
)
BUDGET = 300_000


@dataclass
class Row:
    """The certificates of a game.

    Attributes:
        game: The game.
        last: The number of the last deal that was tried.
        lost: How many deals are lost.
        positions: The number of positions of each certificate.
        sizes: The number of bytes of each certificate.
        writing: The seconds for finding each certificate.
        checking: The seconds for checking each certificate.
        arguments: How many positions use each kind of argument.
    """

    game: str
    last: int = 0
    lost: int = 0
    positions: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    writing: list[float] = field(default_factory=list)
    checking: list[float] = field(default_factory=list)
    arguments: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        cells = [self.game, f"1-{self.last}", f"{len(self.positions)} of {self.lost}"]
        for numbers in self.positions, self.sizes:
            cells += [f"{statistics.median(numbers):,.0f}", f"{max(numbers):,}"]
        for times in self.writing, self.checking:
            cells += [f"{statistics.median(times):.2f}", f"{max(times):.1f}"]
        return "| " + " | ".join(cells) + " |"


HEAD = (
    "| Game | `cadogan:` | Certified | Positions | most | Bytes | most | Writing, s | most "
    "| Checking, s | most |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


def lost_deals(game: str) -> Iterator[tuple[int, Position]]:
    """The lost deals of a game, with their numbers."""
    loaded = load(game)
    number = 0
    while True:
        number += 1
        position = loaded.deal(f"cadogan:{number}")
        if solve(position, budget=BUDGET).status == "unwinnable":
            yield number, position


def measure(game: str, deals: int, positions: int) -> Row:
    """Certifies lost deals of a game and checks the certificates."""
    row = Row(game)
    for number, position in lost_deals(game):
        row.last = number
        row.lost += 1
        begun = time.process_time()
        try:
            text = certify(position, max_positions=positions)
        except NoCertificateError as fault:
            print(f"{game} cadogan:{number}: {fault}", file=sys.stderr)
        else:
            row.writing.append(time.process_time() - begun)
            begun = time.process_time()
            checked = check(text, max_positions=positions)
            row.checking.append(time.process_time() - begun)
            row.positions.append(checked.certificate.positions)
            row.sizes.append(len(text))
            row.arguments.update(checked.arguments)
        if row.lost == deals:
            return row
    raise AssertionError("deals never end")


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="bench.certificates", description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES, help="the games")
    parser.add_argument("--deals", type=int, default=20, help="lost deals of each game")
    parser.add_argument("--positions", type=int, default=1_000_000, help="most positions of each")
    asked = parser.parse_args()
    print(HEAD)
    rows = []
    for game in asked.games:
        rows.append(measure(game, asked.deals, asked.positions))
        print(rows[-1], flush=True)
    print()
    for row in rows:
        total = row.arguments.total()
        shares = (f"{kind} {number / total:.0%}" for kind, number in row.arguments.items())
        print(f"{row.game}: {', '.join(shares)}")


if __name__ == "__main__":
    main()
