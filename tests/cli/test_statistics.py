"""``cadogan statistics``: results of the store, in the terminal and as files."""

import csv
import io
import json
from pathlib import Path

import pytest

from cadogan.cli.statistics import _bars
from cadogan.table.intent import Intent
from tests.cli.conftest import Run
from tests.cli.test_play import opened


@pytest.fixture
def played(home: Path) -> list[int]:
    """The points of three games that were played in the terminal or in the browser, and closed."""
    points = []
    with opened(home) as tables:
        for number in (1, 2, 3):
            record = tables.deal("golf:scored", f"cadogan:{number}")
            for _ in range(number):
                move = record.position.moves()[0]
                record, _ = tables.move(record.key, record.version, Intent(move.text))
            record = tables.put_away(record.key, None)
            assert record.points is not None
            points.append(record.points)
        other = tables.deal("klondike", "cadogan:1")
        tables.move(other.key, other.version, Intent("deal"))
    return points


def test_points_are_listed_with_best_mean_and_distribution(run: Run, played: list[int]) -> None:
    result = run("statistics")
    assert result.status == 0
    lines = result.out.splitlines()
    assert lines[0] == "golf:scored  3 played, 0 won (0 %)"
    assert lines[1] == f"  points: best {min(played)}, mean {sum(played) / 3:.1f}"
    assert sum(int(line.split()[-1]) for line in lines[2:-1]) == 3
    assert lines[-1] == "klondike     0 played, 1 open"


def test_one_game_with_and_without_its_variants(run: Run, played: list[int]) -> None:
    assert run("statistics", "golf").out == run("statistics", "golf:scored").out
    none = run("statistics", "spider")
    assert (none.status, none.out) == (0, "")
    assert none.err == "no game of spider has been played yet\n"
    wrong = run("statistics", "golv")
    assert wrong.status == 2
    assert "golf" in wrong.err


def test_the_files_are_those_of_the_browser(run: Run, home: Path, played: list[int]) -> None:
    from cadogan.table.statistics import results, to_csv, to_json

    with opened(home) as tables:
        found = results(tables.store)
    assert run("statistics", "--csv").out == to_csv(found)
    assert run("statistics", "--json").out == to_json(found)
    rows = csv.DictReader(io.StringIO(run("statistics", "golf", "--csv").out))
    assert sorted(int(row["points"]) for row in rows) == sorted(played)
    assert json.loads(run("statistics", "golf", "--json").out)["games"][0]["best_points"] == min(
        played
    )
    assert run("statistics", "--csv", "--json").status == 2


def test_bars_are_of_a_round_width() -> None:
    assert _bars([3, 3, 5]) == ["3  ## 2", "4  0", "5  # 1"]
    wide = _bars([-52, 38])
    assert (wide[0], wide[-1]) == ("-60 to -51  # 1", "  30 to 39  # 1")
    assert len(_bars([0, 10**7])) <= 10
    assert _bars([7] * 900) == ["7  " + "#" * 30 + " 900"]
