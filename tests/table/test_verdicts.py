"""Verdicts on tables, found by worker processes."""

import time

import pytest

from cadogan import solve
from cadogan.table.record import Options
from cadogan.table.verdicts import VerdictState
from cadogan.table.workers import BUDGETS, Answer, Pool, Question
from cadogan.web.state import AppState
from tests.table.support import play, wait

pytestmark = pytest.mark.timeout(240)  # processes start slowly on a busy machine


def test_a_game_that_can_be_won(state: AppState) -> None:
    record = state.tables.deal("flower-garden", "cadogan:1", options=Options("thoughtful"))
    state.opened(record)
    wait(lambda: state.verdicts.standing(record).status == "winnable")
    line = state.verdicts.line_from(record.key, record.position)
    assert line
    record = play(state, record, line[0].text)
    # What lies on the line that was found is known at once.
    assert state.verdicts.standing(record).status == "winnable"
    mark = f"{record.nodes[0].position.hash:032x}"
    wait(lambda: state.store.verdict(record.game.digest, mark) is not None)


def test_since_which_move_a_game_cannot_be_won(state: AppState) -> None:
    record = state.tables.deal("amazons", "cadogan:2", options=Options("thoughtful"))
    # Verdicts are searched while there are listeners.
    assert state.subscriptions.add(record.key, "en", lambda _: None, "")
    state.opened(record)
    path = [record.position]
    while record.position.outcome is None:
        record = play(state, record, record.position.moves()[-1].text)
        path.append(record.position)
    wait(lambda: state.verdicts.standing(record).exact)
    standing = state.verdicts.standing(record)
    assert standing.status == "unwinnable"
    assert standing.since is not None
    # The move named is the first after which no search finds a win.
    assert solve(path[standing.since - 1]).status == "winnable"
    assert solve(path[standing.since]).status == "unwinnable"


def test_a_spoiler_is_not_looked_for_unasked(state: AppState) -> None:
    record = state.tables.deal("flower-garden", "cadogan:1")
    state.opened(record)
    assert state.verdicts.standing(record) == VerdictState("off")


@pytest.mark.parametrize("pause", [0.0, 0.5])
def test_a_search_nobody_wants_any_more_ends(state: AppState, pause: float) -> None:
    # Without a pause the process has not begun to search, and has missed the signal.
    pool = Pool(1)
    try:
        answers: list[Answer] = []
        hard = state.tables.deal("spider", "cadogan:1").position
        job = pool.ask(Question.of(hard, "spider"), answers.append, budgets=(10**9,))
        wait(lambda: bool(pool._workers) and pool._workers[0].job is job)
        time.sleep(pause)
        job.cancel()
        easy = state.tables.deal("flower-garden", "cadogan:1").position
        pool.ask(Question.of(easy, "flower-garden"), answers.append, budgets=BUDGETS)
        wait(lambda: bool(answers))
        assert [answer.status for answer in answers] == ["winnable"]
    finally:
        pool.close()


def test_a_search_given_up_while_its_process_begins_is_not_told_of(
    state: AppState, capfd: pytest.CaptureFixture[str]
) -> None:
    pool = Pool(1)
    try:
        answers: list[Answer] = []
        first = state.tables.deal("flower-garden", "cadogan:1").position
        job = pool.ask(Question.of(first, "flower-garden"), answers.append)
        wait(lambda: bool(pool._workers) and pool._workers[0]._process is not None)
        begun = pool._workers[0]._process
        job.cancel()
        pool.ask(Question.of(first, "flower-garden"), answers.append)
        wait(lambda: bool(answers))
        assert pool._workers[0]._process is begun
    finally:
        pool.close()
    assert "Traceback" not in capfd.readouterr().err
