"""Commands that the documents only mention: they are there, with the options named.

What stands in fenced blocks is run by other tests; this is about the commands in the prose, in
tables and in indented lines.
"""

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from cadogan import load
from cadogan.cli import COMMANDS, FAMILIES
from cadogan.table.game_file import read_game
from tests.cli.conftest import Run, home, run
from tests.documents import ROOT, blocks
from tests.test_docs import PROSE

__all__ = ["home", "run"]  # fixtures

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
FOLLOWED = {
    *("README.md", "CONTRIBUTING.md", "api.md", "certificates.md", "data.md", "environment.md"),
    *("notebook.md", "scale.md", "studies.md", "tour.md"),
}
"""Documents whose blocks are run one after another, each by a test of its own."""


def snippets(start: str) -> Iterator[tuple[Path, str]]:
    """The code in the documents that begins with a word: spans in the prose, and indented lines."""
    for document in PROSE:
        text = document.read_text(encoding="utf-8")
        text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
        spans = re.findall(r"`([^`]+)`", text)
        spans += re.findall(r"^    ( *\S.*)$", text, re.MULTILINE)
        for span in spans:
            line = " ".join(span.split())
            if line.startswith(f"{start} "):
                yield document, line


def test_every_command_that_is_mentioned_is_there(run: Run) -> None:
    known = {name for _, name, _, _ in COMMANDS}
    helps: dict[str, str] = {}
    lost = []
    checked = 0
    for document, line in snippets("cadogan"):
        line = re.split(r" [#|>] |  ", line)[0]
        words = [word for word in line.split()[1:] if not word.startswith("-")]
        if not words or words[0].isupper():
            continue
        command = words[0]
        if command not in known:
            lost.append(f"{document.name}: {line}")
            continue
        path = [command]
        if command in FAMILIES and len(words) > 1 and not words[1].isupper():
            path.append(words[1])
            if words[1] not in dict(FAMILIES[command]):
                lost.append(f"{document.name}: {line}")
                continue
        key = " ".join(path)
        if key not in helps:
            helps[key] = run(*path, "--help", width=200).out
        options = set(OPTION.findall(line)) - {"--help"}
        lost += [f"{document.name}: {line}: {each}" for each in options if each not in helps[key]]
        checked += 1
    assert lost == []
    assert checked > 50


def test_every_target_of_make_that_is_mentioned_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][\w-]*):", makefile, re.MULTILINE))
    named = {
        (document.name, word)
        for document, line in snippets("make")
        for word in re.findall(r"^make (?:\w+=\S+ )*([a-z][a-z-]*)", line)
    }
    assert [each for each in sorted(named) if each[1] not in targets] == []
    assert len(named) > 20


def test_every_benchmark_that_is_mentioned_is_there() -> None:
    lost = []
    found = list(snippets("python"))
    for document, line in found:
        module = re.match(r"python -m (\S+)", line)
        spec = find_spec(module[1]) if module is not None else None
        path = (
            Path(spec.origin)
            if spec is not None and spec.origin is not None
            else ROOT / line.split()[1]
        )
        if not path.is_file():
            lost.append(f"{document.name}: {line}")
            continue
        source = path.read_text(encoding="utf-8")
        options = set(OPTION.findall(line)) - {"--help"}
        lost += [f"{document.name}: {line}: {each}" for each in options if each not in source]
    assert lost == []
    assert len(found) > 5


def test_the_blocks_of_every_document_are_checked_somewhere() -> None:
    """A block in a new language or document needs a test, here or in a file of its own."""
    others = {
        (document.name, block.language)
        for document in PROSE
        for block in blocks(document)
        if document.name not in FOLLOWED
    }
    assert others == {
        ("deals.md", "text"),  # tests/test_deals.py
        ("hosting.md", "caddy"),  # tests/web/test_hosting.py
        ("hosting.md", "ini"),  # the same
        ("hosting.md", "nginx"),  # the same
        ("hosting.md", "console"),  # tests/table/test_backup.py
        ("hosting.md", "json"),  # tests/web/test_running.py
        ("language.md", "console"),  # tests/test_docs.py
        ("language.md", "toml"),  # tests/rules/test_manual.py
        ("solver.md", "console"),  # tests/test_docs.py
        ("writing.md", "console"),  # tests/test_docs.py
        ("table.md", "console"),  # below
        ("table.md", "sh"),
        ("table.md", "text"),
    }


def test_the_game_file_in_the_manual_of_the_table_can_be_opened(run: Run, tmp_path: Path) -> None:
    page = ROOT / "docs" / "table.md"
    (shown,) = (block.text for block in blocks(page) if block.language == "text")
    without = re.sub(r"^# digest: .*\n", "", shown, flags=re.MULTILINE)
    assert without != shown
    read = read_game(without)
    positions = [load(read.game).deal(read.deal)]
    for move in read.line:
        positions.append(positions[-1].play(move.text))
    for node, move in read.branches:
        positions.append(positions[node].play(move.text))
    assert [node for node, _ in read.names] == [2]
    assert (len(positions), len(read.branches)) == (4, 1)
    file = tmp_path / "game.txt"
    file.write_text(without, encoding="utf-8")
    result = run("replay", str(file))
    assert (result.status, result.out) == (0, "2 moves, all legal: the game is not over\n")


@pytest.mark.parametrize("language", ["console", "sh"])
def test_the_commands_in_the_manual_of_the_table(run: Run, language: str) -> None:
    page = ROOT / "docs" / "table.md"
    block, *others = (block for block in blocks(page) if block.language == language)
    if language == "sh":
        assert block.text == "make play\n"
        lines = [line for other in others for line in other.text.splitlines()]
        assert all(line.startswith("cadogan serve --") for line in lines)
        assert re.search(r"^play:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    else:
        assert block.text.splitlines()[0] == "$ cadogan serve --help"
        assert run("serve", "--help").status == 0
