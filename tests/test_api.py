"""A break of the public API is a decision: the API is compared with the recorded one."""

import importlib

import griffe
import pytest

import cadogan
from tests import api


def test_the_public_api_is_the_recorded_one() -> None:
    recorded = api.RECORD.read_text(encoding="utf-8").splitlines()
    found = api.api()
    gone = [line for line in recorded if line not in found]
    new = [line for line in found if line not in recorded]
    assert (gone, new) == ([], []), (
        "the public API has changed. What is gone or has changed may break programs of others; "
        "if it must be, write it into CHANGELOG.md. Then record the API: make api"
    )
    assert len(found) > 100


@pytest.mark.parametrize(("module", "names"), api.public_names().items())
def test_all_that_the_manual_calls_public_can_be_imported(module: str, names: list[str]) -> None:
    there = importlib.import_module(module)
    assert [name for name in names if not hasattr(there, name)] == []


def test_the_package_itself_is_public() -> None:
    text = "\n".join(api.api())
    assert [name for name in cadogan.__all__ if f"cadogan.{name}" not in text] == []
    assert "cadogan.Game.deal(self, " in text
    assert "._" not in text
    # Positions and moves are made by the library; its users make analyses and searches.
    assert "cadogan.Search(self, " in text
    assert "cadogan.Position(self" not in text


def test_a_change_of_a_signature_is_noticed() -> None:
    nothing = api.Manual(frozenset(), frozenset())

    def signature(text: str) -> str:
        with griffe.temporary_visited_module(text) as module:
            (line,) = api._described("f", module["f"], nothing)
        return line

    usual = signature("def f(a: int, /, b: str = 'x', *, c: bool = False, **d: int) -> None: ...")
    assert usual == "f(a: int, /, b: str = 'x', *, c: bool = False, **d: int) -> None"
    assert signature("def f(*a: int, b=1): ...") == "f(*a: int, b=1)"
    assert signature("def f(a: int) -> None: ...") != signature("def f(a: str) -> None: ...")
