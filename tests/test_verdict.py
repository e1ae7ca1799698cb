import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cadogan import _kernel, load, solve
from cadogan.verdict import Verdict
from tests.games import deal_with, write_game


def test_a_line_wins_when_it_is_played(tmp_path: Path) -> None:
    position = deal_with(write_game(tmp_path), "3S 3H 2S 2H AS AH")
    verdict = solve(position)
    assert verdict.status == "winnable"
    for move in verdict.line:
        position = position.play(str(move))
    assert position.outcome == "won"
    assert str(verdict).startswith(f"winnable in {len(verdict.line)} moves")


def test_a_space_that_is_exhausted_is_a_proof(tmp_path: Path) -> None:
    # Both aces lie under threes, and there is nothing to lay the threes on.
    position = deal_with(write_game(tmp_path), "AS AH 2S 3S 3H 2H")
    assert "row.1 > row.3" not in map(str, position.moves())
    verdict = solve(position)
    assert verdict.status == "unwinnable"
    assert verdict.line == ()
    assert str(verdict).startswith("unwinnable")


def test_a_spent_budget_leaves_the_question_open() -> None:
    verdict = solve(load("flower-garden").deal("cadogan:1"), budget=20)
    assert verdict == Verdict("unknown", (), 20, 20, verdict.strategy)
    assert str(verdict) == "unknown after 20 nodes"


def test_the_same_question_has_the_same_answer() -> None:
    position = load("freecell").deal("cadogan:1")
    assert solve(position, 2000) == solve(position, 2000)


def test_a_won_position_needs_no_moves(tmp_path: Path) -> None:
    position = deal_with(write_game(tmp_path), "3S 3H 2S 2H AS AH")
    for move in solve(position).line:
        position = position.play(move)
    assert solve(position).line == ()
    assert solve(position).status == "winnable"


def test_a_budget_cannot_be_negative() -> None:
    with pytest.raises(ValueError, match="-1 nodes"):
        solve(load("flower-garden").deal("cadogan:1"), -1)


@pytest.mark.parametrize(
    ("line", "told"), [([], "does not win"), ([0xFFFFFFFF], "not legal")], ids=["short", "illegal"]
)
def test_a_wrong_line_is_never_handed_on(
    monkeypatch: pytest.MonkeyPatch, line: list[int], told: str
) -> None:
    def wrong(state: _kernel.State, budget: int) -> tuple[str, list[int], int, str]:
        return "winnable", line, 1, "guess"

    monkeypatch.setattr(_kernel, "solve", wrong)
    with pytest.raises(RuntimeError, match=told):
        solve(load("flower-garden").deal("cadogan:1"))


@pytest.fixture
def _listening() -> Iterator[None]:
    """Tests that run in the background are made deaf to Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_listening")
def test_ctrl_c_interrupts() -> None:
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solve(load("spider").deal("cadogan:1"), 2_000_000)
    timer.join()
    assert time.monotonic() - began < 10
