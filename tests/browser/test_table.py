"""A table, apart from moving cards: refusals, the way back, other windows, hints, the end."""

import re

import pytest
from playwright.sync_api import Page, expect

import cadogan
from cadogan import Position
from cadogan.table.intent import finishing_line
from tests.browser.conftest import Keep, NewContext
from tests.browser.hands import STATE, Finger, Hands, Keyboard, Mouse
from tests.browser.server import Server
from tests.browser.test_games import DEALS, line_of
from tests.browser.test_pages import violations, visit

pytestmark = pytest.mark.takes_turns(8)

STALE = "The game was continued in another window. This is its current state."


def dealt(name: str, deal: str = "cadogan:1") -> Position:
    return cadogan.load(name).deal(deal)


def after(position: Position, *line: str) -> Position:
    for text in line:
        position = position.play(text)
    return position


def seated(page: Page, server: Server, position: Position, *line: str) -> Mouse:
    """Somebody with a mouse at a table at which a line was played."""
    return Mouse(page, server, after(position, *line), server.deal(position, list(line)))


def switched(page: Page, label: str, route: str) -> None:
    """Switches something on in the menu, and waits until the server knows of it."""
    page.get_by_role("button", name="More").click()
    with page.expect_response(route):
        page.get_by_label(label).check()
    page.keyboard.press("Escape")
    expect(page.locator("#more")).to_be_hidden()


@pytest.mark.sample(1)
@pytest.mark.parametrize("way", [Mouse, Keyboard, Finger])
def test_a_refused_move_says_why(way: type[Hands], server: Server, new_context: NewContext) -> None:
    page = new_context(has_touch=way is Finger).new_page()
    hands = way(page, server, dealt("flower-garden"))
    for _ in range(2):  # a finger drags once, and taps once
        hands.carry("garden.6", 1, "garden.1")
        message = page.locator(".message.refusal")
        expect(message).to_have_text("the garden builds down: QC does not go on 9D")
        expect(message).to_have_role("status")
        hands.compare()
        hands.play("garden.2 > garden.5")
        expect(message).to_have_count(0)
        page.keyboard.press("u")
        hands.position = dealt("flower-garden")
        hands.compare()


def test_where_a_taken_card_may_go_lights_up(server: Server, page: Page) -> None:
    hands = Keyboard(page, server, dealt("flower-garden"))
    hands.go("garden.2")
    page.keyboard.press("Enter")
    lit = page.locator(".board .target")
    goals = {
        way["to"]
        for move in hands.now["moves"]
        for way in move["transfers"]
        if way["from"] == "garden.2"
    }
    expect(lit).to_have_count(len(goals))
    page.keyboard.press("Escape")
    expect(lit).to_have_count(0)
    hands.compare()


def test_every_way_that_was_played_is_stored(server: Server, page: Page) -> None:
    first = dealt("klondike")
    hands = Mouse(page, server, first)
    hands.play_all(["deal", "deal"])
    for turn in (1, 0):
        page.keyboard.press("u")
        hands.position = after(first, *["deal"] * turn)
        hands.compare()
    hands.play("tableau.5 > tableau.4")
    page.keyboard.press("m")
    tree = page.get_by_role("dialog", name="Moves and bookmarks")
    rows = tree.get_by_role("treeitem")
    expect(rows).to_have_count(4)
    expect(rows.filter(has_text="you are here")).to_have_text(re.compile("^1"))
    # The way that was left goes off from the deal.
    way = rows.filter(has_text="branch")
    expect(way).to_have_count(1)
    expect(way).to_have_attribute("aria-level", "2")
    rows.nth(3).click()
    tree.get_by_role("button", name="Go to this position").click()
    hands.position = after(first, "deal", "deal")
    hands.compare()
    # By keys as well: two rows up is the other way.
    page.keyboard.press("m")
    expect(rows.filter(has_text="you are here")).to_be_focused()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    hands.position = first
    hands.compare()
    # Redo continues where the player was last.
    page.keyboard.press("r")
    hands.position = after(first, "deal")
    hands.compare()


def test_who_is_quicker_than_the_table_is_not_passed_over(server: Server, page: Page) -> None:
    server.set(speed=1)
    first = dealt("klondike")
    hands = seated(page, server, first, *["deal"] * 5)
    for keys, turn in (("uuuu", 1), ("rd", 3)):
        for key in keys:
            page.keyboard.press(key)
        hands.position = after(first, *["deal"] * turn)
        hands.compare()


