"""Where batches are worked at: processes of this machine, or a cluster, as executors.

All of them are :class:`concurrent.futures.Executor`, and nothing else is asked of them. What a
study finds out does not depend on which it is.
"""

import contextlib
import importlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from typing import Any, Final, ParamSpec, TypeVar

from cadogan.interrupts import blocked_sigint
from cadogan.study.errors import StudyError
from cadogan.study.statistics import missing

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE: Final = 30.0
"""Seconds that a cluster has to answer, and to offer a worker."""
QUEUES: Final = ("htcondor", "lsf", "moab", "oar", "pbs", "sge", "slurm")
"""The batch systems that dask-jobqueue knows."""
_CLASSES: Final = {"htcondor": "HTCondor", "moab": "Moab"}


@dataclass(frozen=True)
class Engine:
    """An executor and what is known of it.

    Attributes:
        executor: The executor.
        workers: How many batches it works at at the same time.
        slots: How many it may be given; more than it works at, if the way there is long.
        lost: The errors that mean that a worker is gone, not that the batch was wrong.
    """

    executor: Executor
    workers: int
    slots: int
    lost: tuple[type[BaseException], ...]


class Crew(Executor):
    """So many processes, each on its own: when one dies, the others do not notice.

    A pool of the standard library is broken as a whole if one process dies, and nobody can tell
    which batch it was.

    Args:
        workers: How many processes.
    """

    def __init__(self, workers: int) -> None:
        self._pools: list[ProcessPoolExecutor | None] = [None] * workers
        self._idle = list(range(workers))
        self._change = threading.Condition()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """Gives an idle process something to do; waits for one if there is none."""
        with self._change:
            # A future is done a moment before its process is known to be idle.
            while not self._idle:
                self._change.wait()
            place = self._idle.pop()
            future = self._submit(place, fn, *args, **kwargs)
        future.add_done_callback(lambda done: self._finished(place, done))
        return future

    def _submit(
        self, place: int, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> "Future[T]":
        pool = self._pools[place]
        if pool is not None:
            try:
                return pool.submit(fn, *args, **kwargs)
            except BrokenProcessPool:
                pool.shutdown(wait=False)
        pool = self._pools[place] = ProcessPoolExecutor(
            1, mp_context=get_context("spawn"), initializer=_attend
        )
        with blocked_sigint():
            return pool.submit(fn, *args, **kwargs)

    def _finished(self, place: int, done: "Future[Any]") -> None:
        with self._change:
            if not done.cancelled() and isinstance(done.exception(), BrokenProcessPool):
                broken = self._pools[place]
                self._pools[place] = None
                if broken is not None:
                    broken.shutdown(wait=False)
            self._idle.append(place)
            self._change.notify()

    def pids(self) -> list[int]:
        """The processes that are alive."""
        pools = [pool for pool in self._pools if pool is not None]
        return [pid for pool in pools for pid in (pool._processes or {})]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes; those that are at work, too, if they are not waited for."""
        for pool in self._pools:
            if pool is None:
                continue
            if not wait:
                for process in list((pool._processes or {}).values()):
                    process.terminate()
            pool.shutdown(wait=wait, cancel_futures=cancel_futures)


def _attend() -> None:
    """Prepares a process: Ctrl-C is for the one that commands, and nobody outlives that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def local(workers: int) -> Iterator[Engine]:
    """Processes of this machine."""
    crew = Crew(workers)
    try:
        yield Engine(crew, workers, workers, (BrokenProcessPool,))
    except BaseException:
        crew.shutdown(wait=False, cancel_futures=True)
        raise
    crew.shutdown()


@contextlib.contextmanager
def cluster(address: str, workers: int | None = None) -> Iterator[Engine]:
    """A cluster of dask.

    Args:
        address: The address of its scheduler, ``tcp://HOST:PORT``; or a batch system, such as
            ``slurm``, whose jobs are configured in dask's own file ``jobqueue.yaml``.
        workers: How many workers to ask a batch system for.

    Raises:
        StudyError: If there is no such cluster, or it has no workers.
    """
    try:
        import distributed
    except ImportError:
        raise missing("distributed") from None
    with contextlib.ExitStack() as stack:
        if address in QUEUES:
            jobs = stack.enter_context(queue(address))
            jobs.scale(workers or 1)
            target: Any = jobs
        else:
            target = address
        try:
            client = stack.enter_context(_client(distributed, target))
        except (OSError, ValueError, ImportError) as error:
            reason = str(error).strip().splitlines()[0] if str(error).strip() else "no answer"
            raise StudyError(
                f"there is no cluster at {address}: {reason}",
                "start one with 'dask scheduler' and 'dask worker', and give its tcp://HOST:PORT",
            ) from None
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise StudyError(
                f"the cluster at {address} has no workers", "start one: dask worker ADDRESS"
            ) from None
        threads = sum(client.nthreads().values())
        executor = client.get_executor(pure=False)
        gone = (distributed.KilledWorker,)
        yield Engine(executor, threads, 2 * threads, gone)


def _client(distributed: Any, target: Any) -> Any:
    import dask.config

    # Every process of dask looks fifty times a second whether it was kept waiting. Here nobody
    # reads that, and with the rest it is some per cent of a processor.
    with dask.config.set({"distributed.admin.tick.interval": "1s"}):
        return distributed.Client(target, timeout=PATIENCE, set_as_default=False)


def queue(name: str) -> Any:
    """The jobs of a batch system, as dask-jobqueue starts them.

    Raises:
        StudyError: If dask-jobqueue is not installed, or does not know what a job is to be.

    >>> queue("sundial")
    Traceback (most recent call last):
        ...
    cadogan.study.errors.StudyError: there is no batch system 'sundial'
    """
    if name not in QUEUES:
        raise StudyError(f"there is no batch system {name!r}", f"there are {', '.join(QUEUES)}")
    try:
        jobqueue = importlib.import_module("dask_jobqueue")
    except ImportError:
        raise missing("dask_jobqueue") from None
    kind = getattr(jobqueue, f"{_CLASSES.get(name, name.upper())}Cluster")
    try:
        return kind()
    except (ValueError, TypeError, RuntimeError) as error:
        raise StudyError(
            f"{name} does not know what its jobs are to be: {error}",
            "write it into ~/.config/dask/jobqueue.yaml, as dask-jobqueue tells",
        ) from None
