"""Shared by tests of games: special decks, small games, random walks."""

import random
from collections.abc import Iterable
from pathlib import Path

from cadogan import Card, Game, Position, load
from cadogan.cards import parse_cards

TINY = """
name  = "Tiny"
packs = 1
ranks = "A 2 3"
suits = "spades hearts"

[foundations]
piles = 2
base  = "ace"
build = "up in suit"

[row]
role  = "tableau"
piles = 3
deal  = 2
build = "down in suit"
"""
"""Six cards in three piles: row.1 takes the first and the fourth card of a deck."""


def write_game(folder: Path, text: str = TINY, name: str = "tiny") -> Game:
    """Writes a rules file and loads it."""
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def deal_with(game: Game, first: str | Iterable[Card]) -> Position:
    """Deals some cards first and the rest of the pack in its order."""
    cards = parse_cards(first) if isinstance(first, str) else list(first)
    rest = list(game.pack)
    for card in cards:
        rest.remove(card)
    return game.deal(deck=[*cards, *rest])


def play_all(position: Position, line: str) -> Position:
    """Plays moves that are parted by semicolons."""
    for move in line.split(";"):
        position = position.play(move.strip())
    return position


def walk(game: Game, deal: str, length: int, seed: int = 0) -> list[Position]:
    """The positions of a game in which every move is drawn by lot."""
    chance = random.Random(f"{game.name} {deal} {seed}")
    positions = [game.deal(deal)]
    for _ in range(length):
        moves = positions[-1].moves()
        if not moves:
            break
        positions.append(positions[-1].play(chance.choice(moves)))
    return positions
