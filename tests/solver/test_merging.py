"""Games in which piles are put on each other as wholes, such as Accordion."""

from functools import cache
from pathlib import Path

import pytest

from cadogan import Card, load, solve
from tests.games import write_game

SMALL = """
name  = "Small Accordion"
packs = 1
aim   = "only one row is occupied"

[row]
role   = "tableau"
piles  = 13
deal   = 1
shown  = "top"
build  = "nothing"
closes = "at once"

[[rule]]
name  = "put a pile on another"
from  = "row"
to    = "occupied row"
along = "the left neighbour or the third to the left"
cards = "the whole pile, by its top card"
build = ["any rank in suit", "same rank"]
"""


@cache
def can_be_won(row: tuple[Card, ...]) -> bool:
    """Whether a row of piles can become one pile, by trying everything."""
    return len(row) == 1 or any(
        can_be_won((*row[:to], row[at], *row[to + 1 : at], *row[at + 1 :]))
        for at in range(1, len(row))
        for to in (at - 1, at - 3)
        if to >= 0 and (row[at].rank == row[to].rank or row[at].suit == row[to].suit)
    )


@pytest.mark.parametrize("prunings", [(), ("sinks",)])
def test_verdicts_are_those_of_trying_everything(tmp_path: Path, prunings: tuple[str, ...]) -> None:
    game = write_game(tmp_path, SMALL)
    found = {True: 0, False: 0}
    for number in range(60):
        position = game.deal(f"cadogan:{number}")
        row = tuple(cards[0] for cards in position.piles.values() if cards)
        verdict = solve(position, 100_000, disable=prunings)
        truth = can_be_won(row)
        assert verdict.status == ("winnable" if truth else "unwinnable"), number
        found[truth] += 1
    assert min(found.values()) >= 5


def test_beams_win_nearly_all_deals_of_accordion() -> None:
    game = load("accordion")
    verdicts = [solve(game.deal(f"cadogan:{number}"), 60_000) for number in range(201, 221)]
    won = [verdict for verdict in verdicts if verdict.status == "winnable"]
    # Depth-first search alone, or weights that do not look at all pairs of piles, win about half.
    assert len(won) >= 18
    assert sum(verdict.strategy == "beam:perturbed" for verdict in won) >= 15
