"""Safe moves are never mistakes."""

import pytest

from cadogan import load, solve
from cadogan.rules import catalogue
from cadogan.table.intent import finishing_line
from cadogan.table.safe_moves import _sources, safe_move

PLAIN = {"beleaguered-castle", "flower-garden", "freecell", "yukon"}


def test_the_proof_is_used_where_it_holds() -> None:
    plain = {name for name in catalogue() if _sources(load(name))}
    assert plain >= PLAIN
    # Cards come back, vacancies are filled, stock is dealt on the tableau, two packs are in play.
    never = {"klondike", "canfield", "spider", "besieged-city", "amazons", "hochzeitszug", "golf"}
    assert not plain & never


@pytest.mark.parametrize("name", sorted(PLAIN))
def test_a_safe_move_loses_no_game_that_can_be_won(name: str) -> None:
    tried = 0
    for seed in range(1, 5):
        position = load(name).deal(f"cadogan:{seed}")
        # Along a line that wins every position can be won, and so it must be after a safe move.
        for move in solve(position, budget=20_000).line:
            safe = safe_move(position)
            if safe is not None and safe.text != move.text and tried < 12:
                tried += 1
                after = position.play(safe)
                assert after.outcome == "won" or solve(after, budget=50_000).status == "winnable"
            position = position.play(move)
    assert tried > 3


def test_no_card_that_is_wanted_below_goes_up() -> None:
    # Each safe card leaves nothing on the table that could have been laid on it.
    position = load("freecell").deal("ms:617")
    for move in solve(position, budget=200_000).line:
        safe = safe_move(position)
        if safe is not None:
            assert safe.source is not None
            card = position.piles[safe.source][-1]
            left = {c for pile in position.piles.values() for c in pile}
            up = {c for n, p in position.piles.items() if n.startswith("found") for c in p}
            for other in left - up:
                lower = other.rank == card.rank - 1 and (other.suit in (1, 2)) != (
                    card.suit in (1, 2)
                )
                assert not lower, f"{other} could be laid on {card}"
        position = position.play(move)


def test_a_game_is_finished_when_only_foundation_moves_remain() -> None:
    position = load("flower-garden").deal("cadogan:1")
    assert finishing_line(position) == []
    line = solve(position).line
    for move in line[:-10]:
        position = position.play(move)
    rest = finishing_line(position)
    assert rest[0].undo() is position
    assert rest[-1].outcome == "won"
