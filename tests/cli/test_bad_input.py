"""Bad input gives one line on standard error and status 2, never a traceback."""

from pathlib import Path

import pytest

import cadogan

from .conftest import Run

DEALT = ("--deal", "cadogan:1")
GARDEN = ("flower-garden", *DEALT)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("dael",), ["unknown command 'dael'", "hint: did you mean 'deal'?"]),
        (("nonsense",), ["unknown command 'nonsense'", "hint: 'cadogan --help' lists"]),
        (("deal",), ['"deal" parameter GAME requires an argument']),
        (("deal", "flower-gardn"), ['"flower-gardn"', 'did you mean "flower-garden"?']),
        (("deal", "amazons:chence"), ["chence", "chance"]),
        (("deal", "nowhere.toml"), ["nowhere.toml: no such file or directory"]),
        (("deal", "flower-garden", "--deal", "cadogen:1"), ["did you mean 'cadogan'?"]),
        (("deal", "flower-garden", "--deal", "7"), ["write cadogan:7"]),
        (("deal", "flower-garden", "--deal", "cadogan:-1"), ["-1"]),
        (("deal", "flower-garden", "--deal", "cadogan:" + "9" * 5000), ["cadogan"]),
        (("deal", "amazons", "--deal", "ms:1"), ["ms:1", "52 cards"]),
        (("deal", *GARDEN, "--deck", "AS"), ["--deal and --deck both name a deal", "hint: "]),
        (("deal", *GARDEN, "--dack", "AS"), ["unknown option: --dack", "--deck"]),
        (("deal", "flower-garden", "--deck-file", "none.txt"), ["none.txt: no such file"]),
        (("deal", *GARDEN, "--moves", "x > y"), ["not a move: 'x > y'", "flower-garden cadogan:1"]),
        (("deal", *GARDEN, "--moves", "g.1 > g.2"), ["illegal move 'g.1 > g.2'", "builds down"]),
        (
            ("moves", *GARDEN, "--moves", "deal", "--moves-file", "x"),
            ["--moves and --moves-file both give moves"],
        ),
        (("perft", *GARDEN, "--depth", "many"), ["--depth", "many"]),
        (("perft", *GARDEN, "--depth", "-1"), ["cannot count lines of -1 moves"]),
        (("perft", *GARDEN), ["--depth"]),
        (("perft", *GARDEN, "--depth", "9" * 30), ["give --depth from 1 to 100"]),
        (("solve", *GARDEN, "--budget", "0"), ["a budget of 0"]),
        (("solve", *GARDEN, "--budget", "9" * 30), ["is not possible"]),
        (
            ("replay", "flower-garden", "-"),
            ["no deal given", "hint: add --deal cadogan:1"],
        ),
        (("replay", "flower-garden", "none.txt", *DEALT), ["none.txt: no such file"]),
        (("check", "none.toml"), ["none.toml: no such file"]),
        (("check",), ["FILE"]),
        (("expand", "nope"), ['there is no game called "nope"']),
        (("play",), ["no game given"]),
        (("play", "--resume"), ["no saved game"]),
        (("play", "klondike", "--resume", *DEALT), ["already dealt", "leave out --deal"]),
        (("play", "--load", "none.json"), ["none.json: no such file"]),
        (("deal", "flower-garden", "rose-garden"), ["too many words: 'rose-garden'"]),
    ],
)
def test_bad_words(words: tuple[str, ...], said: list[str], run: Run) -> None:
    result = run(*words)
    assert result.status == 2
    assert result.out == ""
    assert result.err.startswith("error")
    assert "Traceback" not in result.err
    assert "internal error" not in result.err
    for text in said:
        assert text in result.err


def test_faults_of_a_deck_are_all_named(run: Run) -> None:
    deck = [str(card) for card in cadogan.load("flower-garden").deal("cadogan:1").deck]
    wrong = " ".join([*deck[1:-1], deck[3], "1X"])
    result = run("deal", "flower-garden", "--deck", wrong)
    assert result.status == 2
    assert f"too many {deck[3]} (2 instead of 1)" in result.err
    assert "not a card '1X'" in result.err
    for card in (deck[0], deck[-1]):
        assert card in result.err.partition("missing")[2]


def test_all_faults_of_a_rules_file_are_reported_with_their_places(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('name = "Bad"\npacks = 1\n[garden]\nrole = "tablaeu"\nbiuld = "down"\n')
    result = run("deal", str(file), *DEALT)
    assert result.status == 2
    assert f"{file}:4:8" in result.err
    assert f"{file}:5:1" in result.err


def test_text_that_is_not_utf8_is_reported(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "moves.txt"
    file.write_bytes(b"\xff\xfe")
    result = run("replay", "flower-garden", str(file), *DEALT)
    assert result.status == 2
    assert "UTF-8" in result.err


def test_an_internal_error_shows_no_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(cadogan, "perft", broken)
    result = run("perft", *GARDEN, "--depth", "1")
    assert result.status == 3
    assert "an internal error: ZeroDivisionError: by zero" in result.err
    assert "Traceback" not in result.err
    monkeypatch.setenv("CADOGAN_DEBUG", "1")
    assert "Traceback" in run("perft", *GARDEN, "--depth", "1").err
