"""Whether the fair player is ever worse than the greedy one: ``python -m bench.players``.

Both players play the same deals of each game. A game in which only the greedy player won so many
deals that chance does not explain it (McNemar's exact test) is named at the end: that is a fault of
the fair player. The fair player has few nodes, so that the whole catalogue takes about twenty
minutes; with few nodes it comes closest to being worse. Games of points are left out: there is no
win to count.

The results of each game are saved when it is done, and belong to its rules; the next run continues
with the games that lack some. ``--again`` plays all of them again.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

from cadogan import load
from cadogan.rules.index import entries
from cadogan.study.players import Player, play
from cadogan.study.statistics import mcnemar

RESULTS: Final = Path(__file__).parent / "results" / "players.json"
FAIR: Final = "fair budget=60000 samples=8 solver=500"
GREEDY: Final = "greedy"
STEP: Final = 4
"""Without names of games, every so many games of a family are played first."""
CHANCE: Final = 0.02
"""A game with a smaller p-value than this is named."""

Result = dict[str, Any]


def order() -> list[str]:
    """All games: first a sample over all families, then the others."""
    families: dict[str, list[str]] = {}
    for name, entry in sorted(entries().items()):
        families.setdefault(entry.family, []).append(name)
    return [
        name for first in range(STEP) for names in families.values() for name in names[first::STEP]
    ]


def compared(task: tuple[str, int]) -> tuple[str, Result | None]:
    """Lets both players play some deals of a game; none if the game counts points."""
    name, deals = task
    game = load(name)
    result: Result = {"rules": game.digest[:12], "deals": deals, "fair": 0, "greedy": 0, "both": 0}
    for number in range(deals):
        played = [play(game, f"cadogan:{number}", Player.parse(who), 0) for who in (FAIR, GREEDY)]
        if any(each.proof for each in played):
            return name, None
        fair, greedy = (each.verdict == "won" for each in played)
        result["fair"] += fair
        result["greedy"] += greedy
        result["both"] += fair and greedy
    return name, result


def worse(results: Mapping[str, Result]) -> Iterator[tuple[str, Result, float]]:
    """The games in which the fair player is below the greedy one, and how likely that is."""
    for name, result in sorted(results.items()):
        if result["fair"] < result["greedy"]:
            only = [result[who] - result["both"] for who in ("fair", "greedy")]
            yield name, result, mcnemar(*only)


def read(path: Path = RESULTS) -> dict[str, Result]:
    """The results that belong to the rules of today."""
    if not path.exists():
        return {}
    known: dict[str, Result] = json.loads(path.read_text(encoding="utf-8"))
    today = entries()
    return {
        name: result
        for name, result in known.items()
        if name in today and load(name).digest.startswith(result["rules"])
    }


def write(results: Mapping[str, Result], path: Path = RESULTS) -> None:
    """Writes the results, one line per game."""
    rows = [f"  {json.dumps(name)}: {json.dumps(results[name])}" for name in sorted(results)]
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def main() -> int:
    """Plays, and names the games in which the fair player is worse."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", help="names of games; all of the catalogue")
    parser.add_argument("--deals", type=int, default=20, help="deals of each game")
    parser.add_argument("--most", type=int, help="play only so many games")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="play all games again")
    options = parser.parse_args()
    results = {} if options.again else read()
    wanted = options.games or order()
    tasks = [
        (name, options.deals)
        for name in wanted
        if name not in results or results[name]["deals"] < options.deals
    ]
    with ProcessPoolExecutor(options.workers) as pool:
        for name, result in pool.map(compared, tasks[: options.most]):
            print(name, result, file=sys.stderr, flush=True)
            if result is not None:
                results[name] = result
                write(results)
    won = [sum(result[who] for result in results.values()) for who in ("fair", "greedy")]
    print(f"{len(results)} games: the fair player won {won[0]:,} deals, the greedy one {won[1]:,}")
    found = list(worse(results))
    for name, result, chance in found:
        won = [result[who] for who in ("fair", "greedy")]
        print(f"{name}: {won[0]} to {won[1]} of {result['deals']} deals, p {chance:.3f}")
    return int(any(chance < CHANCE for _, _, chance in found))


if __name__ == "__main__":
    sys.exit(main())
