"""Whole games, to the last card."""

import pytest

import cadogan
from tests.browser.conftest import Keep, NewContext
from tests.browser.server import Server
from tests.browser.test_games import DEALS, line_of, opened
from tests.conftest import THOROUGH

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
# One for each hand; the others take minutes.
DAILY = ["flower-garden", "besieged-city", "freecell"]


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS if THOROUGH else DAILY)
def test_a_game_is_won(name: str, server: Server, new_context: NewContext, keep: Keep) -> None:
    position = cadogan.load(name).deal(DEALS[name])
    line = line_of(position)
    hands = opened(WAYS[name], new_context, server, position)
    hands.play_all(line)
    assert hands.position.outcome == "won"
    # Here the rules ask again and again which card fills a gap, or where one goes.
    assert (hands.chosen > 20) == (name in ("besieged-city", "the-queens"))
    assert server.table(hands.key)["turn"] == len(line)
    told = hands.page.get_by_text("You have won!").filter(visible=True)
    told.first.wait_for()
    keep(hands.page, f"{name}-won")
