"""What tests of environments share."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cadogan import Move, Position
from cadogan.rl import PatienceEnv

STEPS = 40


def walk(env: PatienceEnv, seed: int, length: int = STEPS) -> Iterator[tuple[Any, dict[str, Any]]]:
    """What is observed in a game of random legal actions."""
    chance = random.Random(seed)
    observation, info = env.reset(seed=seed)
    yield observation, info
    for _ in range(length):
        legal = np.flatnonzero(info["action_mask"])
        if not len(legal):
            return
        observation, _, terminated, truncated, info = env.step(int(chance.choice(legal)))
        yield observation, info
        if terminated or truncated:
            return


def line_of(game: str) -> list[Move]:
    """The player's moves of the game won in ``tests/lines``."""
    lines = Path(__file__).parent.parent / "lines" / f"{game}.txt"
    name, *moves = [line for line in lines.read_text().splitlines() if not line.startswith("#")]
    position = Position.parse(f"{name} | {'; '.join(moves)}")
    return [move for move in position.line if not move.forced]
