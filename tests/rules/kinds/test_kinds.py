"""The kinds of rule: none lacks a part, and nothing outside its module knows it by name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import cadogan.rules.kinds as package
from cadogan.i18n.text import LANGUAGES
from cadogan.rules import catalogue, load_rules
from cadogan.rules.kinds import KINDS, Action, Swap
from tests.documents import ROOT

PACKAGE = ROOT / "python/cadogan"
MODULES = {kind: Path(kind.__module__.replace(".", "/")).stem for kind in KINDS}
EXPLAINS = {"en": "english", "de": "german"}
"""What explains a rule in each language."""


def test_every_kind_is_entered() -> None:
    folder = Path(package.__file__).parent
    own = {path.stem for path in folder.iterdir()} - {"__init__", "__pycache__", "kind", "keys"}
    assert set(MODULES.values()) == own


@pytest.mark.parametrize("part", sorted(Action.__abstractmethods__))
def test_a_kind_that_lacks_a_part_cannot_be_used(part: str) -> None:
    parts = {name: getattr(Swap, name) for name in Action.__abstractmethods__ if name != part}
    kind = type("PairOff", (Action,), parts)
    with pytest.raises(TypeError, match=f"abstract method '?{part}"):
        kind()


def test_no_part_may_be_left_out() -> None:
    assert set(LANGUAGES) == set(EXPLAINS)
    explains = {f"{name}{use}" for name in EXPLAINS.values() for use in ("", "_use")}
    assert Action.__abstractmethods__ >= {
        *explains,
        *("read", "program", "fills", "is_even", "most_moves", "demands", "write", "refusal"),
        *("takes_from", "puts_on", "can_stack", "separates"),
    }


@pytest.mark.parametrize("kind", KINDS)
def test_its_keys_are_described(kind: type[Action]) -> None:
    assert kind.KEY in {key.name for key in kind.KEYS}
    assert kind.KEY not in {other.KEY for other in KINDS if other is not kind}
    for key in kind.KEYS:
        assert all(key in other.KEYS for other in KINDS if key.name in _names(other))
    assert kind.SECTION in ("playing", "building", "stock")


def _names(kind: type[Action]) -> set[str]:
    return {key.name for key in kind.KEYS}


@pytest.mark.parametrize("kind", KINDS)
def test_it_has_its_examples(kind: type[Action]) -> None:
    """A game whose explanation is stored, a fault, and a game for the tests of the kernel."""
    games = (*catalogue(), str(ROOT / "tests/rules/explain/constructs.toml"))
    books = (load_rules(game).rulebook for game in games)
    assert any(isinstance(rule.action, kind) for book in books for rule in book.rules)
    faults = (ROOT / "tests/rules/errors").glob("*.toml")
    written = re.compile(rb"\b%s *= " % kind.KEY.encode())
    assert any(written.search(path.read_bytes()) for path in faults)
    support = (ROOT / "crates/kernel/tests/all/support").rglob("*.rs")
    assert any(f"Action::{kind.__name__}" in path.read_text(encoding="utf-8") for path in support)


@pytest.mark.parametrize("kind", KINDS)
def test_it_has_its_modules(kind: type[Action]) -> None:
    """One in each half of the kernel, and the tests of the same name."""
    module = MODULES[kind]
    assert (Path(__file__).parent / f"test_{module}.py").exists()
    rust = "transfer" if module == "move" else module
    for half in ("program", "play"):
        assert (ROOT / f"crates/kernel/src/{half}/actions/{rust}.rs").exists()


def test_contributing_lists_the_files_of_a_kind() -> None:
    """Those that name the pair, the example of the page, and the checker's second reading."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    walk = page.partition("## Adding a kind of rule")[2].partition("3. **The search**")[0]
    homes = {PACKAGE: "py", ROOT / "crates/kernel/src": "rs"}
    files = {
        str(path.relative_to(home))
        for home, suffix in homes.items()
        for path in home.rglob(f"*.{suffix}")
        if path.stem == "pair" or re.search(r"\bPair\b", path.read_text(encoding="utf-8"))
    }
    assert {name for name in files if f"`{name}`" not in walk} == set()
    assert "**nine written files**" in walk
    assert "`certificates/interpreter/`" in page
    checker = {"certificates/interpreter/together.py", "certificates/interpreter/interpreter.py"}
    not_needed = {"move_score.rs", "search/spaces/pairing/tables.rs"}
    assert len({*files, *checker} - not_needed) == 9


def test_nothing_else_names_a_kind() -> None:
    """But the move: most rules are moves, and much that is explained is about them alone."""
    special = {each.__name__ for kind in KINDS for each in (kind, *kind.VALUES)} - {"Move"}
    named = {
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in PACKAGE.rglob("*.py")
        if "kinds" not in path.parts
        for name in _of_kinds(ast.parse(path.read_text(encoding="utf-8")))
        if name in special
    }
    assert named == set()


def _of_kinds(tree: ast.Module) -> Iterator[str]:
    """What a module takes from the package of the kinds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cadogan.rules"):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield node.attr if node.value.id == "kinds" else ""
