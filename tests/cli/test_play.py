import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import cadogan
from cadogan.cli import main
from cadogan.cli.draw import draw
from cadogan.table import Session

from .conftest import Run

GARDEN = ("play", "flower-garden", "--deal", "cadogan:1")
CITY = ("play", "besieged-city", "--deal", "cadogan:1")


def kept(home: Path) -> list[Session]:
    files = sorted((home / "games").glob("*/*.json"), key=lambda path: path.stat().st_mtime_ns)
    return [Session.from_json(file.read_text(encoding="utf-8")) for file in files]


def test_a_conversation(run: Run, golden: Callable[[str, str], None]) -> None:
    typed = "\n".join(
        [
            "why g.1 > g.2",
            "why garden.3 > garden.2",
            "2",
            "bouquet.2 > garden.6",
            "line",
            "undo",
            "redo",
            "restart",
            "moves",
            "?",
            "quit",
        ]
    )
    result = run(*GARDEN, stdin=typed)
    assert result.status == 0
    golden("conversation", result.out)


def test_the_end_of_the_input_is_a_polite_end(run: Run, home: Path) -> None:
    result = run(*GARDEN, stdin="2")
    assert result.status == 0
    assert result.err.endswith("the game is saved; 'cadogan play --resume' continues it\n")
    assert kept(home)[0].position.move_count == 1


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("0", "no move 0"),
        ("999", "the moves are numbered 1 to 9"),
        ("9" * 5000, "no move 999999999999"),
        ("garden", "not a move: 'garden'"),
        ("garden.1 > garden.2", "illegal move 'garden.1 > garden.2'"),
        ("x > y", "type ? for help"),
        ("\x00\x1b[31m", "not a move"),
        ("undo", "no move to take back"),
        ("redo", "no move to play again"),
        ("why", "no move given"),
        ("why nonsense", "not a move: 'nonsense'"),
        ("hint much", "'much' is not a number"),
        ("new nonsense:1", "unknown scheme of deals 'nonsense'"),
        ("save", "no file given"),
        ("save /", "/ already exists"),
        ("save /proc/none/x", "/proc/none/x: "),
    ],
)
def test_wrong_input_is_told_and_the_game_goes_on(
    typed: str, said: str, run: Run, home: Path
) -> None:
    result = run(*GARDEN, stdin=f"{typed}\n2\n")
    assert result.status == 0
    assert said in result.err
    assert "Traceback" not in result.err
    assert "\x1b" not in result.err
    assert kept(home)[-1].position.move_count == 1


