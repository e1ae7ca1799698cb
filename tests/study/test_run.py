"""Runs: the store is the same after kills and resumes, in any order, with workers that die."""

import contextlib
import os
import random
import signal
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cadogan.study.errors import StudyError
from cadogan.study.executors import Engine, local
from cadogan.study.plan import Plan, plan_of
from cadogan.study.record import Record
from cadogan.study.run import Progress, run
from cadogan.study.statistics import Tally
from cadogan.study.store import Store
from cadogan.study.summary import plan_in, save_plan, summarize
from tests.conftest import THOROUGH

from .support import (
    DEADLY,
    Unsteady,
    contents,
    deadly,
    record,
    run_here,
    small_plan,
    steady,
    stubborn,
)

pytestmark = pytest.mark.takes_turns(3)


class KilledError(BaseException):
    """The process is gone."""


class Contents(tuple[list[str], list[Record]]):
    """The contents of a store, with a short representation for failing tests."""

    def __repr__(self) -> str:
        return f"{len(self[1])} records"


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """The contents that one undisturbed run leaves."""
    return Contents(contents(run_here(small_plan(), tmp_path_factory.mktemp("clean") / "s")))


@settings(max_examples=1000 if THOROUGH else 8)
@given(
    seed=st.integers(0, 10**6),
    loss=st.sampled_from([0.0, 0.1, 0.3]),
    slots=st.integers(1, 5),
    kills=st.lists(st.tuples(st.integers(0, 12), st.booleans()), max_size=5),
    target=st.sampled_from([0.001, 0.01, 4.0]),
)
def test_the_store_is_the_same_however_often_it_was_killed(
    tmp_path_factory: pytest.TempPathFactory,
    clean: Contents,
    seed: int,
    loss: float,
    slots: int,
    kills: list[tuple[int, bool]],
    target: float,
) -> None:
    """Each time the writer is killed before or just after it writes some part."""
    folder = tmp_path_factory.mktemp("killed") / "s"
    engine = Engine(Unsteady(random.Random(seed), loss), slots, slots, (BrokenProcessPool,))
    write = Store.write
    for last, is_there in kills:
        written = 0

        def killed(
            self: Store, records: Any, last: int = last, is_there: bool = is_there
        ) -> Path | None:
            nonlocal written
            written += 1
            if written > last and not is_there:
                (self.parts_folder / ".part-draft.parquet.1").write_bytes(b"half")
                raise KilledError
            path = write(self, records)
            if written > last:
                raise KilledError
            return path

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Store, "write", killed)
            with contextlib.suppress(KilledError):
                run_here(small_plan(), folder, engine, target=target)
    store = run_here(small_plan(), folder, engine, target=target)
    # A deal whose worker happens to die three times is marked as crashed; try it again.
    while store.forget_faulty():
        run_here(small_plan(), folder, steady())
    assert contents(store) == clean


def test_a_finished_study_is_not_run_again(tmp_path: Path) -> None:
    store = run_here(small_plan(), tmp_path / "s")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Unsteady, "submit", None)
        run_here(small_plan(), tmp_path / "s")
    assert len(list(store.records())) > 80


def test_undecided_deals_go_on_with_a_larger_budget_and_no_others(tmp_path: Path) -> None:
    def plan(budget: list[int]) -> Plan:
        return small_plan(players=["thoughtful"], budget=budget)

    store = run_here(plan([40]), tmp_path / "s")
    first = list(store.records())
    open_deals = {(each.game, each.number) for each in first if not each.is_decided}
    assert 0 < len(open_deals) < len(first)
    run_here(plan([300]), tmp_path / "s")
    more = [each for each in store.records() if each.budget == 300]
    assert {(each.game, each.number) for each in more} == open_deals
    # Two budgets of one plan ask the same question.
    both = run_here(plan([40, 300]), tmp_path / "t")
    assert contents(both) == contents(store)


def test_the_first_deals_decide_when_it_is_enough(tmp_path: Path) -> None:
    plan = plan_of(
        {
            "study": [
                {
                    "game": "amazons",
                    "deals": "cadogan:0..999",
                    "player": "greedy",
                    "stop": {"half_width": "4%"},
                }
            ]
        },
        "plan",
    )
    stores = [
        run_here(plan, tmp_path / name, engine, target=target)
        for name, engine, target in (
            ("one", steady(1), 4.0),
            ("many", Engine(Unsteady(random.Random(1), 0.05), 9, 9, (BrokenProcessPool,)), 0.001),
        )
    ]
    assert contents(stores[0]) == contents(stores[1])
    (summary,) = summarize(stores[0], plan)
    assert summary.is_finished
    assert 100 < summary.size == summary.tally.deals < 1000
    assert summary.interval.half_width <= 0.04


def test_deals_not_tried_yet_count_as_undecided(tmp_path: Path) -> None:
    plan = small_plan(games=["amazons"], players=["greedy"])
    store = run_here(plan, tmp_path / "s")
    kept = [each for each in store.records() if each.number not in (3, 18, 19)]
    other = Store(tmp_path / "t", create=True)
    other.write(kept)
    (summary,) = summarize(other, plan)
    assert (summary.missing, summary.tally.deals, summary.is_finished) == (1, 18, False)
    assert summary.tally.undecided == 1
    assert summary.outcomes[3] is None


