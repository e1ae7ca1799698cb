"""Shared by the tests of vectors: positions given as cards, and searches for situations."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from cadogan import Game, Position
from cadogan.cards import Card, parse_cards


def cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_cards(text))


def deck_of(game: Game, places: Mapping[int, str | Iterable[Card]]) -> list[Card]:
    """A deck with some cards at certain places, counted from 0; the rest of the pack fills up.

    Args:
        game: The game whose pack it is.
        places: For places in the order of dealing, the cards that lie there and at the next ones.
    """
    deck: list[Card | None] = [None] * len(game.pack)
    rest = Counter(game.pack)
    for place, told in places.items():
        for offset, card in enumerate(cards(told) if isinstance(told, str) else told):
            assert deck[place + offset] is None, f"two cards at {place + offset}"
            deck[place + offset] = card
            rest[card] -= 1
            assert rest[card] >= 0, f"too many {card}"
    others = iter(sorted(rest.elements()))
    return [next(others) if card is None else card for card in deck]


def texts(position: Position, rule: str | None = None) -> set[str]:
    """The texts of the legal moves, all or those of one rule."""
    return {move.text for move in position.moves() if rule in (None, move.rule)}


def next_first(position: Position, pile: str = "stock") -> tuple[Card, ...]:
    """A stock as the prose of the rules writes it: the next card first."""
    return position.piles[pile][::-1]


def in_rounds(deck: Iterable[Card], piles: int, rounds: int) -> list[tuple[Card, ...]]:
    """The piles that some cards make when they are dealt one to each, again and again."""
    dealt = list(deck)
    return [tuple(dealt[pile : piles * rounds : piles]) for pile in range(piles)]


def reached(
    game: Game,
    wanted: Callable[[Position], bool],
    weight: Callable[[Position, str], float] = lambda position, text: 1.0,
    tries: int = 200,
    length: int = 400,
    first: int = 0,
) -> Position:
    """A position of some kind, found by playing deals at random.

    Args:
        game: The game.
        wanted: Tells the positions that will do.
        weight: How likely a move is to be chosen, by its text; 0 for never.
        tries: How many deals may be played.
        length: How many moves long.
        first: The first deal to play; what is wanted is sought from there.
    """
    for number in range(first, first + tries):
        chance = random.Random(number)
        position = game.deal(f"cadogan:{number}")
        for _ in range(length):
            if wanted(position):
                return position
            moves = [move.text for move in position.moves()]
            weights = [weight(position, text) for text in moves]
            if not any(weights):
                break
            position = position.play(chance.choices(moves, weights)[0])
    raise AssertionError(f"no such position in {tries} deals of {game.name}")
