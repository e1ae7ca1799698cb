"""H4: regular expressions that take quadratic time."""

import ast
import importlib
import importlib.util
import itertools
import pkgutil
import re
import time
from collections.abc import Callable
from pathlib import Path

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
    # These see texts of at most 1,000 characters without runs of spaces: see move_text.LONGEST.
    ("cadogan.move_text", "_ARROWS"),
    ("cadogan.move_text", "_COUNT"),
    ("cadogan.move_text", "_RULE"),
    ("cadogan.move_text", "_PLACE"),
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
    if (module, name) == ("cadogan.move_text", "_ARROWS"):
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


METHODS = ("match", "fullmatch", "search", "sub", "split", "findall", "finditer")
USE = re.compile(rf"\bre\.({'|'.join(METHODS)})\(")
INLINE_SEES = {
    # A line of at most this many characters, which the reader of the file has measured.
    "cadogan.table.library": 4000,
}


def uses() -> list[tuple[str, int, str, int, str]]:
    """All patterns that are written where they are used: ``re.sub(r"...", ...)``."""
    found = []
    for module in pkgutil.walk_packages(cadogan.__path__, "cadogan."):
        spec = importlib.util.find_spec(module.name)
        assert spec is not None
        assert spec.origin is not None
        if not spec.origin.endswith(".py"):
            continue
        source = Path(spec.origin).read_text(encoding="utf-8")
        # To parse all modules would take seconds, each time that tests are collected.
        for node in ast.walk(ast.parse(source)) if USE.search(source) else ():
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name("re"), attr=method),
                    args=[ast.Constant(str(pattern)), *_],
                ) if method in METHODS:
                    words = {each.arg: ast.unparse(each.value) for each in node.keywords}
                    rest = [ast.unparse(each) for each in node.args[1:]]
                    flags = [*words.values(), *rest]
                    number = re.RegexFlag(0)
                    for name in ("DOTALL", "MULTILINE", "IGNORECASE"):
                        if any(f"re.{name}" in each for each in flags):
                            number |= re.RegexFlag[name]
                    found.append((module.name, node.lineno, pattern, int(number), method))
    assert len(found) > 20
    return found


def own_words(pattern: str, flags: int) -> list[str]:
    """What a pattern itself names: repeated, it makes the pattern begin again and again."""
    words = re.findall(r"[A-Za-z' ,#=\"-]{2,}", re.sub(r"\(\?P<\w+>|\\.", "", pattern))
    plain = [word.replace("?", "") for word in words]
    return [*plain, *(f"{word}a" for word in plain), *(f"{word} " for word in plain)]


@pytest.mark.parametrize(("module", "line", "pattern", "flags", "method"), uses())
def test_patterns_written_in_place_take_linear_time(
    module: str, line: int, pattern: str, flags: int, method: str
) -> None:
    compiled = re.compile(pattern, flags)

    def run(text: str) -> object:
        if method == "sub":
            return compiled.sub("", text)
        found = getattr(compiled, method)(text)
        return list(found) if method == "finditer" else found

    length = INLINE_SEES.get(module, LONG)
    units = [*UNITS, "\n", *own_words(pattern, flags)]
    for head, unit, tail in itertools.product(("", "a", '"', "'"), units, TAILS):
        text = (head + unit * (length // len(unit) + 1))[:length] + tail
        seconds = _timed(run, text)
        if seconds > SLOW:
            seconds = min(_timed(run, text) for _ in range(3))
        assert seconds < SLOW, f"{pattern!r}: {head!r} and {unit!r} * {length} and {tail!r}"


@pytest.mark.parametrize(("module", "name"), patterns())
def test_patterns_take_linear_time_for_their_own_words(module: str, name: str) -> None:
    pattern = getattr(importlib.import_module(module), name)
    length = 1000 if (module, name) in AHEAD else LONG
    for head, unit in itertools.product(("", "a", "a "), own_words(pattern.pattern, 0)):
        text = (head + unit * (length // len(unit) + 1))[:length]
        for each in (pattern.match, pattern.fullmatch):
            seconds = _timed(each, text)
            if seconds > SLOW:
                seconds = min(_timed(each, text) for _ in range(3))
            assert seconds < SLOW, f"{head!r} and {unit!r} * {length}"


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
