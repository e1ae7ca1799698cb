"""Intervals compared with published values, and when a study stops."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.study.statistics import METHODS, Paired, Stop, Tally, mcnemar, proportion

COUNTS = st.integers(0, 400)


def test_wilson_is_the_one_of_the_books() -> None:
    # Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, and 15 of 148.
    assert proportion(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert proportion(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)


def test_the_exact_one_is_the_one_of_the_books() -> None:
    # The same table, the exact method of Clopper and Pearson.
    assert proportion(81, 263, "exact") == pytest.approx((0.2527, 0.3676), abs=5e-5)
    assert proportion(0, 20, "exact") == pytest.approx((0, 0.1684), abs=5e-5)


@given(won=COUNTS, lost=COUNTS, undecided=COUNTS)
def test_an_interval_holds_whatever_the_undecided_deals_are(
    won: int, lost: int, undecided: int
) -> None:
    tally = Tally(won, lost, undecided)
    for method in METHODS:
        interval = tally.interval(method)
        assert 0 <= interval.low <= interval.high <= 1
        for more in {0, undecided // 2, undecided}:
            decided = Tally(won + more, lost + undecided - more).interval(method)
            assert interval.low <= decided.low <= decided.high <= interval.high
            if tally.deals:
                assert (won + more) / tally.deals in interval


def test_nothing_is_known_without_deals() -> None:
    assert (Tally().interval().low, Tally().interval().high) == (0, 1)
    assert Tally(undecided=9).interval().half_width == 0.5


def test_mcnemar_looks_at_the_deals_that_differ() -> None:
    # The exact test: 2 * P(X <= 2) of 12 fair coins.
    assert mcnemar(2, 10) == pytest.approx(2 * (1 + 12 + 66) / 2**12)
    pair = Paired({("won", "won"): 50, ("won", "lost"): 2, ("lost", "won"): 10})
    assert (pair.deals, pair.first_only, pair.second_only) == (62, 2, 10)
    assert pair.p_value() == pair.cautious_p_value() == mcnemar(2, 10)


@pytest.mark.parametrize("kinds", [("undecided", "lost"), ("won", "undecided")])
def test_undecided_deals_speak_against_a_difference(kinds: tuple[str, str]) -> None:
    pair = Paired({("won", "lost"): 2, ("lost", "won"): 10, kinds: 4})
    assert pair.p_value() == mcnemar(2, 10)
    assert pair.cautious_p_value() == mcnemar(6, 10)
    assert Paired({("lost", "won"): 5, ("undecided", "undecided"): 9}).cautious_p_value() == 1.0


def test_a_study_stops_at_its_limits_only() -> None:
    few, many = Tally(50, 50), Tally(5000, 5000)
    assert not Stop().is_enough(many, 10**12)
    assert [Stop(half_width=0.01).is_enough(each, 0) for each in (few, many)] == [False, True]
    assert [Stop(deals=200).is_enough(each, 0) for each in (few, many)] == [False, True]
    assert [Stop(nodes=99).is_enough(few, nodes) for nodes in (98, 99)] == [False, True]


@given(deals=st.integers(1, 10**6), wanted=st.none() | st.integers(1, 10**6))
def test_checkpoints_grow_to_the_end(deals: int, wanted: int | None) -> None:
    points = list(Stop(half_width=0.01, deals=wanted).checkpoints(deals))
    assert points == sorted(set(points))
    assert points[-1] == min(deals, wanted or deals)
    assert Stop().checkpoints(deals) == (deals,)
