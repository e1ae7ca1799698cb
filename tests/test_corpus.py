"""Known verdicts, in ``corpus.toml``: no later solver may contradict them.

Losses were proved twice, the second time without any pruning, as far as that could be done in
``PLAIN`` nodes; those stand under ``lost-plainly``. ``UPDATE_GOLDENS=1`` adds what is decided now;
what stands there is never changed by that.
"""

import os
import tomllib
from pathlib import Path

import pytest

from cadogan import load, solve
from cadogan.rules import catalogue
from cadogan.solver.solve import PRUNINGS
from tests.conftest import THOROUGH

FILE = Path(__file__).with_name("corpus.toml")
DEALS = range(1, 31)
BUDGET = 60_000
PLAIN = 400_000
# On most days it is enough to see that nothing is contradicted soon.
ASKED = 10**6 if THOROUGH else 20_000


def known_verdicts() -> dict[str, dict[str, list[int]]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def update() -> None:
    known = known_verdicts()
    for name in catalogue():
        told = known.setdefault(name, {})
        decided = {number for numbers in told.values() for number in numbers}
        for number in set(DEALS) - decided:
            position = load(name).deal(f"cadogan:{number}")
            status = solve(position, BUDGET).status
            if status == "unknown":
                continue
            key = "won" if status == "winnable" else "lost"
            if key == "lost":
                plain = solve(position, PLAIN, disable=PRUNINGS).status
                assert plain != "winnable", f"{name} {number}"
                key = "lost-plainly" if plain == "unwinnable" else key
            told.setdefault(key, []).append(number)
    lines = ["# Numbers of cadogan: deals. Added to by UPDATE_GOLDENS=1; see test_corpus.py."]
    for name, told in sorted(known.items()):
        lines += ["", f"[{name}]", *(f"{key} = {sorted(told[key])}" for key in sorted(told))]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if os.environ.get("UPDATE_GOLDENS") == "1" and "PYTEST_XDIST_WORKER" not in os.environ:
    update()


def test_every_game_is_in_the_corpus() -> None:
    assert {*known_verdicts()} == {*catalogue()}


@pytest.mark.timeout(1800 if THOROUGH else 120)
@pytest.mark.parametrize("name", catalogue())
def test_no_verdict_is_contradicted(name: str) -> None:
    told = known_verdicts()[name]
    game = load(name)
    decided = 0
    for key, numbers in told.items():
        wrong = "unwinnable" if key == "won" else "winnable"
        for number in numbers if THOROUGH else numbers[:4]:
            status = solve(game.deal(f"cadogan:{number}"), ASKED).status
            assert status != wrong, f"{name} cadogan:{number}"
            decided += status != "unknown"
    assert decided == sum(map(len, told.values())) or not THOROUGH
