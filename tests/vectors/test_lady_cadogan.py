"""Lady Cadogan's games: what lies on the table after the deal, and the examples of the book."""

import pytest

from cadogan import Game, Position, load
from tests.vectors.table import deck_of, texts

RANKS = "A23456789TJQK"

# How many cards lie where, as the book says it; the sums are those of the pack.
TABLES: dict[str, dict[str, list[int]]] = {
    "babette": {"garden": [1] * 8, "stock": [96]},
    "fortress": {"left": [5, 5, 5, 5, 6], "right": [5, 5, 5, 5, 6]},
    "general-sedgewick": {"cross": [1] * 5, "foundations": [1, 0, 0, 0], "stock": [46]},
    "house-in-the-wood": {"fans": [3] * 34 + [2]},
    "house-on-the-hill": {"fans": [3] * 34 + [2]},
    "la-belle-lucie": {"fans": [3] * 17 + [1]},
    "la-nivernaise": {"flanks": [1] * 8, "line": [4] * 6, "stock": [72]},
    "light-and-shade": {
        "foundations": [1] * 8,
        "auxiliaries": [1] * 4,
        "rivals": [1] * 4,
        "stock": [88],
    },
    "margarethe": {
        "kings": [1] * 4,
        "knaves": [1] * 4,
        "queens": [1] * 4,
        "helps": [1] * 9,
        "stock": [31],
    },
    "mount-olympus": {"aces": [1] * 8, "twos": [1] * 8, "battery": [1] * 9, "stock": [79]},
    "napoleons-square": {"square": [4] * 12, "stock": [56]},
    "nestor": {"columns": [6] * 8, "reserve": [1] * 4},
    "red-and-black": {"foundations": [1] * 8, "volunteers": [1] * 8, "stock": [88]},
    "sultan": {"kings": [1] * 7, "ace": [1], "divan": [1] * 8, "stock": [87]},
    "the-carpet": {"aces": [1] * 4, "kings": [1] * 4, "uprights": [1] * 32, "stock": [32]},
    "the-constitution": {
        "foundations": [1] * 8,
        "people": [1] * 8,
        "lower-house": [1] * 8,
        "upper-house": [1] * 8,
        "council": [1] * 8,
        "stock": [48],
    },
    "the-fourteenth": {"square": [1] * 25, "stock": [79]},
    "the-herring-bone": {
        "bone": [28],
        "scenes": [1] * 8,
        "bars": [1] * 4,
        "rising-foundations": [1, 0, 0, 0],
        "falling-foundations": [0] * 4,
        "stock": [63],
    },
    "the-louis-patience": {"aces": [1] * 4, "kings": [1] * 4, "stock": [96]},
    "the-olga": {"bed": [7] * 7, "stock": [79]},
    "the-salic-law": {"packets": [1] + [0] * 7, "stock": [103]},
    "the-terrace": {"terrace": [13], "valley": [1] * 3 + [0] * 6, "stock": [88]},
    "the-wheel": {"cushion": [1] * 12, "stock": [84]},
    "the-zodiac": {"equator": [1] * 8, "zodiac": [1] * 24, "stock": [72]},
    "two-rings": {"sevens": [1] * 8, "sixes": [1] * 8, "bracelet": [1] * 8, "stock": [80]},
}


def heights(position: Position, group: str) -> list[int]:
    return [len(pile) for name, pile in position.piles.items() if name.partition(".")[0] == group]


@pytest.mark.parametrize("name", TABLES)
def test_the_table_has_the_cards_that_the_book_lays_there(name: str) -> None:
    game = load(name)
    # An ace among the helps of Margarethe would go up at once.
    position = game.deal(deck=sorted(game.pack, reverse=True))
    assert {group: heights(position, group) for group in TABLES[name]} == TABLES[name]
    elsewhere = sum(map(len, position.piles.values())) - sum(map(sum, TABLES[name].values()))
    assert elsewhere == (32 if name == "the-carpet" else 0)


def tops(position: Position, group: str) -> str:
    return " ".join(
        str(pile[-1])
        for name, pile in position.piles.items()
        if name.partition(".")[0] == group and pile
    )


def dealt(game: Game, text: str, at: int = 0) -> Position:
    """A deal whose cards at some place are these."""
    return game.deal(deck=deck_of(game, {at: text}))


# The Fourteenth


PICTURE = """
    TH 5C 2C JS 4C
    5H 8D 3S 6S 5S
    6C KC AC 2H 3D
    AH 2D 5D 3H 6H
    3C 5C 5H 2S 4D
"""


def test_the_tableau_of_the_fourteenth_has_the_three_pairs_of_the_book_and_a_fourth() -> None:
    position = dealt(load("the-fourteenth"), PICTURE.replace("\n", " "))
    assert texts(position) == {
        "square.1 + square.5",  # the ten of hearts with the four of clubs
        "square.4 + square.19",  # the knave of spades with the three of hearts
        "square.7 + square.9",  # the eight of diamonds with the six of spades
        "square.12 + square.13",  # the king with the ace, which the book does not name
    }


# The Wheel


def test_the_cushion_of_the_wheel_in_the_book() -> None:
    position = dealt(load("the-wheel"), "KC 5D QS 9H 7C 6C 5S 2H TD 3C 8S KH")
    found = {
        tuple(sorted(RANKS.index(str(card)[0]) + 1 for card in played))
        for text in texts(position, "make a packet of the wheel")
        for played in [[position.piles[name][-1] for name in text.split(" + ")]]
    }
    assert {triple[:3] for triple in found} == {
        (2, 6, 10), (2, 7, 9), (3, 5, 10), (3, 6, 9), (3, 7, 8), (5, 6, 7),
    }  # fmt: skip
    assert {triple[3] for triple in found} == {12, 13}
