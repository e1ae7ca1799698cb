"""A search for a deal that can be won."""

import pytest

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
