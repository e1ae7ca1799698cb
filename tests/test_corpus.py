"""Known verdicts, in ``tests/corpus``: no later solver may contradict them.

Every game has a file with numbers of ``cadogan:`` deals. Losses were proved twice, the second time
without any pruning, as far as that could be done in ``PLAIN`` nodes; those stand under
``lost-plainly``. ``UPDATE_GOLDENS=1`` adds what is decided now; what stands there is never changed
by that.
"""

import tomllib

import pytest

from cadogan import load, solve
from cadogan.rules import catalogue
from cadogan.solver.solve import PRUNINGS
from tests.conftest import THOROUGH
from tests.goldens import UPDATE, golden

DEALS = range(1, 11)
BUDGET = 60_000
PLAIN = 400_000
# On most days it is enough to see that nothing is contradicted soon.
ASKED = 10**6 if THOROUGH else 20_000


def known_verdicts(game: str) -> dict[str, list[int]]:
    path = golden("corpus", game)
    if UPDATE and not path.exists():
        return {}
    return tomllib.loads(path.read_text(encoding="utf-8"))


def update(name: str) -> None:
    known = known_verdicts(name)
    decided = {number for numbers in known.values() for number in numbers}
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
        known.setdefault(key, []).append(number)
    text = "".join(f"{key} = {sorted(known[key])}\n" for key in sorted(known))
    golden("corpus", name).write_text(text, encoding="utf-8")


@pytest.mark.timeout(1800 if THOROUGH or UPDATE else 120)
@pytest.mark.parametrize("name", catalogue())
def test_no_verdict_is_contradicted(name: str) -> None:
    if UPDATE:
        update(name)
    told = known_verdicts(name)
    game = load(name)
    decided = 0
    for key, numbers in told.items():
        wrong = "unwinnable" if key == "won" else "winnable"
        for number in numbers if THOROUGH else numbers[:4]:
            status = solve(game.deal(f"cadogan:{number}"), ASKED).status
            assert status != wrong, f"{name} cadogan:{number}"
            decided += status != "unknown"
    assert decided == sum(map(len, told.values())) or not THOROUGH
