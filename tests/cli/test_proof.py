"""solve, replay and perft."""

import json
import re
from pathlib import Path

import cadogan

from .conftest import Run

FREECELL = ("freecell", "--deal", "ms:1")
KLONDIKE = ("klondike", "--deal", "cadogan:1")


def test_a_line_of_the_solver_replays_and_wins(run: Run, tmp_path: Path) -> None:
    solved = run("solve", *FREECELL, "--show-line")
    assert solved.status == 0
    assert solved.out.startswith("# winnable in ")
    file = tmp_path / "line.txt"
    file.write_text(solved.out)
    replayed = run("replay", "freecell", str(file), "--deal", "ms:1", "--won")
    assert replayed.status == 0
    assert replayed.out.endswith("all legal: won\n")
    piped = run("replay", "freecell", "-", "--deal", "ms:1", "--draw", stdin=solved.out)
    assert "Won." in piped.out


def test_solve_as_json(run: Run) -> None:
    verdict = json.loads(run("solve", *FREECELL, "--json").out)
    assert verdict["status"] == "winnable"
    assert verdict["nodes"] > 0
    assert len(verdict["line"]) > 0


def test_a_budget_that_is_spent_is_unknown_and_the_way_on_is_reported(run: Run) -> None:
    result = run("solve", *FREECELL, "--budget", "10")
    assert result.out == "unknown after 10 nodes\n"
    assert "--budget 100" in result.err
    verdict = json.loads(run("solve", *FREECELL, "--budget", "10", "--json").out)
    assert verdict["status"] == "unknown"
    assert verdict["line"] is None


def test_solve_from_the_middle_of_a_game(run: Run) -> None:
    line = json.loads(run("solve", *FREECELL, "--json").out)["line"]
    result = run("solve", *FREECELL, "--moves", "; ".join(line[:-1]))
    assert result.out.startswith("winnable in 1 move ")


def test_a_verdict_as_json_says_what_it_rests_on(run: Run) -> None:
    verdict = json.loads(run("solve", *FREECELL, "--json", "--shorten").out)
    assert verdict["proof"] == "a line that was played to the end"
    assert verdict["end"] == "decided"
    assert 52 <= verdict["at_least"] <= len(verdict["line"]) <= 113


def test_a_line_is_made_shorter_and_told_how_near_it_is(run: Run) -> None:
    words = ("solve", *FREECELL, "--budget", "20000", "--shortest", "--show-line")
    result = run(*words)
    said = re.match(
        r"# winnable in (\d+) moves .*; at least (\d+), at most (\d+) moves\n", result.out
    )
    assert said is not None
    whole, least, most = map(int, said.groups())
    assert least < most < whole
    assert len(result.out.splitlines()) == most + 1
    replayed = run("replay", "freecell", "-", "--deal", "ms:1", "--won", stdin=result.out)
    assert replayed.status == 0


def test_moves_for_other_programs_stand_alone(run: Run) -> None:
    result = run("solve", *FREECELL, "--format", "standard")
    assert re.fullmatch(r"([1-8a-d][1-8a-dh][ \n])+", result.out)
    assert "winnable in" in result.err
    refused = run("solve", "flower-garden", "--deal", "cadogan:1", "--format", "standard")
    assert refused.status == 2
    assert "is none of these" in refused.err


def test_unknown_prunings_are_reported(run: Run) -> None:
    result = run("solve", *FREECELL, "--disable", "sinks", "--disable", "luck")
    assert result.status == 2
    assert 'unknown pruning "luck"\nhint: choose from card-classes, sinks' in result.err
    assert run("solve", *FREECELL, "--disable", "sinks", "--threads", "2").status == 0
    assert "0 threads" in run("solve", *FREECELL, "--threads", "0").err


