"""The documents: their examples run, and nothing public goes untold."""

import re
from pathlib import Path

import pytest

import cadogan
from tests.documents import ROOT, follow

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAM = ROOT / "docs" / "api.md"
PROSE = [*DOCUMENTS, ROOT / "CHANGELOG.md", ROOT / "bench/README.md", ROOT / "web/README.md"]
COLUMNS = 120

TRANSLATED = {
    "made anew": "rebuilt",
    "written anew": "updated",
    "begin anew": "start again",
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


@pytest.mark.timeout(300)  # twenty commands, each a process of its own
def test_the_tour_shows_what_happens(tmp_path: Path) -> None:
    assert follow(ROOT / "docs" / "tour.md", tmp_path) > 15


def test_the_examples_of_certificates_run(tmp_path: Path) -> None:
    assert follow(ROOT / "docs" / "certificates.md", tmp_path) >= 2


@pytest.mark.parametrize("name", cadogan.__all__)
def test_every_public_name_is_told(name: str) -> None:
    assert name in PROGRAM.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", [cadogan.Game, cadogan.Position, cadogan.Move, cadogan.Verdict])
def test_every_public_attribute_is_told(kind: type) -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", text))))
    public = {*vars(kind), *kind.__annotations__} - {"code"}
    assert {name for name in public if not name.startswith("_")} - named == set()


def test_the_index_names_every_document() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    missing = [path.name for path in DOCUMENTS if f"{path.name})" not in index]
    assert missing == ["index.md"]


def prose(document: Path) -> str:
    """A document without its fenced blocks."""
    text = document.read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("document", PROSE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_prose_is_plain_english(document: Path) -> None:
    text = " ".join(re.sub(r"`[^`\n]*`", "", prose(document)).split())
    found = {
        match[0]: instead
        for phrase, instead in TRANSLATED.items()
        for match in re.finditer(rf"\b{phrase}\b", text, re.IGNORECASE)
    }
    assert found == {}


@pytest.mark.parametrize("document", PROSE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_lines_fit_a_window(document: Path) -> None:
    lines = prose(document).splitlines()
    lines = [line for line in lines if not line.startswith(("|", "    ", "!["))]
    assert [line for line in lines if len(line) > COLUMNS] == []
