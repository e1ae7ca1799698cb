"""The comparisons with other solvers, with small programs in their place."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bench.beside import coverage, fcsolve, presets, pysol, runs, solvitaire, winnability
from bench.beside.runs import PeerError, calibrated, run
from cadogan import Position, load
from cadogan.exchange.solvitaire import complete_rules, rules_file
from tests.catalogue import all_readings

SOLVITAIRE = """#!{python}
import sys
seed = int(sys.argv[sys.argv.index("--random") + 1])
if "--deal-only" in sys.argv:
    print({tables!r}[seed])
else:
    print(seed, "timed-out, 1, 2, 3, {word}", sep=", ")
"""
FCSOLVE = """#!{python}
import sys
first, last = int(sys.argv[1]), int(sys.argv[2])
for number in range(first, last + 1):
    if number in {lost}:
        print(f"Unsolved Board No. {{number}} at 1.5")
    print(f"Reached Board No. {{number}} at 1.5 (total_num_iters={{10 * (number - first + 1)}})")
"""


def program(folder: Path, text: str) -> Path:
    path = folder / "program"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def told(seed: int) -> str:
    """A deal of Eight Off in Solvitaire's format."""
    piles = load("eight-off").deal(f"solvitaire:{seed}").piles
    cards = {name: [str(card).replace("T", "10") for card in pile] for name, pile in piles.items()}
    return json.dumps(
        {
            "tableau piles": [cards[f"tableau.{number}"] for number in range(8, 0, -1)],
            "cells": [cards[f"cells.{number}"] or "" for number in range(8, 0, -1)],
            "foundations": ["", "", "", ""],
        }
    )


ALL = (*solvitaire.pairs(), *solvitaire.pairs("small"))


@pytest.mark.parametrize("pair", ALL, ids=lambda pair: pair.name)
def test_every_game_is_dealt_as_solvitaire_deals_it(pair: solvitaire.Pair, tmp_path: Path) -> None:
    assert (pair.preset is None) != (pair.rules is None)
    assert pair.load(tmp_path).deal("solvitaire:1").outcome in (None, "lost")


def test_every_game_is_compared_once() -> None:
    names = [pair.name for pair in ALL]
    assert len(names) == len(set(names))
    assert len(solvitaire.pairs()) >= 25


