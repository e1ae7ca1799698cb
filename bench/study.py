"""What it costs to spread a study: ``python -m bench.study``.

The same deals are tried by one process, by two, and by two workers of dask on this machine, each
time into a new store. Other work on the machine disturbs it: look at the ratios, and run it again.
"""

import argparse
import resource
import tempfile
import time
from contextlib import AbstractContextManager
from pathlib import Path

from cadogan.study import engines
from cadogan.study.engines import Engine
from cadogan.study.plan import Plan, plan_of
from cadogan.study.run import run
from cadogan.study.store import Store
from cadogan.study.summary import summarize

GAME = "black-hole"
DEALS = 1_000
BUDGET = 20_000
"""With it a deal of this game costs more than ten milliseconds."""


def processor_seconds() -> float:
    """Of this process and all that it has begun and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measure(plan: Plan, engine: AbstractContextManager[Engine], folder: Path) -> tuple[float, int]:
    """Seconds by the clock for all deals, the workers being there already, and deals decided."""
    store = Store(folder, create=True)
    with engine as ready:
        warm = plan_of({"study": [{"game": GAME, "deals": "cadogan:0..9"}]}, "warm")
        run(warm, Store(folder.with_name("warm-" + folder.name), create=True), ready)
        begun = time.perf_counter()
        run(plan, store, ready)
        seconds = time.perf_counter() - begun
    (summary,) = summarize(store, plan)
    return seconds, summary.tally.won + summary.tally.lost


def main() -> None:
    """Measures and tells."""
    parser = argparse.ArgumentParser(prog="python -m bench.study", description="Cost of spreading.")
    parser.add_argument("--deals", type=int, default=DEALS)
    deals = parser.parse_args().deals
    study = {"game": GAME, "deals": f"cadogan:0..{deals - 1}", "budget": BUDGET}
    plan = plan_of({"study": [study]}, "bench")
    print(f"{deals} deals of {GAME}, {BUDGET:,} nodes each at most\n")
    print("engine                 seconds   decided   a second   a processor second")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, engine in (
            ("one process", engines.local(1)),
            ("two processes", engines.local(2)),
            ("two workers of dask", _dask(2)),
        ):
            before = processor_seconds()
            seconds, decided = measure(plan, engine, folder / title.replace(" ", "-"))
            used = processor_seconds() - before
            print(
                f"{title:22} {seconds:7.2f} {decided:9} {decided / seconds:10.1f} "
                f"{decided / used:20.1f}"
            )


def _dask(workers: int) -> AbstractContextManager[Engine]:
    from contextlib import ExitStack, contextmanager

    import distributed

    @contextmanager
    def begun():  # type: ignore[no-untyped-def]
        with ExitStack() as stack:
            cluster = stack.enter_context(
                distributed.LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=workers,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address=None,
                    silence_logs=40,
                )
            )
            yield stack.enter_context(engines.cluster(cluster.scheduler_address))

    return begun()


if __name__ == "__main__":
    main()
