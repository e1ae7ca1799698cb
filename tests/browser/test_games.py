"""Every way to play, in games of every kind."""

import pytest

import cadogan
from cadogan import Position
from tests.browser.conftest import Keep, NewContext
from tests.browser.hands import HANDS, Hands
from tests.browser.server import Server

pytestmark = pytest.mark.takes_turns(6)

# Deals that the solver wins soon, with a short line.
DEALS = {
    "flower-garden": "cadogan:47",
    "amazons": "cadogan:43",
    "besieged-city": "cadogan:59",
    "hochzeitszug": "cadogan:38",
    "empress-of-india": "cadogan:48",
    "the-queens": "cadogan:4358",
    "klondike": "cadogan:24",
    "spider:one-suit": "cadogan:4",
    "freecell": "cadogan:48",
    "pyramid": "cadogan:5",
    "tri-peaks": "cadogan:1",
}
FEW = 12


def opened(
    way: str,
    new_context: NewContext,
    server: Server,
    position: Position,
    key: str | None = None,
) -> Hands:
    """Somebody who sits down to play, at a table if there is one."""
    context = new_context(has_touch=True) if way == "finger" else new_context()
    return HANDS[way](context.new_page(), server, position, key)


def line_of(position: Position) -> list[str]:
    """The player's moves of a line that wins."""
    verdict = cadogan.solve(position, 100_000)
    assert verdict.line is not None
    return [str(move) for move in verdict.line if not move.forced]


@pytest.mark.sample(2)
@pytest.mark.parametrize("way", HANDS)
@pytest.mark.parametrize("name", DEALS)
def test_a_few_moves(
    name: str, way: str, server: Server, new_context: NewContext, keep: Keep
) -> None:
    position = cadogan.load(name).deal(DEALS[name])
    hands = opened(way, new_context, server, position)
    keep(hands.page, f"{name}-{way}-dealt")
    hands.play_all(line_of(position)[:FEW])
    keep(hands.page, f"{name}-{way}-played")
