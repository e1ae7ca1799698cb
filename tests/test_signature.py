"""The search is deterministic, and its nodes are those of ``bench/signature.txt``.

``UPDATE_GOLDENS=1`` rewrites them; the message of such a commit has the old and the new total.
Only the first deal of each game is searched here, and only games that have lines; ``make
bench-signature`` searches them all.
"""

import os

import pytest

from bench import signature
from bench.games import SIX, all_games

DEAL = signature.DEALS[0]

pytestmark = pytest.mark.timeout(300)


def lines(game: str) -> list[str]:
    return [str(search) for search in signature.searches([game], [DEAL])]


def test_the_nodes_are_those_that_were_stored() -> None:
    if os.environ.get("UPDATE_GOLDENS") == "1":
        signature.write(list(signature.searches(all_games(), signature.DEALS)))
    kept = [line for line in signature.recorded() if line.split()[1] == DEAL]
    games = [line.split()[0] for line in kept]
    assert set(games) >= set(SIX)
    assert [line for game in games for line in lines(game)] == kept


@pytest.mark.parametrize("game", SIX)
def test_the_same_question_has_the_same_answer(game: str) -> None:
    assert lines(game) == lines(game)
