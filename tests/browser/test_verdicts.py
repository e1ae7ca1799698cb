"""Whether a game can still be won: what the page shows, and deals that can be won."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

import cadogan
from tests.browser.hands import Mouse
from tests.browser.server import Server, serving
from tests.browser.test_pages import violations, visit
from tests.browser.test_table import after, dealt, seated

pytestmark = pytest.mark.takes_turns(5)

LONG = 120_000
"""Milliseconds that a search may take on a busy machine."""


@pytest.fixture(scope="module")
def solving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that looks for verdicts."""
    with serving(tmp_path_factory.mktemp("solving"), workers=1) as server:
        server.set()
        yield server


def asked(page: Page) -> None:
    page.get_by_role("button", name="Can it be won?").click()


def test_a_game_that_can_be_won(solving: Server, page: Page) -> None:
    seated(page, solving, dealt("flower-garden"))
    verdict = page.get_by_role("region", name="Can it be won?")
    expect(verdict).not_to_contain_text("can be won")
    asked(page)
    expect(verdict).to_contain_text(re.compile(r"^\s*can be won"), timeout=LONG)
    assert violations(page) == []
    page.get_by_role("button", name="Hide the verdict").click()
    button = page.get_by_role("button", name="Can it be won?")
    expect(button).to_be_visible()
    expect(button).to_be_focused()
    button.click()
    # On a phone there is no room for the button: what had the focus goes away with it.
    page.set_viewport_size({"width": 360, "height": 640})
    page.get_by_role("button", name="Hide the verdict").press("Enter")
    expect(button).to_be_hidden()
    expect(page.locator(".board [role=button][tabindex='0']")).to_be_focused()


def test_since_which_move_it_cannot_be_won(solving: Server, page: Page) -> None:
    position = first = dealt("amazons", "cadogan:2")
    line: list[str] = []
    while position.outcome is None:
        line.append([move for move in position.moves() if not move.forced][-1].text)
        position = position.play(line[-1])
    hands = seated(page, solving, first, *line[:-1])
    asked(page)
    verdict = page.get_by_role("region", name="Can it be won?")
    answer = re.compile(r"cannot be won any more, since move (\d+)")
    expect(verdict).to_contain_text(answer, timeout=LONG)
    # It is found out by halves which move it was.
    back = verdict.get_by_role("button", name="Back to the last winnable position")
    expect(verdict).not_to_contain_text("at the latest", timeout=LONG)
    found = answer.search(verdict.inner_text())
    assert found is not None
    since = int(found[1])
    assert violations(page) == []
    back.click()
    hands.position = after(first, *line[: since - 1])
    hands.compare()
    expect(verdict).to_contain_text(re.compile(r"^\s*can be won"), timeout=LONG)
    assert cadogan.solve(hands.position, 1_000_000).status == "winnable"
    assert cadogan.solve(after(first, *line[:since]), 1_000_000).status == "unwinnable"


def test_what_is_not_known_is_not_said(solving: Server, page: Page) -> None:
    seated(page, solving, dealt("spider"))
    # The solver sees the hidden cards: the page warns before the player asks.
    expect(page.get_by_role("button", name="Can it be won?")).to_contain_text("spoiler")
    asked(page)
    verdict = page.get_by_role("region", name="Can it be won?")
    expect(verdict).to_contain_text("not known yet")
    expect(verdict).to_contain_text("spoiler")
    expect(verdict).to_contain_text(re.compile(r"\d positions searched"), timeout=LONG)


def test_a_search_for_a_deal_is_seen_and_given_up(solving: Server, page: Page) -> None:
    solving.set(winnable_only=True)
    hands = seated(page, solving, dealt("spider"))
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="New winnable deal")
    expect(dialog.get_by_role("progressbar")).to_be_visible()
    assert violations(page) == []
    dialog.get_by_role("button", name="Give up").click()
    expect(dialog).to_be_hidden()
    hands.compare()


def test_a_new_deal_can_be_won_if_that_is_wished(solving: Server, page: Page) -> None:
    solving.set(winnable_only=True)
    hands = seated(page, solving, dealt("flower-garden"))
    page.keyboard.press("n")
    page.wait_for_url(lambda url: not url.endswith(hands.key), timeout=LONG)
    table = solving.table(page.url.rpartition("/")[2])
    fresh = cadogan.load("flower-garden").deal(table["deal"])
    Mouse(page, solving, fresh, table["id"])
    assert cadogan.solve(fresh, 100_000).status == "winnable"
    # The other one was put away.
    assert solving.table(hands.key)["closed"]
    visit(page, solving, f"#/table/{hands.key}")
    page.get_by_role("button", name="Reopen it").click()
    expect(page.locator(".message")).to_have_text("Reopened.")