@pytest.mark.parametrize(("word", "code"), [("solved", 0), ("timed-out", 0), ("unsolvable", 1)])
def test_contradictions_are_reported(
    word: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = {seed: told(seed) for seed in (3, 4)}
    path = program(tmp_path, SOLVITAIRE.format(python=sys.executable, tables=tables, word=word))
    arguments = ["--solvitaire", str(path), "--games", "eight-off", "--deals", "3-4"]
    details = tmp_path / "deals.csv"
    assert solvitaire.main([*arguments, "--nodes", "20000", "--csv", str(details)]) == code
    out, err = capsys.readouterr()
    assert "| eight-off | 2 | 1 | 20,000 | 2 + 0 |" in out
    assert ("Solvitaire says unwinnable" in err) == bool(code)
    assert len(details.read_text(encoding="utf-8").splitlines()) == 3


def test_wins_that_are_known_to_be_missed_are_no_contradictions() -> None:
    said = ("a", "solvitaire:1", "winnable", 9, 0.5, "unwinnable", 1.0)
    deals = [solvitaire.Deal(*said, misses="so"), solvitaire.Deal(*said)]
    row = solvitaire.Row.of(deals, 1.0, 100)
    assert (row.contradictions, row.missed) == (1, 1)
    theirs = solvitaire.Deal("a", "solvitaire:1", "unwinnable", 9, 0.5, "winnable", 1.0, "so")
    assert theirs.contradiction


def test_another_table_is_no_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = program(
        tmp_path, SOLVITAIRE.format(python=sys.executable, tables={3: told(4)}, word="solved")
    )
    arguments = ["--solvitaire", str(path), "--games", "eight-off", "--deals", "3"]
    assert solvitaire.main([*arguments, "--nodes", "10"]) == 2
    assert "another table" in capsys.readouterr().err


def test_results_are_stored_game_by_game(tmp_path: Path) -> None:
    path = tmp_path / "results" / "a.json"
    deal = solvitaire.Deal("freecell", "solvitaire:1", "winnable", 9, 0.5, "unknown", 1.0)
    first = solvitaire.Row.of([deal], 1.0, 100)
    assert not deal.contradiction
    solvitaire.keep([first], path)
    other = solvitaire.Deal("fan:even+worrying-back", "solvitaire:1", "unknown", 9, 1, "unknown", 1)
    solvitaire.keep([solvitaire.Row.of([other, other], 1.0, 100)], path)
    rows = json.loads(path.read_text(encoding="utf-8"))
    assert [(row["game"], row["deals"]) for row in rows] == [
        ("freecell", 1),
        ("fan:even+worrying-back", 2),
    ]
    assert (rows[0]["first"], rows[0]["ours"], rows[0]["theirs"]) == (1, "w", "-")


def test_the_table_that_was_stored_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert solvitaire.main(["--table"]) == 0
    head, *rows, _, total = capsys.readouterr().out.splitlines()
    assert head.startswith("| Game |")
    assert len(rows) > 25
    assert " with 0 contradictions" in total


def test_the_program_must_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        solvitaire.main(["--games", "freecell"])
    assert "--solvitaire PATH" in capsys.readouterr().err


@pytest.mark.parametrize(("lost", "code"), [([], 0), ([2], 1)])
def test_freecell_solver_is_compared(
    lost: list[int], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = program(tmp_path, FCSOLVE.format(python=sys.executable, lost=lost))
    arguments = ["--fcsolve", str(path), "--first", "1", "--last", "3", "--chunk", "2"]
    assert fcsolve.main(arguments) == code
    out, err = capsys.readouterr()
    assert f"| fcsolve | {3 - len(lost)} | {'2' if lost else 'none'} | 0 | 30 |" in out
    assert "| cadogan | 3 | none | 0 |" in out
    assert ("contradict" in err) == bool(code)


def test_a_budget_is_found_by_trying() -> None:
    positions = [load("freecell").deal("ms:1"), load("forty-thieves").deal("cadogan:1")]
    assert 100 <= calibrated(positions, 0.02, 10_000) <= 10_000
    assert calibrated(positions, 10.0, 5_000) <= 5_000


def test_a_cold_start_and_deals_of_few_nodes_say_nothing_of_the_speed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searches: list[int] = []

    def search(position: Any, nodes: int) -> tuple[Any, float]:
        searches.append(nodes)
        if position == "easy":
            return SimpleNamespace(status="winnable", nodes=40), 0.05
        # The first search and every other one are disturbed; else a node takes a microsecond.
        seconds = 1.0 if len(searches) == 1 else 1e-6 * nodes * (1 + len(searches) % 2)
        return SimpleNamespace(status="unknown", nodes=nodes), seconds

    monkeypatch.setattr(runs, "solved", search)
    few = cast("list[Position]", ["easy"])
    assert calibrated(few, 1.0, 5_000_000) == 5_000_000
    searches.clear()
    assert calibrated([*few, *cast("list[Position]", ["hard"])], 0.1, 5_000_000) == 100_000
    searches.clear()
    hard = cast("list[Position]", ["hard"])
    assert calibrated([*few, *hard * 5], 0.1, 5_000_000) == 100_000
    tried = len(searches)
    assert calibrated([*few, *hard * 9], 0.1, 5_000_000) == 100_000
    assert len(searches) == 2 * tried, "five that last are enough"


def test_programs_that_fail_are_reported(tmp_path: Path) -> None:
    with pytest.raises(PeerError, match="cannot be run"):
        run([tmp_path / "nothing"])
    failing = program(tmp_path, f"#!{sys.executable}\nimport sys\nsys.exit('no such game')\n")
    with pytest.raises(PeerError, match="no such game"):
        run([failing])
    slow = program(tmp_path, f"#!{sys.executable}\nimport time\ntime.sleep(60)\n")
    with pytest.raises(PeerError, match="did not end"):
        run([slow], patience=0.1)
    with pytest.raises(PeerError, match="not understood"):
        solvitaire.verdict_of("7, perhaps")


def test_a_small_pack_has_the_same_kind_of_rules() -> None:
    rules = complete_rules('{"tableau piles": {"count": 7}, "stock": {"size": 24}}')
    small = presets.shrunk(rules)
    assert (small["max rank"], small["stock"]["size"]) == (5, 9)
    assert small["tableau piles"] == rules["tableau piles"] | {"count": 4}
    assert "piles = 4" in rules_file(json.dumps(small), "Small")
    # Vacancies that are filled at once would change the deal, so there are none.
    full = complete_rules('{"tableau piles": {"count": 12}, "stock": {"size": 40}}')
    assert (
        presets.shrunk(full)["stock"]["size"] == 20 - presets.shrunk(full)["tableau piles"]["count"]
    )


def test_contradictions_are_counted_in_the_saved_comparison() -> None:
    compared = presets.Compared("wl-wl", "wwlw-")
    assert compared.contradictions == [2]
    assert compared.number("wl", "wl") == 3
    page = presets.table()
    assert "0 contradictions" in page
    assert all(f"| {name} |" in page for name in presets.read())


def test_published_rates_are_of_presets_that_were_compared() -> None:
    assert set(winnability.published()) <= set(presets.read())
    assert all(0 < value.share <= 100 for value in winnability.published().values())


def test_the_coverage_is_counted_from_games_that_there_are() -> None:
    theirs, found = coverage.games(), coverage.findings()
    numbers = {game.number for game in theirs}
    assert len(theirs) == len(numbers) == 926
    assert [game for game in theirs if game.ours and not coverage.is_ours(game.ours)] == []
    cannot = [number for several in found["cannot"].values() for number in several]
    assert len(set(cannot)) == len(cannot)
    assert numbers.issuperset(cannot)
    assert numbers.issuperset(map(int, found["sample"]))
    unsaid = {int(number) for number, said in found["sample"].items() if said[0] == "no"}
    assert unsaid <= set(cannot)
    assert set(found["aisleriot_names"]) <= set(found["aisleriot_games"].split())


def test_the_fifty_games_are_there_and_the_longer_files_have_reasons() -> None:
    found = coverage.findings()
    ours = found["contorted"].values()
    assert len(ours) == len(set(ours)) == 50
    assert [name for name in ours if not coverage.is_ours(name)] == []
    long = {name for name in ours if coverage.lines(name) > coverage.MOST_LINES}
    assert long == set(found["long"])
    assert len(long) <= 10


def test_the_page_of_the_coverage_is_written_between_its_marks() -> None:
    text = coverage.PAGE.read_text(encoding="utf-8")
    written = coverage.page(text)
    assert coverage.page(written) == written
    for name, table in coverage.tables().items():
        assert f"<!-- begin: {name} -->\n{table}\n<!-- end: {name} -->" in written
    assert "926 games" in written


def stacks(game: str, deal: str) -> list[list[str]]:
    """A table as PySolFC would lay it out, with the first card of the stock on the waste."""
    roles = {"foundation": "foundations", "tableau": "rows", "reserve": "reserves"}
    laid = [
        [roles.get(pile.role, "talon"), " ".join(pile.cards)]
        for pile in pysol.ours(load(game), deal)
        if pile.role != "waste"
    ]
    stock = next(pile for pile in laid if pile[0] == "talon")
    cards = stock[1].split()
    stock[1] = " ".join(cards[:-1])
    return [["waste", cards[-1]], *laid]


def entry(game: str) -> dict[str, Any]:
    deals = {number: stacks(game, f"pysol:{number}") for number in ("1", "32000", "617")}
    return {"name": game, "deals": deals}


def test_the_same_tables_are_equal() -> None:
    found = pysol.compare(load("klondike"), entry("klondike"), 2)
    assert (found.deals, found.equal, found.dealt, found.moved) == (3, 3, 1, False)
    assert found.is_same
    assert pysol.unexplained({"klondike": found}) == []


def test_a_card_in_another_place_is_a_difference() -> None:
    other = entry("klondike")
    for table in other["deals"].values():
        rows = [stack for stack in table if stack[0] == "rows"]
        rows[5][1], rows[6][1] = f"{rows[5][1]} 2X", rows[6][1][3:]
    found = pysol.compare(load("klondike"), other, 2)
    assert found.equal == 0
    assert "pysol:1: tableau.6 has 2D " in found.first
    assert pysol.unexplained({"klondike": found}) == ["klondike"]


def test_piles_in_another_order_are_reported() -> None:
    other = entry("klondike")
    for table in other["deals"].values():
        table[-3], table[-2] = table[-2], table[-3]
    found = pysol.compare(load("klondike"), other, 2)
    assert (found.equal, found.moved, found.is_same) == (3, True, False)


def test_all_tables_of_pysol_are_compared_and_explained() -> None:
    found = pysol.read()
    numbers, explained = pysol.pairs()
    assert found.keys() == numbers.keys()
    assert pysol.unexplained(found) == []
    assert explained.keys() <= numbers.keys()
    assert sum(each.is_same for each in found.values()) >= 150
    assert pysol.table() == (pysol.HERE / "pysol.md").read_text(encoding="utf-8")
    assert numbers.keys() <= {*all_readings()}


PYSOL = sorted(game for game, each in pysol.read().items() if each.decks)


@pytest.mark.parametrize("name", PYSOL)
def test_pysols_deals_stay_as_they_were_compared(name: str) -> None:
    assert pysol.decks(load(name)) == pysol.read()[name].decks
