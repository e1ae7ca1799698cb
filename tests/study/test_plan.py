"""Plans: all faults of a plan are reported at once."""

from pathlib import Path

import pytest

from cadogan.rules.index import entries
from cadogan.study.errors import StudyError
from cadogan.study.plan import Looser, dump, plan_of, read_plan, restore
from cadogan.study.statistics import Stop
from tests.documents import ROOT

GOOD = """
title = "Two games"

[defaults]
deals = "cadogan:0..99"
budget = [1_000, 100_000]
players = ["thoughtful", "greedy seed=2"]

[[study]]
games = ["amazons", "amazons:left-to-right"]
stop = { half_width = "1%", nodes = 1_000_000 }

[[study]]
game = "freecell"
deals = "ms:1..10"
player = "fair samples=4"

[[looser]]
strict = "klondike:no-return"
loose = "klondike"
why = "cards may return"

[report]
introduction = "What for."
"""


def test_a_plan_is_read(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(GOOD, encoding="utf-8")
    plan = read_plan(path)
    assert plan.title == "Two games"
    told = [(study.game, str(study.player), str(study.span)) for study in plan.studies]
    assert told == [
        ("amazons", "thoughtful", "cadogan:0..99"),
        ("amazons:left-to-right", "thoughtful", "cadogan:0..99"),
        ("amazons", "greedy seed=2", "cadogan:0..99"),
        ("amazons:left-to-right", "greedy seed=2", "cadogan:0..99"),
        ("freecell", "fair samples=4", "ms:1..10"),
    ]
    assert plan.studies[0].budgets == (1000, 100_000)
    assert plan.studies[0].stop == Stop(half_width=0.01, nodes=1_000_000)
    assert plan.looser == (Looser("klondike:no-return", "klondike", "cards may return"),)
    assert plan.introduction == "What for."
    assert restore(dump(plan)) == plan


def test_all_faults_are_told_at_once() -> None:
    data = {
        "study": [
            {"game": "golff", "deals": "cadogan:0..9"},
            {"game": "golf", "deals": "cadogan:9..0"},
            {"game": "golf", "deals": "cadogan:0..9", "players": ["greddy", "fair size=1"]},
            {"game": "golf"},
        ]
    }
    with pytest.raises(StudyError) as error:
        plan_of(data, "plan.toml")
    text = str(error.value)
    for said in (
        "plan.toml has 5 faults",
        'did you mean "golf"',
        "are in the wrong order",
        "unknown player 'greddy'",
        "fair has no option 'size'",
        "the deals are missing",
    ):
        assert said in text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "study: field required"),
        ({"study": []}, "study: "),
        ({"study": [{"gane": "golf"}]}, "study.1.gane: unknown key"),
        ({"study": [{"game": "golf", "deals": 7}]}, "study.1.deals: "),
        ({"study": [{"games": ["golf"], "game": "golf", "deals": "ms:1"}]}, "either game or games"),
        ({"study": [{"game": "golf", "deals": "cadogan:0", "budget": 0}]}, "out of range"),
        (
            {"study": [{"game": "golf", "deals": "cadogan:0", "budget": [9, 3]}]},
            "must be larger",
        ),
        (
            {"study": [{"game": "golf", "deals": "cadogan:0", "stop": {"half_width": "1"}}]},
            "'1' is not a half width",
        ),
        ({"study": [{"game": "amazons", "deals": "ms:1..3"}]}, "amazons: ms:1 deals one full pack"),
        ({"study": [{"game": "golf", "deals": "cadogan:0"}] * 2}, "studied twice"),
        ({"study": [{"game": "golf:par-three", "deals": "cadogan:0"}]}, "golf:par-three"),
        ({"study": [{"game": "no.toml", "deals": "cadogan:0"}]}, "no.toml: no such file"),
    ],
)
def test_a_fault_is_told(data: dict[str, object], said: str) -> None:
    with pytest.raises(StudyError) as error:
        plan_of(data, "plan")
    assert said in str(error.value)


def test_a_file_that_is_no_plan_is_told(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text("[[study", encoding="utf-8")
    with pytest.raises(StudyError, match="is not valid TOML"):
        read_plan(path)


def test_the_plans_of_the_documents_are_plans() -> None:
    files = (ROOT / "docs").glob("*.toml")
    plans = [path for path in files if "[[study]]" in path.read_text(encoding="utf-8")]
    assert plans
    for path in plans:
        assert read_plan(path).studies


def test_a_plan_may_take_all_games() -> None:
    plan = plan_of({"study": [{"games": "all", "deals": "cadogan:0..9"}]}, "plan")
    assert [study.game for study in plan.studies] == sorted(entries())
