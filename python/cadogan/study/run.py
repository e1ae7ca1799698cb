"""Running a plan: leases go out, results come back and are on the disk before they count."""

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
from cadogan.study.store import Store
from cadogan.study.worker import Batch, Done, Row, Work, version, work

TICK: Final = 0.5
"""Seconds between two looks at how far it is."""
MANY: Final = 200
"""Parts of a store that are put together before it is read."""
HOPELESS: Final = 20
"""Workers that die one after the other, without any result, before it is given up."""
SETTLED: Final = 5.0
"""Seconds of one processor after which it can be told how much of the processors a study gets."""


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Attributes:
        studies: The studies of the plan.
        tallies: What is known of each.
        sizes: How many deals each takes, as far as is known.
        done: Deals tried in this run.
        seconds: Since it began.
        seconds_left: How long the rest will take, if that can be told.
        lost: Workers that died.
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
    """What a run did.

    Attributes:
        done: Deals tried.
        crashed: The deals that were given up.
        failed: The deals whose trial raised an error.
        lost: Workers that died.
        seconds: How long it took.
    """

    done: int
    crashed: tuple[str, ...]
    failed: tuple[str, ...]
    lost: int
    seconds: float


@dataclass
class _Ask:
    """What a study asks a worker, but for the numbers and the budget."""

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
    """Tries all deals of a plan that the store does not know.

    Args:
        plan: What is to be found out.
        store: Where it is kept.
        engine: Who does it.
        report: Told now and then how far it is.
        work: What workers do.
        target: Seconds that a batch should take.
        retry_undecided: Whether deals that another solver left undecided are tried again.

    Returns:
        What was done. The store is complete and compact then.

    Raises:
        StudyError: If it cannot go on. What was found out is kept, and a new run goes on with it.
    """
    with store.writing():
        # A run that was killed leaves a part for every few seconds; many are slow to be read.
        if len(store.parts()) > MANY:
            store.compact()
        asks = [_ask(study, store) for study in plan.studies]
        planner = Planner(
            [_job(ask, store, retry_undecided) for ask in asks], engine.workers, target
        )
        runner = _Runner(asks, store, engine, planner, report, work)
        result = runner.run()
        store.compact()
    return result


def _ask(study: Study, store: Store) -> _Ask:
    game = plans.load_game(study.game)
    others = store.digests(study.game) - {game.digest}
    if others:
        raise StudyError(
            f"{store.folder} has results of {study.game} with other rules",
            "the rules file was changed since then; use another folder",
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
    return Job(study.span.first, len(study.span), len(ask.budgets), study.stop, known)


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
        """What the results so far cost, in seconds of one processor."""

    def run(self) -> Result:
        try:
            self.work_off()
        finally:
            self.keep_costs(must=True)
        seconds = time.monotonic() - self.began
        return Result(self.done, tuple(self.crashed), tuple(self.failed), self.lost, seconds)

    def work_off(self) -> None:
        while not self.planner.is_finished:
            self.give_out()
            if not self.flying:
                raise RuntimeError("nothing is left to wait for, and something to be done")
            finished, _ = wait(self.flying, TICK, FIRST_COMPLETED)
            self.take_back([(future, self.flying.pop(future)) for future in finished])
            self.keep_costs()
            self.tell()

    def keep_costs(self, *, must: bool = False) -> None:
        # They are told beside the results; a disk that is full is told when results are written.
        with contextlib.suppress(OSError):
            self.costs.keep(time.monotonic(), must=must)

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
                # The worker was dead before; the next one gets the same.
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
        # On the disk first: what the planner believes to be done must never be asked for again.
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
            f"a worker cannot work: {type(error).__name__}: {error}",
            "what was found out is kept; put that right and run it again",
        ) from error

    def died(self) -> None:
        self.lost += 1
        self.in_a_row += 1
        if self.in_a_row >= HOPELESS * self.engine.workers and not self.done:
            raise StudyError(
                "the workers die as soon as they begin",
                "is there enough memory? 'cadogan solve' on one deal may tell more",
            )

    def tell(self) -> None:
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
        # Who shares the processors with others gets through less of it in a second.
        passed = (time.monotonic() - self.began) * self.engine.workers
        slowness = passed / self.spent if self.spent > SETTLED else 1.0
        return left / self.engine.workers * max(1.0, slowness)


def _known(row: Row, stage: int, stages: int) -> Known:
    if row.verdict in WON or row.verdict in LOST:
        return Known(row.verdict in WON, row.nodes, stage)
    # A deal that raised an error would raise it with any budget.
    return Known(None, row.nodes, stages - 1 if row.verdict == FAILED else stage)
