"""Tables of games for the tests of the page, as JSON: ``python -m tests.web.tables``.

With ``CADOGAN_ALL`` those of all games, otherwise of the games of the day. Each with where its
piles stand, and how cards lie at the deal and in games played at random.
"""

import json
import os
import random
import sys
from typing import Any

from cadogan import Position, load
from cadogan.rules import catalogue
from cadogan.web import serialize
from tests.sampling import games_of, today

MOVES = 60
APART = 12


def piles(position: Position) -> dict[str, list[str]]:
    """The cards of each pile as a player sees them."""
    return {pile.name: pile.cards for pile in serialize.position(position, "en").piles}


def game(name: str) -> dict[str, Any]:
    """A game: its layout, and positions of it."""
    dice = random.Random(name)
    position = load(name).deal("cadogan:1")
    found = [piles(position)]
    for number in range(MOVES):
        moves = position.moves()
        if not moves:
            break
        position = position.play(dice.choice(moves))
        if number % APART == APART - 1:
            found.append(piles(position))
    layout = serialize.layout(position.game.rulebook)
    return {"name": name, "layout": layout.model_dump(), "positions": found}


if __name__ == "__main__":
    names = catalogue()
    if not os.environ.get("CADOGAN_ALL"):
        names = tuple(sorted(games_of(today(), names)))
    json.dump([game(name) for name in names], sys.stdout)
