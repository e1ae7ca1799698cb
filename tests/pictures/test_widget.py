"""The table in a notebook: clicks become moves, and never anything but legal ones."""

import random
from typing import Any
from xml.etree import ElementTree

import pytest

import cadogan
from cadogan.widget import _PAGE, UNDO, PlayableTable
from tests.browser.chromium import chromium, find_chromium

GAMES = ["klondike:draw-three", "flower-garden", "spider", "canfield", "besieged-city", "golf"]

HARNESS = """
async (source) => {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const widget = (await import(url)).default;
  const listeners = {};
  let state = await window.state();
  const model = {
    get: (name) => state[name],
    on: (name, listener) => (listeners[name] = listener),
    send: async (content) => {
      await window.receive(content);
      state = await window.state();
      for (const listener of Object.values(listeners)) listener();
    },
  };
  const element = document.createElement("main");
  document.body.append(element);
  widget.render({ model, el: element });
}
"""


def places(table: PlayableTable) -> list[tuple[str, int]]:
    """Every card and empty place that can be clicked."""
    picture = ElementTree.fromstring(table.picture)
    groups = [each for each in picture.iter() if each.get("data-pile") is not None]
    return [(each.get("data-pile", ""), int(each.get("data-count", ""))) for each in groups]


@pytest.mark.parametrize("name", GAMES)
def test_a_move_is_two_clicks(name: str) -> None:
    start = cadogan.load(name).deal("cadogan:1")
    reached = 0
    for move, ways in start.moves_with_transfers():
        table = PlayableTable(start)
        if move.source is None:
            table.receive({"button": move.text})
        else:
            (source, count, target), *_ = ways
            assert (source, count) in places(table)
            table.receive({"pile": source, "count": count})
            if table.position is start:
                assert table.picture.count('pointer-events="none"') > 0
                table.receive({"pile": target, "count": 1})
        assert table.position == start.play(move)
        reached += 1
        table.receive({"button": UNDO})
        assert table.position == start
    assert reached == len(start.moves())


@pytest.mark.parametrize("name", GAMES)
def test_any_clicks_lead_to_legal_positions(name: str) -> None:
    table, chance = PlayableTable(cadogan.load(name).deal("cadogan:2")), random.Random(name)
    most = 0
    for _ in range(150):
        most = max(most, table.position.move_count)
        pile, count = chance.choice(places(table))
        table.receive({"pile": pile, "count": count})
        if chance.random() < 0.1 and table.buttons:
            table.receive({"button": chance.choice(table.buttons)})
    position = table.position
    assert cadogan.Position.from_json(position.to_json()) == position
    assert most > 0


def test_a_goal_that_is_none_is_explained() -> None:
    table = PlayableTable(cadogan.load("klondike").deal("cadogan:1"))
    table.receive({"pile": "tableau.5", "count": 1})
    table.receive({"pile": "tableau.1", "count": 1})
    assert "the tableau builds down in alternate colours" in table.message
    table.receive({"clear": True})
    assert table.message == ""


@pytest.mark.parametrize(
    "content",
    [None, {}, "x", {"pile": "no such", "count": 1}, {"pile": 7, "count": 1}, {"button": "hop"},
     {"button": UNDO}, {"pile": "tableau.1", "count": -10**9}, {"pile": "tableau.1"}],
)  # fmt: skip
def test_what_the_page_should_never_send_does_nothing(content: Any) -> None:
    start = cadogan.load("klondike").deal("cadogan:1")
    table = PlayableTable(start)
    table.receive(content)
    assert table.position == start


def test_a_position_can_be_put_on_the_table() -> None:
    start = cadogan.load("klondike").deal("cadogan:1")
    table = PlayableTable(start)
    before = table.picture
    table.position = start.play("deal")
    assert table.picture != before
    assert table.buttons == [UNDO, "deal"]


@pytest.mark.skipif(find_chromium() is None, reason="there is no Chromium")
def test_the_page_reports_clicks_and_draws_what_comes_back() -> None:
    table = PlayableTable(cadogan.load("klondike").deal("cadogan:1"))
    with chromium() as browser:
        page = browser.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.expose_function("receive", table.receive)
        page.expose_function(
            "state",
            lambda: {
                "picture": table.picture,
                "message": table.message,
                "buttons": table.buttons,
            },
        )
        page.evaluate(HARNESS, _PAGE)
        page.get_by_role("button", name="deal").click()
        page.get_by_text("1 move").wait_for()
        assert str(table.position) == "klondike cadogan:1 | deal"
        page.locator('[data-pile="tableau.5"][data-count="1"]').click(position={"x": 20, "y": 60})
        page.locator('[pointer-events="none"]').first.wait_for()
        page.locator('[data-pile="tableau.4"][data-count="1"]').click(position={"x": 20, "y": 60})
        page.get_by_text("2 moves").wait_for()
        assert str(table.position).endswith("deal; tableau.5 > tableau.4")
        page.locator('[data-pile="tableau.1"]').click()
        page.get_by_role("button", name="undo").click()
        page.get_by_text("1 move", exact=False).wait_for()
        assert faults == []
