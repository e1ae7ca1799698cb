"""Shared by the tests of composed phrases: small games, and readers of the words of ``explain``."""

import os
import random
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from cadogan import Game, Position
from cadogan.cards import Card
from cadogan.rules.compile.compile import compile_rulebook
from cadogan.rules.explain import explain
from cadogan.rules.faults.report import Report
from cadogan.rules.pipeline import Rules, read_rulebook
from cadogan.rules.read.read import read_document
from cadogan.rules.rulebook.rulebook import Rulebook
from tests.sampling import today

MANY: Final = 25 if os.environ.get("CADOGAN_THOROUGH") else 1
RANKS: Final = "A23456789TJQK"
NUMBERS: Final = (
    *("nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen"),
)

GROUPS: Final = {"row": 4, "side": 2, "wing": 1, "nook": 1}
"""The groups of the small games, and how many piles they have."""

HEAD: Final = """\
[row]
role  = "reserve"
piles = 4

[side]
role  = "reserve"
piles = 2

[wing]
role = "reserve"

[nook]
role = "reserve"
"""

BOUNDS: Final[dict[str, Callable[[int, int], bool]]] = {
    "at least": lambda have, number: have >= number,
    "at most": lambda have, number: have <= number,
    "exactly": lambda have, number: have == number,
    "more than": lambda have, number: have > number,
    "fewer than": lambda have, number: have < number,
}
SIZES: Final[dict[str, Callable[[int, int], bool]]] = {
    "more cards than": lambda one, other: one > other,
    "fewer cards than": lambda one, other: one < other,
    "as many cards as": lambda one, other: one == other,
    "at least as many cards as": lambda one, other: one >= other,
    "at most as many cards as": lambda one, other: one <= other,
}


def names_of(group: str) -> list[str]:
    """The piles of a group: ``row.1`` to ``row.4``, or ``wing``."""
    return [f"{group}.{n + 1}" for n in range(GROUPS[group])] if GROUPS[group] > 1 else [group]


def chance(name: str) -> random.Random:
    """What a test draws today: each day something else, and the same again on the same day."""
    return random.Random(f"{name} {os.environ.get('CADOGAN_SEED') or today()}")


def read_game(text: str) -> tuple[Game, Rulebook] | list[str]:
    """A game of a rules file, or the codes of its faults."""
    document = read_document(text, "a.toml")
    report = Report(document)
    _, book = read_rulebook(document, "a", (), report)
    if book is None:
        return [fault.code for fault in report.errors]
    rules = Rules(book, compile_rulebook(book), report, text, "a")
    return Game("a", rules), book


def dealt(game: Game, first: Sequence[str]) -> Position:
    """Deals some cards first and the rest of the pack in its order."""
    cards = [Card.parse(card) for card in first]
    rest = list(game.pack)
    for card in cards:
        rest.remove(card)
    return game.deal(deck=[*cards, *rest])


def sentence(book: Rulebook, words: str, language: str = "en") -> str:
    """The sentences of the explanation in which some words stand, on one line."""
    text = " ".join(explain(book, language).split())
    parts = re.split(r"(?<=[.;:]) (?=[A-ZÄÖÜ#-])", text)
    return " ".join(part for part in parts if words in part)


Word = tuple[str, Callable[[re.Match[str]], object]]


def consumed(text: str, words: Iterable[Word]) -> None:
    """Reads a clause from left to right: each word of it must be understood.

    Args:
        text: The clause.
        words: Patterns, and what to do where one matches; the first that matches is taken.

    Raises:
        AssertionError: If something is left over.
    """
    words = list(words)
    rest = text
    while rest := rest.lstrip(" ,"):
        for pattern, act in words:
            if match := re.match(pattern, rest):
                act(match)
                rest = rest[match.end() :]
                break
        else:
            raise AssertionError(f"{rest!r} of {text!r} is not understood")
