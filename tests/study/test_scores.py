"""The points of a study: mean, interval and distribution."""

import pytest

from cadogan import load
from cadogan.study.players import Player, play
from cadogan.study.scores import Scores


def test_quantiles_and_intervals() -> None:
    scores = Scores.of_notes(["score 30", "score 10", "all positions searched", "score 20"])
    assert scores.points == (10, 20, 30)
    assert (scores.mean, scores.quantile(0.25), scores.quantile(1)) == (20, 15, 30)
    interval = scores.interval()
    assert interval is not None
    # Student's distribution with two degrees of freedom: 4.303 * 10 / sqrt(3).
    assert interval == pytest.approx((20 - 24.84, 20 + 24.84), abs=0.01)
    assert Scores((5,)).interval() is None
    wide = Scores(tuple(range(1000))).interval()
    assert wide is not None
    assert wide == pytest.approx((499.5 - 17.93, 499.5 + 17.93), abs=0.02)


def test_players_who_plan_score_more() -> None:
    game = load("poker-square")
    notes = {
        name: [play(game, f"cadogan:{deal}", Player.parse(name), 0).proof for deal in range(1, 9)]
        for name in ("random", "greedy")
    }
    means = {name: Scores.of_notes(found).mean for name, found in notes.items()}
    assert means["greedy"] > means["random"] + 20
    assert play(load("golf"), "cadogan:1", Player.parse("random"), 0).proof == ""
