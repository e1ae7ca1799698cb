"""The review of a game on the page: where it was lost, and another try from there."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

import cadogan
from tests.browser.conftest import Keep, NewContext
from tests.browser.hands import HANDS, Mouse
from tests.browser.server import Server, serving
from tests.browser.test_pages import violations, visit
from tests.browser.test_table import after, dealt, seated

pytestmark = pytest.mark.takes_turns(6)

LONG = 120_000
"""Milliseconds that a review may take on a busy machine."""
LINE = (
    "rows.2 > rows.7",
    "rows.4 > rows.6",
    "rows.4 > rows.5",
    "rows.7 > rows.5",
    "rows.5 > rows.4",
    "rows.4 > rows.7",
)
LOST_BY = 3
KEPT = "rows.7 > rows.4"


@pytest.fixture(scope="module")
def solving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that looks for verdicts."""
    with serving(tmp_path_factory.mktemp("solving"), workers=1) as server:
        server.set()
        yield server


def put_away(server: Server, key: str) -> None:
    server.ask("POST", f"/tables/{key}/close", {"version": server.table(key)["version"]})


def test_a_review_names_the_losing_move_and_lets_one_try_again(
    solving: Server, page: Page, keep: Keep
) -> None:
    first = dealt("beleaguered-castle", "cadogan:5")
    hands = seated(page, solving, first, *LINE)
    # While the game is played, it is not told whether it can be won.
    page.keyboard.press("v")
    expect(page.get_by_role("alert")).to_contain_text("put the table away first")
    assert violations(page) == []
    put_away(solving, hands.key)
    visit(page, solving, f"#/table/{hands.key}")
    page.get_by_role("main").get_by_role("link", name="Review").click()
    review = page.get_by_role("region", name="Review")
    expect(review.get_by_role("status")).to_have_text(f"move {LOST_BY} lost the game", timeout=LONG)
    expect(review).to_contain_text("Proof: even an easier game is lost")
    expect(review.get_by_role("listitem")).to_have_text([re.compile("rows 7 → rows 4")])
    expect(review).not_to_contain_text("searching", timeout=LONG)
    assert violations(page) == []
    keep(page, "review-desk")
    # The moves are marked.
    moves = page.get_by_role("region", name="Moves made").get_by_role("button")
    expect(moves.nth(LOST_BY)).to_contain_text("lost the game")
    expect(moves.nth(LOST_BY - 1)).to_contain_text("Can be won")
    expect(moves.nth(LOST_BY + 1)).to_contain_text("Cannot be won")
    # The plot is a slider, also for the keyboard.
    plot = review.get_by_role("slider")
    review.get_by_role("button", name="Show the position before it").click()
    expect(plot).to_have_value(str(LOST_BY - 1))
    expect(review).to_contain_text("1 of 2 legal moves keep the win.")
    keep(page, "review-before-loss")
    plot.press("ArrowRight")
    expect(plot).to_have_value(str(LOST_BY))
    expect(review).to_contain_text("0 of 2 legal moves keep the win.")
    review.get_by_role("button", name="Try again from here").click()
    page.wait_for_url(lambda url: "#/table/" in url)
    key = page.url.rpartition("/")[2]
    assert key != hands.key
    again = Mouse(page, solving, after(first, *LINE[: LOST_BY - 1]), key)
    again.position = again.position.play(KEPT)
    again.carry("rows.7", 1, "rows.4")
    again.compare()
    assert cadogan.solve(again.position, 100_000).status == "winnable"


@pytest.mark.parametrize(("language", "hand"), [("en", "mouse"), ("de", "keyboard")])
def test_the_end_of_a_lost_game_leads_to_its_review(
    language: str, hand: str, solving: Server, page: Page
) -> None:
    solving.set(language=language)
    first = position = dealt("golf", "cadogan:24")
    line, lost_by = list[str](), 0
    while not position.outcome:
        line.append(next(move for move in position.moves() if not move.forced).text)
        position = position.play(line[-1])
        if lost_by == 0 and (position.outcome or cadogan.solve(position).status == "unwinnable"):
            lost_by = len(line)
    assert position.outcome == "lost"
    hands = HANDS[hand](page, solving, after(first, *line[:-1]), solving.deal(first, line[:-1]))
    hands.play(line[-1])
    end = page.get_by_role("dialog")
    expect(end).to_be_visible()
    assert violations(page) == []
    words = {
        "en": ("Review", "move {} lost the game"),
        "de": ("Rückblick", "Zug {} verlor das Spiel"),
    }
    name, said = words[language]
    hands.answer(end.get_by_role("button", name=name))
    page.wait_for_url(re.compile(f"#/review/{hands.key}"))
    review = page.get_by_role("region", name=name)
    expect(review.get_by_role("status")).to_have_text(said.format(lost_by), timeout=LONG)
    solving.set()


def test_a_review_on_a_phone_in_german(
    solving: Server, new_context: NewContext, keep: Keep
) -> None:
    first = dealt("beleaguered-castle", "cadogan:5")
    key = solving.deal(first, list(LINE))
    put_away(solving, key)
    solving.set(language="de", theme="dark")
    page = new_context(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
    visit(page, solving, f"#/review/{key}")
    review = page.get_by_role("region", name="Rückblick")
    expect(review.get_by_role("status")).to_have_text(
        f"Zug {LOST_BY} verlor das Spiel", timeout=LONG
    )
    expect(review).not_to_contain_text("wird gesucht", timeout=LONG)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    keep(page, "review-phone")
    button = review.get_by_role("button", name="Von hier noch einmal")
    button.scroll_into_view_if_needed()
    keep(page, "review-phone-below")
    button.tap()
    page.wait_for_url(lambda url: "#/table/" in url)
    solving.set()


def test_a_won_game_was_lost_by_no_move(server: Server, page: Page) -> None:
    first = dealt("freecell", "cadogan:48")
    line = [move.text for move in cadogan.solve(first).line]
    key = server.deal(first, line)
    visit(page, server, f"#/review/{key}")
    review = page.get_by_role("region", name="Review")
    expect(review.get_by_role("status")).to_have_text("the game was won")
    expect(review).to_contain_text("This server does not search")
    assert violations(page) == []
