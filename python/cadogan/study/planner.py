"""Schedules the deals of a study: plain data, without processes, clocks or files.

A :class:`Planner` hands out leases and takes back results or losses, in any order and with any
number of workers. The order and the times change how deals are cut into batches. They never change
the results: each deal is tried once at each budget, and a study always stops at the same deal.
"""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cadogan.study.statistics import Stop, Tally

TARGET: Final = 4.0
"""Seconds that a batch should take: enough to make the overhead small, and soon on disk."""
SHORTEST: Final = 0.1
"""Batches that take fewer seconds are not made smaller."""
LONGEST: Final = 2_000
"""The largest number of deals in a batch."""
DEATHS: Final = 3
"""A deal is given up after so many workers died while they tried it alone."""


@dataclass(frozen=True, slots=True)
class Known:
    """The result of one deal.

    Attributes:
        won: Whether it was won; ``None`` if it is undecided.
        nodes: Nodes searched.
        stage: The index of the budget that gave this result.
    """

    won: bool | None
    nodes: int
    stage: int


@dataclass(frozen=True, slots=True)
class Task:
    """Deals to try.

    Attributes:
        job: The index of the job.
        stage: The index of the budget.
        numbers: The numbers of the deals.
    """

    job: int
    stage: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lease:
    """A task that a worker has taken.

    Attributes:
        number: Identifies the lease.
        task: The task.
    """

    number: int
    task: Task


@dataclass
class Job:
    """One study as the planner sees it.

    Attributes:
        first: The number of the first deal.
        deals: How many deals.
        stages: How many budgets; an undecided deal is tried again with the next.
        stop: When the job stops.
        known: Results from earlier runs.
        step: The distance from the number of a deal to the next; a shard leaves out deals.
    """

    first: int
    deals: int
    stages: int = 1
    stop: Stop = field(default_factory=Stop)
    known: Mapping[int, Known] = field(default_factory=dict)
    step: int = 1

    def number(self, place: int) -> int:
        """The number of a deal by its place."""
        return self.first + place * self.step


