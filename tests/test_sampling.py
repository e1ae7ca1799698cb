"""The samples of a day leave nothing out for long."""

from types import SimpleNamespace
from typing import Any

import pytest

from cadogan.rules import catalogue
from tests.sampling import (
    DAYS_OF_FACES,
    DAYS_OF_VARIANTS,
    FIRST_GAMES,
    OTHERS,
    PARTS,
    chosen,
    for_games,
    games_of,
    left_out,
    other_parts,
)

GAMES = catalogue()


def test_the_first_games_run_each_day_and_all_games_within_some() -> None:
    days = range(-(-(len(GAMES) - len(FIRST_GAMES)) // OTHERS))
    chosen_games = [games_of(1000 + day, GAMES) for day in days]
    assert all(games > FIRST_GAMES for games in chosen_games)
    assert all(len(games) == len(FIRST_GAMES) + OTHERS for games in chosen_games)
    assert set().union(*chosen_games) == {*GAMES}


def test_of_few_names_all_are_chosen() -> None:
    assert chosen({"a", "b"}, 3, 17) == {"a", "b"}


class Item:
    """A test as pytest collects it."""

    def __init__(self, test: str, case: str, **marks: int) -> None:
        self.nodeid = f"{test}[{case}]"
        self.name = self.nodeid.rpartition("::")[2]
        self.callspec = SimpleNamespace(params={"name": case})
        self.marks = marks

    def get_closest_marker(self, name: str) -> Any:
        return getattr(pytest.mark, name)(self.marks[name]) if name in self.marks else None


def run(items: list[Any], day: int) -> list[str]:
    """The tests that run on a day."""
    out = left_out(items, day)
    return [item.nodeid for item in items if item not in out]


def test_a_test_of_all_games_runs_for_those_of_the_day() -> None:
    wanted = games_of(5, GAMES)
    every = [name for game in GAMES for name in (game, f"{game}:variant")]
    marker = pytest.mark.parametrize("name", every).mark
    assert for_games(marker, wanted, {*GAMES}).args[1] == [
        name for game in GAMES if game in wanted for name in (game, f"{game}:variant")
    ]
    of_days = [for_games(marker, wanted, {*GAMES}, day).args[1] for day in range(DAYS_OF_VARIANTS)]
    assert all({*names} > wanted for names in of_days)
    assert sorted(set().union(*of_days)) == sorted(for_games(marker, wanted, {*GAMES}).args[1])
    assert max(len(names) for names in of_days) < 2 * len(wanted)
    rows = [pytest.param(game, 1, id=game) for game in (*GAMES, "no game")]
    marker = pytest.mark.parametrize(("name", "number"), rows, ids=[*GAMES, "?"]).mark
    some = for_games(marker, wanted, {*GAMES})
    assert [row.values[0] for row in some.args[1]] == [
        *(game for game in GAMES if game in wanted),
        "no game",
    ]
    assert len(some.kwargs["ids"]) == len(some.args[1])


def test_other_tests_run_whole() -> None:
    marker = pytest.mark.parametrize("name", GAMES[:5]).mark
    assert for_games(marker, games_of(5, GAMES), {*GAMES}) is marker
    others: list[Any] = [Item("of_numbers", str(number)) for number in range(50)]
    assert len(run(others, 5)) == 50


def test_a_marked_test_runs_as_often_as_it_says() -> None:
    cases: list[Any] = [Item("marked", str(number), sample=2) for number in range(7)]
    days = [set(run(cases, day)) for day in range(7)]
    assert all(len(day) == 2 for day in days)
    assert set().union(*days) == {item.nodeid for item in cases}


def test_tests_that_take_turns_all_run_within_some_days() -> None:
    module: list[Any] = [Item(f"a.py::test_{n}", "", takes_turns=3) for n in range(7)]
    module += [Item("a.py::sampled", str(n), takes_turns=3, sample=1) for n in range(3)]
    days = [set(run(module, day)) for day in range(9)]
    assert all(2 <= len(day) <= 3 for day in days)
    assert set().union(*days) == {item.nodeid for item in module}


def test_tests_with_servers_take_turns_unmarked() -> None:
    places = [f"tests/web/test_{module}.py::test" for module in "abcd"]
    tests: list[Any] = [Item(place, str(n)) for place in places for n in range(3)]
    days = [set(run(tests, day)) for day in range(DAYS_OF_FACES)]
    assert {len(day) for day in days} == {len(tests) // DAYS_OF_FACES}
    assert set().union(*days) == {item.nodeid for item in tests}


def test_a_part_of_the_long_tests_runs_on_a_day_and_the_others_on_the_next_days() -> None:
    builds: list[Any] = [Item(f"{m}.py::test_{n}", "", slow=1) for m in "abcd" for n in range(3)]
    turns: list[Any] = [Item("e.py::test", str(n), takes_turns=8) for n in range(8)]
    faces: list[Any] = [Item("tests/web/test_f.py::test", str(n)) for n in range(8)]
    small: list[Any] = [Item("g.py::test", str(n)) for n in range(6)]
    items = builds + turns + faces + small
    days = [{*items} - other_parts(items, day) for day in range(8, 8 + PARTS)]
    assert all({*small} <= day for day in days)
    assert sum(len(day - {*small}) for day in days) == len({*builds, *turns, *faces})
    assert set().union(*days) == {*items}
    # A module that builds something runs whole or not at all.
    assert all(len({item in days[0] for item in builds[n : n + 3]}) == 1 for n in range(0, 12, 3))
