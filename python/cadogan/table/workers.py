"""Worker processes that search for verdicts, so that the server stays responsive.

A job is searched with a small budget first. If that is not enough, the job queues again with a
larger one, so a quick answer never waits long behind a slow one. A job that is no longer needed is
interrupted in the middle of its search.

Jobs wait in one queue per urgency, and each queue gets its share of the processing time: urgent
jobs start soon, and the others still progress under any number of urgent ones. A full queue drops
its oldest job.
"""

import contextlib
import itertools
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, Protocol

from cadogan.game import Game, Position
from cadogan.interrupts import blocked_sigint, unblock_sigint
from cadogan.solver.solve import Status

BUDGETS: Final = (20_000, 100_000, 400_000, 1_500_000)
"""The node budgets of successive attempts. Each attempt restarts, which costs a third."""

MEMORY: Final = 768 << 20
"""The memory limit of a search in one process, in bytes."""

HERE: Final = 0
SINCE: Final = 1
REVIEWS: Final = 3
DEALS: Final = 5
STATISTICS: Final = 9
SHARES: Final = {HERE: 16, SINCE: 4, REVIEWS: 4, DEALS: 4, STATISTICS: 1}
"""The share of processing time that each urgency gets while all have jobs waiting: whether the game
can be won, since which move it cannot, reviews, winnable deals, and verdicts for the statistics."""

_SPAWN: Final = multiprocessing.get_context("spawn")

MOST_WAITING: Final = 500
"""The largest number of waiting jobs of one urgency; if there are more, the oldest is dropped."""


