"""Executors that run batches: processes of this machine, or a cluster.

Each is a :class:`concurrent.futures.Executor`, and nothing else is required of it. The results of
a study do not depend on the executor.
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
"""Seconds to wait for a cluster to answer, and for its first worker."""
QUEUES: Final = ("htcondor", "lsf", "moab", "oar", "pbs", "sge", "slurm")
"""The batch systems that dask-jobqueue supports."""
_CLASSES: Final = {"htcondor": "HTCondor", "moab": "Moab"}


@dataclass(frozen=True)
class Engine:
    """An executor and its properties.

    Attributes:
        executor: The executor.
        workers: How many batches it runs at the same time.
        slots: How many batches may be submitted at a time. Larger than ``workers`` if submitting
            takes long, so that no worker is idle.
        lost: The errors that mean that a worker died, not that the batch failed.
    """

    executor: Executor
    workers: int
    slots: int
    lost: tuple[type[BaseException], ...]


class Crew(Executor):
    """A pool of independent processes: when one dies, the others continue.

    A pool of the standard library breaks as a whole if one process dies, and it does not say which
    batch was to blame.

    Args:
        workers: How many processes.
    """

    def __init__(self, workers: int) -> None:
        self._pools: list[ProcessPoolExecutor | None] = [None] * workers
        self._idle = list(range(workers))
        self._change = threading.Condition()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """Submits a call to an idle process; waits until there is one."""
        with self._change:
            # A future is done a moment before its process is marked as idle.
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
        """Ends the processes. Without ``wait``, busy processes are terminated, too."""
        for pool in self._pools:
            if pool is None:
                continue
            if not wait:
                for process in list((pool._processes or {}).values()):
                    process.terminate()
            pool.shutdown(wait=wait, cancel_futures=cancel_futures)


def _attend() -> None:
    """Prepares a process: it ignores Ctrl-C, and exits when its parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def local(workers: int) -> Iterator[Engine]:
    """Provides processes of this machine.

    Args:
        workers: How many processes.

    Yields:
        The engine. Its processes end with the context.
    """
    crew = Crew(workers)
    try:
        yield Engine(crew, workers, workers, (BrokenProcessPool,))
    except BaseException:
        crew.shutdown(wait=False, cancel_futures=True)
        raise
    crew.shutdown()


@contextlib.contextmanager
def cluster(address: str, workers: int | None = None) -> Iterator[Engine]:
    """Connects to a dask cluster.

    Args:
        address: The address of its scheduler, ``tcp://HOST:PORT``; or a batch system, such as
            ``slurm``, whose jobs are configured in dask's own file ``jobqueue.yaml``.
        workers: How many workers to request from a batch system.

    Yields:
        The engine.

    Raises:
        StudyError: If the cluster does not answer, or has no workers.
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
                f"cannot reach a cluster at {address}: {reason}",
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

    # By default every dask process measures fifty times a second whether its event loop is late.
    # Nothing here reads that, and all such checks together cost some per cent of a processor.
    with dask.config.set({"distributed.admin.tick.interval": "1s"}):
        return distributed.Client(target, timeout=PATIENCE, set_as_default=False)


def queue(name: str) -> Any:
    """Returns the dask-jobqueue cluster of a batch system.

    Raises:
        StudyError: If the batch system is unknown, dask-jobqueue is not installed, or its jobs are
            not configured.

    >>> queue("sundial")
    Traceback (most recent call last):
        ...
    cadogan.study.errors.StudyError: unknown batch system 'sundial'
    """
    if name not in QUEUES:
        raise StudyError(f"unknown batch system {name!r}", f"choose one of {', '.join(QUEUES)}")
    try:
        jobqueue = importlib.import_module("dask_jobqueue")
    except ImportError:
        raise missing("dask_jobqueue") from None
    kind = getattr(jobqueue, f"{_CLASSES.get(name, name.upper())}Cluster")
    try:
        return kind()
    except (ValueError, TypeError, RuntimeError) as error:
        raise StudyError(
            f"the jobs of {name} are not configured: {error}",
            "configure them in ~/.config/dask/jobqueue.yaml, as dask-jobqueue's manual explains",
        ) from None
