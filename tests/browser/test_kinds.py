"""Ways to play that some games only have: deep cards, sets, pairs, rows that close up, points."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewContext
from tests.browser.hands import HANDS, Mouse
from tests.browser.server import Server
from tests.browser.test_games import opened
from tests.browser.test_table import after, dealt, seated


@pytest.mark.sample(1)
@pytest.mark.parametrize("way", HANDS)
def test_a_card_is_drawn_from_under_others(
    way: str, server: Server, new_context: NewContext
) -> None:
    position = dealt("three-shuffles-and-a-draw")
    hands = opened(way, new_context, server, position)
    hands.play("fans.1 > fans.16 #2")
    assert hands.position.piles["fans.1"] == (
        *position.piles["fans.1"][:1],
        *position.piles["fans.1"][2:],
    )


@pytest.mark.sample(2)
@pytest.mark.parametrize("way", HANDS)
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("pyramid", ["pyramid.22 + pyramid.23"]),
        ("elevens", ["tableau.3 + tableau.5", "tableau.1 + tableau.4 + tableau.7"]),
        ("fifteens", ["tableau.5 + tableau.6 + tableau.9 + tableau.12"]),
    ],
)
def test_cards_leave_together_one_pressed_after_the_other(
    name: str, line: list[str], way: str, server: Server, new_context: NewContext
) -> None:
    hands = opened(way, new_context, server, dealt(name))
    for text in line:
        hands.together(text)


def test_a_covered_card_says_what_covers_it(server: Server, page: Page) -> None:
    hands = Mouse(page, server, dealt("pyramid"))
    hands.carry("pyramid.1", 1, "pyramid.22")
    refusal = page.locator(".message.refusal")
    expect(refusal).to_have_text("pyramid.1 is covered by pyramid.2 and pyramid.3")
    hands.compare()


@pytest.mark.sample(1)
@pytest.mark.parametrize("way", HANDS)
def test_a_row_closes_up(way: str, server: Server, new_context: NewContext) -> None:
    hands = opened(way, new_context, server, dealt("accordion"))
    for pile, text in (("row.52", "row.6 > row.3"), ("row.51", "row.2 > row.1")):
        hands.play(text)
        expect(hands.top(pile)).to_have_attribute("role", "button")


def test_points_are_shown_while_playing_and_at_the_end(server: Server, page: Page) -> None:
    first = dealt("poker-square")
    line = [f"hand > square.{place}" for place in range(1, 26)]
    hands = seated(page, server, first)
    points = page.locator(".facts .points")
    expect(points).to_have_text("0 points")
    hands.play_all(line[:2])  # two queens
    expect(points).to_have_text("2 points")
    hands = seated(page, server, first, *line[:-1])
    hands.play(line[-1])
    score = after(first, *line).score
    assert score
    end = page.get_by_role("dialog")
    expect(end).to_contain_text(re.compile(rf"\b{score} points\b"))


def test_foundations_begin_with_no_rank_before_one_is_chosen(server: Server, page: Page) -> None:
    hands = Mouse(page, server, dealt("duchess"))
    empty = hands.pile("foundations.4").locator(".wanted")
    expect(empty).to_have_attribute("data-face", "")
    hands.play("reserve.2 > foundations.1")
    expect(empty).to_have_attribute("data-face", "9")
