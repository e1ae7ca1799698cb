"""Points: what a position is worth, and how a game ends that points decide."""

import random
from pathlib import Path

import pytest

from cadogan import Position, load, solve
from cadogan.solver.certificate import NoCertificateError, certify
from tests.games import deal_with, write_game

HANDS = """
name    = "Hands"
packs   = 1
ranks   = "A 2 3 4 5"
suits   = "hearts spades"
picture = "Q1 Q2 Q3 Q4 Q5"

[row]
role  = "tableau"
piles = 5
mark  = "Q"
space = "any card"
build = "nothing"
from  = "stock"

[stock]

[score]
lines = "rows of row"
hands = { "pair" = 1, "two pairs" = 3, "straight" = 12, "flush" = 5 }
"""


def filled(position: Position) -> Position:
    """The position when each card has gone to the first vacancy."""
    while position.outcome is None:
        position = position.play(position.moves()[0])
    return position


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("AH 2H 3H 4H 5H", 12),
        ("AH 2H 3S 4H 5H", 12),
        ("AH AS 3H 4H 5H", 1),
        ("AH AS 3H 3S 5H", 3),
    ],
)
def test_hands_at_poker(tmp_path: Path, cards: str, points: int) -> None:
    game = write_game(tmp_path, HANDS)
    rest = sorted({f"{r}{s}" for r in "A2345" for s in "HS"} - set(cards.split()))
    position = filled(deal_with(game, f"{cards} {' '.join(rest)}"))
    assert (position.score, position.outcome) == (points, "over")
    assert f"{points} point" in position._repr_svg_()


def test_points_decide(tmp_path: Path) -> None:
    for won_from, outcome in ((12, "won"), (13, "lost")):
        game = write_game(tmp_path, f"{HANDS}won_from = {won_from}\n")
        position = deal_with(game, "AH 2H 3H 4H 5H AS 2S 3S 4S 5S")
        assert filled(position).outcome == outcome
        with pytest.raises(NoCertificateError, match="points decide"):
            certify(position)


def test_cards_left_count() -> None:
    position = load("golf:scored").deal("cadogan:1")
    assert position.score == 35
    moved = position.play(next(m for m in position.moves() if m.text.startswith("tableau")))
    assert (moved.score, moved.undo().score) == (34, 35)
    assert load("golf").deal("cadogan:1").score is None


def test_points_of_cards_counters_and_conditions(tmp_path: Path) -> None:
    game = write_game(
        tmp_path,
        """
name  = "All kinds"
ranks = "A 2"
suits = "hearts spades"

[row]
role  = "tableau"
piles = 2
deal  = 2
build = "nothing"

[discard]

[counters.thrown]

[[rule]]
name = "throw off"
from = "row"
to   = "discard"
add  = { thrown = 1 }

[score]
aim      = "fewest"
start    = 10
cards    = { row = 1, "aces in discard" = -3 }
counters = { thrown = 2 }
bonus    = { "row is empty" = -20 }
""",
    )
    position = deal_with(game, "AH 2H AS 2S")
    scores = [position.score]
    while position.outcome is None:
        position = position.play(position.moves()[0])
        scores.append(position.score)
    # Each card that leaves: one point less, two more; three less for an ace.
    assert scores == [14, 12, 10, 11, -8]


GOLF = """
name  = "Golf for points"
ranks = "A 2 3 4"
suits = "hearts spades"

[tableau]
piles = 2
deal  = 3
build = "nothing"

[waste]
deal  = 1
build = "up or down"

[stock]
deals = "1 to waste"

[score]
aim      = "fewest"
cards    = { tableau = 1 }
won_from = 2
"""


def outcomes(position: Position) -> set[str]:
    """How the game can end, by trying everything."""
    if position.outcome is not None:
        return {position.outcome}
    return {end for move in position.moves() for end in outcomes(position.play(move))}


def test_verdicts_count_points(tmp_path: Path) -> None:
    game = write_game(tmp_path, GOLF)
    pack = [f"{rank}{suit}" for rank in "A234" for suit in "HS"]
    found = set()
    for seed in range(12):
        random.Random(seed).shuffle(pack)
        position = deal_with(game, " ".join(pack))
        status = "winnable" if "won" in outcomes(position) else "unwinnable"
        verdict = solve(position, budget=10_000)
        assert verdict.status == status
        found.add(status)
        for move in verdict.line:
            position = position.play(move)
        assert (position.outcome == "won") is (status == "winnable")
    assert len(found) == 2
