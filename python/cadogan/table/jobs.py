"""Searches that all server processes with one PostgreSQL share.

What is asked for lies in the table ``jobs``, and each process takes from it as many jobs as it has
worker processes: ``FOR UPDATE SKIP LOCKED``, so that no two take the same. Taking is a lease. A
process that is killed no longer renews it, and another one takes the job. A position is searched
once for all; the answer stays in the table ``verdicts``.

One thread does all of it, so a player never waits for this table, and what was asked meanwhile is
written in one transaction. While the database is away, nothing is lost but time: what is still
wanted is written again.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    case,
    delete,
    func,
    literal,
    null,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError

from cadogan.table import schema
from cadogan.table.library import OWN, Library
from cadogan.table.news import News
from cadogan.table.store import SURE, Store
from cadogan.table.workers import (
    BUDGETS,
    HERE,
    MOST_WAITING,
    Answer,
    Asked,
    Job,
    OnAnswer,
    Pool,
    Question,
)
from cadogan.trouble import trouble

BEAT: Final = 5.0
"""Seconds after which a process renews what it asks for and what it has taken."""
HELPED: Final = 3 * BEAT
"""So long another process counts as one with workers after it has said so."""
LEASE: Final = timedelta(seconds=30)
"""How long a job is taken, or wanted, unless it is renewed."""
MOST_ATTEMPTS: Final = 3
"""How often a job is taken without an answer: it may be the job that kills its workers."""
RETRY: Final = 1.0
"""Seconds between attempts while the database is away."""
STORED: Final = timedelta(days=7)
"""How long verdicts stay, except those on deals."""
CLEAR: Final = 3600.0
"""Seconds after which older ones are deleted."""

Key = tuple[str, str, int]
"""The rules, the position and the largest budget."""
_JOBS: Final = schema.jobs
_KEY: Final = tuple_(_JOBS.c.digest, _JOBS.c.hash, _JOBS.c.budget)
_IS_FREE: Final = or_(_JOBS.c.leased_until.is_(None), _JOBS.c.leased_until < func.now())
_FREED: Final[dict[str, Any]] = {"worker": None, "leased_until": None}
_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class SharedJob:
    """A question that some process answers.

    Attributes:
        question: The question.
        on_answer: Called after every attempt.
        urgency: As of :class:`cadogan.table.workers.Job`.
        budgets: The budgets of its attempts.
        nodes: How many searched positions were reported.
    """

    question: Question
    on_answer: OnAnswer
    urgency: int
    budgets: tuple[int, ...]
    _cancel: Callable[["SharedJob"], None] = field(repr=False)
    nodes: int = 0

    @property
    def key(self) -> Key:
        """The key of its row."""
        return self.question.digest, f"{self.question.hash:032x}", self.budgets[-1]

    def cancel(self) -> None:
        """Ends the search, unless others ask for it, too."""
        self._cancel(self)


@dataclass(slots=True)
class _Todo:
    """What has happened since the thread last looked.

    Attributes:
        new: Keys that are asked for.
        gone: Keys that nobody here asks for any more.
        told: Keys about which there are news.
        stopped: Keys of jobs taken here for which nobody asks any more.
        answers: Answers of the worker processes here, each with its remaining budgets.
        checks: Whether anything may have changed.
    """

    new: dict[Key, None] = field(default_factory=dict)
    gone: dict[Key, None] = field(default_factory=dict)
    told: dict[Key, None] = field(default_factory=dict)
    stopped: dict[Key, None] = field(default_factory=dict)
    answers: list[tuple[Key, Question, Answer, tuple[int, ...]]] = field(default_factory=list)
    checks: bool = False


class SharedPool:
    """The jobs of all processes, as a pool.

    Args:
        store: The database, which must be PostgreSQL.
        library: The games.
        news: News of the other processes.
        pool: The worker processes of this server process.
    """

    def __init__(self, store: Store, library: Library, news: News, pool: Pool) -> None:
        self._engine = store.engine
        self._library = library
        self._news = news
        self._pool = pool
        self._condition = threading.Condition()
        self._asked: dict[Key, list[SharedJob]] = {}
        self._todo = _Todo(checks=True)
        self._taken: dict[Key, Job] = {}
        self._foreign: set[str] = set()
        self._cleared = 0.0
        self._helped_until = 0.0
        self._closed = False
        self._answers: queue.SimpleQueue[tuple[SharedJob, Answer] | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=run, name=f"cadogan-jobs-{name}", daemon=True)
            for name, run in (("table", self._run), ("answers", self._answer_all))
        ]
        for thread in self._threads:
            thread.start()
        news.listen("jobs", lambda _: self._awake())
        news.listen("verdict", self._hear)
        news.listen("cancelled", self._hear_cancelled)
        news.listen("workers", self._hear_workers)

    @property
    def size(self) -> int:
        """The number of worker processes of this server process."""
        return self._pool.size

    @property
    def is_answered(self) -> bool:
        """Whether this process has workers, or another one has said lately that it does."""
        return self.size > 0 or time.monotonic() < self._helped_until

    def ask(
        self, question: Question, on_answer: OnAnswer, *, urgency: int = HERE,
        budgets: tuple[int, ...] = BUDGETS,
    ) -> Asked:  # fmt: skip
        """Queues a question; see :meth:`cadogan.table.workers.Pool.ask`."""
        job = SharedJob(question, on_answer, urgency, budgets, self._cancel)
        with self._condition:
            self._asked.setdefault(job.key, []).append(job)
            self._todo.gone.pop(job.key, None)
            self._todo.new[job.key] = None
            dropped = self._oldest(urgency) if len(self._asked) > MOST_WAITING else None
            self._condition.notify()
        if dropped is not None:
            dropped.cancel()
            self._answers.put((dropped, Answer("unknown", (), (), 0, True, dropped=True)))
        return job

    def close(self) -> None:
        """Ends all processes, and leaves to others what they had not finished."""
        with self._condition:
            self._closed = True
            self._condition.notify()
        self._answers.put(None)
        self._pool.close()
        for thread in self._threads:
            thread.join(5)

    # What other threads report.

    def _oldest(self, urgency: int) -> SharedJob | None:
        """The oldest question of an urgency, if there are too many."""
        found = [job for jobs in self._asked.values() for job in jobs if job.urgency == urgency]
        return found[0] if len(found) > MOST_WAITING else None

    def _cancel(self, job: SharedJob) -> None:
        with self._condition:
            jobs = self._asked.get(job.key, [])
            if job not in jobs:
                return
            jobs.remove(job)
            if not jobs:
                del self._asked[job.key]
                if self._todo.new.pop(job.key, self) is None:
                    return  # it was never written
                self._todo.gone[job.key] = None
                self._condition.notify()

    def _awake(self) -> None:
        with self._condition:
            self._condition.notify()

    def _hear(self, items: Sequence[tuple[str, int]] | None) -> None:
        with self._condition:
            if items is None:
                self._todo.checks = True
            for key in map(_parsed, _keys(items)):
                if key in self._asked:
                    self._todo.told[key] = None
            self._condition.notify()

    def _hear_cancelled(self, items: Sequence[tuple[str, int]] | None) -> None:
        with self._condition:
            for key in map(_parsed, _keys(items)):
                if key in self._taken:
                    self._todo.stopped[key] = None
            self._condition.notify()

    def _hear_workers(self, items: Sequence[tuple[str, int]] | None) -> None:
        if items:
            self._helped_until = time.monotonic() + HELPED

    # The thread of the table.

    def _run(self) -> None:
        beat = 0.0
        while not self._closed:
            with self._condition:
                if self._todo == _Todo():
                    self._condition.wait(BEAT)
                todo, self._todo = self._todo, _Todo()
            if (now := time.monotonic()) >= beat:
                todo.checks, beat = True, now + BEAT
            try:
                self._work_off(todo)
            except Exception as fault:
                if trouble(fault) is None:
                    _log.exception("the jobs of the searches could not be read or written")
                self._put_back(todo)
                time.sleep(RETRY)
        with suppress(SQLAlchemyError), self._writing() as connection:
            mine = _JOBS.c.worker == self._news.process
            connection.execute(update(_JOBS).where(mine).values(_FREED))
            connection.execute(delete(_JOBS).where(_JOBS.c.asker == self._news.process))

    def _put_back(self, todo: _Todo) -> None:
        """Repeats everything: it does no harm to do it twice."""
        with self._condition:
            self._todo.gone |= {key: None for key in todo.gone if key not in self._asked}
            self._todo.stopped |= todo.stopped
            self._todo.answers[:0] = todo.answers
            self._todo.checks = True

    def _work_off(self, todo: _Todo) -> None:
        for key in todo.stopped:
            self._stop(key)
        if todo.answers:
            self._store(todo.answers)
        if todo.gone:
            self._withdraw(todo.gone)
        if todo.checks:
            self._renew()
        with self._condition:
            wanted = todo.new | todo.told | (dict.fromkeys(self._asked) if todo.checks else {})
        if wanted:
            self._look(list(wanted))
        self._take()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._engine.begin() as connection:
            # These rows need not survive a crash of the database: no commit waits for the disk.
            connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
            yield connection

    def _store(self, answers: list[tuple[Key, Question, Answer, tuple[int, ...]]]) -> None:
        """Stores what the worker processes here have found."""
        others = list[Key]()
        with self._writing() as connection:
            for key, question, answer, rest in answers:
                where = _literal(key) == _KEY
                if answer.status in SURE:
                    _add_verdict(connection, key, question, answer)
                    change: Any = delete(_JOBS).where(where)
                elif answer.nodes == 0:
                    # Its process died; the next one that takes it tries again.
                    change = update(_JOBS).where(where).values(_FREED)
                else:
                    nodes = _JOBS.c.nodes + answer.nodes
                    values = {**_FREED, "nodes": nodes, "attempts": 0, "asked": func.now()}
                    left = () if answer.final else rest
                    values |= {"budgets": _written(left), "done": not left}
                    change = update(_JOBS).where(where).values(values)
                asker = connection.execute(change.returning(_JOBS.c.asker)).first()
                if asker is not None and asker[0] != self._news.process:
                    others.append(key)
        for key in others:
            self._news.publish("verdict", _text(key))
        with self._condition:
            for key, _, answer, rest in answers:
                # A job that another process has taken over meanwhile has an answer now, too.
                if answer.status in SURE:
                    self._answered(key, answer)
                elif answer.nodes:
                    self._todo.told[key] = None
                if rest or not answer.nodes:
                    self._news.publish("jobs", "")

    def _withdraw(self, keys: Iterable[Key]) -> None:
        """Deletes jobs that nobody else asks for; the others end when nobody renews them."""
        where = _KEY.in_(sorted(keys)), _JOBS.c.asker == self._news.process
        columns = (*_KEY.clauses, _JOBS.c.worker)
        with self._writing() as connection:
            gone = connection.execute(delete(_JOBS).where(*where).returning(*columns)).all()
        for *parts, worker in gone:
            digest, position, budget = parts
            key = digest, position, budget
            if worker == self._news.process:
                self._stop(key)
            elif worker is not None:
                self._news.publish("cancelled", _text(key))

    def _renew(self) -> None:
        """Renews what this process asks for and has taken, and clears away what nobody renews."""
        if self.size:
            self._news.publish("workers", "")
        with self._condition:
            asked, taken = sorted(self._asked), sorted(self._taken)
        until = func.now() + LEASE
        unwanted = _JOBS.c.wanted_until < func.now()
        hopeless = _IS_FREE & ~_JOBS.c.done & (_JOBS.c.attempts >= MOST_ATTEMPTS)
        with self._writing() as connection:
            if asked:
                renewed = update(_JOBS).where(_KEY.in_(asked))
                connection.execute(renewed.values(wanted_until=until))
            mine = (_JOBS.c.worker == self._news.process) & ~unwanted
            renewed = update(_JOBS).where(mine, _KEY.in_(taken)).values(leased_until=until)
            found = connection.execute(renewed.returning(*_KEY.clauses)).all() if taken else []
            connection.execute(update(_JOBS).where(hopeless).values(done=True))
            connection.execute(delete(_JOBS).where(unwanted, _IS_FREE))
        self._clear_verdicts()
        for key in set(taken) - {(digest, position, most) for digest, position, most in found}:
            self._stop(key)  # nobody asks for it, or another process has it

    def _clear_verdicts(self) -> None:
        """Deletes verdicts that are old; now and then."""
        if time.monotonic() < self._cleared + CLEAR:
            return
        self._cleared = time.monotonic()
        with self._writing() as connection:
            old = schema.verdicts.c.found < func.now() - STORED
            connection.execute(delete(schema.verdicts).where(old))

    def _look(self, keys: list[Key]) -> None:
        """Reads what is known about positions that are asked for, and asks for the others."""
        table = schema.verdicts
        pair = tuple_(table.c.digest, table.c.hash)
        pairs = sorted({key[:2] for key in keys})
        with self._writing() as connection:
            # Without a proof it is only known for the statistics: there is no line to play.
            is_known = table.c.status.in_(SURE) & table.c.proof.is_not(None)
            known = select(table).where(pair.in_(pairs), is_known)
            verdicts = {(row.digest, row.hash): row for row in connection.execute(known)}
            rows = connection.execute(select(_JOBS).where(_KEY.in_(sorted(keys)))).all()
            jobs = {(row.digest, row.hash, row.budget): row for row in rows}
            with self._condition:
                missing = {
                    key: self._asked[key][0]
                    for key in keys
                    if key in self._asked and key[:2] not in verdicts
                }
            missing = {
                key: job
                for key, job in missing.items()
                if key not in jobs or jobs[key].asker not in (None, self._news.process)
            }
            if missing:
                self._insert(connection, missing.values())
        with self._condition:
            for key in keys:
                if (verdict := verdicts.get(key[:2])) is not None:
                    self._answered(key, _answer(verdict))
                    if key in jobs:
                        self._todo.gone[key] = None
                elif (row := jobs.get(key)) is not None:
                    self._progressed(key, row)
        if missing and len(self._taken) >= self.size:
            self._news.publish("jobs", "")

    def _insert(self, connection: Connection, jobs: Iterable[SharedJob]) -> None:
        process, until = self._news.process, func.now() + LEASE
        added = insert(_JOBS).values(
            [
                {
                    "digest": job.key[0], "hash": job.key[1], "budget": job.key[2],
                    "urgency": job.urgency, "game": job.question.name,
                    "deck": " ".join(job.question.deck), "moves": "; ".join(job.question.moves),
                    "budgets": _written(job.budgets), "nodes": 0, "asked": func.now(),
                    "asker": process, "wanted_until": until, "attempts": 0, "done": False,
                }
                for job in sorted(jobs, key=lambda job: job.key)
            ]
        )  # fmt: skip
        connection.execute(
            added.on_conflict_do_update(
                index_elements=_JOBS.primary_key.columns,
                set_={
                    # No name: several processes ask.
                    "asker": case((_JOBS.c.asker == process, _JOBS.c.asker), else_=null()),
                    "urgency": func.least(_JOBS.c.urgency, added.excluded.urgency),
                    "wanted_until": until,
                },
            )
        )

    def _take(self) -> None:
        """Takes as many jobs as there are worker processes that do nothing."""
        free = self.size - len(self._taken)
        if free <= 0:
            return
        order = {urgency: place for place, urgency in enumerate(self._pool.order())}
        waiting = (
            select(_JOBS)
            .where(
                _IS_FREE, ~_JOBS.c.done, _JOBS.c.attempts < MOST_ATTEMPTS,
                _JOBS.c.wanted_until > func.now(), _JOBS.c.digest.not_in(self._foreign),
            )
            .order_by(case(order, value=_JOBS.c.urgency), _JOBS.c.asked)
            .limit(free)
            .with_for_update(skip_locked=True)
        )  # fmt: skip
        with self._writing() as connection:
            rows = connection.execute(waiting).all()
            keys = [(row.digest, row.hash, row.budget) for row in rows]
            if not rows:
                return
            taken = update(_JOBS).where(_KEY.in_(keys))
            connection.execute(
                taken.values(
                    worker=self._news.process,
                    leased_until=func.now() + LEASE,
                    attempts=_JOBS.c.attempts + 1,
                )
            )
        for key, row in zip(keys, rows, strict=True):
            self._begin(key, row)

    def _begin(self, key: Key, row: Row[Any]) -> None:
        budgets = tuple(map(int, row.budgets.split()))
        try:
            # The name of a rules file has the digest of its text, and may be another player's.
            own = row.game.startswith(OWN)
            if not own and self._library.load(row.game).digest != row.digest:
                raise ValueError(f"another version of {row.game}")
            address = self._library.address(row.game)
        except (LookupError, ValueError, OSError) as fault:
            # Another process may have that version of the rules.
            _log.info("a job for %s is left to others: %s", row.game, fault)
            self._foreign.add(row.digest)
            with self._writing() as connection:
                freed = update(_JOBS).where(_literal(key) == _KEY)
                connection.execute(freed.values({**_FREED, "attempts": 0}))
            return
        moves = tuple(row.moves.split("; ")) if row.moves else ()
        position = int(row.hash, 16)
        question = Question(address, row.game, tuple(row.deck.split()), moves, row.digest, position)

        def on_answer(answer: Answer) -> None:
            with self._condition:
                if self._taken.pop(key, None) is not None:
                    self._todo.answers.append((key, question, answer, budgets[1:]))
                    self._condition.notify()

        with self._condition:
            self._taken[key] = self._pool.ask(
                question, on_answer, urgency=row.urgency, budgets=budgets[:1],
                is_last=len(budgets) == 1,
            )  # fmt: skip

    def _stop(self, key: Key) -> None:
        with self._condition:
            job = self._taken.pop(key, None)
        if job is not None:
            job.cancel()

    # Answers.

    def _answered(self, key: Key, answer: Answer) -> None:
        """Reports a final answer to all who asked here; called with the lock."""
        for job in self._asked.pop(key, ()):
            self._answers.put((job, answer))

    def _progressed(self, key: Key, row: Row[Any]) -> None:
        """Reports how far an undecided search has come; called with the lock."""
        for job in self._asked.get(key, ()):
            nodes, job.nodes = row.nodes - job.nodes, row.nodes
            if nodes > 0 or row.done:
                self._answers.put((job, Answer("unknown", (), (), nodes, row.done)))
        if row.done and self._asked.pop(key, None) is not None:
            self._todo.gone[key] = None

    def _answer_all(self) -> None:
        while (found := self._answers.get()) is not None:
            job, answer = found
            try:
                job.on_answer(answer)
            except Exception:
                _log.exception("the answer of a search was not taken in")


def _add_verdict(connection: Connection, key: Key, question: Question, answer: Answer) -> None:
    table = schema.verdicts
    values = {
        "status": answer.status,
        "nodes": answer.nodes,
        "proof": answer.proof,
        "line": [
            [move, f"{position:032x}"]
            for move, position in zip(answer.line, answer.hashes, strict=True)
        ],
        "found": func.now() if question.moves else None,
    }
    added = insert(table).values(digest=key[0], hash=key[1], **values)
    connection.execute(
        added.on_conflict_do_update(
            index_elements=table.primary_key.columns,
            set_=values,
            where=table.c.status.not_in(SURE) | table.c.proof.is_(None),
        )
    )


def _answer(row: Row[Any]) -> Answer:
    """The answer that a row of the table of verdicts stands for."""
    line = row.line or []
    return Answer(
        row.status,
        tuple(move for move, _ in line),
        tuple(int(position, 16) for _, position in line),
        row.nodes,
        final=True,
        proof=row.proof or "",
    )


def _literal(key: Key) -> ColumnElement[Any]:
    """A key as a value of SQL."""
    return tuple_(*map(literal, key))


def _written(budgets: Iterable[int]) -> str:
    return " ".join(map(str, budgets))


def _text(key: Key) -> str:
    return ":".join(map(str, key))


def _keys(items: Sequence[tuple[str, int]] | None) -> list[str]:
    return [key for key, _ in items or ()]


def _parsed(text: str) -> Key:
    digest, position, budget = text.split(":")
    return digest, position, int(budget)
