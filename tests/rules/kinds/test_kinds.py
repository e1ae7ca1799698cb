"""The kinds of rule: none lacks a part, and nothing outside its module knows it by name."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import cadogan.rules.kinds as package
from cadogan.rules import catalogue, load_rules
from cadogan.rules.kinds import KINDS, Action
from tests.documents import ROOT

PACKAGE = ROOT / "python/cadogan"
MODULES = {kind: Path(kind.__module__.replace(".", "/")).stem for kind in KINDS}
GENERAL = {"Action", "KINDS", "Move", "Part"}
"""What may be imported elsewhere: what all kinds share, and the move, which most rules are."""


def test_every_kind_is_entered() -> None:
    folder = Path(package.__file__).parent
    own = {path.stem for path in folder.iterdir()} - {"__init__", "__pycache__", "kind", "keys"}
    assert set(MODULES.values()) == own


def test_a_kind_that_lacks_a_part_cannot_be_used() -> None:
    @dataclass(frozen=True, slots=True)
    class PairOff(Action):
        """Two cards are discarded together."""

        KEY = "pair_off"

    with pytest.raises(TypeError, match="english, .*fills, german.* is_even.* program.* read"):
        PairOff()  # type: ignore[abstract]


def test_keys_are_told_apart() -> None:
    assert len({kind.KEY for kind in KINDS}) == len(KINDS)
    for kind in KINDS:
        assert kind.KEY in {key.name for key in kind.KEYS}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_examples(kind: type[Action]) -> None:
    """A rule whose explanation is stored, and a fault of such a rule."""
    games = (*catalogue(), str(ROOT / "tests/rules/explain/constructs.toml"))
    books = (load_rules(game).rulebook for game in games)
    assert any(isinstance(rule.action, kind) for book in books for rule in book.rules)
    faults = (ROOT / "tests/rules/errors").glob("*.toml")
    written = re.compile(rb"\b%s *= " % kind.KEY.encode())
    assert any(written.search(path.read_bytes()) for path in faults)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_modules(kind: type[Action]) -> None:
    """One for each half of the kernel, and the tests of the same name."""
    module = MODULES[kind]
    rust = "transfer" if module == "move" else module
    for half in ("program", "play"):
        assert (ROOT / f"crates/kernel/src/{half}/actions/{rust}.rs").exists()


def test_nothing_else_names_a_kind() -> None:
    named = {
        f"{path.relative_to(PACKAGE)}: {alias.name}"
        for path in PACKAGE.rglob("*.py")
        if "kinds" not in path.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("cadogan.rules.kinds")
        for alias in node.names
        if alias.name not in GENERAL
    }
    assert named == set()
