"""What deals cost."""

from pathlib import Path

import pytest

from cadogan.study.costs import costs_of, merge_costs
from cadogan.study.report import markdown, seconds_of
from cadogan.study.store import Store
from cadogan.study.summary import summarize
from tests.study.conftest import PLAN


def test_what_a_thousand_deals_cost_is_told(store: Store) -> None:
    costs = costs_of(store)
    for each in summarize(store, PLAN):
        mine = {
            asked: cost
            for asked, cost in costs.items()
            if asked.game == each.study.game and asked.player == str(each.study.player)
        }
        assert max(cost.deals for cost in mine.values()) == 30
        spent = sum(cost.seconds for cost in mine.values())
        assert each.seconds == pytest.approx(1000 * spent / 30, abs=0.1)
        assert each.seconds is not None
        assert f"| {seconds_of(each.seconds)} |" in markdown(store, PLAN)


def test_costs_are_merged_once(store: Store, tmp_path: Path) -> None:
    other = Store(tmp_path / "s", create=True)
    for _ in range(2):
        merge_costs(other, store)
    assert costs_of(other) == costs_of(store)
    (other.folder / "costs" / "half.json").write_text('[{"game": "golf"')
    assert costs_of(other) == costs_of(store), "unreadable files are ignored"
    assert all(each.seconds is None for each in summarize(other, PLAN)), "no deals, no costs"
