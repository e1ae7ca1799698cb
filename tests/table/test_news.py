"""News between processes: one stays silent, several hear of each other, also after a break."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from cadogan.table.news import MOST_TOGETHER, MOST_WAITING, News, PostgresNews, open_news
from cadogan.table.store import Store
from tests.table.postgres import Cluster, restartable
from tests.table.support import wait

pytestmark = pytest.mark.takes_turns(5)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with restartable() as made:
        yield made


class Hearer:
    """Notes what it hears.

    Attributes:
        items: The news, in their order.
        gaps: How often news may have been missed.
    """

    def __init__(self, news: News) -> None:
        self.items: list[tuple[str, int]] = []
        self.gaps = 0
        news.listen("table", self.hear)

    def hear(self, items: Sequence[tuple[str, int]] | None) -> None:
        if items is None:
            self.gaps += 1
        self.items += items or ()


@pytest.fixture
def pair(cluster: Cluster, tmp_path: Path) -> Iterator[tuple[PostgresNews, PostgresNews]]:
    stores = [Store(cluster.address, tmp_path) for _ in range(2)]
    first, second = (PostgresNews(store.engine) for store in stores)
    wait(lambda: first.is_connected and second.is_connected)
    yield first, second
    for news in (first, second):
        news.close()
    for store in stores:
        store.close()


def test_with_sqlite_nobody_else_is_notified(tmp_path: Path) -> None:
    store = Store(folder=tmp_path)
    news = open_news(store.engine)
    hearer = Hearer(news)
    news.publish("table", "a" * 16, 1)
    assert (news.is_shared, hearer.items, hearer.gaps) == (False, [], 0)
    store.close()


def test_the_other_process_hears_it_and_the_own_does_not(
    pair: tuple[PostgresNews, PostgresNews],
) -> None:
    here, there = map(Hearer, pair)
    for version in range(1, 4):
        pair[0].publish("table", "a" * 16, version)
    wait(lambda: ("a" * 16, 3) in there.items)
    # What waits together is sent once, with its newest version.
    assert [version for _, version in there.items] == sorted(version for _, version in there.items)
    pair[1].publish("table", "b" * 16, 9)
    wait(lambda: here.items == [("b" * 16, 9)])


def test_more_news_than_fit_into_one_notification(
    pair: tuple[PostgresNews, PostgresNews],
) -> None:
    hearer = Hearer(pair[1])
    keys = [f"{number:016d}" for number in range(3 * MOST_TOGETHER)]
    for key in keys:
        pair[0].publish("table", key, 150_000)
    wait(lambda: len(hearer.items) == len(keys))
    assert dict(hearer.items) == dict.fromkeys(keys, 150_000)
    assert hearer.gaps == 0


def test_a_listener_that_fails_does_not_stop_the_news(
    pair: tuple[PostgresNews, PostgresNews], caplog: pytest.LogCaptureFixture
) -> None:
    def fail(items: Sequence[tuple[str, int]] | None) -> None:
        raise ValueError("a bug")

    pair[1].listen("table", fail)
    hearer = Hearer(pair[1])
    pair[0].publish("table", "a" * 16, 1)
    pair[0].publish("table", "b" * 16, 1)
    wait(lambda: len(hearer.items) == 2)
    assert "a bug" in caplog.text


def test_after_a_break_everything_may_have_changed(
    cluster: Cluster, pair: tuple[PostgresNews, PostgresNews]
) -> None:
    hearer = Hearer(pair[1])
    cluster.stop()
    pair[0].publish("table", "a" * 16, 1)
    wait(lambda: not pair[1].is_connected)
    cluster.start()
    # What could not be sent has waited; a process that connects later reads everything.
    wait(lambda: hearer.gaps == 1)
    pair[0].publish("table", "b" * 16, 2)
    wait(lambda: ("b" * 16, 2) in hearer.items)


def test_too_many_news_become_one(
    cluster: Cluster, pair: tuple[PostgresNews, PostgresNews]
) -> None:
    hearer = Hearer(pair[1])
    cluster.stop()
    wait(lambda: not pair[1].is_connected)
    for number in range(MOST_WAITING + 2):
        pair[0].publish("table", f"{number:016d}", 1)
    cluster.start()
    wait(lambda: pair[1].is_connected)
    pair[0].publish("table", "the last one", 1)
    wait(lambda: ("the last one", 1) in hearer.items)
    assert hearer.gaps
    assert len(hearer.items) < MOST_TOGETHER
