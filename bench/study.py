"""What it costs to spread a study: ``python -m bench.study``.

The same deals are tried by one process, by two, and by one and two workers of dask on this machine,
each time into a new store and with workers that are there already. Told are the seconds by the
clock, the seconds of processors that all processes used together, and how many of these the deals
took. The last two columns compare: what was spent besides the deals, and what dask adds to that of
the plain processes. A process is a few per cent faster or slower than the next one from its start
on, so the deals themselves are not compared with each other. The best round is told.
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
"""With it a deal of this game costs more than ten milliseconds."""
ROUNDS = 3
QUIET = {
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.profile.enabled": False,
}
"""What docs/scale.md advises."""


Begin = Callable[[int], AbstractContextManager[Engine]]


class Measured(NamedTuple):
    """One round: seconds by the clock, of processors, of them for the deals; deals decided."""

    clock: float
    used: float
    work: float
    decided: int


def processor_seconds() -> float:
    """Of this process and all that it has begun and that are there."""
    own = psutil.Process()
    times = [each.cpu_times() for each in (own, *own.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


def measure(plan: Plan, engine: Engine, folder: Path) -> Measured:
    """Seconds by the clock, of processors, of them for the deals, and how many were decided."""
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
    """Workers of dask on this machine, in processes of their own."""
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
    """What is compared, by its title, with how many workers."""
    spread = partial(dask, settings=settings)
    return {
        "one process": (1, executors.local),
        "one worker of dask": (1, spread),
        "two processes": (2, executors.local),
        "two workers of dask": (2, spread),
    }


def main() -> None:
    """Measures and tells."""
    parser = argparse.ArgumentParser(prog="python -m bench.study", description="Cost of spreading.")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument(
        "--untuned", action="store_true", help="dask as it comes, not set as docs/scale.md advises"
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
    print(f"{asked.deals} deals of {GAME}, {BUDGET:,} nodes each at most, best of {asked.rounds}\n")
    print(
        "engine               clock  processor  deals  decided a processor second  besides   more"
    )
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
