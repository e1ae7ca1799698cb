import errno
import io
import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import cadogan
from cadogan.cli import main, table
from cadogan.cli.draw import draw
from cadogan.table.game_file import read_game
from cadogan.table.intent import Intent
from cadogan.table.library import OWN, Library
from cadogan.table.record import Record
from cadogan.table.service import Tables
from cadogan.table.store import Store
from cadogan.web.app import create_app
from cadogan.web.state import AppState

from .conftest import Run

GARDEN = ("play", "flower-garden", "--deal", "cadogan:1")
CATALOGUE = Path(cadogan.__file__).parent / "catalogue"
CITY = ("play", "besieged-city", "--deal", "cadogan:1")


@contextmanager
def opened(home: Path) -> Iterator[Tables]:
    """The tables, as another program sees them."""
    store = Store(folder=home)
    library = Library(store)
    yield Tables(store, library)
    library.close()
    store.close()


def kept(home: Path) -> list[Record]:
    """All tables, the one played last at the end."""
    with opened(home) as tables:
        return [tables.get(row.id) for row, _ in tables.known()][::-1]


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
        ("undo", "no move to undo"),
        ("redo", "no move to redo"),
        ("why", "no move given"),
        ("why nonsense", "not a move: 'nonsense'"),
        ("hint much", "'much' is not a number"),
        ("new nonsense:1", "unknown scheme of deals 'nonsense'"),
        ("save", "no file given"),
        ("save /", "/ already exists"),
        ("save /proc/none/x", "/proc/none/x: "),
    ],
)
def test_wrong_input_is_reported_and_the_game_goes_on(
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
    assert "no move to undo" in result.err
    assert kept(home)[-1].position.move_count == 1
    assert len(kept(home)) == 2


def test_a_new_game_does_not_write_over_another(run: Run, home: Path) -> None:
    run(*GARDEN, stdin="2\n")
    run(*GARDEN, stdin="")
    run(*GARDEN, stdin="1\nnew\n1\n")
    assert sorted(record.position.move_count for record in kept(home)) == [0, 1, 1, 1]


def test_a_game_of_a_rules_file_is_resumed_from_elsewhere(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_bytes((CATALOGUE / "flower-garden.toml").read_bytes())
    monkeypatch.chdir(tmp_path)
    run("play", "mine.toml", "--deal", "cadogan:1", stdin="2\n")
    assert "1 move" in run("play", "mine.toml", "--resume").out
    monkeypatch.chdir("/")
    assert "1 move" in run("play", "--resume").out


def rules_changed(home: Path, key: str) -> None:
    """Lets a table be one of other rules, as after an update."""
    with closing(sqlite3.connect(home / "tables.sqlite3")) as database, database:
        database.execute("UPDATE tables SET digest = ? WHERE id = ?", ("0" * 64, key))


def test_a_game_that_cannot_be_resumed_is_reported_and_kept_and_the_one_before_it_taken_up(
    run: Run, home: Path
) -> None:
    run(*GARDEN, stdin="2\n")
    run(*GARDEN, stdin="2\n1\n")
    rules_changed(home, kept(home)[-1].key)
    result = run("play", "--resume", stdin="")
    assert result.status == 0
    assert "cannot resume flower-garden, begun 20" in result.err
    assert "have changed since this table was begun" in result.err
    assert "1 move\n" in result.out
    with opened(home) as tables:
        assert len(tables.known()) == 2


def test_when_no_game_can_be_resumed_it_says_so(run: Run, home: Path) -> None:
    run(*GARDEN, stdin="2\n")
    rules_changed(home, kept(home)[-1].key)
    result = run("play", "--resume")
    assert result.status == 2
    assert "no saved game" in result.err


def test_games_of_older_versions_are_resumed_and_broken_files_reported(
    run: Run, home: Path
) -> None:
    folder = home / "games" / "flower-garden"
    folder.mkdir(parents=True)
    position = cadogan.load("flower-garden").deal("cadogan:1")
    text = position.play(position.moves()[1]).to_json()
    (folder / "20260301-200000-abc123.json").write_text(text, encoding="utf-8")
    (folder / "20260302-200000-abc123.json").write_text("{broken", encoding="utf-8")
    result = run("play", "--resume", stdin="1\n")
    assert f"the file is now {folder}/20260302-200000-abc123.json.unreadable" in result.err
    assert "2 moves" in result.out
    assert run("play", "--resume").err.count("error") == 0


@pytest.mark.parametrize("own", [False, True])
def test_without_a_database_the_game_is_played_with_a_warning(
    own: bool, run: Run, home: Path, tmp_path: Path
) -> None:
    (home / "tables.sqlite3").mkdir(parents=True)
    game = tmp_path / "mine.toml"
    game.write_bytes((CATALOGUE / "flower-garden.toml").read_bytes())
    words = ("play", str(game), "--deal", "cadogan:1") if own else GARDEN
    result = run(*words, stdin="2\n1\n")
    assert result.status == 0
    assert result.err.startswith("warning: the database cannot be opened: ")
    assert result.err.endswith("warning: the game is not saved\n")
    assert "2 moves" in result.out
    resumed = run("play", "--resume")
    assert resumed.status == 2
    assert "the database cannot be opened" in resumed.err


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """A disk that is full when the list says so."""
    full = [False]

    def unless_full(name: str) -> None:
        write = getattr(Store, name)

        def wrapped(*words: Any) -> None:
            if full[0]:
                raise OSError(errno.ENOSPC, "No space left on device")
            write(*words)

        monkeypatch.setattr(Store, name, wrapped)

    unless_full("begin")
    unless_full("append")
    return full


@pytest.mark.parametrize("when", range(4))
def test_a_full_disk_does_not_end_the_game(
    when: int, run: Run, home: Path, disk: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    show, shown = table.Table.draw, list[int]()

    def draw(self: table.Table, **how: Any) -> None:
        show(self, **how)
        shown.append(self.position.move_count)
        disk[0] = len(shown) in (when, when + 1)

    monkeypatch.setattr(table.Table, "draw", draw)
    disk[0] = when == 0
    result = run(*GARDEN, stdin="2\n1\n1\n1\n")
    assert result.status == 0
    assert shown == [0, 1, 2, 3, 4]
    assert result.err.count("warning: the last move is not saved: the disk is full") == 2
    assert result.err.count("all moves are saved now") == 1
    assert result.err.endswith("the game is saved; 'cadogan play --resume' continues it\n")
    (record,) = kept(home)
    assert record.position.move_count == 4
    assert len(record.nodes) == 5


def test_a_disk_that_stays_full_is_reported_at_the_end(
    run: Run, home: Path, disk: list[bool]
) -> None:
    run(*GARDEN, stdin="2\n")
    disk[0] = True
    result = run("play", "--resume", stdin="1\nundo\n")
    assert result.status == 0
    assert result.err.endswith("warning: the game is not saved\n")
    assert kept(home)[-1].position.move_count == 1


def test_a_script_says_that_its_moves_are_not_saved(run: Run, home: Path, disk: list[bool]) -> None:
    disk[0] = True
    result = run(*GARDEN, "--moves", "-", stdin="2\n1\n")
    assert result.status == 0
    assert result.err.endswith("warning: the game is not saved\n")
    assert "2 moves" in result.out
    assert kept(home) == []


def client_of(house: AppState) -> TestClient:
    return TestClient(create_app(house), base_url="http://127.0.0.1:7617")


def test_a_game_goes_from_the_terminal_to_the_browser_and_back(run: Run, home: Path) -> None:
    run(*GARDEN, stdin="2\n1\n")
    house = AppState(folder=home, workers=0)
    with client_of(house) as client:
        (listed,) = client.get("/api/tables").json()
        assert (listed["game"], listed["turn"]) == ("flower-garden", 2)
        seen = client.get(f"/api/tables/{listed['id']}").json()
        address = f"/api/tables/{listed['id']}"
        undone = client.post(f"{address}/undo", json={"version": seen["version"]}).json()
        move = undone["position"]["moves"][0]["text"]
        wish = {"version": undone["version"], "text": move}
        table = client.post(f"{address}/moves", json=wish).json()["table"]
        # The server runs while the game is played in the terminal.
        resumed = run("play", "--resume", stdin="line\n1\n")
        assert "2 moves" in resumed.out
        assert move in resumed.out
        stale = client.post(f"{address}/undo", json={"version": table["version"]})
        assert stale.status_code == 409
        assert stale.json()["table"]["turn"] == 3
        assert client.get(address).json()["turn"] == 3
        # Both are in the same statistics.
        assert client.post(f"{address}/close", json={"version": 5}).status_code == 200
        (counted,) = client.get("/api/statistics").json()["games"]
        assert counted["game"] == "flower-garden"
    house.close()
    assert run("play", "--resume").status == 2


class Typed(io.StringIO):
    """Lines that are typed; before each something may happen elsewhere."""

    def __init__(self, *lines: str | Callable[[], object]) -> None:
        super().__init__()
        self.lines = list(lines)

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        while self.lines and not isinstance(self.lines[0], str):
            happens = self.lines.pop(0)
            assert callable(happens)
            happens()
        return f"{self.lines.pop(0)}\n" if self.lines else ""


def test_what_changes_meanwhile_is_reported_and_shown(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def elsewhere() -> None:
        with opened(home) as tables:
            (row, _), *_others = tables.known()
            record = tables.get(row.id)
            tables.move(record.key, record.version, Intent(record.position.moves()[0].text))

    monkeypatch.setattr(sys, "stdin", Typed("2", elsewhere, "1", "1", elsewhere, "show"))
    assert main(GARDEN) == 0
    said = capsys.readouterr()
    assert said.err.count("error: the table has changed meanwhile") == 1
    assert said.err.count("the table has changed meanwhile") == 2
    assert [f"{turn} move" in said.out for turn in range(1, 5)] == [True] * 4
    assert kept(home)[-1].position.move_count == 4


def test_what_was_not_saved_before_somebody_else_moved_is_reported_to_be_lost(
    run: Run,
    home: Path,
    disk: list[bool],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def elsewhere() -> None:
        disk[0] = False
        with opened(home) as tables:
            (row, _), *_others = tables.known()
            tables.move(row.id, 0, Intent(tables.get(row.id).position.moves()[0].text))

    monkeypatch.setattr(
        sys, "stdin", Typed(lambda: disk.__setitem__(0, True), "2", elsewhere, "1", "1")
    )
    assert main(GARDEN) == 0
    assert "so moves that were not saved are lost" in capsys.readouterr().err
    assert kept(home)[-1].position.move_count == 2


def test_what_cannot_be_saved_at_the_end_is_reported_to_be_lost(
    run: Run,
    home: Path,
    disk: list[bool],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def elsewhere() -> None:
        disk[0] = False
        with opened(home) as tables:
            (row, _), *_others = tables.known()
            tables.move(row.id, 0, Intent(tables.get(row.id).position.moves()[0].text))

    monkeypatch.setattr(sys, "stdin", Typed(lambda: disk.__setitem__(0, True), "2", elsewhere))
    assert main(GARDEN) == 0
    assert "so moves that were not saved are lost" in capsys.readouterr().err
    assert kept(home)[-1].position.move_count == 1


def test_a_rules_file_is_one_of_the_players_own_games(run: Run, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    text = (CATALOGUE / "klondike.toml").read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    run("play", f"{file}:draw-three", "--deal", "cadogan:1", stdin="deal\n")
    assert run("play", f"{file}:draw-four").status == 2
    with opened(home) as tables:
        (name,) = [name for name in tables.library.names() if name.startswith(OWN)]
        assert tables.library.text(name) == text
        ((row, _),) = tables.known()
        assert row.game == f"{name}:draw-three"
    # A new version takes the place of the old one in the list; games of the old one continue.
    file.write_text(f"{text}\n# changed\n", encoding="utf-8")
    run("play", str(file), "--deal", "cadogan:1", stdin="deal\ndeal\n")
    with opened(home) as tables:
        (newer,) = [name for name in tables.library.names() if name.startswith(OWN)]
        assert newer != name
    file.unlink()
    assert "1 move\n" in run("play", name, "--resume").out
    assert "2 moves" in run("play", "--resume", stdin="").out


def test_new_games_begin_with_what_the_page_has_set(run: Run, home: Path) -> None:
    with opened(home) as tables:
        tables.store.set_setting("settings", {"autoplay": True, "verdict": "none"})
    typed = "tableau.6 > cells\ntableau.6 > cells\nundo\n"
    result = run("play", "freecell", "--deal", "ms:1", stdin=typed)
    assert "2. tableau.6 > cells.2" in result.out
    assert "automatically: tableau.6 > foundations.1" in result.out
    record = kept(home)[-1]
    assert (record.options.autoplay, record.options.verdict) == (True, "none")


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


def test_a_forced_choice_is_reported_in_the_prompt(run: Run) -> None:
    result = run(*CITY, stdin="ramparts.1 > ramparts.2\n1\n")
    assert "you must choose (a breach is filled from its line), 1-4> 1" in result.out
    assert "automatically: " in result.out


def test_save_and_load(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "evening.txt"
    saved = run(*GARDEN, stdin=f"2\nsave {file}\nsave {file}\n")
    assert "already exists" in saved.err
    result = run("play", "--load", str(file), stdin="1\n")
    assert result.status == 0
    assert "2 moves" in result.out
    assert len(read_game(file.read_text(encoding="utf-8")).line) == 1
    other = run("play", "klondike", "--load", str(file))
    assert other.status == 2
    assert "is a game of flower-garden" in other.err
    for damaged in ("{}", "", "# game: nonsense\n# deal: cadogan:1\n"):
        file.write_text(damaged)
        assert run("play", "--load", str(file)).status == 2
        assert file.read_text() == damaged


def test_a_file_of_an_older_version_is_loaded(run: Run, home: Path, tmp_path: Path) -> None:
    position = cadogan.load("flower-garden").deal("cadogan:1")
    position = position.play(position.moves()[1])
    old = {"session": 1, "position": json.loads(position.to_json())}
    redo = [position.moves()[0].text]
    file = tmp_path / "evening.json"
    file.write_text(json.dumps(old | {"redo": redo}), encoding="utf-8")
    result = run("play", "flower-garden", "--load", str(file), stdin="redo\nundo\nundo\n")
    assert result.status == 0
    assert "2 moves" in result.out
    assert run("play", "klondike", "--load", str(file)).status == 2
    (record,) = kept(home)
    assert (record.brought, record.position.move_count, len(record.nodes)) == (True, 0, 3)


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


def test_very_many_moves_are_reported_as_ranges(
    run: Run, golden: Callable[[str, str], None]
) -> None:
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


def test_rules_are_reported_at_the_table(run: Run) -> None:
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
