"""M6: verdicts for tables without listeners."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from cadogan import load
from cadogan.table import workers
from cadogan.table.workers import HERE, Answer, Pool, Question
from cadogan.web.app import create_app
from cadogan.web.state import AppState
from tests.web.test_tables import deal, post

TABLES = 5000


def wait(done: Callable[[], bool], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until, "it took too long"
        time.sleep(0.02)


@pytest.fixture
def searching(tmp_path: Path) -> Iterator[AppState]:
    made = AppState(folder=tmp_path, workers=1)
    yield made
    made.close()


def test_a_change_without_a_listener_starts_no_search(
    searching: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Question] = []
    monkeypatch.setattr(searching.pool, "ask", lambda question, *_, **__: asked.append(question))
    client = TestClient(create_app(searching), base_url="http://127.0.0.1:7617")
    table = post(client, deal(client), "options", verdict="thoughtful")
    post(client, table, "moves", text="deal")
    assert not asked
    with client.websocket_connect(
        f"/api/tables/{table['id']}/events", headers={"Host": "127.0.0.1:7617"}
    ) as socket:
        socket.receive_json()
    assert len(asked) == 1


def question(number: int) -> Question:
    return Question.of(load("klondike").deal(f"cadogan:{number}"), "klondike")


def test_a_search_progresses_under_thousands_of_questions(searching: AppState) -> None:
    dropped: list[Answer] = []
    answered: list[Answer] = []

    def told(answer: Answer) -> None:
        (dropped if answer.dropped else answered).append(answer)

    one = question(1)
    for _ in range(TABLES):
        searching.pool.ask(one, told)
    assert len(dropped) >= TABLES - workers.MOST_WAITING - 10
    search = searching.searches.begin(load("golf"))
    wait(lambda: search.tried >= 2 or search.state == "found")
    # The search did not wait for the questions, and they did not wait for the search.
    assert isinstance(searching.pool, Pool)
    assert len(searching.pool._queues[HERE].jobs) > 0
    assert answered


def test_a_cancelled_question_leaves_the_queue() -> None:
    pool = Pool(1)
    try:
        pool.ask(question(1), lambda _: None)
        second = pool.ask(question(2), lambda _: None)
        assert second.number in second._queue.jobs
        second.cancel()
        assert second.number not in second._queue.jobs
    finally:
        pool.close()
