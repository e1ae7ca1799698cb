"""What a store says is checked, and what was forged is found."""

from pathlib import Path

import pytest

from cadogan import load
from cadogan.study.compare import contradictions
from cadogan.study.plan import plan_of
from cadogan.study.record import pack_line
from cadogan.study.report import markdown, page
from cadogan.study.store import Store
from cadogan.study.verify import verify
from tests.study.conftest import PLAN

from .support import record


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


def test_a_true_store_is_verified(store: Store) -> None:
    seen = verify(store, PLAN, sample=50)
    assert seen.faults == []
    assert seen.lines == len(list(store.records("length > 0"))) > 20
    assert seen.asked >= 40


def test_a_forged_line_is_found(store: Store, tmp_path: Path) -> None:
    line = pack_line([1, 2, 3])
    where = "verdict = 'winnable' and number < 9"
    other = forged(store, tmp_path / "s", {"line": line, "length": 3}, where)
    faults = verify(other, PLAN, sample=0).faults
    assert faults
    assert all("is not legal" in fault for fault in faults)
    cut = forged(store, tmp_path / "t", {"line": b"", "length": 0}, where)
    assert all("does not win" in fault for fault in verify(cut, PLAN, sample=0).faults)


def test_a_forged_verdict_is_found(store: Store, tmp_path: Path) -> None:
    change = {"verdict": "unwinnable", "line": b"", "length": 0}
    where = "verdict = 'winnable' and game = 'amazons:queens-free'"
    other = forged(store, tmp_path / "s", change, where)
    faults = verify(other, PLAN, sample=100).faults
    assert any("unwinnable in the store, winnable when tried again" in each for each in faults)
    # A deal that can be won by the stricter rules can be won by the looser ones.
    (bug,) = (each for each in contradictions(other, PLAN) if each.won == "amazons, thoughtful")
    assert bug.lost == "amazons:queens-free, thoughtful"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cadogan.study.report.KINDS", {})
        assert "A bug:" not in markdown(store, PLAN) + page(store, PLAN)
        assert "> **A bug:** cadogan:" in markdown(other, PLAN)
        assert '<p class="bug">A bug: cadogan:' in page(other, PLAN)


def test_what_a_player_won_cannot_be_unwinnable(tmp_path: Path) -> None:
    digest = load("golf").digest
    store = Store(tmp_path / "s", create=True)
    store.write([record(5, "won", player="greedy", digest=digest)])
    store.write([record(5, "unwinnable", digest=digest), record(6, "unwinnable", digest=digest)])
    plan = plan_of({"study": [{"game": "golf", "deals": "cadogan:0..9"}]}, "plan")
    (bug,) = contradictions(store, plan)
    assert bug.deals == ("cadogan:5",)
    assert (
        str(bug) == "cadogan:5: can be won according to golf, greedy, but not to golf, thoughtful"
    )
