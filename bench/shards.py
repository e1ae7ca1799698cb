"""How unevenly the shards of a study finish: ``python -m bench.shards STORE``.

It takes a finished study and works out, for several numbers of shards, how many nodes the slowest
shard searched, compared with the average: if the deals are dealt out in turn, as
``cadogan study run --shard`` does it, and if each shard had a stretch of deals. It also plays
through how long some machines need that take shard after shard from a queue.
"""

import heapq
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from cadogan.study.store import Store

SHARDS = (4, 10, 25, 50, 100, 250, 500)
MACHINES = (4, 25, 50)


def nodes_of(store: Store) -> list[int]:
    """The nodes that each deal took with all its budgets, in the order of the deals."""
    with store.open() as connection:
        rows = connection.execute(
            "select game, player, scheme, number, sum(nodes) from records "
            "group by all order by game, player, scheme, number"
        ).fetchall()
    return [int(row[-1]) for row in rows]


def in_turn(nodes: Sequence[int], count: int) -> list[int]:
    """The nodes of each shard if the deals are dealt out in turn."""
    return [sum(nodes[index::count]) for index in range(count)]


def in_stretches(nodes: Sequence[int], count: int) -> list[int]:
    """The nodes of each shard if each has a stretch of deals."""
    cuts = [len(nodes) * index // count for index in range(count + 1)]
    return [sum(nodes[one:other]) for one, other in pairwise(cuts)]


def makespan(shards: Iterable[int], machines: int) -> int:
    """When the last of some machines is done that take one shard after the other."""
    ends = [0] * machines
    for nodes in shards:
        heapq.heapreplace(ends, ends[0] + nodes)
    return max(ends)


def unevenness(shards: Sequence[int]) -> float:
    """By how much the slowest shard takes longer than the average one."""
    return max(shards) * len(shards) / sum(shards) - 1


def report(nodes: Sequence[int]) -> str:
    """The tables, in Markdown."""
    lines = [
        "| Shards | Deals in each | Slowest shard, dealt in turn | in stretches |",
        "|--:|--:|--:|--:|",
    ]
    counts = [count for count in SHARDS if count <= len(nodes) // 10]
    for count in counts:
        turn, stretch = in_turn(nodes, count), in_stretches(nodes, count)
        lines.append(
            f"| {count} | {len(nodes) // count:,} | +{100 * unevenness(turn):.0f} % "
            f"| +{100 * unevenness(stretch):.0f} % |"
        )
    machines = [each for each in MACHINES if each <= max(counts, default=0)]
    lines += [
        "",
        "| Shards | " + " | ".join(f"idle on {each} machines" for each in machines) + " |",
        "|--:|" + "--:|" * len(machines),
    ]
    for count in counts:
        cells = []
        for each in machines:
            span = makespan(in_turn(nodes, count), each)
            cells.append(
                f"{100 * (1 - sum(nodes) / (span * each)):.0f} %" if count >= each else "-"
            )
        lines.append(f"| {count} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    import argparse

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path, help="the folder of a finished study")
    print(report(nodes_of(Store(parser.parse_args().store))))


if __name__ == "__main__":
    main()
