"""Accounts in the browser: log in, invite, be invited, watch, log out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from playwright.sync_api import Browser, Page, expect

from cadogan.table.accounts import Accounts
from cadogan.web.state import AppState
from tests.web.server import running

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
PASSWORD = "a long sentence"
FINDINGS = "axe.run().then((found) => found.violations.map((each) => each.id))"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[str]:
    state = AppState(folder=tmp_path, workers=0, accounts=True)
    # Real hashes are slow on purpose.
    state.accounts = Accounts(state.store, PasswordHasher(1, 8, 1))
    state.accounts.add("Ada", PASSWORD, "host")
    with running(state) as address:
        yield address
    state.close()


def looks_well(page: Page) -> None:
    """The page fits the window, and axe finds nothing."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    session = page.context.new_cdp_session(page)
    # The policy of the page allows no scripts of others.
    session.send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    assert page.evaluate(FINDINGS) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("locale", "width", "words"),
    [
        ("en-GB", 1200, ("Log in", "Players", "Welcome", "Ada plays Klondike", "Log out")),
        ("de-DE", 390, ("Anmelden", "Spieler", "Willkommen", "Ada spielt Klondike", "Abmelden")),
    ],
)
def test_a_club(
    browser: Browser, club: str, locale: str, width: int, words: tuple[str, ...]
) -> None:
    log_in, players, welcome, watching, log_out = words
    viewport = {"width": width, "height": 800}
    with (
        browser.new_context(locale=locale, viewport=viewport) as one,  # type: ignore[arg-type]
        browser.new_context(locale=locale, viewport=viewport) as two,  # type: ignore[arg-type]
    ):
        host, guest = one.new_page(), two.new_page()
        # Any address asks to log in first; the keyboard is enough.
        host.goto(f"{club}/#/players")
        expect(host.get_by_role("heading", level=1)).to_have_text(log_in)
        looks_well(host)
        host.keyboard.type("Ada")
        host.keyboard.press("Tab")
        host.keyboard.type("wrong password")
        host.keyboard.press("Enter")
        expect(host.get_by_role("alert")).to_be_visible()
        host.locator("input[type=password]").fill(PASSWORD)
        host.keyboard.press("Enter")
        expect(host.get_by_role("heading", level=1)).to_have_text(players)
        host.locator(".entry form input").first.fill("Bea")
        host.locator(".entry form button").click()
        invitation = host.locator(".made input").input_value()
        looks_well(host)
        guest.goto(invitation)
        expect(guest.get_by_role("heading", level=1)).to_have_text(welcome)
        looks_well(guest)
        for place, text in enumerate(("Bea", PASSWORD, PASSWORD)):
            guest.locator("form input").nth(place).fill(text)
        guest.keyboard.press("Enter")
        expect(guest.locator(".games li").first).to_be_visible()
        # A table is shown, watched while it is played, and not shown any more.
        table = host.evaluate(
            """fetch("/api/tables", {
                method: "POST",
                headers: { "Content-Type": "application/json" },
                body: JSON.stringify({ game: "klondike", deal: "cadogan:1" }),
            }).then((answer) => answer.json())"""
        )
        host.goto(f"{club}/#/table/{table['id']}")
        expect(host.locator(".felt")).to_be_visible()
        host.keyboard.press("s")
        show, hide = (host.locator("dialog[open] .row button").nth(each) for each in (0, 1))
        show.click()
        link = host.locator("dialog[open] input[readonly]").nth(1).input_value()
        looks_well(host)
        guest.goto(link)
        expect(guest.get_by_role("heading", level=1)).to_have_text(watching)
        looks_well(guest)
        hide.click()
        expect(hide).to_be_hidden()
        guest.reload()
        expect(guest.get_by_role("alert")).to_be_visible()
        host.goto(f"{club}/#/account")
        expect(host.locator(".rows li").first).to_be_visible()
        looks_well(host)
        host.get_by_role("button", name=log_out, exact=True).click()
        expect(host.get_by_role("heading", level=1)).to_have_text(log_in)
