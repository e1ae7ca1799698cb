"""Every dialog of a table is accessible: axe finds no problems, and the focus returns."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import cadogan
from tests.browser.conftest import Keep, NewContext
from tests.browser.hands import Mouse
from tests.browser.server import Server
from tests.browser.test_pages import violations

pytestmark = pytest.mark.takes_turns(5)

Open = Callable[[Page], None]


def by_key(key: str) -> Open:
    return lambda page: page.keyboard.press(key)


def by_menu(place: int) -> Open:
    """By an entry of the menu that opens a dialog, counted from the first."""

    def opened(page: Page) -> None:
        page.locator("[popovertarget=more]").click()
        page.locator("#more button", has_text="…").nth(place).click()

    return opened


CUT_OFF = """() => [...document.querySelectorAll("dialog[open] button, dialog[open] p, #more *")]
    .filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display
        !== "inline" && part.checkVisibility())
    .map((part) => part.textContent)"""
"""Texts that are longer than what they stand on."""


DIALOGS: dict[str, Open] = {
    "keys": by_key("?"),
    "tree": by_key("m"),
    "name": by_key("b"),
    "share": by_key("s"),
    "search": by_menu(0),
    "number": by_menu(1),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("width", "language", "theme"), [(1280, "en", "light"), (360, "de", "dark")]
)
def test_every_dialog_is_open_to_everybody(
    width: int, language: str, theme: str, server: Server, new_context: NewContext, keep: Keep
) -> None:
    server.set(language=language, theme=theme)
    page = new_context(viewport={"width": width, "height": 760}).new_page()
    # It takes long to find a deal of Spider that can be won, so that search is seen.
    first = cadogan.load("spider").deal("cadogan:1")
    hands = Mouse(page, server, first.play("deal"), server.deal(first, ["deal"]))
    page.keyboard.press("Tab")
    for name, opened in DIALOGS.items():
        focus = page.evaluate("document.activeElement.outerHTML")
        opened(page)
        dialog = page.locator("dialog[open]")
        expect(dialog).to_have_count(1)
        expect(dialog.locator("h2")).to_be_visible()
        expect(dialog.locator("[aria-busy=true]")).to_have_count(1 if name == "search" else 0)
        assert violations(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert page.evaluate(CUT_OFF) == [], name
        keep(page, f"dialog-{name}-{width}-{language}")
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        if name in ("keys", "tree", "name", "share"):
            assert page.evaluate("document.activeElement.outerHTML") == focus, name
    page.locator("[popovertarget=more]").click()
    expect(page.locator("#more")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate(CUT_OFF) == []
    keep(page, f"dialog-menu-{width}-{language}")
    page.keyboard.press("Escape")
    hands.compare()


@pytest.mark.parametrize("language", ["en", "de"])
def test_which_move_is_meant_is_asked(
    language: str, server: Server, new_context: NewContext, keep: Keep
) -> None:
    server.set(language=language)
    width = {"en": 1280, "de": 360}[language]
    page = new_context(viewport={"width": width, "height": 760}).new_page()
    # Cards leave two by two here: one that goes up may go with several others.
    hands = Mouse(page, server, cadogan.load("empress-of-india").deal("cadogan:48"))
    hands.carry("army.6", 1, "generals.1")
    dialog = page.get_by_role(
        "dialog", name={"en": "Which move do you mean?", "de": "Welcher Zug ist gemeint?"}[language]
    )
    expect(dialog.get_by_role("button")).to_have_count(3)
    assert violations(page) == []
    assert page.evaluate(CUT_OFF) == []
    keep(page, f"dialog-choose-{language}")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    hands.compare()
    hands.play("army.6 > generals.1 + navy.22 > admirals.5")
