"""Processes that search: one that dies is replaced."""

import time

import pytest

from cadogan.table.workers import Answer, Pool, Question
from cadogan.web.state import AppState
from tests.table.support import wait

pytestmark = pytest.mark.timeout(240)  # processes start slowly on a busy machine


def test_a_worker_that_dies_is_replaced(state: AppState) -> None:
    pool = Pool(1)
    try:
        answers: list[Answer] = []
        hard = state.tables.deal("spider", "cadogan:1").position
        job = pool.ask(Question.of(hard, "spider"), answers.append, budgets=(10**9,))
        wait(lambda: bool(pool._workers) and pool._workers[0]._process is not None)
        time.sleep(0.3)
        process = pool._workers[0]._process
        assert process is not None
        job.budgets = (1000,)  # it is asked again, and shall not take for ever
        process.kill()
        wait(lambda: bool(answers))
        assert answers[0].status == "unknown"
    finally:
        pool.close()
