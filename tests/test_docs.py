"""The documents: their examples run, and nothing public goes untold."""

import re
from pathlib import Path

import pytest

import cadogan
from tests.documents import ROOT, follow

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAM = ROOT / "docs" / "api.md"


def test_the_examples_of_the_python_package_run(tmp_path: Path) -> None:
    assert follow(PROGRAM, tmp_path) > 10


@pytest.mark.timeout(300)  # twenty commands, each a process of its own
def test_the_tour_shows_what_happens(tmp_path: Path) -> None:
    assert follow(ROOT / "docs" / "tour.md", tmp_path) > 15


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
