"""A small study for the tests of its reports."""

import pytest

from cadogan.study.plan import plan_of
from cadogan.study.store import Store
from cadogan.study.summary import save_plan

from .support import run_here

PLAN = plan_of(
    {
        "title": "A <small> study",
        "defaults": {"deals": "cadogan:0..29", "budget": [40, 400]},
        "study": [
            {"games": ["amazons", "amazons:queens-free"], "players": ["thoughtful", "greedy"]},
            {"game": "golf:queens-on-kings"},
        ],
        "looser": [{"strict": "amazons", "loose": "amazons:queens-free"}],
        "report": {"introduction": "Why & how.", "closing": "## The end\n\nThat was it."},
    },
    "plan",
)


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    made = run_here(PLAN, tmp_path_factory.mktemp("report") / "s")
    save_plan(made, PLAN)
    return made
