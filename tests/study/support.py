"""Shared by the tests of studies: small plans, and executors that fail."""

import os
import random
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from cadogan.study.executors import Engine
from cadogan.study.plan import Plan, plan_of
from cadogan.study.record import Record, pack_line
from cadogan.study.run import run
from cadogan.study.store import Store
from cadogan.study.worker import Batch, Done, work

DEADLY = 13
"""The deal that kills :func:`deadly`."""


def small_plan(last: int = 19, **more: Any) -> Plan:
    """Two games, players and budgets: the first budget decides some deals, and some stay open."""
    study = {
        "games": ["amazons", "beleaguered-castle"],
        "deals": f"cadogan:0..{last}",
        "budget": [40, 300],
        "players": ["thoughtful", "greedy"],
        **more,
    }
    return plan_of({"study": [study]}, "plan")


class Unsteady(Executor):
    """Works at once, in this process, and sometimes loses a task."""

    def __init__(self, chance: random.Random | None = None, loss: float = 0.0) -> None:
        self.chance = chance or random.Random(0)
        self.loss = loss

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        if self.chance.random() < self.loss:
            future.set_exception(BrokenProcessPool("a worker died"))
            return future
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future


def steady(slots: int = 1) -> Engine:
    return Engine(Unsteady(), slots, slots, (BrokenProcessPool,))


def run_here(plan: Plan, folder: Path, engine: Engine | None = None, **more: Any) -> Store:
    """Runs a plan in this process and returns its store."""
    store = Store(folder, create=True)
    run(plan, store, engine or steady(), **more)
    return store


def contents(store: Store) -> tuple[list[str], list[Record]]:
    """The names of the parts, and all records."""
    return [part.name for part in store.parts()], list(store.records())


def record(number: int = 0, verdict: str = "winnable", **more: Any) -> Record:
    """An invented record."""
    fields = {
        "game": "golf",
        "digest": "d",
        "player": "thoughtful",
        "scheme": "cadogan",
        "number": number,
        "budget": 100,
        "verdict": verdict,
        "nodes": 7,
        "length": 2 if verdict in ("winnable", "won") else 0,
        "line": pack_line([1, 2]) if verdict in ("winnable", "won") else b"",
        "version": "1",
        "solver": "s",
        "note": "",
        **more,
    }
    return Record(**fields)


def write_all(store: Store, records: Iterable[Record]) -> Store:
    store.write(list(records))
    return store


def deadly(batch: Batch) -> Done:
    """Works, but dies at one deal."""
    if DEADLY in batch.numbers:
        os._exit(9)
    return work(batch)


def stubborn(batch: Batch) -> Done:
    """Fails, whatever the deals."""
    raise RuntimeError(f"no {batch.game} here")
