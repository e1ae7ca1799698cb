"""``cadogan new``: questions, answers on the command line, files that exist."""

import json
from pathlib import Path

import pytest

import cadogan
from cadogan.rules.writing.choices import CHOICES, SECTIONS

from .conftest import Run


def test_the_answers_of_options_are_printed_as_a_rules_file(run: Run, tmp_path: Path) -> None:
    result = run("new", "--set", "name=Twos", "--set", "packs=2", "--set", "stock=waste")
    assert (result.status, result.err) == (0, "")
    file = tmp_path / "twos.toml"
    file.write_text(result.out)
    game = cadogan.load(str(file))
    assert (game.rulebook.name, len(game.pack)) == ("Twos", 104)


def test_a_file_is_written_and_never_overwritten(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    result = run("new", str(file), "--set", "piles=9")
    assert result.status == 0
    assert "piles = 9" in file.read_text()
    assert f"cadogan rules {file}" in result.err
    again = run("new", str(file), "--set", "piles=5")
    assert again.status == 2
    assert "exists already" in again.err
    assert "piles = 9" in file.read_text()


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--set", "stock"], "error: 'stock' gives no answer"),
        (["--set", "packs=1", "--set", "packs=2"], "error: 'packs' is given twice"),
        (["--set", "packs=9"], 'error: "Packs" cannot be "9": a number from 1 to 4'),
        (["--set", "face-up=9"], "deal too many cards: 72 are dealt in all, but there are 52"),
        (
            ["--language", "de", "--set", "refill=waste"],
            "„Ein leerer Platz wird sofort gefüllt: vom Abwurf“ passt nicht zu",
        ),
    ],
)
def test_answers_that_do_not_fit_are_errors(run: Run, words: list[str], error: str) -> None:
    result = run("new", *words)
    assert (result.status, result.out) == (2, "")
    assert error in result.err


def test_all_choices_are_listed(run: Run) -> None:
    text = run("new", "--list").out
    assert all(f"  {key}" in text for key in CHOICES)
    assert all(section.label in text for section in SECTIONS)
    assert "Gebaut wird im Tableau" in " ".join(
        run("new", "--list", "--language", "de").out.split()
    )
    facts = json.loads(run("new", "--list", "--json").out)
    assert [fact["key"] for fact in facts] == list(CHOICES)
    assert facts[2]["answers"]["waste"] == "to a waste"


def test_questions_are_asked_one_after_the_other(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    lines = ["Asked", "2", "2", "3", "?", "", "unlimited", "yes", "="]
    result = run("new", str(file), stdin="".join(f"{line}\n" for line in lines))
    assert result.status == 0
    assert CHOICES["empty-waste"].help in result.out
    text = file.read_text()
    for line in (
        'name  = "Asked"',
        "packs = 2",
        'deals    = "3 to waste"',
        'redeals  = "unlimited"',
        "shuffled = true",
    ):
        assert line in text
    # What means nothing with the answers so far is not asked.
    assert CHOICES["base"].label not in result.out


def test_a_question_is_asked_again_until_the_answer_fits(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    lines = ["", "nine", "3", "<", "4", "="]
    result = run("new", str(file), stdin="".join(f"{line}\n" for line in lines))
    assert '"Packs" cannot be "nine"' in result.err
    assert "packs = 4" in file.read_text()


def test_answers_that_do_not_fit_together_are_asked_again(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    # Sequences of one suit never come about in alternate colours: any suit may be built.
    lines = ["", "", "", "sequences", "", "", "", "=", "", "", "", "any", "="]
    result = run("new", str(file), stdin="".join(f"{line}\n" for line in lines))
    assert "do not fit" in result.err
    assert result.status == 0
    assert 'takes = "complete sequences down in suit"' in file.read_text()


def test_an_existing_file_is_overwritten_only_if_the_user_says_so(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("precious")
    refused = run("new", str(file), stdin="=\nno\n")
    assert refused.status == 1
    assert file.read_text() == "precious"
    other = tmp_path / "other.toml"
    assert run("new", str(file), stdin=f"=\nno\n{other}\n").status == 0
    assert other.exists()
    assert file.read_text() == "precious"
    assert run("new", str(file), stdin="=\nyes\n").status == 0
    assert "[tableau]" in file.read_text()


def test_a_game_of_the_catalogue_is_changed(run: Run, tmp_path: Path) -> None:
    result = run("new", "--from", "klondike:draw-three", "--set", "piles=8", "--set", "face-down=3")
    assert (result.status, result.err) == (0, "")
    assert 'deals   = "3 to waste"' in result.out
    assert "piles     = 8" in result.out
    # The redeals mean nothing without a stock.
    shallow = run("new", "--from", "klondike", "--set", "stock=none", "--set", "face-down=0")
    assert (shallow.status, shallow.err) == (0, "")
    assert "[stock]" not in shallow.out
    file = tmp_path / "mine.toml"
    asked = run("new", str(file), "--from", "yukon", stdin="Mine\n=\n")
    assert asked.status == 0
    assert cadogan.load(str(file)).digest == cadogan.load("yukon").digest


def test_a_game_of_another_kind_is_not_said_by_choices(run: Run) -> None:
    result = run("new", "--from", "pyramid", "--set", "packs=2")
    assert (result.status, result.out) == (2, "")
    assert "error: choices cannot say the rules of 'pyramid'" in result.err
    assert "there is no game" in run("new", "--from", "pyramids-of-mars").err


def test_answers_are_not_lost_if_the_file_cannot_be_written(run: Run, tmp_path: Path) -> None:
    good = tmp_path / "mine.toml"
    bad = tmp_path / "nowhere" / "mine.toml"
    (tmp_path / "nowhere").write_text("a file, not a folder")
    result = run("new", str(bad), stdin=f"Saved\n=\n{good}\n")
    assert result.status == 0
    assert f"error: {bad}: " in result.err
    assert 'name  = "Saved"' in good.read_text()


@pytest.mark.parametrize("typed", ["quit\n", "", "Mine\nquit\n", "=\nquit\n"])
def test_a_user_who_stops_writes_nothing(run: Run, tmp_path: Path, typed: str) -> None:
    file = tmp_path / "mine.toml"
    result = run("new", stdin=typed)
    assert result.status == 1
    assert "Nothing is written." in result.err
    assert not file.exists()


def test_questions_are_asked_in_german(run: Run) -> None:
    result = run("new", "--language", "de", stdin="\n\n2\nquit\n")
    assert "Der Talon wird gegeben" in result.out
    assert "auf einen Abwurf" in result.out
    assert "Es wurde nichts geschrieben." in result.err