# Notes how the table is shown, every time it changes.
NOTE = f"""() => {{
    window.shown = [];
    new MutationObserver(() => window.shown.push(({STATE})())).observe(
        document.querySelector(".board"), {{ childList: true, subtree: true, attributes: true }});
}}"""


@pytest.mark.sample(1)
@pytest.mark.parametrize(("name", "turn"), [("amazons", 4), ("empress-of-india", 24)])
def test_what_the_rules_force_is_shown_in_order_and_said(
    name: str, turn: int, server: Server, page: Page
) -> None:
    server.set(speed=1)
    first = dealt(name, DEALS[name])
    line = line_of(first)
    hands = seated(page, server, first, *line[:turn])
    page.evaluate(NOTE)
    with page.expect_response(lambda said: said.ok and said.url.endswith("/moves")) as answer:
        hands.make(hands.move(line[turn]))
    hands.position = hands.position.play(line[turn])
    hands.compare()
    steps = answer.value.json()["steps"]
    assert len(steps) > 2
    assert {step["by"] for step in steps[1:]} == {"rules"}
    seen = iter(page.evaluate("window.shown"))
    for step in steps:
        piles = {pile["name"]: pile["cards"] for pile in step["piles"]}
        assert any(piles.items() <= state.items() for state in seen), step["text"]
    said = page.locator("main > [aria-live=polite]")
    forced = rf"(\. [^.]+ \(by the rules\)){{{len(steps) - 1}}}"
    expect(said).to_have_text(re.compile(rf"^[^.]+{forced}$"))


def test_a_position_gets_a_name_and_is_gone_to_by_it(server: Server, page: Page) -> None:
    first = dealt("klondike")
    hands = seated(page, server, first, "deal")
    page.keyboard.press("b")
    naming = page.get_by_role("dialog", name="Name this position")
    naming.get_by_label("Name").fill("before the kings")
    page.keyboard.press("Enter")
    expect(page.locator(".message")).to_have_text("Named: before the kings")
    page.keyboard.press("u")
    hands.position = first
    hands.compare()
    page.keyboard.press("m")
    tree = page.get_by_role("dialog", name="Moves and bookmarks")
    tree.get_by_role("button", name="before the kings").click()
    hands.position = after(first, "deal")
    hands.compare()
    # A name can be taken away again.
    page.keyboard.press("b")
    naming.get_by_role("button", name="Remove name").click()
    expect(page.locator(".message")).to_have_text("Name removed.")
    assert server.table(hands.key)["bookmarks"] == []


def test_nothing_is_lost_when_the_page_is_loaded_again(server: Server, page: Page) -> None:
    first = dealt("the-queens", DEALS["the-queens"])
    hands = Mouse(page, server, first)
    line = line_of(first)[:6]
    hands.play_all(line)
    page.reload()
    hands.compare()
    page.keyboard.press("u")
    hands.position = after(first, *line[:5])
    hands.compare()
    # And when the player comes from the list of games.
    visit(page, server, "#/")
    page.get_by_role("link", name="Continue: The Queens").click()
    hands.compare()
    page.keyboard.press("r")
    hands.position = after(first, *line)
    hands.compare()


def test_two_windows_show_one_game(server: Server, new_context: NewContext) -> None:
    first = dealt("klondike")
    context = new_context()
    here = Mouse(context.new_page(), server, first)
    # This one hears of nothing that happens elsewhere.
    deaf_page = context.new_page()
    deaf_page.route_web_socket(re.compile("/events"), lambda _: None)
    deaf = Mouse(deaf_page, server, first, here.key)
    there = Mouse(context.new_page(), server, first, here.key)
    # A browser sends the mouse to a window in the background once a second.
    here.page.bring_to_front()
    here.play("deal")
    there.position = here.position
    there.compare()
    expect(there.page.locator(".message")).to_have_text(STALE)
    expect(deaf.top("waste")).to_have_attribute("data-pile", "waste")
    deaf.page.bring_to_front()
    deaf.carry("tableau.5", 1, "tableau.4")
    expect(deaf.page.locator(".message.refusal")).to_have_text(STALE)
    deaf.position = here.position
    deaf.compare()
    deaf.play("tableau.5 > tableau.4")
    for hands in (here, there):
        hands.position = deaf.position
        hands.compare()
    assert server.table(here.key)["version"] == 2


