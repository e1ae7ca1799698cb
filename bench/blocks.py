"""A study of very many deals, in blocks: ``python -m bench.blocks klondike:draw-three STUDY``.

A million deals take many hours. So a study may try a part of them, and this adds each complete
block of deals to a file in ``bench/results``: how many were won and lost, and a digest of the
verdicts, by which a block that was tried again is compared. A block with an undecided deal is not
added. bench/README.md shows the sum, and how to try a block again.
"""

import argparse
import csv
import hashlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import groupby
from pathlib import Path
from typing import Final

from cadogan.study.results import Results
from cadogan.study.statistics import Tally

ROOT: Final = Path(__file__).parents[1]
SIZE: Final = 10_000
"""The deals of a block. The first block begins with ``cadogan:1``."""


@dataclass(frozen=True, slots=True)
class Block:
    """The verdicts of the deals of a block.

    Attributes:
        first: The number of the first deal.
        won: How many can be won.
        lost: How many cannot be won.
        nodes: The positions that the solver visited.
        digest: The beginning of the SHA-256 of the verdicts in their order, a ``w`` or an ``l``
            each.
    """

    first: int
    won: int
    lost: int
    nodes: int
    digest: str


def path_of(game: str) -> Path:
    """The file of a game."""
    return ROOT / "bench" / "results" / f"{game.replace(':', '-')}.csv"


def read(file: Path) -> list[Block]:
    """The blocks in a file, in their order; none if there is no file."""
    if not file.exists():
        return []
    with file.open(encoding="utf-8", newline="") as lines:
        _, *rows = csv.reader(lines)
    return [
        Block(int(first), int(won), int(lost), int(nodes), digest)
        for first, won, lost, nodes, digest in rows
    ]


def write(file: Path, blocks: Sequence[Block]) -> None:
    """Writes blocks into a file."""
    with file.open("w", encoding="utf-8", newline="") as lines:
        table = csv.writer(lines, lineterminator="\n")
        table.writerow([field.name for field in fields(Block)])
        table.writerows(astuple(block) for block in blocks)


def in_study(folder: Path, game: str) -> Iterator[Block]:
    """The complete blocks of a study."""
    chosen = (
        "game = ? and player like 'thoughtful%' and scheme = 'cadogan' and number > 0 "
        "and verdict in ('winnable', 'unwinnable')"
    )
    records = Results(folder).records(chosen, [game])
    found = {record.number: (record.verdict[0], record.nodes) for record in records}
    for block, numbers in groupby(sorted(found), lambda number: (number - 1) // SIZE):
        deals = [found[number] for number in numbers]
        if len(deals) == SIZE:
            verdicts = "".join(verdict for verdict, _ in deals).replace("u", "l")
            won, nodes = verdicts.count("w"), sum(nodes for _, nodes in deals)
            digest = hashlib.sha256(verdicts.encode()).hexdigest()[:16]
            yield Block(block * SIZE + 1, won, SIZE - won, nodes, digest)


def total(blocks: Sequence[Block]) -> str:
    """The sum of the blocks in words.

    >>> total([Block(1, 8174, 1826, 200_000_000, "")])
    '10,000 deals: 8,174 won, 1,826 lost; 81.740 %, 80.971 to 82.485 %'
    """
    tally = Tally(sum(block.won for block in blocks), sum(block.lost for block in blocks))
    interval = tally.interval()
    share, low, high = (
        100 * part for part in (tally.won / tally.deals, interval.low, interval.high)
    )
    counts = f"{tally.deals:,} deals: {tally.won:,} won, {tally.lost:,} lost"
    return f"{counts}; {share:.3f} %, {low:.3f} to {high:.3f} %"


def main() -> int:
    """Adds the blocks of studies to the file of a game; 1 if a block has other verdicts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help="the game, such as klondike:draw-three")
    parser.add_argument("study", nargs="+", type=Path, help="folders of studies")
    chosen = parser.parse_args()
    file = path_of(chosen.game)
    blocks = {block.first: block for block in read(file)}
    for folder in chosen.study:
        for block in in_study(folder, chosen.game):
            known = blocks.setdefault(block.first, block)
            if known.digest != block.digest:
                print(f"The verdicts from cadogan:{block.first} on differ: {known}, {block}")
                return 1
    write(file, [blocks[first] for first in sorted(blocks)])
    print(total(list(blocks.values())) if blocks else "No block is complete.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
