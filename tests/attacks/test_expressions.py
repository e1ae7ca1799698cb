"""H4: regular expressions that take quadratic time."""

import importlib
import itertools
import pkgutil
import re
import time
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

import cadogan
from cadogan.deals import DealError, parse_deal

LONG = 6000
SLOW = 0.05
"""Seconds: a linear pattern takes a hundredth of it, a quadratic one several times as long."""
UNITS = (" ", "a", "1", ",", "-", ".", "\t", "a ", ", ", "(", "'", '"', "\\", "#", ":")
HEADS = ("", "a", " ", "# a", "#", "# name 1", "# deal: a", "a is ", "a:")
TAILS = ("", "\0", "b", ":", "\n")
AHEAD = {
    # These see texts of at most 1,000 characters without runs of spaces: see notation.LONGEST.
    ("cadogan.notation", "_ARROWS"),
    ("cadogan.notation", "_COUNT"),
    ("cadogan.notation", "_RULE"),
    ("cadogan.notation", "_PLACE"),
    # This one sees what the command line was given.
    ("cadogan.cli.solve", "_SIZE"),
}


def patterns() -> list[tuple[str, str]]:
    """All patterns that modules of the package keep."""
    found = []
    for module in pkgutil.walk_packages(cadogan.__path__, "cadogan."):
        if module.name.endswith("__main__") or ".migrations" in module.name:
            continue
        names = vars(importlib.import_module(module.name))
        found += [(module.name, name) for name, each in names.items() if _is_own(each)]
    assert len(found) > 20
    return found


def _is_own(value: object) -> bool:
    return isinstance(value, re.Pattern) and isinstance(value.pattern, str)


@pytest.mark.parametrize(("module", "name"), patterns())
def test_patterns_take_linear_time(module: str, name: str) -> None:
    pattern = getattr(importlib.import_module(module), name)
    length = 1000 if (module, name) in AHEAD else LONG
    tries: list[Callable[[str], object]] = [pattern.match, pattern.fullmatch]
    if (module, name) == ("cadogan.notation", "_ARROWS"):
        tries = [pattern.search]
    for head, unit, tail in itertools.product(HEADS, UNITS, TAILS):
        text = head + unit * (length // len(unit)) + tail
        if (module, name) in AHEAD:
            text = " ".join(text.split())
        for each in tries:
            seconds = _timed(each, text)
            if seconds > SLOW:  # the machine may have been busy
                seconds = min(_timed(each, text) for _ in range(3))
            assert seconds < SLOW, f"{head!r} and {unit!r} * {length} and {tail!r}"


def _timed(function: Callable[[str], object], text: str) -> float:
    begun = time.perf_counter()
    function(text)
    return time.perf_counter() - begun


@pytest.mark.parametrize("text", [f"a{' ' * 80_000}b", f"a{' ' * 80_000}:", f"ms:{'1' * 80_000}"])
def test_the_name_of_a_deal_is_refused_at_once(text: str) -> None:
    begun = time.perf_counter()
    with pytest.raises(DealError):
        parse_deal(text)
    assert time.perf_counter() - begun < 1


def test_a_long_line_of_a_game_file_is_a_fault(client: TestClient) -> None:
    text = f"# game: golf\n# deal: a{' ' * 80_000}b\n"
    begun = time.perf_counter()
    answer = client.post("/api/tables/import", json={"text": text})
    assert time.perf_counter() - begun < 5
    assert answer.status_code == 422
    assert "10000 characters" in answer.json()["faults"][0]["title"]


@pytest.mark.parametrize("text", [f"a{' ' * 990}\0", f"{'a ' * 490}\0", f"a{' .' * 490}\0"])
def test_a_move_is_refused_at_once(text: str) -> None:
    position = cadogan.load("klondike").deal("cadogan:1")
    begun = time.perf_counter()
    with pytest.raises(ValueError, match="not a move"):
        position.parse_move(text)
    assert time.perf_counter() - begun < 1