def test_memory_is_reported_in_words(run: Run) -> None:
    result = run("solve", *FREECELL, "--memory", "lots")
    assert result.status == 2
    assert "'lots' is not an amount of memory" in result.err
    spider = run("solve", "spider", "--deal", "cadogan:1", "--memory", "100kB")
    assert spider.out.endswith("out of memory\n")
    assert "more memory" in spider.err


def test_boards_are_written_for_other_programs(run: Run) -> None:
    text = run("deal", *FREECELL, "--board", "lines").out
    back = run("deal", "freecell", "--deck-file", "-", "--json", "--open", stdin=text)
    wanted = json.loads(run("deal", *FREECELL, "--json", "--open").out)
    assert json.loads(back.out)["piles"] == wanted["piles"]
    solvitaire = json.loads(run("deal", *FREECELL, "--board", "solvitaire").out)
    assert len(solvitaire["tableau piles"]) == 8
    assert run("deal", *FREECELL, "--board", "lines", "--json").status == 2


def test_replay_names_the_first_wrong_move_and_its_reason(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "line.txt"
    file.write_text("# a line\n\ngarden.3 > garden.2\ngarden.1 > garden.5  # not so\nrubbish\n")
    result = run("replay", "flower-garden", str(file), "--deal", "cadogan:1")
    assert result.status == 1
    assert result.out.startswith(f"move 2, line 4 of {file}: illegal move 'garden.1 > garden.5': ")
    assert "the garden builds down" in result.out


def test_replay_as_json(run: Run) -> None:
    words = ("replay", "flower-garden", "-", "--deal", "cadogan:1", "--json")
    wrong = run(*words, stdin="garden.3 > garden.2\nrubbish")
    assert wrong.status == 1
    facts = json.loads(wrong.out)
    assert facts["ok"] is False
    assert facts["moves"] == 1
    assert facts["wrong"]["line"] == 2
    good = run(*words, stdin="garden.3 > garden.2")
    assert good.status == 0
    assert json.loads(good.out) == {"ok": True, "moves": 1, "outcome": None, "wrong": None}


def test_a_line_that_does_not_win_is_wrong_only_if_it_has_to(run: Run) -> None:
    words = ("replay", "flower-garden", "-", "--deal", "cadogan:1")
    legal = run(*words, stdin="garden.3 > garden.2")
    assert (legal.status, legal.out) == (0, "1 move, all legal: the game is not over\n")
    assert run(*words, "--won", stdin="garden.3 > garden.2").status == 1


def test_perft_counts_for_every_length(run: Run) -> None:
    position = cadogan.load("klondike").deal("cadogan:1")
    counts = [cadogan.perft(position, depth) for depth in range(5)]
    rows = [
        tuple(map(int, line.split()))
        for line in run("perft", *KLONDIKE, "-n", "4").out.splitlines()
    ]
    assert rows == list(enumerate(counts))
    facts = json.loads(run("perft", *KLONDIKE, "--depth", "4", "--json").out)
    assert facts == {"depth": 4, "paths": counts[4], "depths": counts}


def test_perft_divided_by_first_moves(run: Run) -> None:
    facts = json.loads(run("perft", *KLONDIKE, "--depth", "3", "--divide", "--json").out)
    position = cadogan.load("klondike").deal("cadogan:1")
    assert list(facts["moves"]) == [move.text for move in position.moves()]
    assert sum(facts["moves"].values()) == facts["paths"] == cadogan.perft(position, 3)
    last = run("perft", *KLONDIKE, "--depth", "3", "--divide").out.splitlines()[-1]
    assert last.split() == [str(facts["paths"]), "total"]


def test_weights_are_learned_and_told(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "weights.json"
    words = ("tune", "golf", "--deals", "4", "--nodes", "2000", "--trials", "6", "--out", str(out))
    result = run(*words)
    assert result.out.startswith("before: ")
    assert result.err.startswith("at the beginning: ")
    assert out.exists() == (result.status == 0)
    assert run("tune", "golf", "--deals", "0").status == 2
