"""Runs the examples of a document, and compares the results with the document.

What stands in fenced blocks is taken by its language:

- ``toml`` that begins with ``# NAME.toml``: a file, written where the commands run;
- ``console``: commands after ``$``, each with its output, errors and all. A line ``...`` stands for
  any lines, ``...`` within a line for anything. How many moves and nodes a search took is the
  search's affair: those numbers may be others. What is typed at a table or in answer to a question
  stands after the prompt;
- ``pycon``: a doctest.

Blocks of other languages are left alone. All blocks of a document share a folder, and the Python
ones their names.
"""

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent

_BLOCK = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (?P<name>[\w-]+\.toml)\n")
_TYPED = re.compile(r"^(?:move \d+|.* \[.*\])> ?(?P<typed>.*)", re.MULTILINE)
_SEARCHED = re.compile(r"[\d,]+(?= moves| nodes)")
_STAND_INS = {
    # These two would run themselves. That the targets are there is all that can be asked here.
    "make demo": ["make", "-n", "-C", str(ROOT), "demo"],
    "make test": ["make", "-n", "-C", str(ROOT), "test"],
}


@dataclass(frozen=True)
class Block:
    """A fenced block and the line on which it begins."""

    language: str
    text: str
    line: int


def blocks(document: Path) -> Iterator[Block]:
    """The fenced blocks of a document."""
    text = document.read_text(encoding="utf-8")
    for match in _BLOCK.finditer(text):
        line = text.count("\n", 0, match.start()) + 2
        yield Block(match["language"], match["text"], line)


def follow(document: Path, folder: Path) -> int:
    """Does all that a document shows.

    Args:
        document: The document.
        folder: Where its files are written and its commands run.

    Returns:
        How many files, commands and sessions there were.

    Raises:
        AssertionError: If something else comes out than the document says.
    """
    done = 0
    names: dict[str, object] = {}
    for block in blocks(document):
        place = f"{document.name}:{block.line}"
        if block.language == "toml":
            named = _FILE.match(block.text)
            if named:
                (folder / named["name"]).write_text(block.text, encoding="utf-8")
                done += 1
        elif block.language == "console":
            for command, expected in _commands(block.text):
                _run(command, expected, folder, place)
                done += 1
        elif block.language == "pycon":
            _converse(block, names, folder, place)
            done += 1
    return done


def _commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output shown."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        while command.endswith("\\"):
            more, _, expected = expected.partition("\n")
            command = f"{command}\n{more}"
        yield command, expected.rstrip("\n")


def _run(command: str, expected: str, folder: Path, place: str) -> None:
    typed = [match["typed"] for match in _TYPED.finditer(expected)]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "CADOGAN_HOME": str(folder / "kept"),
    }
    result = subprocess.run(
        _STAND_INS.get(command, ["sh", "-c", command]),
        cwd=folder,
        env=environment,
        input="".join(f"{line}\n" for line in typed),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        timeout=50,
    )
    said = "\n".join(line.rstrip() for line in result.stdout.splitlines()).strip("\n")
    if not expected:
        assert result.returncode == 0, f"{place}: {command} failed:\n{said}"
        return
    assert _fits(expected, said), (
        f"{place}: $ {command}\n--- the document says\n{expected}\n--- it says\n{said}"
    )


def _fits(expected: str, said: str) -> bool:
    """Whether an output is the one expected, with ``...`` for what is left out."""
    pattern = ""
    for line in expected.splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            parts = _SEARCHED.sub("...", line.rstrip()).split("...")
            pattern += ".*".join(map(re.escape, parts)) + r"\n"
    return re.fullmatch(pattern, f"{said}\n") is not None


def _converse(block: Block, names: dict[str, object], folder: Path, place: str) -> None:
    parser = doctest.DocTestParser()
    test = parser.get_doctest(block.text, names, place, place, block.line)
    runner = doctest.DocTestRunner(
        verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    report: list[str] = []
    before = Path.cwd()
    os.chdir(folder)
    try:
        runner.run(test, out=report.append, clear_globs=False)
    finally:
        os.chdir(before)
    names.update(test.globs)
    assert not runner.failures, "".join(report)
