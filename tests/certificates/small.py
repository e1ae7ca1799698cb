"""Small games whose every position can be examined."""

import random
from dataclasses import dataclass
from pathlib import Path

from cadogan import Game
from cadogan.certificates.game import Keys
from cadogan.certificates.interpreter import Interpreter, Position
from cadogan.certificates.tables import read_tables
from cadogan.rules.pipeline import load_rules
from tests.games import write_game

HEAD = """
name  = "Small"
packs = 1
ranks = "{ranks}"

[foundations]
piles = 4
base  = "ace"
build = "up in suit"
"""

GARDEN = (
    HEAD.format(ranks="A 2 3")
    + """
[garden]
role  = "tableau"
piles = 2
deal  = 5
build = "down"
space = "any card"

[bouquet]
role  = "reserve"
piles = 2
deal  = 1
"""
)
CELLS = (
    HEAD.format(ranks="A 2 3 4")
    + """
[tableau]
piles = 4
deal  = 4
build = "down in alternate colours"
space = "none"

[cells]
role  = "cell"
piles = 1
"""
)
FANS = (
    HEAD.format(ranks="A 2 3 4")
    + """
[fans]
role  = "tableau"
piles = 5
deal  = [4, 3, 3, 3, 3]
build = "down in suit"
space = "none"
"""
)
RUNS = (
    HEAD.format(ranks="A 2 3")
    + """
[tableau]
piles = 4
deal  = 3
build = "down in alternate colours"
moves = "sequences"
space = "none"
"""
)
KEY = """
name  = "Small"
packs = 2
ranks = "A 2 3"
suits = "spades hearts"

[foundations]
piles = 4
base  = "ace"
build = "up in suit"

[key]
role  = "reserve"
piles = 1
deal  = 6

[row]
role  = "tableau"
piles = 3
deal  = 2
build = "down"
space = "none"
from  = "row"
"""
SMALL = {"garden": GARDEN, "cells": CELLS, "fans": FANS, "runs": RUNS, "key": KEY}


@dataclass(frozen=True)
class Graph:
    """All positions of a deal, and which of them can be won.

    Attributes:
        start: The key of the first position.
        positions: All positions by their keys.
        winnable: The keys of those that can be won.
    """

    start: bytes
    positions: dict[bytes, Position]
    winnable: frozenset[bytes]


def game_of(folder: Path, name: str) -> tuple[Game, dict[str, object]]:
    """A small game, and its program."""
    game = write_game(folder, SMALL[name], name)
    return game, load_rules(game.name).program.data


def explore(play: Interpreter, start: Position, most: int = 8_000) -> Graph | None:
    """Examines all positions of a deal; none if there are too many."""
    keys = Keys(play.tables)
    first = keys.key(start)
    positions = {first: start}
    leads: dict[bytes, set[bytes]] = {}
    won = []
    waiting = [first]
    while waiting:
        here = waiting.pop()
        position = positions[here]
        if play.is_won(position):
            won.append(here)
        for move in play.moves(position):
            after = play.play(position, move)
            key = keys.key(after)
            leads.setdefault(key, set()).add(here)
            if key not in positions:
                positions[key] = after
                waiting.append(key)
        if len(positions) > most:
            return None
    winnable = set(won)
    while won:
        for before in leads.get(won.pop(), ()):
            if before not in winnable:
                winnable.add(before)
                won.append(before)
    return Graph(first, positions, frozenset(winnable))


def shuffled(data: dict[str, object], chance: random.Random) -> bytes:
    """A shuffled deck of a program."""
    deck = list(read_tables(data).deck)
    chance.shuffle(deck)
    return bytes(deck)