def test_every_position_is_on_disk_before_it_is_drawn(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[cadogan.Position] = []

    def checked(position: cadogan.Position, **options: object) -> object:
        assert kept(home)[-1].position == position
        drawn.append(position)
        return draw(position, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("cadogan.cli.table.draw", checked)
    assert run(*GARDEN, stdin="2\n1\nu\nr\nrestart\nnew cadogan:9\n1\n").status == 0
    assert [position.move_count for position in drawn] == [0, 1, 2, 1, 2, 0, 0, 1]


def test_resume_takes_up_the_last_game_with_its_past_and_future(run: Run, home: Path) -> None:
    run(*GARDEN, stdin="2\n1\n1\nu\n")
    run("play", "klondike", "--deal", "cadogan:1", stdin="1\n")
    assert "Klondike" in run("play", "--resume", stdin="").out
    result = run("play", "flower-garden", "--resume", stdin="r\nu\nu\nu\nu\nr\n")
    assert "no move to take back" in result.err
    assert kept(home)[-1].position.move_count == 1
    assert len(kept(home)) == 2


def test_a_new_game_does_not_write_over_another(run: Run, home: Path) -> None:
    run(*GARDEN, stdin="2\n")
    run(*GARDEN, stdin="")
    run(*GARDEN, stdin="1\nnew\n1\n")
    assert sorted(session.position.move_count for session in kept(home)) == [0, 1, 1, 1]


def test_a_game_of_a_rules_file_is_resumed_from_elsewhere(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Path(cadogan.__file__).parent / "catalogue" / "flower-garden.toml"
    (tmp_path / "mine.toml").write_bytes(source.read_bytes())
    monkeypatch.chdir(tmp_path)
    run("play", "mine.toml", "--deal", "cadogan:1", stdin="2\n")
    assert "1 move" in run("play", "mine.toml", "--resume").out
    monkeypatch.chdir("/")
    assert "1 move" in run("play", "--resume").out


def test_a_broken_save_is_told_and_kept_and_the_one_before_it_taken_up(
    run: Run, home: Path
) -> None:
    run(*GARDEN, stdin="2\n")
    run(*GARDEN, stdin="2\n1\n")
    newest = max((home / "games").glob("*/*.json"), key=lambda path: path.stat().st_mtime_ns)
    newest.write_text("{broken", encoding="utf-8")
    result = run("play", "--resume", stdin="")
    assert result.status == 0
    assert f"cannot resume the game in {newest}" in result.err
    aside = newest.with_name(newest.name + ".unreadable")
    assert f"it is now {aside}" in result.err
    assert aside.read_text() == "{broken"
    assert "1 move\n" in result.out


def test_when_all_saves_are_broken_there_is_nothing_to_resume(run: Run, home: Path) -> None:
    run(*GARDEN, stdin="2\n")
    (newest,) = (home / "games").glob("*/*.json")
    newest.write_bytes(b"\xff\xfe")
    result = run("play", "--resume")
    assert result.status == 2
    assert "no saved game" in result.err
    assert [path.suffix for path in newest.parent.iterdir()] == [".unreadable"]


def test_a_game_that_cannot_be_kept_goes_on_with_a_warning(run: Run, home: Path) -> None:
    home.mkdir()
    (home / "games").write_text("in the way")
    result = run(*GARDEN, stdin="2\n1\n")
    assert result.status == 0
    assert result.err.count("warning: cannot save the game") == 3
    assert "2 moves" in result.out


def test_a_script_is_followed_and_the_table_drawn_at_its_end(
    run: Run, tmp_path: Path, home: Path, golden: Callable[[str, str], None]
) -> None:
    script = tmp_path / "script.txt"
    script.write_text("# a beginning\ng.3 > g.2; bouquet.2 > garden.6\nundo\n")
    result = run(*GARDEN, "--moves", str(script), stdin="1\n1\n1\n")
    assert result.status == 0
    golden("script", result.out)
    assert kept(home)[-1].position.move_count == 1


def test_after_a_script_the_player_goes_on_if_he_likes(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("2\n")
    result = run(*GARDEN, "--moves", str(script), "--interactive", stdin="1\n")
    assert "move 2> 1" in result.out


def test_a_script_stops_at_what_cannot_be_done(run: Run, home: Path) -> None:
    result = run(*GARDEN, "--moves", "-", stdin="2\ngarden.1 > garden.2\n1\n")
    assert result.status == 1
    assert "illegal move" in result.err
    assert kept(home)[-1].position.move_count == 1


def test_a_forced_choice_is_told_in_the_prompt(run: Run) -> None:
    result = run(*CITY, stdin="ramparts.1 > ramparts.2\n1\n")
    assert "you must choose (a breach is filled from its line), 1-4> 1" in result.out
    assert "automatically: " in result.out


def test_save_and_load(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "evening.json"
    saved = run(*GARDEN, stdin=f"2\nsave {file}\nsave {file}\n")
    assert "already exists" in saved.err
    result = run("play", "--load", str(file), stdin="1\n")
    assert result.status == 0
    assert "2 moves" in result.out
    assert Session.from_json(file.read_text()).position.move_count == 1
    other = run("play", "klondike", "--load", str(file))
    assert other.status == 2
    assert "is a game of flower-garden" in other.err
    file.write_text("{}")
    assert run("play", "--load", str(file)).status == 2
    assert file.read_text() == "{}"


def test_a_hint_says_whether_it_is_proved(run: Run) -> None:
    result = run("play", "freecell", "--deal", "ms:1", stdin="hint\nhint 1\nhint\n")
    proved = [
        line
        for line in result.out.splitlines()
        if ": wins in " in line and line.endswith(", proved")
    ]
    assert len(proved) == 3
    assert len(set(proved)) == 1
    unproved = run(*GARDEN, stdin="hint 1\n").out
    assert "not proved" in unproved
    assert "'hint 10' searches longer" in unproved


def test_a_hint_that_has_seen_hidden_cards_says_so(run: Run) -> None:
    out = run("play", "klondike", "--deal", "cadogan:1", stdin="hint 1\n").out
    assert "the search sees the hidden cards" in out


def test_very_many_moves_are_told_as_ranges(run: Run, golden: Callable[[str, str], None]) -> None:
    typed = "army.1 > navy.1\narmy.5 > navy.9\nmoves army.2\nmoves navy.1\nmoves amry.3"
    result = run("play", "empress-of-india", "--deal", "cadogan:1", stdin=typed)
    assert "unknown pile 'amry.3'" in result.err
    assert "no move goes from or to navy.1" in result.out
    golden("very-many-moves", result.out)


def test_a_game_played_to_its_end_says_so_and_can_be_taken_back(run: Run) -> None:
    verdict = cadogan.solve(cadogan.load("freecell").deal("ms:1"))
    typed = "\n".join([*map(str, verdict.line), "x > y", "1", "hint", "undo", ""])
    result = run("play", "freecell", "--deal", "ms:1", stdin=typed)
    assert "\nWon.\n" in result.out
    assert "won> undo" in result.out
    assert "the game is won" in result.err
    assert f"move {len(verdict.line)}> " in result.out.rpartition("won> undo")[2]


def test_rules_are_told_at_the_table(run: Run) -> None:
    out = run(*GARDEN, stdin="rules\n").out
    assert out.count("garden") > 5


def test_the_line_that_is_listed_replays(run: Run) -> None:
    out = run(*CITY, stdin="ramparts.1 > ramparts.2\n1\nline\n").out
    line = out.rpartition("> line\n")[2].rpartition("move ")[0]
    result = run("replay", "besieged-city", "-", "--deal", "cadogan:1", "--json", stdin=line)
    assert json.loads(result.out)["moves"] == 2


def test_ctrl_c_at_the_prompt_ends_quietly_with_the_game_kept(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
            line = super().readline()
            if not line:
                raise KeyboardInterrupt
            return line

    monkeypatch.setattr(sys, "stdin", Interrupted("2\n"))
    assert main(GARDEN) == 130
    said = capsys.readouterr()
    assert "the game is saved" in said.err
    assert "Traceback" not in said.err
    assert kept(home)[-1].position.move_count == 1


def test_ctrl_c_in_a_search_stops_the_search_only(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cadogan.table.hints.solve", interrupted)
    result = run(*GARDEN, stdin="hint\n2\n")
    assert result.status == 0
    assert "the search was stopped" in result.err
    assert "1 move\n" in result.out
