"""The command line as a process: what it imports, closed pipes, terminals without symbols."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

pytestmark = pytest.mark.takes_turns(3)

UNWANTED = (
    "CADOGAN_CACHE", "FORCE_COLOR", "LC_ALL", "NO_COLOR", "PYTHONIOENCODING", "PYTHONUTF8",
)  # fmt: skip
ENTRY = "import sys; from cadogan.cli import main; sys.exit(main())"
HEAVY = (
    "cadogan._kernel",
    "cadogan.rules.check",
    "cadogan.rules.pipeline",
    "cadogan.table",
    "cadogan.web",
    "duckdb",
    "fastapi",
    "matplotlib",
    "numpy",
    "pydantic",
    "rich",
    "sqlalchemy",
    "tree_sitter",
)
"""What takes long to import."""
PARSER = ("attr", "cyclopts", "inspect")
"""What parses a command line."""
KNOWN = ("golf", "--deal", "cadogan:1")


def start(
    *words: str, home: Path, program: str = ENTRY, **environment: str
) -> "subprocess.Popen[bytes]":
    inherited = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    return subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**inherited, "CADOGAN_HOME": str(home), **environment},
    )


def imported(program: str, home: Path) -> set[str]:
    told = f"{program}\nprint('\\n' + ' '.join(sys.modules))"
    process = start(home=home, program=f"import sys\n{told}")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err.decode()
    return set(out.decode().splitlines()[-1].split())


def imported_by(words: tuple[str, ...], home: Path) -> set[str]:
    """The modules that a command imports, without those that the package itself imports."""
    call = f"from cadogan.cli import main; main({list(words)})"
    return imported(call, home) - imported("import cadogan", home)


@pytest.mark.parametrize("words", [("--help",), ("-h",), ()])
def test_help_imports_no_library_at_all(words: tuple[str, ...], tmp_path: Path) -> None:
    modules = imported_by(words, tmp_path)
    assert modules.isdisjoint((*HEAVY, *PARSER))
    assert {name for name in modules if name.startswith("cadogan.")} == {
        "cadogan.cli",
        "cadogan.cli.help",
        "cadogan.cli.output",
    }


@pytest.mark.parametrize("words", [("--version",), ("games",), ("games", "--json")])
def test_what_needs_no_rules_imports_none(words: tuple[str, ...], tmp_path: Path) -> None:
    imported_by(words, tmp_path)  # makes the index of games
    # The figures of the games are a file of the table's.
    assert imported_by(words, tmp_path).isdisjoint({*HEAVY} - {"cadogan.table"})


def test_a_list_of_games_from_the_cache_reads_no_rules_file(tmp_path: Path) -> None:
    assert "tomllib" in imported_by(("games",), tmp_path)
    assert "tomllib" not in imported_by(("games",), tmp_path)


@pytest.mark.parametrize(
    ("words", "needed"),
    [
        (("info", "golf"), {"cadogan._kernel"}),
        (("rules", "golf"), {"rich"}),
        (("moves", *KNOWN, "--json"), {"cadogan._kernel"}),
        (("solve", *KNOWN, "--budget", "10"), {"cadogan._kernel"}),
    ],
)
def test_a_game_compiled_before_needs_no_compiler(
    words: tuple[str, ...], needed: set[str], tmp_path: Path
) -> None:
    assert "pydantic" in imported_by(words, tmp_path)
    assert set(HEAVY) & imported_by(words, tmp_path) <= needed


def test_a_game_dealt_imports_no_other_command(tmp_path: Path) -> None:
    modules = imported(
        "from cadogan.cli import main; main(['deal', 'golf', '--deal', 'cadogan:1'])", tmp_path
    )
    for other in ("play", "solve", "table", "games", "rules", "replay"):
        assert f"cadogan.cli.{other}" not in modules


def test_a_closed_pipe_is_no_fault(tmp_path: Path) -> None:
    process = start("schema", home=tmp_path)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 141
    process.stderr.close()
    assert process.stdin is not None
    process.stdin.close()


def test_ctrl_c_in_a_long_count_ends_quietly(tmp_path: Path) -> None:
    words = ("besieged-city", "--deal", "cadogan:1", "--depth", "50", "--divide")
    # Tests that run in the background are made deaf to Ctrl-C, and their children with them.
    listens = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    process = start("perft", *words, home=tmp_path, program=f"{listens}; {ENTRY}")
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (130, b"", b"")


def test_ctrl_c_gives_the_verdict_so_far(tmp_path: Path) -> None:
    words = ("flower-garden", "--deal", "solvitaire:45", "--budget", "1000000000000", "--progress")
    listens = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    process = start("solve", *words, home=tmp_path, program=f"{listens}; {ENTRY}")
    assert process.stderr is not None
    try:
        # It reports when it has started.
        assert b"nodes" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130
    assert re.fullmatch(rb"unknown after [\d,]+ nodes, interrupted\s+", out)


def test_without_symbols_there_are_letters(tmp_path: Path) -> None:
    process = start("deal", "golf", "--deal", "cadogan:1", home=tmp_path, PYTHONIOENCODING="ascii")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert b"stock" in out


def test_nothing_but_data_goes_to_standard_output(tmp_path: Path) -> None:
    process = start("deal", "golf", "--json", home=tmp_path)
    out, err = process.communicate(timeout=60)
    assert out.startswith(b"{")
    assert err.startswith(b"dealing cadogan:")


def test_play_through_a_pipe(tmp_path: Path) -> None:
    process = start("play", "golf", "--deal", "cadogan:1", home=tmp_path)
    out, _ = process.communicate(b"1\n\xff\xfe\nquit\n", timeout=60)
    assert process.returncode == 0
    assert b"move 2> quit" in out
    with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as database:
        found = database.execute("SELECT game, turn FROM tables JOIN summaries").fetchall()
    assert found == [("golf", 1)]
