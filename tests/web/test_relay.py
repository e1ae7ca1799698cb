"""Two server processes with one PostgreSQL: each table is followed in both."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from cadogan import load
from cadogan.table.deal_search import Search
from cadogan.table.intent import Intent
from cadogan.table.record import Record
from cadogan.table.service import StaleError
from cadogan.table.store import new_id
from cadogan.web.state import AppState
from tests.table.postgres import Cluster, restartable
from tests.table.support import wait

pytestmark = pytest.mark.takes_turns(2)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with restartable() as made:
        yield made


@pytest.fixture
def houses(cluster: Cluster, tmp_path: Path) -> Iterator[tuple[AppState, AppState]]:
    made = [AppState(cluster.address, tmp_path, workers=0) for _ in range(2)]
    wait(lambda: all(house.news.is_connected for house in made))
    yield made[0], made[1]
    for house in made:
        house.close()


class Tab:
    """A page that is open at one process; it notes the versions that it gets."""

    def __init__(self, house: AppState, key: str) -> None:
        self.versions: list[int] = []
        assert house.subscriptions.add(key, "en", self.take)
        house.subscriptions.begins_at(key, house.tables.get(key).version)

    def take(self, text: str) -> None:
        event = json.loads(text)
        if event["type"] == "table":
            self.versions.append(event["table"]["version"])


def deal(house: AppState) -> Record:
    return house.tables.deal("klondike", "cadogan:1")


def play(house: AppState, record: Record) -> Record:
    return house.tables.move(record.key, record.version, Intent("deal"))[0]


@pytest.mark.parametrize("player", [1, 617])
def test_a_move_made_elsewhere_is_shown(houses: tuple[AppState, AppState], player: int) -> None:
    here, there = (house.of(player) for house in houses)
    record = deal(here)
    tab, other = Tab(here, record.key), Tab(there, record.key)
    record = play(there, record)
    wait(lambda: tab.versions == [1])
    record = play(here, record)
    wait(lambda: other.versions == [1, 2])
    assert tab.versions == [1, 2]


def test_a_move_upon_an_old_version_is_refused_with_the_new_one(
    houses: tuple[AppState, AppState],
) -> None:
    here, there = houses
    old = deal(here)
    there.tables.get(old.key)
    new = play(there, old)
    # This process has the old version in memory.
    with pytest.raises(StaleError) as stale:
        play(here, old)
    assert stale.value.record.version == new.version
    assert here.tables.get(old.key).position == new.position
    assert play(here, new).version == there.tables.get(old.key).version == 2


def test_nothing_is_missed_after_a_break(houses: tuple[AppState, AppState]) -> None:
    here, there = houses
    record = deal(here)
    tab = Tab(here, record.key)
    with here.store.engine.begin() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %%'"
        )
    wait(lambda: not here.news.is_connected)
    # Nobody listens to the news of this move.
    play(there, record)
    wait(lambda: tab.versions == [1], seconds=10)  # sooner than the next check


def test_lost_news_are_made_up_for(
    houses: tuple[AppState, AppState], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = houses
    record = deal(here)
    tab = Tab(here, record.key)
    there.news.publish = lambda *_: None  # type: ignore[method-assign]
    play(there, record)
    assert tab.versions == []
    monkeypatch.setattr("cadogan.web.relay.CHECK", 0.05)
    here.relay.hear([(record.key, 0)])  # no news, but now it waits for a shorter time
    here.relay.hear(None)
    wait(lambda: tab.versions == [1])


def test_every_process_knows_a_search_for_a_deal(houses: tuple[AppState, AppState]) -> None:
    here, there = houses
    begun = here.searches.begin(load("golf"))
    wait(lambda: begun.state == "found")

    def is_known() -> bool:
        found = there.searches.get(begun.id)
        return found is not None and (found.state, found.deal) == ("found", begun.deal)

    wait(is_known)
    assert there.searches.of(2).get(begun.id) is None
    assert there.searches.get("0" * 16) is None


def test_every_process_can_cancel_a_search(cluster: Cluster, tmp_path: Path) -> None:
    here, there = (AppState(cluster.address, tmp_path, workers=workers) for workers in (1, 0))
    try:
        # No deal of Spider is won with so few nodes.
        begun = here.searches.begin(load("spider"))
        known = there.searches.get(begun.id)
        assert known is not None
        assert known.state == "searching"
        cancelled = there.searches.cancel(begun.id)
        assert cancelled is not None
        assert cancelled.state == "cancelled"
        wait(lambda: begun.state == "cancelled")
        again = there.searches.get(begun.id)
        assert again is not None
        assert again.state == "cancelled"
    finally:
        here.close()
        there.close()


def test_a_search_ends_with_its_process(
    houses: tuple[AppState, AppState], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = houses
    search = Search(new_id(), "golf")
    rows = here.searches._rows
    assert rows is not None
    rows.add(search)
    found = there.searches.get(search.id)
    assert found is not None
    assert found.state == "searching"
    monkeypatch.setattr("cadogan.table.deal_search.LOST", timedelta(0))
    found = there.searches.get(search.id)
    assert found is not None
    assert found.state == "cancelled"