@dataclass(frozen=True, slots=True)
class Question:
    """A position, in a form that another process can rebuild.

    Attributes:
        address: The name or path for :func:`cadogan.load`.
        name: The name of the game.
        deck: The cards as they were dealt.
        moves: The player's moves.
        digest: The digest of the game.
        hash: The hash of the position.
    """

    address: str
    name: str
    deck: tuple[str, ...]
    moves: tuple[str, ...]
    digest: str
    hash: int

    @classmethod
    def of(cls, position: Position, address: str) -> "Question":
        """The question for a position."""
        return cls(
            address,
            position.game.name,
            tuple(map(str, position.deck)),
            tuple(move.text for move in position.line if not move.forced),
            position.game.digest,
            position.hash,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a search.

    Attributes:
        status: As in :class:`cadogan.Verdict`.
        line: The texts of the winning moves.
        hashes: The hashes of the positions before these moves. The worker computes them, because
            replaying a long line would delay the server.
        nodes: How many positions were searched in this attempt.
        final: Whether there will be no larger budget.
        dropped: Whether the question was dropped because too many others were waiting.
        proof: What the verdict rests on, as in :class:`cadogan.Verdict`.
    """

    status: Status
    line: tuple[str, ...]
    hashes: tuple[int, ...]
    nodes: int
    final: bool
    dropped: bool = False
    proof: str = ""


OnAnswer = Callable[[Answer], None]


class Asked(Protocol):
    """A question that was asked."""

    def cancel(self) -> None:
        """Ends the search; ``on_answer`` may be called at most once more."""


class Asking(Protocol):
    """Answers questions: a :class:`Pool`, or what several processes share."""

    @property
    def is_answered(self) -> bool:
        """Whether there is anybody who answers."""

    def ask(
        self, question: Question, on_answer: OnAnswer, *, urgency: int = ...,
        budgets: tuple[int, ...] = ...,
    ) -> Asked:  # fmt: skip
        """Queues a question; see :meth:`Pool.ask`."""


@dataclass(slots=True)
class Job:
    """A question with its remaining budgets.

    Attributes:
        question: The question.
        on_answer: Called after every attempt, from a thread of the pool.
        urgency: One of :data:`SHARES`.
        budgets: The remaining budgets.
        is_last: Whether the last of them is the largest that the question gets.
        cancelled: Whether the answer is no longer needed.
    """

    question: Question
    on_answer: OnAnswer
    urgency: int
    budgets: tuple[int, ...]
    _queue: "_Queue" = field(repr=False)
    is_last: bool = True
    number: int = 0
    cancelled: bool = False
    _worker: "_Worker | None" = field(default=None, repr=False)

    def cancel(self) -> None:
        """Ends the search; ``on_answer`` may be called at most once more."""
        self.cancelled = True
        self._queue.jobs.pop(self.number, None)
        worker = self._worker
        if worker is not None:
            worker.interrupt(self)


@dataclass(slots=True)
class _Queue:
    """The waiting jobs of one urgency by number, the oldest first.

    Attributes:
        share: Its share of the processing time.
        used: How much it has used: seconds divided by the share.
    """

    share: int
    jobs: dict[int, Job] = field(default_factory=dict)
    used: float = 0.0


class Pool:
    """A pool of worker processes, which are started when they are first needed.

    Args:
        size: The number of processes.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._queues = {urgency: _Queue(share) for urgency, share in SHARES.items()}
        self._used = 0.0
        self._numbers = itertools.count()
        self._condition = threading.Condition()
        self._workers: list[_Worker] = []
        self._closed = False

    @property
    def is_answered(self) -> bool:
        """Whether there are any processes."""
        return self.size > 0

    def ask(
        self, question: Question, on_answer: OnAnswer, *, urgency: int = HERE,
        budgets: tuple[int, ...] = BUDGETS, is_last: bool = True,
    ) -> Job:  # fmt: skip
        """Queues a question.

        Args:
            question: The question.
            on_answer: Called after every attempt, and if the question is dropped.
            urgency: One of :data:`SHARES`.
            budgets: The node budgets of successive attempts.
            is_last: Whether the last of them is the largest that the question gets.
        """
        job = Job(question, on_answer, urgency, budgets, self._queues[urgency], is_last)
        self._put(job)
        return job

    def order(self) -> list[int]:
        """The urgencies, that which has used the least of its share first."""
        with self._condition:
            return sorted(self._queues, key=lambda urgency: self._queues[urgency].used)

    def _put(self, job: Job) -> None:
        dropped = None
        with self._condition:
            if self._closed or not self.size:
                return
            queue = job._queue
            if not queue.jobs:
                # An empty queue does not accumulate time for later.
                queue.used = max(queue.used, self._used)
            job.number = next(self._numbers)
            queue.jobs[job.number] = job
            if len(queue.jobs) > MOST_WAITING:
                dropped = queue.jobs.pop(next(iter(queue.jobs)))
            idle = any(worker.job is None for worker in self._workers)
            if not idle and len(self._workers) < self.size:
                worker = _Worker(self)
                self._workers.append(worker)
                worker.thread.start()
            self._condition.notify()
        if dropped is not None:
            dropped.on_answer(Answer("unknown", (), (), 0, True, dropped=True))

    def _next(self, worker: "_Worker") -> Job | None:
        """Waits for the next job; ``None`` when the pool closes."""
        with self._condition:
            while True:
                if self._closed:
                    return None
                waiting = [queue for queue in self._queues.values() if queue.jobs]
                if waiting:
                    queue = min(waiting, key=lambda queue: queue.used)
                    self._used = queue.used
                    job = queue.jobs.pop(next(iter(queue.jobs)))
                    worker.job = job
                    job._worker = worker
                    return job
                self._condition.wait()

    def _charge(self, job: Job, seconds: float) -> None:
        """Charges the time of a job to its queue."""
        with self._condition:
            job._queue.used += seconds / job._queue.share

    def load(self) -> tuple[int, int]:
        """How many jobs are running, and how many are waiting."""
        with self._condition:
            running = sum(worker.job is not None for worker in self._workers)
            return running, sum(len(queue.jobs) for queue in self._queues.values())

    def close(self) -> None:
        """Ends all processes."""
        with self._condition:
            self._closed = True
            for queue in self._queues.values():
                queue.jobs.clear()
            self._condition.notify_all()
            workers = list(self._workers)
        for worker in workers:
            worker.end()


class _Worker:
    """A process and the thread that controls it."""

    def __init__(self, pool: Pool) -> None:
        self.job: Job | None = None
        self._pool = pool
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._cancelled = _SPAWN.RawValue("q", -1)
        self._ended = False
        self.thread = threading.Thread(target=self._serve, name="cadogan-verdicts", daemon=True)

    def interrupt(self, job: Job) -> None:
        """Ends the search for a job, if it is the current one."""
        with self._lock:
            if self.job is not job:
                return
            # The signal alone could be lost: the process may not have read the question yet.
            self._cancelled.value = job.number
            if self._process is not None:
                _interrupt(self._process)

    def end(self) -> None:
        """Ends the process."""
        with self._lock:
            self._ended = True
            if self._process is not None:
                self._process.kill()

    def _serve(self) -> None:
        while (job := self._pool._next(self)) is not None:
            begun = time.monotonic()
            answer = self._ask(job)
            self._pool._charge(job, time.monotonic() - begun)
            with self._lock:
                self.job = job._worker = None
            if job.cancelled:
                continue
            if answer is None:
                # The process died: try the question once more.
                if len(job.budgets) > 1:
                    job.budgets = job.budgets[:1]
                    self._pool._put(job)
                else:
                    job.on_answer(Answer("unknown", (), (), 0, True))
                continue
            job.budgets = job.budgets[1:]
            if not answer.final and job.budgets:
                self._pool._put(job)
            with contextlib.suppress(Exception):
                job.on_answer(answer)

    def _ask(self, job: Job) -> Answer | None:
        try:
            pipe = self._connected()
            pipe.send((job.question, job.budgets[0], job.number))
            answer: Answer | None = pipe.recv()
        except (OSError, EOFError):
            self._forget()
            return None
        if answer is None:
            return None
        is_final = answer.final or (job.is_last and len(job.budgets) == 1)
        return replace(answer, final=is_final)

    def _connected(self) -> Connection:
        with self._lock:
            if self._ended:
                raise EOFError
            if self._pipe is None:
                ours, theirs = _SPAWN.Pipe()
                process = _SPAWN.Process(
                    target=work,
                    args=(theirs, self._cancelled),
                    name="cadogan-verdict",
                    daemon=True,
                )
                with blocked_sigint():
                    process.start()
                theirs.close()
                self._process, self._pipe = process, ours
            return self._pipe

    def _forget(self) -> None:
        with self._lock:
            if self._pipe is not None:
                self._pipe.close()
            if self._process is not None:
                self._process.kill()
                self._process.join()
            self._pipe = self._process = None


def _interrupt(process: BaseProcess) -> None:
    if os.name == "posix" and process.pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGINT)
    else:
        process.kill()