def height_of(page: Page, place: str) -> float:
    box = page.locator(place).bounding_box()
    assert box is not None
    return box["height"]


def test_a_hint_says_whether_it_is_proved(server: Server, page: Page) -> None:
    seated(page, server, dealt("flower-garden"))
    before = page.locator(".board").bounding_box()
    page.keyboard.press("h")
    message = page.locator(".message")
    expect(message).to_contain_text(re.compile(r"\bproved: it wins in \d+ moves"))
    # The head is one line, and a message moves nothing.
    assert height_of(page, ".headline") < 56
    assert page.locator(".board").bounding_box() == before
    expect(page.locator(".board .hinted")).not_to_have_count(0)
    hands = seated(page, server, dealt("spider"))
    page.get_by_role("toolbar").get_by_role("button", name="Hint").click()
    expect(message).to_contain_text("not proved")
    expect(page.locator(".board .hinted")).not_to_have_count(0)
    hands.compare()


def test_safe_moves_are_made_if_wished(server: Server, page: Page) -> None:
    first = dealt("freecell", "ms:1")
    hands = seated(page, server, first, "tableau.6 > cells")
    switched(page, "Play safe moves automatically", "**/options")
    hands.carry("tableau.6", 1, "cells.2")
    position = hands.position.play("tableau.6 > cells")
    while safe := position.safe_moves():
        position = position.play(safe[0])
    assert position.move_count > 2
    hands.position = position
    hands.compare()
    expect(page.locator("[aria-live]").filter(has_text="(safe)")).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_won_game_is_finished_and_told_of(language: str, server: Server, page: Page) -> None:
    server.set(language=language)
    first = dealt("flower-garden", DEALS["flower-garden"])
    line = line_of(first)
    hands = seated(page, server, first, *line[:-4])
    words = {"en": ("Finish", "You have won!"), "de": ("Fertigspielen", "Gewonnen!")}[language]
    page.get_by_role("toolbar").get_by_role("button", name=words[0], exact=True).click()
    end = page.get_by_role("dialog", name=words[1])
    expect(end).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(end).to_be_hidden()
    assert server.table(hands.key)["won"]


def test_a_game_finishes_automatically_if_wished(server: Server, page: Page) -> None:
    first = dealt("flower-garden", DEALS["flower-garden"])
    line = line_of(first)
    position, end = first, len(line)
    for turn, text in enumerate(line):
        if finishing_line(position):
            end = turn
            break
        position = position.play(text)
    assert 0 < end < len(line)
    hands = seated(page, server, first, *line[: end - 1])
    switched(page, "Finish automatically", "**/settings")
    hands.make(hands.move(line[end - 1]))
    expect(page.get_by_role("dialog", name="You have won!")).to_be_visible()
    assert server.table(hands.key)["turn"] > end


def test_a_lost_game_can_be_gone_on_with(server: Server, page: Page) -> None:
    position = dealt("golf")
    line = []
    while not position.outcome:
        line.append(next(move for move in position.moves() if not move.forced).text)
        position = position.play(line[-1])
    assert position.outcome == "lost"
    hands = seated(page, server, dealt("golf"), *line[:-1])
    hands.play(line[-1])
    end = page.get_by_role("dialog", name="No moves left")
    expect(end).to_be_visible()
    assert violations(page) == []
    end.get_by_role("button", name="Undo").click()
    hands.position = after(dealt("golf"), *line[:-1])
    hands.compare()


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", DEALS)
def test_a_game_on_a_phone(name: str, server: Server, new_context: NewContext, keep: Keep) -> None:
    server.set(language="de")
    position = dealt(name, DEALS[name])
    context = new_context(
        has_touch=True, is_mobile=True, viewport={"width": 360, "height": 640}, locale="de-DE"
    )
    hands = Finger(context.new_page(), server, position)
    page = hands.page
    expect(page.get_by_role("button", name="Hinweis")).to_be_visible()
    hands.play_all(line_of(position)[:4])
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert height_of(page, ".headline") * 8 <= 640
    assert violations(page) == []
    keep(page, f"{name}-phone")
