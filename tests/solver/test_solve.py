import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cadogan import (
    Analysis,
    IllegalMoveError,
    Progress,
    Search,
    _kernel,
    load,
    shorten,
    solve,
    solver_version,
)
from cadogan.solver.solve import PRUNINGS, Verdict, check_line
from cadogan.storage import CATALOGUE
from tests.documents import ROOT
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
    assert verdict == Verdict("unknown", (), 20, 20, verdict.strategy, stop_reason="budget")
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
def test_a_wrong_line_is_never_handed_on(line: list[int], told: str) -> None:
    with pytest.raises(RuntimeError, match=told):
        check_line(load("flower-garden").deal("cadogan:1"), line)


def test_a_verdict_says_what_it_rests_on(tmp_path: Path) -> None:
    name = write_game(tmp_path)
    won = solve(deal_with(name, "3S 3H 2S 2H AS AH"))
    assert (won.proof, won.collision_bound) == ("a line that was played to the end", 0)
    lost = solve(deal_with(name, "AS AH 2S 3S 3H 2H"))
    assert "positions" in lost.proof
    assert 0 < lost.collision_bound < 1e-30
    open_ = solve(load("spider").deal("cadogan:1"), 10)
    assert (open_.proof, open_.stop_reason) == ("", "budget")


def test_threads_and_prunings_change_no_answer() -> None:
    position = load("flower-garden").deal("cadogan:4")
    verdict = solve(position, 50_000)
    assert solve(position, 50_000, threads=3) == verdict
    position = load("flower-garden").deal("cadogan:3")
    for pruning in PRUNINGS:
        assert solve(position, 500_000, disable=[pruning]).status == verdict.status == "winnable"


def test_a_search_without_memory_leaves_the_question_open() -> None:
    verdict = solve(load("spider").deal("cadogan:1"), 10**15, memory=10_000)
    assert (verdict.status, verdict.stop_reason) == ("unknown", "memory")
    assert str(verdict).endswith("nodes, out of memory")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"disable": ["sink"]}, 'unknown pruning "sink"; choose from card-classes, sinks'),
        ({"weights": {"luck": 1}}, 'unknown weight "luck"; choose from .*remaining'),
        ({"threads": 0}, "0 threads: give from 1"),
        ({"memory": 0}, "0 bytes"),
    ],
)
def test_wrong_options_are_reported(options: dict[str, Any], told: str) -> None:
    position = load("flower-garden").deal("cadogan:1")
    with pytest.raises(ValueError, match=told):
        solve(position, **options)
    with pytest.raises(ValueError, match=told):
        Search(position, **options)


def test_weights_change_the_search() -> None:
    position = load("freecell").deal("cadogan:1")
    verdict = solve(position, 100_000)
    other = solve(position, 100_000, weights={"remaining": 1, "vacancy": -50})
    assert other.status == verdict.status
    assert other.nodes != verdict.nodes


def test_an_analysis_remembers_its_verdict() -> None:
    position = load("flower-garden").deal("cadogan:9")
    analysis = Analysis(position)
    verdicts = [analysis.verdict(budget) for budget in (10, 2000, 2000, 20, 50_000, 7)]
    assert [verdict.budget for verdict in verdicts] == [10, 2000, 2000, 2000, 50_000, 50_000]
    assert verdicts[1] is verdicts[2]
    assert verdicts[-1] == solve(position, 50_000)
    assert verdicts[-1].status == "winnable"


def test_progress_is_reported() -> None:
    heard: list[Progress] = []
    solve(load("spider").deal("cadogan:1"), 200_000, progress=heard.append)
    assert heard
    assert [each.nodes for each in heard] == sorted(each.nodes for each in heard)
    assert all(each.memory and each.strategy for each in heard)


def test_what_an_observer_raises_ends_the_search() -> None:
    def tired(progress: Progress) -> None:
        raise LookupError(progress.strategy)

    with pytest.raises(LookupError):
        solve(load("spider").deal("cadogan:1"), 10**12, progress=tired)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_in_the_background_can_be_cancelled(threads: int) -> None:
    search = Search(load("spider").deal("cadogan:1"), 10**12, threads=threads)
    with pytest.raises(TimeoutError):
        search.result(timeout=0.3)
    assert not search.done()
    assert search.progress
    search.cancel()
    verdict = search.result(timeout=30)
    assert (verdict.status, verdict.stop_reason) == ("unknown", "interrupted")
    assert verdict.nodes > 0
    assert search.done()


