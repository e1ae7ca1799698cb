"""Legal moves as lists: every move has its number in both."""

import re

import pytest

from cadogan import load
from cadogan.cli.draw import LETTERS
from cadogan.cli.listing import gathered, numbered
from cadogan.rules import catalogue


@pytest.mark.parametrize("name", catalogue())
def test_every_move_is_numbered(name: str) -> None:
    position = load(name).deal("cadogan:1")
    lines = numbered(position, LETTERS).plain.split("\n")
    for number, (move, line) in enumerate(zip(position.moves(), lines, strict=True), 1):
        assert re.match(rf" *{number}  {re.escape(move.text)}", line)


def test_gathered_moves_keep_their_numbers_and_the_width() -> None:
    position = load("freecell").deal("ms:617")
    text = gathered(position, LETTERS, 60).plain
    assert max(map(len, text.split("\n"))) <= 60
    first = position.moves()[0]
    about = gathered(position, LETTERS, 60, first.source).plain
    assert set(about.split()) <= set(text.split()) | {"1"}
    assert len(about) < len(text)


def test_cards_that_leave_together_stand_in_the_order_of_their_piles() -> None:
    position = load("pyramid").deal("cadogan:1")
    assert "pyramid.22 + pyramid.23 7D 6H" in gathered(position, LETTERS, 80).plain


def test_a_card_drawn_from_under_others_stands_alone() -> None:
    position = load("three-shuffles-and-a-draw").deal("cadogan:1")
    text = gathered(position, LETTERS, 80).plain
    assert re.search(r"^fans\.1 QD +> .* fans\.16 KD$", text, re.MULTILINE)