def test_results_of_other_rules_are_not_mixed(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", create=True)
    store.write([record(1, game="amazons", digest="of another time")])
    with pytest.raises(StudyError, match="with other rules"):
        run(small_plan(), store, steady())
    assert len(list(store.records())) == 1


def test_a_rules_file_goes_with_its_batches(tmp_path: Path) -> None:
    rules = Path("python/cadogan/catalogue/amazons.toml").read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(rules, encoding="utf-8")
    plan = small_plan(last=4, games=[f"{path}:left-to-right"])
    with local(1) as engine:
        store = run_here(plan, tmp_path / "s", engine)
    own = small_plan(last=4, games=["amazons:left-to-right"])
    other = run_here(own, tmp_path / "t")
    strip = [each._replace(game="") for each in store.records()]
    assert strip == [each._replace(game="") for each in other.records()]


def test_a_deal_that_cannot_be_played_gets_a_record_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cadogan.study.players import play

    def restless(game: Any, deal: str, player: Any, budget: int) -> Any:
        if deal == "cadogan:3":
            raise RuntimeError("the forced rules\ndo not come to rest")
        return play(game, deal, player, budget)

    monkeypatch.setattr("cadogan.study.worker.play", restless)
    plan = small_plan(games=["amazons"], players=["greedy"])
    store = Store(tmp_path / "s", create=True)
    result = run(plan, store, steady())
    assert result.failed == ("amazons cadogan:3",)
    (faulty,) = store.records("verdict = ?", ["failed"])
    assert faulty.note == "RuntimeError: the forced rules do not come to rest"
    (summary,) = summarize(store, plan)
    assert summary.is_finished
    assert summary.tally.undecided == 1
    assert summary.faulty == ["cadogan:3 failed"]


def test_what_is_wrong_with_a_worker_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="a worker failed: RuntimeError: no amazons here"):
        run(small_plan(), Store(tmp_path / "s", create=True), steady(), work=stubborn)


def test_workers_that_die_at_once_are_not_tried_for_ever(tmp_path: Path) -> None:
    engine = Engine(Unsteady(loss=1.0), 1, 1, (BrokenProcessPool,))
    with pytest.raises(StudyError, match="die as soon as they begin"):
        run(small_plan(), Store(tmp_path / "s", create=True), engine)


def test_progress_is_reported(tmp_path: Path) -> None:
    told: list[Progress] = []
    run_here(small_plan(), tmp_path / "s", report=told.append)
    last = told[-1]
    assert last.done == sum(progress.done > 0 for progress in told[-1:]) * last.done > 0
    assert [tally.deals for tally in last.tallies] == list(last.sizes) == [20] * 4
    assert all(isinstance(tally, Tally) for tally in last.tallies)


def test_a_worker_with_another_solver_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.study.run.solver_version", lambda: "another")
    with pytest.raises(StudyError, match="a worker has the solver"):
        run_here(small_plan(), tmp_path / "s")


def test_what_another_solver_left_undecided_is_tried_again_if_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = small_plan(players=["thoughtful"])
    for place in ("run", "worker"):
        monkeypatch.setattr(f"cadogan.study.{place}.solver_version", lambda: "another")
    store = run_here(plan, tmp_path / "s")
    monkeypatch.undo()
    before = list(store.records())
    undecided = sum(each.tally.undecided for each in summarize(store, plan))
    assert undecided
    assert run(plan, store, steady()).done == 0
    assert list(store.records()) == before
    assert run(plan, store, steady(), retry_undecided=True).done > undecided
    last = plan.studies[0].budgets[-1]
    for each in run_here(plan, tmp_path / "t").records(f"budget = {last}"):
        kept = {one for one in store.records("number = ?", [each.number]) if one.game == each.game}
        if all(one.solver == "another" for one in kept):
            assert each.is_decided
        elif not each.is_decided:
            assert each in kept
    assert run(plan, store, steady(), retry_undecided=True).done == 0


def test_plans_of_a_store_are_joined(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", create=True)
    first = small_plan(last=9)
    save_plan(store, first)
    larger = small_plan(last=19, games=["amazons"], players=["greedy"])
    joined = save_plan(store, larger)
    assert joined == plan_in(store)
    spans = {(each.game, each.player.name): len(each.span) for each in joined.studies}
    assert spans["amazons", "greedy"] == 20
    assert spans["beleaguered-castle", "greedy"] == spans["amazons", "thoughtful"] == 10


@pytest.mark.timeout(300)
def test_a_deal_that_kills_its_worker_is_marked(tmp_path: Path) -> None:
    """With real processes: only that deal is given up; its neighbours are tried."""
    plan = small_plan(games=["amazons"], players=["greedy"])
    store = Store(tmp_path / "s", create=True)
    with local(2) as engine:
        result = run(plan, store, engine, work=deadly)
    assert result.crashed == (f"amazons cadogan:{DEADLY}",)
    assert [each.number for each in store.records("verdict = 'crashed'")] == [DEADLY]
    assert len(list(store.records())) == 20
    # It is tried again only on request.
    assert run(plan, store, steady()).done == 0
    store.forget_faulty()
    assert run(plan, store, steady()).done == 1
    assert contents(store) == contents(run_here(plan, tmp_path / "clean"))


@pytest.mark.timeout(300)
def test_workers_killed_from_outside_lose_nothing(tmp_path: Path) -> None:
    plan = small_plan(games=["beleaguered-castle"], players=["thoughtful"], budget=20_000)
    store = Store(tmp_path / "s", create=True)
    killed: list[int] = []
    with local(2) as engine:
        crew: Any = engine.executor

        def kill(progress: Progress) -> None:
            # Kill at any time: some workers are in the middle of a batch.
            if len(killed) < 4 and (pids := crew.pids()):
                pid = pids[len(killed) % len(pids)]
                # A worker killed a moment ago may still be on the list.
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

        result = run(plan, store, engine, report=kill)
    assert len(killed) == 4
    assert result.lost >= 1
    assert contents(store) == contents(run_here(plan, tmp_path / "clean"))
