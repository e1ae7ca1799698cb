"""``python -m bench.study``: the overhead of running a study in parallel.

The same deals are tried by one and two processes, and by one and two dask workers on this machine,
each time with a new store and with workers that have already started. The table shows the
wall-clock seconds, the processor seconds of all processes together, and the part of these that the
deals took. The last two columns are the overhead beyond the deals, and how much dask adds to that
of plain processes. Processes differ in speed by a few per cent from their start on, so the times of
the deals themselves are not compared. The best round is shown.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import distributed
import psutil  # type: ignore[import-untyped]
from dask import config

from cadogan.study import executors
from cadogan.study.costs import costs_of
from cadogan.study.executors import Engine
from cadogan.study.plan import Plan, plan_of
from cadogan.study.run import run
from cadogan.study.store import Store
from cadogan.study.summary import summarize

GAME = "black-hole"
DEALS = 500
BUDGET = 60_000
"""With this budget, a deal of the game costs more than ten milliseconds."""
ROUNDS = 3
QUIET = {
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.profile.enabled": False,
}
"""The settings that docs/scale.md recommends."""


Begin = Callable[[int], AbstractContextManager[Engine]]


class Measured(NamedTuple):
    """One round: wall-clock seconds, processor seconds, those of the deals, and decided deals."""

    clock: float
    used: float
    work: float
    decided: int


def processor_seconds() -> float:
    """Returns the processor seconds of this process and its living descendants."""
    own = psutil.Process()
    times = [each.cpu_times() for each in (own, *own.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


def measure(plan: Plan, engine: Engine, folder: Path) -> Measured:
    """Runs the plan once and measures it."""
    store = Store(folder, create=True)
    used, begun = processor_seconds(), time.perf_counter()
    run(plan, store, engine)
    seconds, used = time.perf_counter() - begun, processor_seconds() - used
    (summary,) = summarize(store, plan)
    (summary,) = summarize(store, plan)
    work = sum(cost.seconds for cost in costs_of(store).values())
    return Measured(seconds, used, work, summary.tally.won + summary.tally.lost)


@contextmanager
def dask(workers: int, settings: dict[str, Any]) -> Iterator[Engine]:
    """Starts dask workers on this machine, each in its own process."""
    with ExitStack() as stack:
        stack.enter_context(config.set(settings))
        cluster = stack.enter_context(
            distributed.LocalCluster(  # type: ignore[no-untyped-call]
                n_workers=workers,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs=40,
            )
        )
        yield stack.enter_context(executors.cluster(cluster.scheduler_address))


def engines_with(settings: dict[str, Any]) -> dict[str, tuple[int, Begin]]:
    """Returns the compared engines by title, with their numbers of workers."""
    spread = partial(dask, settings=settings)
    return {
        "one process": (1, executors.local),
        "one worker of dask": (1, spread),
        "two processes": (2, executors.local),
        "two workers of dask": (2, spread),
    }


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.study", description="Cost of spreading.")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument(
        "--untuned", action="store_true", help="use dask's defaults, not those of docs/scale.md"
    )
    asked = parser.parse_args()
    compared = engines_with({} if asked.untuned else QUIET)
    study = {"game": GAME, "deals": f"cadogan:0..{asked.deals - 1}", "budget": BUDGET}
    plan = plan_of({"study": [study]}, "bench")
    warm = plan_of({"study": [{**study, "deals": "cadogan:0..9"}]}, "warm")
    found: dict[str, list[Measured]] = {title: [] for title in compared}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, (workers, begin) in compared.items():
            with begin(workers) as engine:
                run(warm, Store(folder / f"{title} warm", create=True), engine)
                for number in range(asked.rounds):
                    found[title].append(measure(plan, engine, folder / f"{title} {number}"))
    print(f"{asked.deals} deals of {GAME}, at most {BUDGET:,} nodes each, best of {asked.rounds}\n")
    print("engine               clock  processor  deals    decided per CPU second overhead   more")
    for title, (workers, _) in compared.items():
        best = min(found[title], key=_besides)
        plain = next(key for key, (count, _) in compared.items() if count == workers)
        added = (1 + _besides(best)) / (1 + min(map(_besides, found[plain]))) - 1
        more = "" if title == plain else f"{100 * added:+.1f} %"
        print(
            f"{title:20} {best.clock:5.2f} {best.used:10.2f} {best.work:6.2f} "
            f"{best.decided / best.used:26.1f} {100 * _besides(best):6.1f} % {more:>7}"
        )


def _besides(measured: Measured) -> float:
    return measured.used / measured.work - 1


if __name__ == "__main__":
    main()
