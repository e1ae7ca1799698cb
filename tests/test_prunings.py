"""No pruning, and no laxer rule, contradicts a verdict.

Positions near the end of games that are won, and random positions after them, are small enough to
be decided in many ways: with every pruning, without each of them, without all of them. What is
decided twice must be decided alike.
"""

import random
from itertools import pairwise
from pathlib import Path

import pytest

from cadogan import Game, Position, load, solve
from cadogan.rules import catalogue
from cadogan.solver.solve import PRUNINGS
from tests.conftest import THOROUGH
from tests.games import write_game

pytestmark = pytest.mark.takes_turns(5)

DEALS = 40 if THOROUGH else 6
BUDGET = 20_000 if THOROUGH else 2000
SEARCH = 20_000
BACK = range(3, 60, 3) if THOROUGH else (4, 8, 13, 20)

SETS: tuple[tuple[str, ...], ...] = ((), PRUNINGS, *((pruning,) for pruning in PRUNINGS))


def small_positions(game: Game, number: int) -> list[tuple[Position, bool]]:
    """Positions near an end, and whether they lie on a line that wins."""
    chance = random.Random(number)
    position = game.deal(f"cadogan:{number}")
    positions = [position]
    for move in solve(position, SEARCH).line:
        position = position.play(move)
        positions.append(position)
    if position.outcome != "won":
        # Nobody knows a line: as far as chance leads.
        while (
            (moves := position.moves()) and position.move_count < 400 and position.outcome is None
        ):
            position = position.play(chance.choice(moves))
        back = [position]
        for _ in range(max(BACK)):
            back.append(back[-1].undo() if back[-1].move_count else back[-1])
        return [(back[steps], False) for steps in BACK]
    found = []
    for steps in BACK:
        here = positions[max(len(positions) - 1 - steps, 0)]
        found.append((here, True))
        for _ in range(5):
            if here.outcome is None:
                here = here.play(chance.choice(here.moves()))
        found.append((here, False))
    return found


@pytest.mark.costly
@pytest.mark.timeout(1800 if THOROUGH else 120)
@pytest.mark.parametrize("name", catalogue())
def test_no_pruning_changes_a_verdict(name: str) -> None:
    game = load(name)
    for number in range(1, DEALS + 1):
        for position, is_winnable in small_positions(game, number):
            found = {solve(position, BUDGET, disable=without).status: without for without in SETS}
            if is_winnable:
                assert "unwinnable" not in found, f"{found}: {position}"
            assert not {"winnable", "unwinnable"} <= found.keys(), f"{found}: {position}"


STRICTER_FIRST = (
    ("flower-garden", "flower-garden:worrying-back"),
    ("flower-garden", "flower-garden:sequences"),
    ("bakers-game:kings-only", "bakers-game"),
    ("eight-off", "eight-off:any-space"),
    ("fan", "fan:worrying-back"),
    ("king-albert", "king-albert:worrying-back"),
    ("raglan", "raglan:worrying-back"),
    ("somerset", "somerset:worrying-back"),
    ("yukon", "yukon:worrying-back"),
    *pairwise(
        (
            "freecell:no-cells",
            "freecell:one-cell",
            "freecell:two-cells",
            "freecell:three-cells",
            "freecell",
        )
    ),
    ("golf", "golf:queens-on-kings"),
    ("golf", "golf:round-the-corner"),
    ("klondike:no-return", "klondike"),
    *pairwise(("klondike:one-pass", "klondike:two-redeals", "klondike")),
    ("canfield:two-redeals", "canfield"),
    ("spider", "spider:vacancies"),
    ("spiderette", "spiderette:vacancies"),
    ("hochzeitszug:strict", "hochzeitszug"),
    ("hochzeitszug:one-relay", "hochzeitszug"),
    ("amazons", "amazons:unlimited"),
    ("amazons", "amazons:queens-free"),
    ("empress-of-india", "empress-of-india:double-play"),
)


@pytest.mark.parametrize(("strict", "loose"), STRICTER_FIRST)
def test_what_can_be_won_can_be_won_by_laxer_rules(strict: str, loose: str) -> None:
    for number in range(1, 200 if THOROUGH else 20):
        deal = f"cadogan:{number}"
        if solve(load(strict).deal(deal), BUDGET * 2).status == "winnable":
            assert solve(load(loose).deal(deal), BUDGET * 2).status != "unwinnable", deal


WINNABLE = {"the-queens": (4358,)}
"""Deals that are won, of games that hardly ever are."""


@pytest.mark.costly
@pytest.mark.timeout(1800 if THOROUGH else 120)
@pytest.mark.parametrize("name", catalogue())
def test_no_position_of_a_line_that_wins_is_lost(name: str) -> None:
    game = load(name)
    for number in WINNABLE.get(name, range(1, DEALS + 1)):
        position = game.deal(f"cadogan:{number}")
        for move in solve(position, SEARCH).line:
            position = position.play(move)
            # Lost positions that are seen at a glance, and small spaces, cost next to nothing.
            assert solve(position, 60).status != "unwinnable", str(position)


def test_chains_are_listed_only_where_they_are_few(tmp_path: Path) -> None:
    """A pile that takes nearly any card has more chains of reserve cards than memory holds."""
    game = write_game(
        tmp_path,
        """
        name = "Klondike with a pile that takes nearly any card"
        [foundations]
        piles = 4
        base = "ace"
        build = "up in suit"
        [tableau]
        piles = 7
        deal_down = [0, 1, 2, 3, 4, 5, 6]
        deal = 1
        build = "down in alternate colours"
        moves = "sequences"
        space = "kings"
        [stock]
        deals = "1 to waste"
        redeals = "unlimited"
        [waste]
        [alley]
        role = "tableau"
        piles = 1
        build = "any rank in alternate colours"
        """,
    )
    for number in range(1, 4):
        assert solve(game.deal(f"cadogan:{number}"), 1_000).nodes <= 1_000
