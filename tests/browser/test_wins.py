"""Whole games, to the last card."""

import pytest

import cadogan
from tests.browser.conftest import Keep, NewContext
from tests.browser.server import Server
from tests.browser.test_games import DEALS, line_of, opened
from tests.conftest import THOROUGH

pytestmark = pytest.mark.takes_turns(4)

WAYS = {
    "flower-garden": "keyboard",
    "amazons": "finger",
    "besieged-city": "mouse",
    "hochzeitszug": "mouse",
    "empress-of-india": "mouse",
    "the-queens": "mouse",
    "klondike": "mouse",
    "spider:one-suit": "keyboard",
    "freecell": "finger",
}
WHOLE = "besieged-city"
"""The game that is played from the deal every day, with all that its rules ask on the way."""
REST = 15
"""Of the others the moves that are left, unless there is time."""


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_a_game_is_won(name: str, server: Server, new_context: NewContext, keep: Keep) -> None:
    position = cadogan.load(name).deal(DEALS[name])
    line = line_of(position)
    begun = 0 if THOROUGH or name == WHOLE else len(line) - REST
    key = server.deal(position, line[:begun])
    for text in line[:begun]:
        position = position.play(text)
    hands = opened(WAYS[name], new_context, server, position, key)
    hands.play_all(line[begun:])
    assert hands.position.outcome == "won"
    if begun == 0:
        # Here the rules ask again and again which card fills a gap, or where one goes.
        assert (hands.chosen > 20) == (name in ("besieged-city", "the-queens"))
    assert server.table(hands.key)["turn"] == len(line)
    answer = hands.page.get_by_text("You have won!").filter(visible=True)
    answer.first.wait_for()
    keep(hands.page, f"{name}-won")
