"""The search is deterministic, and its nodes are those of ``bench/signatures``.

``UPDATE_GOLDENS=1`` rewrites them; the message of such a commit has the old and the new total.
Only the first deal of each game is searched here; ``make bench-signature`` searches them all.
"""

import pytest

from bench import signature
from bench.games import SIX
from cadogan.rules import catalogue
from tests.goldens import UPDATE

DEAL = signature.DEALS[0]

pytestmark = pytest.mark.timeout(300)


def lines(game: str) -> list[str]:
    return [str(search) for search in signature.searches(game, [DEAL])]


@pytest.mark.costly
@pytest.mark.parametrize("game", catalogue())
def test_the_nodes_are_those_that_were_stored(game: str) -> None:
    if UPDATE:
        signature.write(game, signature.searches(game, signature.DEALS))
    stored = signature.recorded(game)
    assert len(stored) == len(signature.DEALS)
    assert [line for line in stored if line.split()[0] == DEAL] == lines(game)


@pytest.mark.parametrize("game", SIX)
def test_the_same_question_has_the_same_answer(game: str) -> None:
    assert lines(game) == lines(game)