def test_a_search_in_the_background_has_the_same_answer() -> None:
    position = load("flower-garden").deal("cadogan:1")
    assert Search(position, 5000).result() == solve(position, 5000)
    with pytest.raises(ValueError, match="-1 nodes"):
        Search(position, -1)


def test_a_line_becomes_shorter_the_longer_one_looks() -> None:
    position = load("freecell").deal("ms:1")
    line = solve(position).line
    lengths = [len(shorten(position, line, budget).line) for budget in (0, 20_000, 100_000)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] < len(line)
    better = shorten(position, line, 20_000)
    assert better == shorten(position, [move.text for move in line], 20_000)
    for move in better.line:
        position = position.play(move)
    assert position.outcome == "won"
    assert str(better).startswith("at least ")
    assert str(better).endswith(f"at most {len(better.line)} moves")


def test_no_position_comes_twice_in_a_line() -> None:
    position = load("klondike").deal("cadogan:1")
    met = {position}
    line = solve(position, 100_000).line
    for move in line:
        position = position.play(move)
        met.add(position)
    assert len(met) == len(line) + 1


def test_a_shortest_line_is_proved(tmp_path: Path) -> None:
    position = deal_with(write_game(tmp_path), "3S 3H 2S 2H AS AH")
    best = shorten(position, solve(position).line, shortest=True)
    assert best.is_shortest
    assert len(best.line) == 6
    assert str(best) == "shortest, 6 moves"


def test_shortening_can_be_ended() -> None:
    position = load("freecell").deal("ms:1")
    line = solve(position).line
    heard: list[Progress] = []

    def tired(progress: Progress) -> bool:
        heard.append(progress)
        return False

    assert len(shorten(position, line, 10**12, progress=tired).line) <= len(line)
    assert heard


def test_only_lines_that_win_are_made_shorter() -> None:
    position = load("flower-garden").deal("cadogan:1")
    with pytest.raises(ValueError, match="the line does not win"):
        shorten(position, [])
    with pytest.raises(IllegalMoveError):
        shorten(position, ["garden.6 > garden.1"])


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


def test_the_fingerprint_is_that_of_the_sources() -> None:
    """Computed a second time, so it does not hang on where and when the kernel was built."""
    crate, mixed = ROOT / "crates/kernel", 0xCBF29CE484222325
    for name in sorted(path.relative_to(crate).as_posix() for path in crate.glob("src/**/*.rs")):
        text = (crate / name).read_bytes().replace(b"\r", b"")
        for byte in name.encode() + b"\0" + text + b"\0":
            mixed = (mixed ^ byte) * 0x100000001B3 % 2**64
    assert _kernel.fingerprint == f"{mixed:016x}"


def test_a_deal_without_a_win_for_alike_cards_is_soon_proved_lost(tmp_path: Path) -> None:
    rules = tmp_path / "east-haven.toml"
    few_cards = '\n[variants.small]\nranks = "A 2 3 4 5"\ntableau = { piles = 3, deal_down = 2 }\n'
    rules.write_text((CATALOGUE / rules.name).read_text(encoding="utf-8") + few_cards)
    game = load(f"{rules}:small")
    verdicts = [solve(game.deal(f"cadogan:{number}"), 6_000) for number in range(1, 21)]
    assert {verdict.status for verdict in verdicts} == {"winnable", "unwinnable"}


def test_the_weights_of_the_catalogue_are_in_the_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import cadogan.solver.solve

    (tmp_path / "catalogue").mkdir()
    monkeypatch.setattr(cadogan.solver.solve, "CATALOGUE", tmp_path / "catalogue")
    ask = solver_version.__wrapped__
    bare = ask()
    (tmp_path / "catalogue/golf.weights.json").write_text('{"sets": [{"remaining": 1}]}')
    other = ask()
    (tmp_path / "catalogue/golf.weights.json").write_text('{"sets": [{"remaining": 2}]}')
    assert len({bare, other, ask()}) == 3
