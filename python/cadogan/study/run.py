"""Runs a plan: submits leases to an engine and writes results to disk before they count."""

import contextlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from typing import Final

from cadogan.solver.solve import solver_version
from cadogan.study import plan as plans
from cadogan.study.costs import Asked, Costs
from cadogan.study.errors import StudyError
from cadogan.study.executors import Engine
from cadogan.study.plan import Plan, Study
from cadogan.study.planner import TARGET, Job, Known, Lease, Planner
from cadogan.study.players import LOST, WON
from cadogan.study.record import CRASHED, FAILED, Record, unpack_line
from cadogan.study.statistics import Tally
from cadogan.study.store import BLOCK, Store
from cadogan.study.worker import Batch, Done, Row, Work, version, work

TICK: Final = 0.5
"""Seconds between two progress reports."""
MANY: Final = 200
"""A store with more parts is compacted before a run reads it."""
HOPELESS: Final = 20
"""A run gives up if so many processes die for each worker, without any result."""
SETTLED: Final = 5.0
"""Processor seconds after which a run can estimate what share of the processors it gets."""


@dataclass(frozen=True)
class Progress:
    """The progress of a run.

    Attributes:
        studies: The studies of the plan.
        tallies: The results of each so far.
        sizes: How many deals each takes, as far as is known.
        done: How many deals this run has tried.
        seconds: The time since the run began.
        seconds_left: The estimated time left; ``None`` if there is no estimate yet.
        lost: How many workers died.
    """

    studies: Sequence[Study]
    tallies: Sequence[Tally]
    sizes: Sequence[int]
    done: int
    seconds: float
    seconds_left: float | None
    lost: int


Report = Callable[[Progress], None]


@dataclass(frozen=True)
class Result:
    """The result of a run.

    Attributes:
        done: How many deals were tried.
        crashed: The deals that were given up because their workers died.
        failed: The deals that raised an error.
        lost: How many workers died.
        seconds: How long the run took.
    """

    done: int
    crashed: tuple[str, ...]
    failed: tuple[str, ...]
    lost: int
    seconds: float


@dataclass
class _Ask:
    """The question that a study asks its workers, without the numbers and the budget."""

    study: Study
    digest: str
    text: str | None
    budgets: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.budgets = self.study.recorded_budgets

    def batch(self, numbers: tuple[int, ...], stage: int) -> Batch:
        study = self.study
        return Batch(
            study.game,
            self.text,
            self.digest,
            str(study.player),
            study.span.scheme,
            numbers,
            self.budgets[stage],
            version(),
            solver_version(),
        )

    def asked(self, stage: int) -> Asked:
        study = self.study
        return Asked(
            study.game,
            self.digest,
            str(study.player),
            study.span.scheme,
            self.budgets[stage],
            solver_version(),
        )

    def records(self, rows: Sequence[Row], stage: int) -> list[Record]:
        study = self.study
        return [
            Record(
                study.game,
                self.digest,
                str(study.player),
                study.span.scheme,
                row.number,
                self.budgets[stage],
                row.verdict,
                row.nodes,
                len(unpack_line(row.line)),
                row.line,
                version(),
                solver_version(),
                row.note,
            )
            for row in rows
        ]


def run(
    plan: Plan,
    store: Store,
    engine: Engine,
    *,
    report: Report | None = None,
    work: Work = work,
    target: float = TARGET,
    retry_undecided: bool = False,
) -> Result:
    """Tries all deals of a plan that the store does not have yet.

    When this returns, the store is complete and compact.

    Args:
        plan: The plan.
        store: The store for the results.
        engine: The executor for the batches.
        report: Called regularly with the progress.
        work: The function that workers run.
        target: Seconds that a batch should take.
        retry_undecided: Whether to try deals again that another solver left undecided.

    Returns:
        What the run did.

    Raises:
        StudyError: If the run cannot continue. All results so far are saved, and a new run
            continues from there.
    """
    with store.writing():
        # A killed run leaves a part for every few seconds, and many parts are slow to read.
        block_size = BLOCK * max((each.span.shards.count for each in plan.studies), default=1)
        if len(store.parts()) > MANY:
            store.compact(block_size)
        asks = [_ask(study, store) for study in plan.studies]
        planner = Planner(
            [_job(ask, store, retry_undecided) for ask in asks], engine.workers, target
        )
        runner = _Runner(asks, store, engine, planner, report, work)
        result = runner.run()
        store.compact(block_size)
    return result


def _ask(study: Study, store: Store) -> _Ask:
    game = plans.load_game(study.game)
    others = store.digests(study.game) - {game.digest}
    if others:
        raise StudyError(
            f"{store.folder} has results of {study.game} with other rules",
            "the rules have changed since then; use another folder",
        )
    return _Ask(study, game.digest, plans.text_of(game))


def _job(ask: _Ask, store: Store, retry_undecided: bool) -> Job:
    study = ask.study
    known = store.known(
        study.game,
        ask.digest,
        str(study.player),
        study.span.scheme,
        ask.budgets,
        solver_version() if retry_undecided else None,
    )
    numbers = study.span.numbers
    step = 1 if len(numbers) == 1 else numbers[1] - numbers[0]
    return Job(numbers[0], len(numbers), len(ask.budgets), study.stop, known, step)