class _Progress:
    """The progress of a job."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.checkpoints = list(job.stop.checkpoints(job.deals))
        self.limit = self.checkpoints.pop(0)
        self.next = 0
        self.again: list[tuple[int, int]] = []
        """Deals to try at a later stage, highest stage first, as (-stage, number)."""
        self.whole: list[Task] = []
        """Tasks to hand out again, such as parts of lost batches."""
        self.flying = 0
        self.results: dict[int, Known] = {}
        self.tally = [0, 0, 0]
        self.nodes = 0
        self.costs: dict[int, float] = {}
        self.seconds = 0.0
        self.tried = 0
        """How many deals were tried with the first budget; ``seconds`` covers all budgets."""
        self.closed = False

    def finish(self, number: int, known: Known) -> None:
        if number in self.results:
            return
        self.results[number] = known
        self.tally[2 if known.won is None else 0 if known.won else 1] += 1
        self.nodes += known.nodes

    def advance(self) -> None:
        """Moves to the next checkpoint if this one is reached and the job does not stop here."""
        self.take_known()
        while not self.closed and not self.flying and len(self.results) == self.limit:
            tally = Tally(*self.tally)
            if not self.checkpoints or self.job.stop.is_enough(tally, self.nodes):
                self.closed = True
            else:
                self.limit = self.checkpoints.pop(0)
                self.take_known()

    def take_known(self) -> None:
        """Takes over known results, up to the next deal without one."""
        job = self.job
        while self.next < self.limit:
            number = job.number(self.next)
            known = job.known.get(number)
            if known is None:
                return
            self.next += 1
            self.settle(number, known)

    def settle(self, number: int, known: Known) -> None:
        if known.won is None and known.stage + 1 < self.job.stages:
            heapq.heappush(self.again, (-known.stage - 1, number))
        else:
            self.finish(number, known)


class Planner:
    """Hands out the deals of some jobs.

    Args:
        jobs: The jobs; earlier ones are done first.
        workers: How many workers there are.
        target: Seconds that a batch should take.

    >>> planner = Planner([Job(first=0, deals=2)], workers=1)
    >>> lease = planner.lease()
    >>> lease.task
    Task(job=0, stage=0, numbers=(0,))
    >>> planner.result(lease, {0: Known(True, 5, 0)}, seconds=0.01)
    >>> planner.lease().task.numbers, planner.is_finished
    ((1,), False)
    """

    def __init__(self, jobs: Iterable[Job], workers: int = 1, target: float = TARGET) -> None:
        self._jobs = [_Progress(job) for job in jobs]
        self.workers = workers
        self._target = target
        self._leases: dict[int, Task] = {}
        self._count = 0
        self._deaths: dict[tuple[int, int], int] = {}
        for progress in self._jobs:
            progress.advance()

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to do or to wait for."""
        return all(progress.closed for progress in self._jobs)

    @property
    def out(self) -> int:
        """How many leases are neither finished nor lost."""
        return len(self._leases)

    def tally(self, job: int) -> Tally:
        """The results of a job so far."""
        return Tally(*self._jobs[job].tally)

    def size(self, job: int) -> int:
        """How many deals a job takes: all of them, or those up to where it stopped."""
        progress = self._jobs[job]
        return progress.limit if progress.closed else progress.job.deals

    def is_closed(self, job: int) -> bool:
        """Whether a job is done."""
        return self._jobs[job].closed

    def seconds_left(self) -> float | None:
        """Estimates the processor seconds that are left; ``None`` before the first result.

        Jobs that have not begun are assumed to cost as much per deal as the others on average.
        """
        spent = sum(progress.seconds for progress in self._jobs)
        tried = sum(progress.tried for progress in self._jobs)
        if not tried:
            return None
        total = 0.0
        for progress in self._jobs:
            if not progress.closed:
                left = progress.job.deals - len(progress.results)
                known = progress.seconds / progress.tried if progress.tried else spent / tried
                total += left * known
        return total

    def lease(self) -> Lease | None:
        """Hands out the next task; ``None`` if all tasks are leased or done."""
        for index, progress in enumerate(self._jobs):
            if progress.closed:
                continue
            task = self._task(index, progress)
            if task is not None:
                self._count += 1
                self._leases[self._count] = task
                progress.flying += 1
                return Lease(self._count, task)
        return None

    def _task(self, index: int, progress: _Progress) -> Task | None:
        if progress.whole:
            return progress.whole.pop()
        if progress.again:
            stage = -progress.again[0][0]
            size = self._size(progress, stage)
            numbers: list[int] = []
            while progress.again and len(numbers) < size and -progress.again[0][0] == stage:
                numbers.append(heapq.heappop(progress.again)[1])
            return Task(index, stage, tuple(numbers))
        size, numbers = self._size(progress, 0), []
        progress.take_known()
        while progress.next < progress.limit and len(numbers) < size:
            numbers.append(progress.job.number(progress.next))
            progress.next += 1
            progress.take_known()
        return Task(index, 0, tuple(numbers)) if numbers else None

    def _size(self, progress: _Progress, stage: int) -> int:
        """How many deals make a batch: few at the beginning and at the end."""
        cost = progress.costs.get(stage)
        if cost is None:
            return 1
        left = progress.limit - progress.next + len(progress.again)
        cost = max(cost, 1e-6)
        share = max(-(-left // (2 * self.workers)), int(min(SHORTEST, self._target) / cost))
        return max(1, min(int(self._target / cost), share, LONGEST))

    def result(self, lease: Lease, found: Mapping[int, Known], seconds: float = 0.0) -> None:
        """Takes the results of a lease.

        Args:
            lease: The lease. It is ignored if it was lost or finished before.
            found: The result of each of its deals.
            seconds: What they cost together, in seconds of one processor.
        """
        task = self._leases.pop(lease.number, None)
        if task is None:
            return
        progress = self._jobs[task.job]
        progress.flying -= 1
        progress.seconds += seconds
        progress.tried += len(task.numbers) if task.stage == 0 else 0
        cost = seconds / len(task.numbers)
        before = progress.costs.get(task.stage)
        progress.costs[task.stage] = cost if before is None else (before + cost) / 2
        for number in task.numbers:
            progress.settle(number, found[number])
        progress.advance()

    def lost(self, lease: Lease) -> tuple[int, ...]:
        """Reports that the worker of a lease died.

        Args:
            lease: The lease.

        Returns:
            The deals that are given up, since their workers died each time they were tried alone.
        """
        task = self._leases.pop(lease.number, None)
        if task is None:
            return ()
        progress = self._jobs[task.job]
        progress.flying -= 1
        if len(task.numbers) > 1:
            half = len(task.numbers) // 2
            for part in (task.numbers[half:], task.numbers[:half]):
                progress.whole.append(Task(task.job, task.stage, part))
            return ()
        (number,) = task.numbers
        deaths = self._deaths.get((task.job, number), 0) + 1
        self._deaths[task.job, number] = deaths
        if deaths < DEATHS:
            progress.whole.append(task)
            return ()
        progress.finish(number, Known(None, 0, task.stage))
        progress.advance()
        return (number,)

    def returned(self, lease: Lease) -> None:
        """Takes back a lease that no worker has begun."""
        task = self._leases.pop(lease.number, None)
        if task is not None:
            self._jobs[task.job].flying -= 1
            self._jobs[task.job].whole.append(task)


def stopped_at(job: Job, finished: Sequence[Known]) -> int | None:
    """Returns after how many deals a job stopped, or ``None`` if it has not stopped yet.

    Args:
        job: The job.
        finished: The results of its first deals, without a gap.

    >>> stopped_at(Job(0, 500, stop=Stop(deals=100)), [Known(True, 1, 0)] * 120)
    100
    """
    tally, nodes = [0, 0, 0], 0
    points = iter(job.stop.checkpoints(job.deals))
    point = next(points)
    for count, known in enumerate(finished, 1):
        tally[2 if known.won is None else 0 if known.won else 1] += 1
        nodes += known.nodes
        if count == point:
            if job.stop.is_enough(Tally(*tally), nodes):
                return point
            following = next(points, None)
            if following is None:
                return point
            point = following
    return None
