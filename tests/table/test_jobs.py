"""Searches that several processes share: each is made once, and none is lost."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from cadogan import Position, load, solve
from cadogan.table import jobs, schema
from cadogan.table.intent import Intent
from cadogan.table.jobs import SharedPool
from cadogan.table.library import Library
from cadogan.table.news import PostgresNews
from cadogan.table.store import Store, now
from cadogan.table.workers import HERE, STATISTICS, Answer, Pool, Question
from cadogan.web.state import AppState
from tests.table.postgres import Cluster, restartable
from tests.table.support import wait

pytestmark = [pytest.mark.takes_turns(8), pytest.mark.timeout(240)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with restartable() as made:
        yield made


class Process:
    """What a server process has of the shared searches.

    Attributes:
        pool: The shared pool.
        own: The worker processes of this process.
    """

    def __init__(self, address: str, folder: Path, workers: int) -> None:
        self.store = Store(address, folder)
        self.news = PostgresNews(self.store.engine)
        self.own = Pool(workers)
        self.pool = SharedPool(self.store, Library(self.store), self.news, self.own)
        wait(lambda: self.news.is_connected)

    def close(self) -> None:
        self.pool.close()
        self.news.close()
        self.store.close()

    def rows(self) -> list[Any]:
        with self.store.engine.connect() as connection:
            return list(connection.execute(select(schema.jobs)).all())


@pytest.fixture
def process(cluster: Cluster, tmp_path: Path) -> Iterator[Callable[[int], Process]]:
    made: list[Process] = []

    def another(workers: int) -> Process:
        made.append(Process(cluster.address, tmp_path / str(len(made)), workers))
        return made[-1]

    yield another
    with made[0].store.engine.begin() as connection:
        connection.execute(delete(schema.jobs))
        connection.execute(delete(schema.verdicts))
    for each in made:
        each.close()


def asked(
    process: Process, position: Position, urgency: int = HERE, budgets: tuple[int, ...] = (100_000,)
) -> list[Answer]:
    """Asks about a position; the list gets the answers."""
    answers: list[Answer] = []
    question = Question.of(position, position.game.name)
    process.pool.ask(question, answers.append, urgency=urgency, budgets=budgets)
    return answers


def won() -> Position:
    return load("flower-garden").deal("cadogan:1")


def lost() -> Position:
    deals = (load("golf").deal(f"cadogan:{number}") for number in range(1, 100))
    return next(deal for deal in deals if solve(deal, budget=20_000).status == "unwinnable")


def test_the_process_with_workers_answers_the_other(process: Callable[[int], Process]) -> None:
    asks, _works = process(0), process(1)
    for position in (won(), lost()):
        answers = asked(asks, position)
        wait(lambda answers=answers: bool(answers))  # type: ignore[misc]
        (answer,) = answers
        expected = solve(position, budget=100_000)
        assert (answer.status, answer.final) == (expected.status, True)
        assert answer.proof == expected.proof
        if answer.status == "winnable":
            at = position
            for move, number in zip(answer.line, answer.hashes, strict=True):
                assert at.hash == number
                at = at.play(move)
            assert at.outcome == "won"
    assert asks.rows() == []


def test_a_position_is_searched_once(process: Callable[[int], Process]) -> None:
    first, second = process(1), process(1)
    both = [asked(each, won()) for each in (first, second)]
    wait(lambda: all(both))
    assert both[0] == both[1]
    # Later no worker is needed.
    third = process(0)
    answers = asked(third, won())
    wait(lambda: bool(answers))
    assert answers == both[0]
    assert third.rows() == []


def test_attempts_with_more_and_more_nodes_are_reported(
    process: Callable[[int], Process],
) -> None:
    asks, works = process(0), process(1)
    hard = load("spider").deal("cadogan:1")
    answers = asked(asks, hard, budgets=(1_000, 2_000))
    wait(lambda: bool(answers) and answers[-1].final)
    assert {answer.status for answer in answers} == {"unknown"}
    assert sum(answer.nodes for answer in answers) >= 3_000
    wait(lambda: works.rows() == [])


def test_what_nobody_wants_any_more_is_not_searched(process: Callable[[int], Process]) -> None:
    asks, works = process(0), process(1)
    hard = load("spider").deal("cadogan:1")
    job = asks.pool.ask(Question.of(hard, "spider"), lambda _: None, budgets=(10**9,))
    wait(lambda: any(row.worker == works.news.process for row in works.rows()))
    begun = time.monotonic()
    job.cancel()
    answers = asked(asks, won())
    # The only worker is free again, long before the lease ends.
    wait(lambda: bool(answers))
    assert time.monotonic() - begun < 25
    assert works.rows() == []


def test_a_job_that_others_ask_for_goes_on(process: Callable[[int], Process]) -> None:
    first, second = process(0), process(0)
    position = won()
    job = first.pool.ask(
        Question.of(position, position.game.name), lambda _: None, budgets=(9_999,)
    )
    wait(lambda: len(second.rows()) == 1)
    answers = asked(second, position, budgets=(9_999,))
    wait(lambda: second.rows()[0].asker is None)
    job.cancel()
    process(1)
    wait(lambda: bool(answers))


def test_the_job_of_a_killed_process_is_taken_by_another(
    process: Callable[[int], Process],
) -> None:
    asks = process(0)
    answers = asked(asks, won())
    wait(lambda: len(asks.rows()) == 1)
    with asks.store.engine.begin() as connection:
        taken = {"worker": "killed", "leased_until": now() + timedelta(seconds=3), "attempts": 1}
        connection.execute(update(schema.jobs).values(taken))
    works = process(1)
    time.sleep(0.5)
    assert [row.worker for row in works.rows()] == ["killed"]
    wait(lambda: bool(answers))
    assert answers[0].status == "winnable"


def test_a_worker_that_is_killed_is_replaced(process: Callable[[int], Process]) -> None:
    works = process(1)
    hard = load("spider").deal("cadogan:1")
    answers = asked(works, hard, budgets=(300_000,))
    wait(lambda: bool(works.own._workers) and works.own._workers[0]._process is not None)
    time.sleep(0.3)
    worker = works.own._workers[0]._process
    assert worker is not None
    worker.kill()
    wait(lambda: bool(answers))
    assert answers[-1].nodes >= 300_000


def test_a_job_that_kills_its_workers_is_given_up(process: Callable[[int], Process]) -> None:
    asks = process(0)
    answers = asked(asks, won())
    wait(lambda: len(asks.rows()) == 1)
    with asks.store.engine.begin() as connection:
        connection.execute(update(schema.jobs).values(attempts=3))
    process(1)
    wait(lambda: bool(answers))
    assert (answers[0].status, answers[0].final) == ("unknown", True)


def test_urgent_jobs_come_first(process: Callable[[int], Process]) -> None:
    asks = process(0)
    order: list[int] = []
    for urgency in (STATISTICS, HERE):
        question = Question.of(load("golf").deal(f"cadogan:{urgency + 1}"), "golf")

        def on_answer(_: Answer, urgency: int = urgency) -> None:
            order.append(urgency)

        asks.pool.ask(question, on_answer, urgency=urgency, budgets=(1_000,))
    wait(lambda: len(asks.rows()) == 2)
    process(1)
    wait(lambda: len(order) == 2)
    assert order == [HERE, STATISTICS]


def test_the_database_comes_back(cluster: Cluster, process: Callable[[int], Process]) -> None:
    asks, _works = process(0), process(1)
    cluster.stop()
    answers = asked(asks, won())
    time.sleep(0.5)
    assert answers == []
    cluster.start()
    wait(lambda: bool(answers))
    assert answers[0].status == "winnable"


def test_another_version_of_the_rules_is_left_to_others(
    process: Callable[[int], Process],
) -> None:
    asks, works = process(0), process(1)
    position = won()
    other = Question(position.game.name, position.game.name, (), (), "0" * 64, 1)
    asks.pool.ask(other, lambda _: None, budgets=(100_000,))
    wait(lambda: works.pool._foreign == {"0" * 64})
    answers = asked(asks, position)
    wait(lambda: bool(answers))
    assert [row.worker for row in works.rows()] == [None]


def test_a_process_without_workers_knows_whether_others_have_some(
    process: Callable[[int], Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "BEAT", 0.2)
    monkeypatch.setattr(jobs, "HELPED", 2.0)
    asks = process(0)
    assert not asks.pool.is_answered
    works = process(1)
    wait(lambda: asks.pool.is_answered)
    assert works.pool.is_answered
    works.pool.close()
    wait(lambda: not asks.pool.is_answered)


def test_a_review_goes_on_at_another_process(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also at one without workers; and what was searched for the first is not searched again."""
    monkeypatch.setattr(jobs, "BEAT", 0.2)
    made = [AppState(cluster.address, tmp_path / str(each), workers=each) for each in (1, 0)]
    works, asks = made
    try:
        wait(lambda: asks.pool.is_answered)
        record = works.tables.deal("amazons", "cadogan:2")
        while record.position.outcome is None:
            moves = record.position.moves()
            record, _ = works.tables.move(record.key, record.version, Intent(moves[-1].text))
        found = []
        for state in (works, asks):
            there = state.tables.get(record.key)
            state.reviews.look(there, there.node)
            wait(
                lambda state=state, there=there: (  # type: ignore[misc]
                    state.reviews.look(there, there.node).is_complete
                )
            )
            seen = state.reviews.look(there, there.node)
            assert seen.loss is not None
            found.append([(turn.finding.status, turn.kept, turn.lost) for turn in seen.turns])
        assert found[0] == found[1]
    finally:
        for state in made:
            state.close()
