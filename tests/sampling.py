"""Which tests a plain ``make test`` leaves to ``make test-all``, so that it takes minutes.

A test that runs for every game of the catalogue runs for the games of the day: six games with which
the project began, and some of the others, each day others; their variants take turns, too. ``make
test-all`` runs it for all games, unless it is marked ``costly``: then for more of them, each day
others. A test marked ``sample(n)`` runs with ``n`` of its parameters, each time others. Of modules
marked ``takes_turns(n)``, one test in ``n`` runs each day; of other modules in the folders that
test with servers, processes and databases, one in six. The day is a number; ``CADOGAN_DAY`` repeats
one.

``make test-part`` runs one part in four of what ``make test-all`` adds, and another one the next
day: of the games, of the tests that take turns, and of the slow ones.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from datetime import date
from functools import cache
from itertools import compress
from zlib import crc32

import pytest

FIRST_GAMES = frozenset(
    (
        "amazons",
        "besieged-city",
        "empress-of-india",
        "flower-garden",
        "hochzeitszug",
        "the-queens",
    )
)
OTHERS = 6
"""How many of the other games run each day."""
OTHERS_OF_COSTLY = 40
"""How many run each day when all tests run, in tests that take long."""
DAYS_OF_VARIANTS = 4
"""Each variant of the games of the day runs once in so many days."""
FACES = tuple(f"tests/{name}/" for name in ("attacks", "browser", "cli", "study", "table", "web"))
DAYS_OF_FACES = 6
"""One in so many of the tests in these folders, which are long, runs each day."""
PARTS = 4
"""``make test-part`` runs each of the long tests once in so many days."""
MANY = 12
"""A test that names more games than this runs for the games of the day only."""


def today() -> int:
    """The number of the day whose samples are run."""
    return int(os.environ.get("CADOGAN_DAY") or date.today().toordinal())


def chosen(names: Iterable[str], number: int, day: int) -> set[str]:
    """``number`` of the names, each day others; all of them within some days.

    >>> names = "amazons klondike golf spider yukon".split()
    >>> sorted(
    ...     chosen(names, 2, day=0) | chosen(names, 2, day=1) | chosen(names, 2, day=2)
    ... ) == sorted(names)
    True
    """
    mixed = sorted(set(names), key=lambda name: (crc32(name.encode()), name))
    first = day * number
    return {mixed[(first + index) % len(mixed)] for index in range(min(number, len(mixed)))}


@cache
def games_of(day: int, games: tuple[str, ...], others: int = OTHERS) -> frozenset[str]:
    """The games of a day."""
    return FIRST_GAMES | chosen((game for game in games if game not in FIRST_GAMES), others, day)


def for_games(
    marker: pytest.Mark, wanted: Set[str], games: Set[str], day: int | None = None
) -> pytest.Mark:
    """The parameters of a test without those of games that are not wanted, if it names many.

    With a day, variants of the wanted games take turns, too. Tests that do not run are not even
    collected: with hundreds of games that takes long.
    """
    names, values, *rest = marker.args
    values = list(values)
    readings = [reading_among(parameters_of(value), games) for value in values]
    if len({base_of(reading) for reading in readings} - {""}) <= MANY:
        return marker
    is_kept = [
        base_of(reading) in {"", *wanted} and (day is None or has_its_turn(reading, day))
        for reading in readings
    ]
    others = dict(marker.kwargs)
    if isinstance(others.get("ids"), (tuple, list)):
        others["ids"] = [*compress(others["ids"], is_kept)]
    kept = [*compress(values, is_kept)]
    return pytest.mark.parametrize(names, kept, *rest, **others).mark


def parameters_of(value: object) -> Sequence[object]:
    """The parameters in one of the values of a parametrized test."""
    values = getattr(value, "values", value)
    return values if isinstance(values, (tuple, list)) else (values,)


def left_out(items: Sequence[pytest.Item], day: int) -> set[pytest.Item]:
    """The tests that do not run on a day."""
    modules: defaultdict[tuple[str, int], defaultdict[str, list[pytest.Item]]]
    modules = defaultdict(lambda: defaultdict(list))
    for item in items:
        test, turns = item.nodeid.partition("[")[0], item.get_closest_marker("takes_turns")
        days = turns.args[0] if turns else DAYS_OF_FACES if item.nodeid.startswith(FACES) else 1
        # A test with a sample is one of those that take turns; another one is as many as its cases.
        # The identifiers of schemathesis name no case.
        case = f"{test} {item.name}"
        unit = test if days == 1 or item.get_closest_marker("sample") else case
        module = test.partition("::")[0]
        # Tests of these folders take turns together: many of their modules have few tests.
        place = module.rpartition("/")[0] if module.startswith(FACES) else module
        modules[place, days][unit].append(item)
    out: set[pytest.Item] = set()
    for (_, days), units in modules.items():
        running = chosen(units, -(-len(units) // days), day)
        for unit, same in units.items():
            if unit not in running:
                out.update(same)
            elif marker := same[0].get_closest_marker("sample"):
                # Each time when it is its turn it runs with others.
                names = chosen((item.nodeid for item in same), marker.args[0], day // days)
                out.update(item for item in same if item.nodeid not in names)
    return out


def other_parts(items: Sequence[pytest.Item], day: int) -> set[pytest.Item]:
    """The tests that ``make test-part`` does not run on a day, but on one of the next days."""
    units: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("slow"):
            # Such a module often builds something that all its tests look at.
            units[item.nodeid.partition("::")[0]].append(item)
        elif item.get_closest_marker("takes_turns") or item.nodeid.startswith(FACES):
            units[f"{item.nodeid.partition('[')[0]} {item.name}"].append(item)
    running = chosen(units, -(-len(units) // PARTS), day)
    return {item for unit, same in units.items() if unit not in running for item in same}


def game_in(item: pytest.Item, games: Set[str]) -> str | None:
    """The game among a test's parameters, written with a variant or without."""
    parameters = getattr(item, "callspec", None)
    return base_of(reading_among(parameters.params.values(), games)) or None if parameters else None


def reading_among(parameters: Iterable[object], games: Set[str]) -> str:
    """The first parameter that is a game, written with a variant or without; else empty."""
    texts = (value for value in parameters if isinstance(value, str))
    return next((text for text in texts if base_of(text) in games), "")


def base_of(reading: str) -> str:
    """The game of a reading: ``"amazons"`` of ``"amazons:chance"``."""
    return reading.partition(":")[0]


def has_its_turn(reading: str, day: int) -> bool:
    """Whether a variant runs on a day; the game without variants always does."""
    return ":" not in reading or (crc32(reading.encode()) + day) % DAYS_OF_VARIANTS == 0
