"""A search for a deal that can be won."""

import pytest

from cadogan.table import deal_search
from cadogan.table.deal_search import SAMPLE, Level, rate
from cadogan.web.state import AppState
from tests.table.support import wait

pytestmark = pytest.mark.timeout(240)  # processes start slowly on a busy machine


def test_a_deal_that_can_be_won_is_found(state: AppState) -> None:
    search = state.searches.begin(state.library.load("flower-garden"))
    wait(lambda: search.state != "searching")
    assert search.state == "found"
    assert search.deal is not None
    assert search.tried == 1 + search.unwinnable + search.unknown


def test_a_search_for_a_deal_can_be_given_up(state: AppState) -> None:
    search = state.searches.begin(state.library.load("spider"))
    state.searches.cancel(search.id)
    assert search.state == "cancelled"


@pytest.mark.parametrize(("level", "chosen"), [("easy", 10), ("middling", 50), ("hard", 90)])
def test_a_deal_is_as_hard_as_it_was_asked_to_be(
    state: AppState, monkeypatch: pytest.MonkeyPatch, level: Level, chosen: int
) -> None:
    figures = iter([50, 40, 60, None, 10, 90, 20, 80, 30, 70])
    monkeypatch.setattr(state.searches._ratings, "run", lambda *_: next(figures))
    search = state.searches.begin(state.library.load("flower-garden"), level=level)
    wait(lambda: search.state != "searching")
    assert search.state == "found"
    assert len(search.rated) == SAMPLE
    assert search.deal is not None
    assert search.rated[search.deal] == chosen


def test_deals_are_rated_in_a_process_of_their_own(
    state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deal_search, "SAMPLE", 2)
    game = state.library.load("golf")
    search = state.searches.begin(game, names=map("cadogan:{}".format, range(1, 9)), level="hard")
    wait(lambda: search.state != "searching")
    assert search.state == "found"
    assert len(search.rated) == 2
    for deal, figure in search.rated.items():
        assert figure == rate("golf", deal)
