"""The form that writes a rules file, beside the editor."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Keep, NewContext
from tests.browser.rules_text import RulesText
from tests.browser.server import Server
from tests.browser.test_pages import violations, visit

pytestmark = pytest.mark.takes_turns(5)


def test_a_game_is_written_by_choices_and_played(server: Server, page: Page, keep: Keep) -> None:
    visit(page, server, "#/edit")
    text = RulesText(page)
    text.expect(re.compile(r'build = "down in alternate colours"'))
    page.get_by_label("Name").fill("Nine by Choice")
    page.get_by_label("Packs").fill("2")
    # What means nothing without a stock is not asked.
    expect(page.get_by_label("Redeals")).to_have_count(0)
    page.get_by_label("The stock is dealt").select_option("waste")
    page.get_by_label("Redeals").select_option("2")
    page.get_by_label("Shuffle before each redeal").check()
    text.expect(re.compile(r"redeals  = 2\nshuffled = true"))
    page.get_by_label("Piles of the tableau").fill("9")
    text.expect(re.compile(r'name  = "Nine by Choice"\npacks = 2'))
    expect(page.get_by_text("No problems found. The game can be played.")).to_be_visible()
    assert violations(page) == []
    keep(page, "write-rules")
    page.get_by_role("button", name="Save and play").click()
    page.wait_for_url(re.compile("#/table/"))
    expect(page.locator("h1")).to_have_text("Nine by Choice")
    # The next game begins with the defaults.
    visit(page, server, "#/edit")
    expect(page.get_by_label("Name")).to_have_value("A game of my own")


def test_choices_that_do_not_fit_leave_the_text_alone(server: Server, page: Page) -> None:
    visit(page, server, "#/edit")
    text = RulesText(page)
    before = text.value()
    page.get_by_label("A vacancy is filled at once").select_option("waste")
    form = page.get_by_role("form", name="Choices")
    expect(form.get_by_text("do not fit, so the text stays")).to_be_visible()
    expect(form.get_by_role("listitem")).to_contain_text("from the waste")
    expect(page.get_by_label("The stock is dealt")).to_have_attribute("aria-invalid", "true")
    text.expect(before)
    assert violations(page) == []
    page.get_by_label("The stock is dealt").select_option("waste")
    text.expect(re.compile(r'refill = "waste"'))
    expect(form.get_by_role("listitem")).to_have_count(0)


def test_text_that_was_changed_by_hand_is_never_lost(server: Server, page: Page) -> None:
    visit(page, server, "#/edit")
    text = RulesText(page)
    mine = text.value() + "# mine\n"
    text.fill(mine)
    expect(page.get_by_text("You have changed the text")).to_be_visible()
    # The form has something else to say, but the text is the player's.
    with page.expect_response("**/api/rules/form"):
        page.get_by_label("Packs").fill("2")
    text.expect(mine)
    page.get_by_role("button", name="Replace the text").click()
    text.expect(re.compile(r"packs = 2"))
    page.get_by_label("Packs").fill("3")
    text.expect(re.compile(r"packs = 3"))
    # Even after the page was closed in between.
    visit(page, server, "#/edit")
    expect(page.get_by_label("Packs")).to_have_value("3")
    text.expect(re.compile(r"packs = 3"))
    page.get_by_role("button", name="Bring my text back").click()
    text.expect(mine)
    page.get_by_role("button", name="Discard changes").click()
    text.expect(re.compile(r"packs = 1"))
    expect(page.get_by_label("Packs")).to_have_value("1")


def test_the_form_is_answered_with_the_keyboard(server: Server, page: Page) -> None:
    visit(page, server, "#/edit")
    page.get_by_label("Name").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("Packs")).to_have_value("2")
    page.keyboard.press("Tab")  # the heading of the next section
    page.keyboard.press("Enter")
    expect(page.get_by_label("The stock is dealt")).to_be_hidden()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("to a w")
    expect(page.get_by_label("The stock is dealt")).to_have_value("waste")
    RulesText(page).expect(re.compile(r"\[waste\]"))


def test_the_form_on_a_phone_in_german(server: Server, new_context: NewContext, keep: Keep) -> None:
    server.set(language="de", theme="dark")
    page = new_context(viewport={"width": 360, "height": 740}).new_page()
    visit(page, server, "#/edit")
    expect(page.get_by_label("Name")).to_have_value("Ein eigenes Spiel")
    expect(page.get_by_label("Der Talon wird gegeben")).to_be_hidden()
    keep(page, "write-rules-phone")
    page.get_by_role("group").filter(has_text="Talon").first.locator("summary").click()
    page.get_by_label("Der Talon wird gegeben").select_option("waste")
    text = RulesText(page, "Die Regeldatei")
    text.expect(re.compile(r'name  = "Ein eigenes Spiel"'))
    text.expect(re.compile(r"\[waste\]"))
    closed = page.locator("main details:not([open]) summary")
    while closed.count():
        closed.first.click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keep(page, "write-rules-phone-open")


def test_the_editor_offers_words_and_underlines_faults(
    server: Server, page: Page, keep: Keep
) -> None:
    server.set(theme="dark")
    visit(page, server, "#/edit")
    text = RulesText(page)
    text.fill('name = "Typed"\n[foundations]\npiles = 4\nbase = "ace"\nbuild = "up in suit"\n')
    page.keyboard.type("\n[tableau]\npil")
    offers = page.get_by_role("listbox", name="Completions").get_by_role("option")
    expect(offers.first).to_have_text("piles")
    page.wait_for_timeout(200)  # for a moment, Enter still means a new line
    page.keyboard.press("Enter")
    page.keyboard.type("6\nsp")
    expect(offers.first).to_have_text("space")
    page.wait_for_timeout(200)
    # The values of a key are offered as soon as it is there.
    page.keyboard.press("Enter")
    expect(offers.first).to_have_text("any card")
    assert violations(page) == []
    keep(page, "write-rules-words")
    page.wait_for_timeout(200)
    page.keyboard.press("Enter")
    text.expect(re.compile(r'\[tableau\]\npiles = 6\nspace = "any card"$'))
    page.keyboard.type('\nbuild = "sideways"')
    page.keyboard.press("Escape")
    wrong = page.locator(".cm-lintRange-error", has_text="sideways")
    expect(wrong).to_be_visible()
    wrong.hover()
    expect(page.locator(".cm-tooltip-lint")).to_contain_text("sideways")
    keep(page, "write-rules-fault")
    assert violations(page) == []
    # The next fault is reached by a key, and Tab leaves the editor.
    page.keyboard.press("ControlOrMeta+Home")
    page.keyboard.press("F8")
    assert text.selected() == "sideways"
    page.keyboard.press("Tab")
    expect(text.box).not_to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(text.box).to_be_focused()


def test_what_the_rules_give_is_seen_while_they_are_written(
    own_server: Server, page: Page, keep: Keep
) -> None:
    visit(page, own_server, "#/edit")
    page.get_by_label("Piles of the reserve").fill("4")
    live = page.get_by_role("region", name="A game of my own")
    picture = live.get_by_role("img")
    expect(picture).to_have_attribute("src", re.compile("^data:image/svg"))
    first = picture.get_attribute("src")
    expect(live.get_by_text("% of all deals can be won.")).to_be_visible()
    expect(live.get_by_text(re.compile(r"^\d\d+ deals searched: "))).to_be_visible()
    live.get_by_text("The rules in words").click()
    expect(live.get_by_text("The foundations", exact=False).first).to_be_visible()
    assert violations(page) == []
    keep(page, "write-rules-live")
    live.get_by_role("button", name="Another deal").click()
    expect(live.get_by_text("cadogan:2")).to_be_visible()
    assert picture.get_attribute("src") != first
    page.get_by_label("Name").fill("Seen Live")
    live = page.get_by_role("region", name="Seen Live")
    expect(live).to_be_visible()
    # The last picture stays while the text has errors.
    text = RulesText(page)
    text.fill(text.value() + "\noops")
    expect(page.get_by_text("1 error")).to_be_visible()
    expect(live.get_by_role("img")).to_be_visible()
    page.keyboard.press("ControlOrMeta+z")
    frames: list[object] = []
    page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame))
    )
    page.get_by_role("button", name="Save and play this deal").click()
    page.wait_for_url(re.compile("#/table/"))
    # The browser warns about a socket that is closed before it is open.
    while not frames:
        page.wait_for_timeout(50)
    key = page.url.rpartition("/")[2]
    assert own_server.table(key)["deal"] == "cadogan:2"
    # The way back leads to the same rules.
    page.go_back()
    expect(page).to_have_url(re.compile("#/edit/own.seen-live"))
    text.expect(re.compile('name  = "Seen Live"'))
