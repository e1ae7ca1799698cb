"""Settings of all tests: which ones run, how many examples hypothesis tries, time limits.

A run of the whole suite leaves out the tests marked ``slow`` and takes small samples of what is
long (:mod:`tests.sampling`). ``make test-all`` (``CADOGAN_ALL=1``) runs almost everything, ``make
test-part`` (``CADOGAN_ALL=part``) the small tests and a part of the others; another run that names
a file, or chooses tests with ``-k``, runs all that it names. ``CADOGAN_GAMES="golf yukon"`` runs
only what is tested game by game, and only for these games. ``CADOGAN_THOROUGH=1`` tries far more
examples, and every time others; without it each run tries the same examples, so a failure is the
fault of a change. At the end a run says once what it left out and how to get it.
"""

import gc
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from cadogan.rules import catalogue
from tests.sampling import (
    OTHERS_OF_COSTLY,
    PARTS,
    for_games,
    game_in,
    games_of,
    left_out,
    other_parts,
    today,
)
from tests.table.postgres import cluster, empty

# Tests leave no traces in the user's folders, and read nothing that an earlier run has cached.
# Processes of one run share a cache: several hundred of them load rules.
if "PYTEST_XDIST_WORKER" not in os.environ:
    _CACHE = tempfile.TemporaryDirectory(prefix="cadogan-tests-")
    os.environ["CADOGAN_CACHE"] = _CACHE.name

LEAVES_SLOW_OUT = "cadogan_leaves_slow_out"
DAY = "cadogan_day"
DAY_KEY = pytest.StashKey[int]()
THOROUGH = os.environ.get("CADOGAN_THOROUGH") == "1"
PART = not THOROUGH and os.environ.get("CADOGAN_ALL") == "part"
ALL = THOROUGH or PART or os.environ.get("CADOGAN_ALL") == "1"

settings.register_profile("quick", max_examples=50, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=1000, deadline=None, print_blob=True)
settings.load_profile("thorough" if THOROUGH else "quick")


def leaves_slow_out(config: pytest.Config) -> bool:
    """Whether a run has chosen its tests neither by ``-m`` nor by name, and is not to run all."""
    if hasattr(config, "workerinput"):
        # A worker of xdist is called with names, whatever its controller was called with.
        return bool(config.workerinput[LEAVES_SLOW_OUT])
    return (
        not (ALL or config.getoption("markexpr") or config.getoption("keyword"))
        and config.args_source is not pytest.Config.ArgsSource.ARGS
    )


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Passes the decision on to a worker of xdist, and the day, which may end meanwhile."""
    node.workerinput[LEAVES_SLOW_OUT] = leaves_slow_out(node.config)
    node.workerinput[DAY] = day_of(node.config)


def day_of(config: pytest.Config) -> int:
    """The day whose samples a run takes."""
    worker: dict[str, int] = getattr(config, "workerinput", {})
    return config.stash.setdefault(DAY_KEY, worker.get(DAY) or today())


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Leaves out the games that are not those of the day."""
    definition, day = metafunc.definition, day_of(metafunc.config)
    games = catalogue()
    if "UPDATE_GOLDENS" in os.environ or definition.get_closest_marker("sample"):
        return
    turn = None
    if leaves_slow_out(metafunc.config):
        wanted, turn = games_of(day, games), day
    elif ALL and not THOROUGH and definition.get_closest_marker("costly"):
        wanted = games_of(day, games, OTHERS_OF_COSTLY // (PARTS if PART else 1))
    elif PART:
        wanted = games_of(day, games, -(-len(games) // PARTS))
    else:
        return
    for place, marker in enumerate(definition.own_markers):
        if marker.name == "parametrize":
            definition.own_markers[place] = for_games(marker, wanted, {*games}, turn)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is slow or not in the day's samples; gives thorough tests more time."""
    if wanted := os.environ.get("CADOGAN_GAMES", "").split():
        games = {*catalogue()}
        other = {item for item in items if game_in(item, games) not in wanted}
        config.hook.pytest_deselected(items=[item for item in items if item in other])
        items[:] = [item for item in items if item not in other]
    if leaves_slow_out(config):
        out = {item for item in items if item.get_closest_marker("slow")}
        if "UPDATE_GOLDENS" not in os.environ:
            out |= left_out([item for item in items if item not in out], day_of(config))
    else:
        out = other_parts(items, day_of(config)) if PART else set()
    config.hook.pytest_deselected(items=[item for item in items if item in out])
    items[:] = [item for item in items if item not in out]
    if THOROUGH:
        for item in items:
            if item.get_closest_marker("timeout") is None:
                item.add_marker(pytest.mark.timeout(1800))


def pytest_collection_finish() -> None:
    """Spares each collection of garbage a walk over all tests, which takes half a second."""
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says once for each reason how many tests did not run, and how to run them."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", ())
        if isinstance(report.longrepr, tuple)
    )
    lines = [f"{count} tests: {reason}" for reason, count in sorted(reasons.items())]
    if leaves_slow_out(terminalreporter.config):
        day = day_of(terminalreporter.config)
        lines.append(
            f"slow tests, and games and cases that are not those of day {day}: 'make test-all' "
            f"runs all, 'CADOGAN_DAY={day} make test' repeats this choice"
        )
    elif PART:
        day = day_of(terminalreporter.config)
        lines.append(
            f"most games, long tests and slow tests: 'CADOGAN_DAY={day + 1} make test-part' runs "
            "another part, 'make test-all' all of them"
        )
    elif ALL and not THOROUGH:
        lines.append("costly tests of some games: 'CADOGAN_THOROUGH=1 make test' runs all")
    if lines:
        terminalreporter.section("not run", sep="-")
        for line in lines:
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A server of PostgreSQL for all tests of a worker; the address of its database."""
    with cluster() as address:
        yield address


@pytest.fixture
def postgres(postgresql: str) -> str:
    """The address of an empty database in PostgreSQL."""
    empty(postgresql)
    return postgresql
