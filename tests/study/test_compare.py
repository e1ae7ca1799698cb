"""Studies compared deal by deal."""

from pathlib import Path

import pytest

from cadogan import solver_version
from cadogan.study.compare import paired, paired_players
from cadogan.study.errors import StudyError
from cadogan.study.report import markdown
from cadogan.study.store import Store
from cadogan.study.worker import version
from tests.study.conftest import PLAN


def forged(store: Store, folder: Path, change: dict[str, object], where: str) -> Store:
    """A store in which some records were changed."""
    other = Store(folder, create=True)
    matching = set(store.records(where))
    changed = [
        each._replace(**change) if each in matching else each  # type: ignore[arg-type]
        for each in store.records()
    ]
    assert matching
    other.write(changed)
    return other


def test_two_solvers_are_told_apart(store: Store, tmp_path: Path) -> None:
    where = "game = 'golf:queens-on-kings' and number < 10"
    both = forged(store, tmp_path / "s", {"solver": "another"}, where)
    assert "\nTried by Cadogan" not in markdown(both, PLAN)
    assert f"Tried by Cadogan {version()} with the solver {solver_version()}." in markdown(
        store, PLAN
    )
    text = " ".join(markdown(both, PLAN).split())
    assert "**Tried by 2 solvers**" in text
    assert "with the solver another tried golf:queens-on-kings, thoughtful (10)." in text
    assert text.count(f"the solver {solver_version()} tried all others.") == 1


def test_pairs_are_of_the_same_deals(store: Store) -> None:
    pair = paired(store, "amazons", "amazons:queens-free")
    assert pair.deals == 30
    assert pair.first_only == 0
    same = paired(store, "amazons", "amazons")
    assert same.first_only == same.second_only == 0
    ladder = paired_players(store, "amazons", "greedy", "thoughtful")
    assert ladder.second_only > 5
    assert ladder.first_only == 0
    with pytest.raises(StudyError, match="no deal was tried both"):
        paired(store, "amazons", "klondike")
