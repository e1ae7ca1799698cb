"""A challenge on the page: made from a game that is over, taken up, and compared."""

import re

import pytest
from playwright.sync_api import Locator, expect

import cadogan
from tests.browser.conftest import Keep, NewContext
from tests.browser.hands import Hands, Keyboard, Mouse
from tests.browser.server import Server
from tests.browser.test_pages import violations, visit
from tests.browser.test_table import after

pytestmark = pytest.mark.takes_turns(8)
DEAL = "cadogan:1"


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("by_keyboard", "language", "width"), [(False, "en", 1280), (True, "de", 390)]
)
def test_a_friend_takes_up_a_challenge(
    by_keyboard: bool,
    language: str,
    width: int,
    own_server: Server,
    new_context: NewContext,
    keep: Keep,
) -> None:
    english = language == "en"

    def answer(button: Locator) -> None:
        button.press("Enter") if by_keyboard else button.click()

    own_server.set(language=language, theme="light" if english else "dark", verdict="none")
    first = cadogan.load("golf").deal(DEAL)
    line = [move.text for move in cadogan.solve(first).line]
    key = own_server.deal(first)
    own_server.play(key, *line)
    page = new_context(viewport={"width": width, "height": 844}).new_page()
    visit(page, own_server, f"#/table/{key}")
    page.keyboard.press("s")
    answer(page.get_by_role("link", name="Challenge a friend" if english else "Jemanden heraus"))
    page.wait_for_url(re.compile(rf"#/challenge\?table={key}"))
    make = page.get_by_role("button", name="Make the link" if english else "Link erstellen")
    answer(make)
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Your name" if english else "Dein Name").fill("Ada <b>")
    assert violations(page) == []
    answer(make)
    page.wait_for_url(re.compile(r"#/challenge/\w+$"))
    results = page.get_by_role("region", name="Results" if english else "Ergebnisse")
    expect(results.get_by_role("row").nth(1)).to_contain_text("Ada <b>")
    link = page.get_by_label("Link").input_value()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
    keep(page, f"challenge-{width}-made")

    # A friend, in another browser, sees no result before theirs is in.
    page = new_context(viewport={"width": width, "height": 844}).new_page()
    page.goto(link)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_contain_text("Ada <b> challenges" if english else "Ada <b> fordert")
    expect(page.locator("main")).not_to_contain_text(str(len(line)))
    expect(page.get_by_role("table")).to_have_count(0)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    keep(page, f"challenge-{width}")
    page.get_by_label("Your name" if english else "Dein Name").fill("Bea")
    answer(page.get_by_role("button", name="Play" if english else "Spielen"))
    page.wait_for_url(re.compile(r"#/table/\w+\?challenge="))
    theirs = page.url.rpartition("/")[2].partition("?")[0]
    assert theirs != key
    own_server.play(theirs, *line[:-1])
    way: type[Hands] = Keyboard if by_keyboard else Mouse
    challenge = link.rpartition("/")[2].partition("?")[0]
    last = after(first, *line[:-1])
    hands = way(page, own_server, last, f"{theirs}?challenge={challenge}")
    hands.key = theirs
    hands.play(line[-1])
    end = page.get_by_role("dialog")
    enter = "Enter my result" if english else "Mein Ergebnis eintragen"
    answer(end.get_by_role("button", name=enter))
    page.wait_for_url(re.compile(r"#/challenge/"))
    page.get_by_label("Your name" if english else "Dein Name").fill("Bea")
    answer(page.get_by_role("button", name=enter))
    rows = page.get_by_role("region", name="Results" if english else "Ergebnisse")
    expect(rows.get_by_role("row")).to_have_count(3)
    expect(rows).to_contain_text("Bea")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    keep(page, f"challenge-{width}-entered")
    page.reload()
    expect(rows.get_by_role("row")).to_have_count(3)
