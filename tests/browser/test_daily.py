"""The deals of the day on the page: played, entered, compared; days of the past."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

import cadogan
from tests.browser.conftest import Keep, NewContext
from tests.browser.hands import Finger, Hands, Keyboard, Mouse
from tests.browser.server import Server
from tests.browser.test_pages import violations, visit
from tests.browser.test_table import after

pytestmark = pytest.mark.takes_turns(6)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("way", "language", "width"),
    [(Mouse, "en", 1280), (Keyboard, "de", 390), (Finger, "de", 360)],
)
def test_a_daily_deal_is_won_and_entered(
    way: type[Hands],
    language: str,
    width: int,
    own_server: Server,
    new_context: NewContext,
    keep: Keep,
) -> None:
    english = language == "en"
    own_server.set(language=language, theme="light" if english else "dark", verdict="thoughtful")
    page = new_context(viewport={"width": width, "height": 844}, has_touch=way is Finger).new_page()
    visit(page, own_server, "#/daily")
    golf = page.locator(".deals li").filter(has=page.get_by_role("heading", name="Golf"))
    play = golf.get_by_role("button", name="Play: Golf" if english else "Spielen: Golf")
    expect(play).to_be_visible(timeout=120_000)
    name = page.get_by_label("Your name in the tables" if english else "Dein Name")
    name.fill("Ada")
    name.press("Tab")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    keep(page, f"daily-{width}")
    if way is Keyboard:
        play.press("Enter")
    else:
        play.tap() if way is Finger else play.click()
    page.wait_for_url(re.compile(r"#/table/\w+\?daily="))
    key = page.url.rpartition("/")[2].partition("?")[0]
    deal = own_server.table(key)["deal"]
    assert own_server.table(key)["options"]["verdict"] == "none"
    first = cadogan.load("golf").deal(deal)
    line = [move.text for move in cadogan.solve(first).line]
    own_server.play(key, *line[:-1])
    day = datetime.now(UTC).date()
    hands = way(page, own_server, after(first, *line[:-1]), f"{key}?daily={day}")
    hands.key = key
    hands.play(line[-1])
    end = page.get_by_role("dialog")
    hands.answer(
        end.get_by_role("button", name="Enter my result" if english else "Mein Ergebnis eintragen")
    )
    page.wait_for_url(re.compile(f"#/daily/{day}"))
    enter = golf.get_by_role("button")
    hands.answer(enter.filter(has_text="my result" if english else "Mein Ergebnis"))
    results = page.get_by_role("region", name="Results: Golf" if english else "Rangliste: Golf")
    row = results.get_by_role("row").nth(1)
    expect(row).to_contain_text("1Ada")
    expect(row).to_contain_text(str(len(line)))
    expect(row).to_contain_text("clean" if english else "sauber")
    hands.answer(results.get_by_role("button", name="By time" if english else "Nach Zeit"))
    expect(row).to_contain_text("Ada")
    expect(page.get_by_text("Days in a row: 1" if english else "Tage in Folge: 1")).to_be_visible()
    today = page.locator(".calendar [aria-current=date]")
    expect(today).to_have_accessible_name(re.compile("won 1" if english else "1 gewonnen"))
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    keep(page, f"daily-{width}-entered")
    # Yesterday has other deals and no result.
    hands.answer(page.get_by_role("link", name="Day before" if english else "Tag davor"))
    page.wait_for_url(re.compile(f"#/daily/{day - timedelta(days=1)}"))
    expect(play).to_be_visible(timeout=120_000)
    expect(page.locator("main")).not_to_contain_text("clean ·")


def test_a_day_to_come_is_refused(server: Server, new_context: NewContext) -> None:
    page = new_context().new_page()
    page.goto(f"{server.address}/#/daily/2999-01-01")
    expect(page.get_by_role("alert")).to_contain_text("are not known yet")
