"""The difficulty of deals: its signs, and what follows from them."""

import pytest

from cadogan import load, solve
from cadogan.solver.difficulty import GAMES, Difficulty, Signs, difficulty


def figure(nodes: int = 500, kept: float = 0.7, won: int = 4) -> int:
    return Difficulty.of(Signs(nodes, kept, won, GAMES)).figure


def test_each_sign_counts_in_its_direction() -> None:
    assert figure(won=8) < figure(won=4) < figure(won=0)
    assert figure(kept=0.95) <= figure(kept=0.5)
    assert figure(nodes=60) <= figure(nodes=50_000)
    assert 0 <= figure(1, 1.0, 8) < figure(10**9, 0.1, 0) <= 100


def test_the_difficulty_of_a_deal_is_always_the_same() -> None:
    position = load("klondike").deal("cadogan:1")
    first = difficulty(position)
    assert first is not None
    assert first == difficulty(position, solve(position))
    signs = first.signs
    assert 0 < signs.kept <= 1
    assert 0 <= signs.won <= signs.games == GAMES
    assert str(first).startswith(f"difficulty {first.figure} of 100: ")


def test_a_lost_deal_has_no_difficulty() -> None:
    lost = next(
        deal
        for deal in (load("amazons").deal(f"cadogan:{number}") for number in range(100))
        if solve(deal).status == "unwinnable"
    )
    assert difficulty(lost) is None
    with pytest.raises(ValueError, match="moves were made"):
        difficulty(lost.play(lost.moves()[0]))