class _Runner:
    def __init__(
        self,
        asks: Sequence[_Ask],
        store: Store,
        engine: Engine,
        planner: Planner,
        report: Report | None,
        work: Work,
    ) -> None:
        self.asks = asks
        self.store = store
        self.engine = engine
        self.planner = planner
        self.report = report
        self.work = work
        self.flying: dict[Future[Done], Lease] = {}
        self.done = 0
        self.lost = 0
        self.in_a_row = 0
        self.crashed: list[str] = []
        self.failed: list[str] = []
        self.costs = Costs(store)
        self.began = time.monotonic()
        self.spent = 0.0
        """The cost of the results so far, in seconds of one processor."""

    def run(self) -> Result:
        try:
            self.work_off()
        finally:
            self.save_costs(must=True)
        seconds = time.monotonic() - self.began
        return Result(self.done, tuple(self.crashed), tuple(self.failed), self.lost, seconds)

    def work_off(self) -> None:
        while not self.planner.is_finished:
            self.give_out()
            if not self.flying:
                raise RuntimeError("the plan is not finished, but no batch is running")
            finished, _ = wait(self.flying, TICK, FIRST_COMPLETED)
            self.take_back([(future, self.flying.pop(future)) for future in finished])
            self.save_costs()
            self.report_progress()

    def save_costs(self, *, must: bool = False) -> None:
        # Costs are optional. Writing results reports a full disk.
        with contextlib.suppress(OSError):
            self.costs.save(time.monotonic(), must=must)

    def give_out(self) -> None:
        while len(self.flying) < self.engine.slots:
            lease = self.planner.lease()
            if lease is None:
                break
            task = lease.task
            batch = self.asks[task.job].batch(task.numbers, task.stage)
            try:
                self.flying[self.engine.executor.submit(self.work, batch)] = lease
            except self.engine.lost:
                # The worker died before this batch, so the next one gets it.
                self.planner.returned(lease)
                self.died()

    def take_back(self, finished: "list[tuple[Future[Done], Lease]]") -> None:
        results: list[tuple[Lease, Done]] = []
        records: list[Record] = []
        error: BaseException | None = None
        for future, lease in finished:
            ask = self.asks[lease.task.job]
            error = future.exception()
            if error is None:
                done = future.result()
                results.append((lease, done))
                records += ask.records(done.rows, lease.task.stage)
            elif isinstance(error, self.engine.lost):
                given_up = self.planner.lost(lease)
                note = "its worker died, again and again"
                rows = [Row(number, CRASHED, 0, b"", note) for number in given_up]
                records += ask.records(rows, lease.task.stage)
                self.crashed += [f"{ask.study.game} {ask.study.span.name(n)}" for n in given_up]
                self.died()
            else:
                break
        # Write to disk first: what the planner counts as done is never tried again.
        self.store.write(records)
        for lease, done in results:
            ask = self.asks[lease.task.job]
            stages = len(ask.budgets)
            known = {row.number: _known(row, lease.task.stage, stages) for row in done.rows}
            self.planner.result(lease, known, done.seconds)
            self.costs.add(ask.asked(lease.task.stage), len(done.rows), done.seconds)
            self.spent += done.seconds
            self.in_a_row = 0
            self.done += len(done.rows)
            faulty = [row.number for row in done.rows if row.verdict == FAILED]
            self.failed += [f"{ask.study.game} {ask.study.span.name(n)}" for n in faulty]
        if isinstance(error, self.engine.lost) or error is None:
            return
        if isinstance(error, StudyError):
            raise error
        raise StudyError(
            f"a worker failed: {type(error).__name__}: {error}",
            "all results so far are saved; solve the problem and run the study again",
        ) from error

    def died(self) -> None:
        self.lost += 1
        self.in_a_row += 1
        if self.in_a_row >= HOPELESS * self.engine.workers and not self.done:
            raise StudyError(
                "the workers die as soon as they begin",
                "is there enough memory? 'cadogan solve' on one deal may show the cause",
            )

    def report_progress(self) -> None:
        if self.report is None:
            return
        places = range(len(self.asks))
        self.report(
            Progress(
                [ask.study for ask in self.asks],
                [self.planner.tally(place) for place in places],
                [self.planner.size(place) for place in places],
                self.done,
                time.monotonic() - self.began,
                self.seconds_left(),
                self.lost,
            )
        )

    def seconds_left(self) -> float | None:
        left = self.planner.seconds_left()
        if left is None:
            return None
        # If other programs use the processors, too, the rest takes longer.
        passed = (time.monotonic() - self.began) * self.engine.workers
        slowness = passed / self.spent if self.spent > SETTLED else 1.0
        return left / self.engine.workers * max(1.0, slowness)


def _known(row: Row, stage: int, stages: int) -> Known:
    if row.verdict in WON or row.verdict in LOST:
        return Known(row.verdict in WON, row.nodes, stage)
    # A deal that raised an error would raise it with every budget.
    return Known(None, row.nodes, stages - 1 if row.verdict == FAILED else stage)
