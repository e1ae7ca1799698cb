"""Puzzles on the page: a try that loses, the answer, the rest of the line, the next one."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from cadogan.table.library import Library
from cadogan.table.puzzles import Puzzles, ServedPuzzle
from cadogan.table.store import Store
from tests.browser.conftest import Keep, NewContext
from tests.browser.hands import SECONDS, Finger, Hands, Keyboard, Mouse, piles_of, shown
from tests.browser.server import Server, serving
from tests.browser.test_pages import violations, visit

pytestmark = pytest.mark.takes_turns(6)


class _AtPuzzle(Hands):
    PAGE = "puzzles"

    def stored(self) -> dict[str, Any]:
        found: dict[str, Any] = self.server.ask("GET", f"/puzzles/{self.key}")["position"]
        return found


class PuzzleMouse(_AtPuzzle, Mouse):
    """A mouse at a puzzle."""


class PuzzleKeyboard(_AtPuzzle, Keyboard):
    """A keyboard at a puzzle."""


class PuzzleFinger(_AtPuzzle, Finger):
    """A finger at a puzzle."""


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Server]:
    """A server at which nobody has tried a puzzle."""
    with serving(tmp_path / "home") as server:
        yield server


@pytest.fixture
def puzzles(tmp_path: Path) -> Iterator[Puzzles]:
    """The puzzles as another server has them, with their answers."""
    store = Store(folder=tmp_path / "other")
    yield Puzzles(store, Library(store))
    store.close()


def chosen(puzzles: Puzzles, game: str) -> ServedPuzzle:
    """A puzzle with an answer and a wrong move that both carry cards from pile to pile."""
    skip = set[str]()
    while True:
        found = puzzles.next(game, skip=skip)
        skip.add(found.key)
        if " > " in found.saved.line[0] and " > " in found.saved.wrong[0].move:
            return found


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("way", "game", "language", "width"),
    [
        (PuzzleMouse, "king-albert", "en", 1280),
        (PuzzleKeyboard, "golf", "de", 1280),
        (PuzzleFinger, "beleaguered-castle", "de", 390),
    ],
)
def test_a_puzzle_is_tried_and_solved(
    way: type[_AtPuzzle],
    game: str,
    language: str,
    width: int,
    fresh: Server,
    puzzles: Puzzles,
    new_context: NewContext,
    keep: Keep,
) -> None:
    fresh.set(language=language, theme="light" if language == "en" else "dark")
    english = language == "en"
    puzzle = chosen(puzzles, game)
    page = new_context(
        viewport={"width": width, "height": 844}, has_touch=way is PuzzleFinger
    ).new_page()
    hands = way(page, fresh, puzzle.position, puzzle.key)
    message = page.get_by_role("status")
    facts = page.locator(".facts")
    asked = "Find the only move" if english else "Gesucht ist der einzige Zug"
    expect(message).to_contain_text(asked)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    keep(page, f"puzzle-{game}-asked")
    # A move that loses: why is said, the ratings change, and the board is as before.
    hands.make(hands.move(puzzle.saved.wrong[0].move))
    expect(message).to_contain_text("this move loses: " if english else "dieser Zug verliert: ")
    expect(message).to_contain_text("Try again." if english else "Noch einmal!")
    expect(facts).to_contain_text(re.compile(r"\u2212\d+"))
    expect(facts).to_contain_text("0 of 1 solved" if english else "0 von 1 gelöst")
    keep(page, f"puzzle-{game}-wrong")
    hands.compare()
    # The answer: the rest of the line can be looked at, by keys and by pressing its moves.
    hands.make(hands.move(puzzle.saved.line[0]))
    expect(message).to_contain_text("right: it is" if english else "richtig: ")
    expect(facts).to_contain_text("0 of 1 solved" if english else "0 von 1 gelöst")
    hands.position = puzzle.line[0]
    shows(hands)
    solution = page.get_by_role("region", name="Solution" if english else "Lösung")
    expect(solution.get_by_role("listitem")).to_have_count(len(puzzle.saved.line))
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    keep(page, f"puzzle-{game}-solved")
    forward = page.get_by_role("button", name="Next puzzle" if english else "Nächste Aufgabe")
    expect(forward).to_be_focused()
    page.keyboard.press("ArrowRight")
    hands.position = puzzle.line[1]
    shows(hands)
    hands.answer(solution.get_by_role("button").last)
    hands.position = puzzle.line[-1]
    shows(hands)
    page.keyboard.press("Home")
    hands.position = puzzle.position
    shows(hands)
    hands.answer(forward)
    page.wait_for_url(lambda url: "#/puzzles/" in url and puzzle.key not in url)
    expect(message).to_contain_text(asked)


def shows(hands: Hands) -> None:
    """Waits until the page shows the position of the hands, which the server does not keep."""
    wanted = piles_of(hands.position)
    until = time.monotonic() + SECONDS
    while (seen := shown(hands.page)) != wanted:
        assert time.monotonic() < until, seen
        hands.page.wait_for_timeout(15)


def test_the_solution_can_be_shown_and_another_puzzle_chosen(
    fresh: Server, puzzles: Puzzles, new_context: NewContext
) -> None:
    page = new_context().new_page()
    visit(page, fresh, "#/puzzles")
    first = page.get_by_role("heading", level=1).inner_text()
    assert first.startswith("Puzzle: ")
    page.get_by_label("Game").select_option("Golf")
    page.wait_for_url(re.compile("game=golf"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Puzzle: Golf")
    key = page.url.rpartition("/")[2].partition("?")[0]
    page.get_by_text("Face-down cards").click()
    down = [str(card) for card in puzzles.get(key).position.piles["stock"]]
    assert down
    expect(page.locator(".hidden dd").first).to_be_visible()
    page.get_by_role("button", name="Another puzzle").click()
    page.wait_for_url(lambda url: key not in url)
    expect(page.get_by_role("heading", level=1)).to_have_text("Puzzle: Golf")
    page.get_by_role("button", name="Show the solution").click()
    expect(page.get_by_role("status")).to_have_text("this is the only move that keeps the win")
    expect(page.get_by_role("region", name="Solution").get_by_role("button").first).to_be_visible()
    expect(page.locator(".facts")).to_contain_text("0 of 1 solved")
    page.reload()
    expect(page.get_by_role("status")).to_contain_text("You have tried this puzzle before")


def test_an_unknown_puzzle_leads_to_another(fresh: Server, new_context: NewContext) -> None:
    page = new_context().new_page()
    visit(page, fresh, "#/puzzles/0123456789abcdef")
    expect(page.get_by_role("alert")).to_have_text("there is no such puzzle")
    page.get_by_role("main").get_by_role("link", name="Next puzzle").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Puzzle: "))