def work(pipe: Connection, cancelled: Any) -> None:
    """Answers questions until the pipe is closed. Runs in a worker process.

    Args:
        pipe: Receives questions with budgets and job numbers, and sends answers.
        cancelled: The number of the last cancelled job, shared with the server.
    """
    from cadogan.solver.solve import solve

    job: int | None = None

    def interrupted(_number: int, _frame: Any) -> None:
        # A late signal for an earlier job interrupts nothing.
        if job is not None and cancelled.value == job:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupted)
    unblock_sigint()
    if os.name == "posix":
        os.nice(5)  # the server has priority
    games: dict[str, Game] = {}
    while True:
        try:
            question, budget, number = pipe.recv()
        except (EOFError, OSError):
            return
        answer = None
        try:
            job = number
            if cancelled.value == number:
                raise KeyboardInterrupt
            position = _position(question, games)
            if (position.game.digest, position.hash) != (question.digest, question.hash):
                raise _OtherRulesError
            verdict = solve(position, budget=budget, memory=MEMORY)
            job = None
            line = tuple(move.text for move in verdict.line)
            # If memory or strategies are exhausted, a larger budget does not help.
            final = verdict.stop_reason not in ("budget", "interrupted")
            hashes = hashes_along(position, line)
            answer = Answer(verdict.status, line, hashes, verdict.nodes, final, proof=verdict.proof)
        except (KeyboardInterrupt, _OtherRulesError):
            pass
        finally:
            job = None
        try:
            pipe.send(answer)
        except OSError:
            return


class _OtherRulesError(Exception):
    """The rules are not those of the question: an answer would be about another game."""


def hashes_along(position: Position, line: Iterable[str]) -> tuple[int, ...]:
    """The hashes of the positions before the moves of a line."""
    hashes = []
    for text in line:
        hashes.append(position.hash)
        position = position.play(text)
    return tuple(hashes)


def _position(question: Question, games: dict[str, Game]) -> Position:
    from cadogan.rules import load_rules

    game = games.get(question.name)
    if game is None:
        if len(games) > 50:
            games.clear()
        game = games[question.name] = Game(question.name, load_rules(question.address))
    position = game.deal(deck=question.deck)
    for move in question.moves:
        position = position.play(move)
    return position
