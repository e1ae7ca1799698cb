"""Ratings by Glicko-2, against Glickman's worked example."""

import pytest

from cadogan.table.rating import NARROWEST, WIDEST, Rating


def test_glickmans_example() -> None:
    opponents = Rating(1400, 30), Rating(1550, 100), Rating(1700, 300)
    after = Rating(1500, 200, 0.06).after(list(zip(opponents, (1.0, 0.0, 0.0), strict=True)))
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


def test_without_results_only_the_deviation_grows() -> None:
    after = Rating(1700, 80, 0.06).after([])
    assert after.rating == 1700
    assert after.deviation == pytest.approx((80**2 + (173.7178 * 0.06) ** 2) ** 0.5)


def test_an_upset_raises_the_volatility() -> None:
    steady, rating = Rating(1500, 60), Rating(1500, 60)
    for _ in range(8):
        rating = rating.after([(Rating(2600, 50), 1.0)])
    assert rating.volatility > steady.volatility
    assert rating.rating > 1650


def test_a_thousand_results_stay_within_bounds() -> None:
    rating = Rating()
    for number in range(1000):
        other = Rating(900 + 1500 * (number * 7919 % 100) / 100, 60)
        rating = rating.after([(other, float(other.rating < 1400))])
        assert NARROWEST <= rating.deviation <= WIDEST
        assert 0 < rating.volatility < 0.2
    assert 1200 < rating.rating < 1600
