"""``cadogan solve``: verdicts, and their lines."""

import json
import re

from .conftest import Run

FREECELL = ("freecell", "--deal", "ms:1")

KLONDIKE = ("klondike", "--deal", "cadogan:1")


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
    spider = run("solve", "spider", "--deal", "cadogan:1", "--memory", "10kB")
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


def test_the_difficulty_of_a_deal_is_given_and_belongs_to_the_deal(run: Run) -> None:
    text = run("solve", *KLONDIKE, "--difficulty").out.splitlines()
    found = json.loads(run("solve", *KLONDIKE, "--difficulty", "--json").out)["difficulty"]
    assert len(text) == 2
    assert text[1].startswith(f"difficulty {found['figure']} of 100: {found['nodes']:,} nodes")
    assert 0 <= found["figure"] <= 100
    assert 0 < found["kept"] <= 1
    assert json.loads(run("solve", *KLONDIKE, "--json").out)["difficulty"] is None
    line = run("solve", *KLONDIKE, "--difficulty", "--show-line").out.splitlines()
    assert line[1] == f"# {text[1]}"
    first = line[2]
    refused = run("solve", *KLONDIKE, "--moves", first, "--difficulty")
    assert refused.status == 2
    assert "about a deal" in refused.err


def test_what_has_no_difficulty_is_explained(run: Run) -> None:
    open_end = run("solve", *FREECELL, "--budget", "10", "--difficulty")
    assert "no line to a win is known" in open_end.err
    points = run("solve", "golf:scored", "--deal", "cadogan:1", "--score", "--difficulty")
    assert points.status == 2
    assert "leave out --difficulty" in points.err
