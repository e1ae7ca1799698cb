"""The documents: their examples run, they cover all public names, all prose is plain English."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import cadogan
from tests.documents import ROOT, follow

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAM = ROOT / "docs" / "api.md"
PROSE = [*DOCUMENTS, ROOT / "CHANGELOG.md", ROOT / "bench/README.md", ROOT / "web/README.md"]
SOURCES = ["python/cadogan", "tests", "bench", "build_backend"]
COLUMNS = 120

TRANSLATED = {
    "anew": "again; rebuilt, rewritten",
    "whoever": "a player who, a client that",
    "besides": "also, apart from",
    "as it were": "nothing",
    "in the making": "under construction",
    "complain(s|ed)? of": "report",
    "ha(s|ve) (its|their) way": "takes precedence",
    "to be had": "available",
    "is at hand": "is available",
    "asked for it": "requested",
    "ways? of searching": "strategy",
    "nothing to complain": "no problems found",
    "(is|are|was|were) told": "is reported, shown, explained",
    "tells? (of|how|which|what|why|whether)": "reports, shows, explains",
    "by (itself|themselves)": "automatically",
    "(is|are) kept": "is saved, stored",
    "goes on (with|from|where|by)": "continues",
    "(takes?|taken|took) for (equal|the same)": "treats as equal",
    "what is no": "anything that is not",
    "looked for": "searched for",
}
"""Phrases that sound translated, and what to write instead."""


def test_the_examples_of_the_python_package_run(tmp_path: Path) -> None:
    assert follow(PROGRAM, tmp_path) > 10


@pytest.mark.slow
@pytest.mark.timeout(300)  # twenty commands, each a process of its own
def test_the_tour_shows_what_happens(tmp_path: Path) -> None:
    assert follow(ROOT / "docs" / "tour.md", tmp_path) > 15


def test_the_examples_of_certificates_run(tmp_path: Path) -> None:
    assert follow(ROOT / "docs" / "certificates.md", tmp_path) >= 2


@pytest.mark.sample(2)
@pytest.mark.parametrize("document", ["language.md", "solver.md", "writing.md"])
def test_the_commands_of_a_document_run(document: str, tmp_path: Path) -> None:
    assert follow(ROOT / "docs" / document, tmp_path) >= 1


@pytest.mark.parametrize("name", cadogan.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    assert name in PROGRAM.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", [cadogan.Game, cadogan.Position, cadogan.Move, cadogan.Verdict])
def test_every_public_attribute_is_documented(kind: type) -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", text))))
    public = {*vars(kind), *kind.__annotations__} - {"code"}
    assert {name for name in public if not name.startswith("_")} - named == set()


def test_the_index_names_every_document() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    missing = [path.name for path in DOCUMENTS if f"{path.name})" not in index]
    assert missing == ["index.md"]


def sources() -> Iterator[Path]:
    for folder in SOURCES:
        yield from sorted((ROOT / folder).rglob("*.py"))


def comments(source: str) -> Iterator[tuple[int, str]]:
    """The docstrings and comments of a module, each with the number of its line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def translated(text: str) -> dict[str, str]:
    """The phrases of a text that sound translated, each with what to write instead."""
    text = " ".join(re.sub(r"`[^`\n]*`", "", text).split())
    return {
        match[0]: instead
        for phrase, instead in TRANSLATED.items()
        for match in re.finditer(rf"\b({phrase})\b", text, re.IGNORECASE)
    }


def prose(document: Path) -> str:
    """A document without its fenced blocks."""
    text = document.read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("document", PROSE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_prose_is_plain_english(document: Path) -> None:
    assert translated(prose(document)) == {}


def test_docstrings_and_comments_are_plain_english() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}": phrases
        for path in sources()
        for line, text in comments(path.read_text(encoding="utf-8"))
        if (phrases := translated(text))
    }
    assert found == {}


@pytest.mark.parametrize("document", PROSE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_lines_fit_a_window(document: Path) -> None:
    lines = prose(document).splitlines()
    lines = [line for line in lines if not line.startswith(("|", "    ", "!["))]
    assert [line for line in lines if len(line) > COLUMNS] == []
