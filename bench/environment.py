"""``python -m bench.environment``: measures how many steps a second environments make.

All figures are for one core and for random legal actions, which the kernel draws; drawing them is
part of the time, and so are the deals of games that are over. Each figure is the best of several
tries, because other work on the machine only makes a try slower. *Processor* counts the time that
the process had a core, *clock* counts the time that passed. ``bench/README.md`` has recorded
figures.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np
from rich.console import Console
from rich.table import Table

from bench.games import add_games
from cadogan import _kernel
from cadogan.rl import PatienceEnv, PatienceVectorEnv

AIM = {"klondike": 1e6}
"""The target for steps a second of processor time."""
TRIES = 5


@dataclass(frozen=True)
class Speed:
    """Steps a second."""

    processor: float
    clock: float


@dataclass(frozen=True)
class Figures:
    """The figures of a game.

    Attributes:
        game: The game.
        actions: The number of its actions.
        observation: Bytes of an observation.
        legal: Legal actions of a position on average.
        stepped: Games stepped together, without copies of observations and masks.
        copied: The same with copies.
        alone: One game at a time, as ``gymnasium.Env``.
    """

    game: str
    actions: int
    observation: int
    legal: float
    stepped: Speed
    copied: Speed
    alone: Speed


def measure(game: str, number: int, seconds: float) -> Figures:
    """Measures a game."""
    envs = PatienceVectorEnv(game, number, copy=False)
    _, infos = envs.reset(seed=0)
    legal = []

    def step(envs: PatienceVectorEnv) -> Callable[[], int]:
        def once() -> int:
            envs.step(envs.sample_actions())
            return number

        return once

    stepped = speed(step(envs), seconds)
    for _ in range(20):
        legal.append(infos["action_mask"].sum() / number)
        envs.step(envs.sample_actions())
    copying = PatienceVectorEnv(game, number)
    copying.reset(seed=0)
    return Figures(
        game=game,
        actions=envs.spaces.action_count,
        observation=envs.spaces.observation_size,
        legal=float(np.mean(legal)),
        stepped=stepped,
        copied=speed(step(copying), seconds),
        alone=speed(play_alone(game), seconds),
    )


def play_alone(game: str) -> Callable[[], int]:
    """Plays games one at a time; each call is one step."""
    env = PatienceEnv(game)
    _, info = env.reset(seed=0)
    chance = np.random.default_rng(0)

    def once() -> int:
        nonlocal info
        legal = np.flatnonzero(info["action_mask"])
        # A deal can be over before the first move; any step says so.
        action = chance.choice(legal) if len(legal) else 0
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()
        return 1

    return once


def speed(work: Callable[[], int], seconds: float) -> Speed:
    """The best speed of some work, which returns the number of its steps."""
    best = Speed(0, 0)
    for _ in range(TRIES):
        steps, clock, processor = 0, time.perf_counter(), time.process_time()
        while time.perf_counter() - clock < seconds:
            steps += work()
        best = Speed(
            max(best.processor, steps / (time.process_time() - processor)),
            max(best.clock, steps / (time.perf_counter() - clock)),
        )
    return best


def main() -> int:
    """Measures the games and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_games(parser)
    parser.add_argument("--number", type=int, default=512, help="games stepped together")
    parser.add_argument("--seconds", type=float, default=0.3, help="how long a try takes")
    parser.add_argument("--json", help="writes the figures to this file, too")
    given = parser.parse_args()
    if _kernel.build_profile != "release":
        print("this kernel is a debug build; its speed says nothing", file=sys.stderr)
        return 1
    table = Table("Game", "Actions", "Bytes", "Legal", "Processor", "Clock", "Copied", "Alone")
    figures = []
    for game in given.games:
        print(f"measuring {game} ...", file=sys.stderr)
        each = measure(game, given.number, given.seconds)
        figures.append(each)
        speeds = (each.stepped.processor, each.stepped.clock, each.copied.processor)
        table.add_row(
            game,
            f"{each.actions:,}",
            f"{each.observation:,}",
            f"{each.legal:.1f}",
            *(f"{speed / 1000:,.0f}" for speed in (*speeds, each.alone.processor)),
        )
    Console().print(table, "Speeds in thousands of steps a second.")
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:  # noqa: PTH123
            json.dump([asdict(each) for each in figures], file, indent=2)
    missed = [each.game for each in figures if each.stepped.processor < AIM.get(each.game, 0)]
    if missed:
        print(f"below the target: {', '.join(missed)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
