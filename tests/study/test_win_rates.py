"""The figures of games, from a study to the table."""

import json
from pathlib import Path

import pytest

from cadogan import load
from cadogan.study.errors import StudyError
from cadogan.study.plan import plan_of
from cadogan.study.store import Store
from cadogan.study.summary import save_plan, summarize
from cadogan.study.win_rates import _better, chances, write

from .support import run_here


def test_chances_are_told_of_what_was_measured(tmp_path: Path) -> None:
    plan = plan_of(
        {
            "study": [
                {"game": "beleaguered-castle", "deals": "cadogan:0..29", "budget": 300},
                {"game": "amazons", "deals": "cadogan:0..9", "budget": 40},
                {
                    "game": "beleaguered-castle",
                    "deals": "cadogan:0..29",
                    "players": ["fair budget=20", "fair budget=40"],
                },
                {"game": "golf", "deals": "cadogan:0..29", "player": "greedy"},
            ]
        },
        "plan",
    )
    here = run_here(plan, tmp_path / "store")
    save_plan(here, plan)
    (castle,) = (
        each
        for each in summarize(here)
        if each.study.player.is_thoughtful and each.tally.deals == 30
    )
    assert write(here, tmp_path / "chances.json") == 1
    told = json.loads((tmp_path / "chances.json").read_text())
    entry = told["beleaguered-castle"]
    assert load("beleaguered-castle").digest.startswith(entry["rules"])
    assert (entry["deals"], entry["won"]) == (30, castle.tally.won)
    assert entry["low"] <= entry["won"] / 30 <= entry["high"]
    assert entry["seen"]["deals"] == 30
    assert chances(here)["golf"].keys() == {"rules", "seen"}, "no solver has tried it"
    with pytest.raises(StudyError, match="no plan"):
        write(Store(tmp_path / "empty", create=True), tmp_path / "none.json")


def test_figures_with_a_narrower_interval_stay(tmp_path: Path) -> None:
    file = tmp_path / "rates.json"
    amazons = {"rules": load("amazons").digest[:12], "deals": 900, "won": 800, "undecided": 0}
    amazons |= {"low": 0.86, "high": 0.91}
    castle = amazons | {"rules": load("beleaguered-castle").digest[:12], "deals": 10}
    castle |= {"low": 0.0, "high": 1.0}
    castle["seen"] = {"deals": 77, "won": 7}
    golf = amazons | {"rules": "other rules"}
    file.write_text(
        json.dumps({"amazons": amazons, "beleaguered-castle": castle, "golf": golf, "gone": golf})
    )
    plan = plan_of(
        {"study": [{"game": "beleaguered-castle", "deals": "cadogan:0..29", "budget": 300}]}, "plan"
    )
    here = run_here(plan, tmp_path / "store")
    save_plan(here, plan)
    assert write(here, file) == 2
    rates = json.loads(file.read_text())
    assert rates["amazons"] == amazons
    assert rates["beleaguered-castle"]["deals"] == 30
    assert rates["beleaguered-castle"]["seen"] == {"deals": 77, "won": 7}
    # A player who surely wins more counts, even with fewer deals.
    other = rates["beleaguered-castle"] | {"seen": {"deals": 200, "won": 100}}
    assert _better(rates["beleaguered-castle"], other)["seen"] == other["seen"]
    assert _better(other, rates["beleaguered-castle"] | {"seen": {"deals": 9000, "won": 90}})[
        "seen"
    ] == {"deals": 200, "won": 100}
    # The width of the interval counts, whatever the number of deals.
    now = rates["beleaguered-castle"]
    for wider, kept in ((0.01, False), (-0.01, True)):
        other = now | {"deals": 20, "high": now["high"] + wider}
        file.write_text(json.dumps({"beleaguered-castle": other}))
        write(here, file)
        assert (json.loads(file.read_text())["beleaguered-castle"] == other) is kept
    file.write_text("[]")
    with pytest.raises(StudyError, match="not a file of win rates"):
        write(here, file)
