"""How often a rules file comes out that is being written."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cadogan.storage import CATALOGUE
from cadogan.table import rates
from cadogan.table.rates import MOST_DEALS, MOST_OF_PLAYER, Rate, Rates

TEXT = (CATALOGUE / "fortunes-favor.toml").read_text(encoding="utf-8")
RESULTS = {1: ("winnable", 10), 2: ("unwinnable", 20), 0: None}
"""What is found, by the number of the deal modulo 3; the last exceeds the limits."""


@pytest.fixture
def searched() -> Iterator[Rates]:
    """Rates with a process that answers at once."""
    made = Rates()
    asked: list[tuple[str, str]] = []

    def run(task: Callable[..., Any], text: str, deal: str, budget: int) -> Any:
        asked.append((text, deal))
        return RESULTS[int(deal.partition(":")[2]) % 3]

    made._trials.run = run  # type: ignore[method-assign,assignment]
    yield made
    made.close()


def wait(done: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not done():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_all_deals_are_counted_once(searched: Rates) -> None:
    rate = searched.begin(1, "text", "digest")
    wait(lambda: rate.is_complete)
    assert (rate.won, rate.lost, rate.undecided) == (67, 67, 66)
    assert rate.deals == MOST_DEALS
    assert rate.nodes == 67 * 10 + 67 * 20


def test_rules_that_did_not_change_are_not_searched_again(searched: Rates) -> None:
    rate = searched.begin(1, "text", "digest")
    assert searched.begin(1, "text # a remark", "digest") is rate
    assert searched.begin(1, "text", "other") is not rate
    assert searched.begin(2, "text", "digest") is not rate


def test_a_player_sees_only_his_own_and_has_not_many(searched: Rates) -> None:
    own = [searched.begin(1, "text", f"digest {number}") for number in range(MOST_OF_PLAYER + 1)]
    other = searched.begin(2, "text", "digest 1")
    assert searched.look(1, other.id) is None
    assert searched.look(1, own[0].id) is None
    assert [searched.look(1, rate.id) for rate in own[1:]] == own[1:]


def test_a_search_waits_for_somebody_to_look(
    searched: Rates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rates, "LEASE", 0.0)
    rate = searched.begin(1, "text", "digest")
    time.sleep(0.1)
    assert rate.deals == 0
    monkeypatch.setattr(rates, "LEASE", 60.0)
    assert searched.look(1, rate.id) is rate
    wait(lambda: rate.is_complete)


def test_nodes_and_time_are_bounded() -> None:
    assert Rate("", 1, "", "", won=1, nodes=rates.MOST_NODES).is_complete
    assert Rate("", 1, "", "", won=1, seconds=rates.MOST_SECONDS).is_complete
    assert not Rate("", 1, "", "", won=1).is_complete


def test_deals_are_searched_in_a_process_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "MOST_DEALS", 5)
    real = Rates()
    try:
        rate = real.begin(1, TEXT, "digest")
        wait(lambda: real.look(1, rate.id) is rate and rate.is_complete)
        assert rate.won >= 4
        assert rate.nodes > 0
    finally:
        real.close()
    wait(lambda: real._thread is not None and not real._thread.is_alive())
