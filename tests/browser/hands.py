"""Plays on the page, with a mouse, a keyboard, or a finger.

What they know of the page is here alone: a pile is a button that names itself in ``data-pile``, a
card on it says by ``data-pile`` and ``data-index`` where it lies and by ``data-card`` what it is,
and a button that stands for a move says by ``data-move`` for which.
"""

import re
import time
from collections import deque
from collections.abc import Iterable
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, expect

from cadogan import Position
from cadogan.web import serialize
from tests.browser.server import Server

SECONDS = 30

STATE = """() => {
    const piles = {};
    for (const pile of document.querySelectorAll('.board [role=button][data-pile]'))
        piles[pile.dataset.pile] = [];
    for (const card of document.querySelectorAll('.board [data-card]'))
        (piles[card.dataset.pile] ??= [])[Number(card.dataset.index)] = card.dataset.card;
    return piles;
}"""

Piles = dict[str, list[str]]
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")


def piles_of(position: Position) -> Piles:
    """The piles as a player sees them."""
    return {pile.name: pile.cards for pile in serialize.position(position, "en").piles}


def shown(page: Page) -> Piles:
    """The piles as the page shows them."""
    found: Piles = page.evaluate(STATE)
    return found


class Hands:
    """Somebody who plays at a table on a page, and compares all he sees with what it should be.

    Args:
        page: The page; it is opened at the table.
        server: The server.
        position: The deal, and what was played of it.
        key: The table, if there is one.

    Attributes:
        chosen: How many moves the rules have asked for.
    """

    PAGE = "table"
    """The page on which the board lies."""

    def __init__(
        self, page: Page, server: Server, position: Position, key: str | None = None
    ) -> None:
        self.page = page
        self.server = server
        self.position = position
        self.chosen = 0
        self.key = server.deal(position) if key is None else key
        page.goto(f"{server.address}/#/{self.PAGE}/{self.key}")
        self.compare()

    # What there is.

    def pile(self, name: str) -> Locator:
        """A pile, as one that can be pressed."""
        return self.page.locator(f".board [role=button][data-pile='{name}']")

    def card(self, pile: str, index: int) -> Locator:
        """A card of a pile, from the bottom."""
        return self.page.locator(f".board [data-card][data-pile='{pile}'][data-index='{index}']")

    def top(self, pile: str) -> Locator:
        """The top card of a pile, or its place."""
        held = shown(self.page)[pile]
        return self.card(pile, len(held) - 1) if held else self.pile(pile)

    def compare(self) -> None:
        """Waits until the page shows the position, and the server has it."""
        wanted = piles_of(self.position)
        until = time.monotonic() + SECONDS
        while (seen := shown(self.page)) != wanted:
            assert time.monotonic() < until, {
                name: (seen.get(name), cards)
                for name, cards in wanted.items()
                if seen.get(name) != cards
            }
            self.page.wait_for_timeout(15)
        self.now = self.stored()
        assert {pile["name"]: pile["cards"] for pile in self.now["piles"]} == wanted
        assert self.now["outcome"] == self.position.outcome

    def stored(self) -> dict[str, Any]:
        """The position as the server has it."""
        found: dict[str, Any] = self.server.table(self.key)["position"]
        return found

    # What is done.

    def play(self, text: str) -> None:
        """Makes a move, and sees what comes of it."""
        if self.now["choice"] is not None:
            answer = self.now["choice"]["message"]["text"]
            expect(self.page.locator(".message")).to_have_text(answer)
            self.chosen += 1
        self.make(self.move(text))
        self.position = self.position.play(text)
        self.compare()

    def play_all(self, line: Iterable[str]) -> None:
        """Makes moves one after the other."""
        for text in line:
            self.play(text)

    def move(self, text: str) -> dict[str, Any]:
        """A legal move by its text, as the server sends it to the page."""
        found = [move for move in self.now["moves"] if move["text"] == text]
        assert found, f"{text} is none of {[move['text'] for move in self.now['moves']]}"
        move: dict[str, Any] = found[0]
        return move

    def make(self, move: dict[str, Any]) -> None:
        """Makes a move; which of several is meant is said when the page asks."""
        if move["kind"] == "word":
            alone = [other for other in self.now["moves"] if other["piles"] == move["piles"]]
            # Pressing a pile whose card can go somewhere takes the card.
            taken = {way["from"] for other in self.now["moves"] for way in other["transfers"]}
            is_pressed = len(alone) == 1 and not taken.intersection(move["piles"])
            self.word(move, move["piles"][0] if move["piles"] and is_pressed else None)
            return
        way = move["transfers"][0]
        count = way["depth"] or way["count"]
        before = shown(self.page)
        self.carry(way["from"], count, way["to"])
        asked = self.page.locator("dialog[open]:has(button[data-move])")
        until = time.monotonic() + SECONDS
        again = time.monotonic() + SECONDS / 3
        while shown(self.page) == before:
            if asked.count() > 0:
                self.answer(asked.locator(f"button[data-move='{move['text']}']"))
                return
            assert time.monotonic() < until, f"{move['text']} came to nothing"
            if time.monotonic() > again:
                # The browser may lose events of a mouse while all processors are busy.
                self.carry(way["from"], count, way["to"])
                again = until
            self.page.wait_for_timeout(15)

    def word(self, move: dict[str, Any], pile: str | None) -> None:
        """Makes a move that is a word, as dealing from the stock; there may be a pile for it."""
        raise NotImplementedError

    def tool(self, move: dict[str, Any]) -> Locator:
        """The button for a move that is a word."""
        word = re.compile(rf"^{re.escape(move['text'])}\b", re.IGNORECASE)
        return self.page.get_by_role("toolbar").get_by_role("button", name=word)

    def carry(self, source: str, count: int, target: str) -> None:
        """Carries a number of cards from one pile to another; of a deep card, how deep it lies."""
        raise NotImplementedError

    def press(self, pile: str) -> None:
        """Takes the top card of a pile, or puts on it what was taken."""
        raise NotImplementedError

    def together(self, text: str) -> None:
        """Makes a move of cards that leave together by pressing one after the other."""
        *first, last = self.move(text)["text"].split(" + ")
        for number, pile in enumerate(first, 1):
            self.press(pile)
            pressed = self.page.locator(".board [role=button][aria-pressed=true]")
            expect(pressed).to_have_count(number)
        self.press(last)
        self.position = self.position.play(text)
        self.compare()

    def answer(self, button: Locator) -> None:
        """Presses a button."""
        raise NotImplementedError

    def _ends(self, source: str, count: int, target: str) -> tuple[FloatRect, FloatRect]:
        """Where the cards lie that are carried, and where they go."""
        # On a busy machine cards may still be on their way.
        self.page.wait_for_function(RESTS)
        held = len(shown(self.page)[source])
        start = self._place(self.card(source, held - count))
        end = self.top(target).bounding_box()
        assert end is not None
        return start, end

    @staticmethod
    def _place(thing: Locator) -> FloatRect:
        """Where something lies, after it was brought into the window."""
        thing.scroll_into_view_if_needed()
        found = thing.bounding_box()
        assert found is not None
        return found


RESTS = """() => document.querySelector(".board").getAnimations({ subtree: true })
    .every((each) => each.playState !== "running")"""
"""Whether no card moves."""
GRIP = 6
"""So far from its corner a card is held, where no other lies on it."""
REST = 100
"""Milliseconds that a finger rests before it lets go."""


class Mouse(Hands):
    """Drags with the mouse."""

    def word(self, move: dict[str, Any], pile: str | None) -> None:
        if pile is None:
            self.tool(move).click()
        else:
            at = self._place(self.top(pile))
            self.page.mouse.click(at["x"] + GRIP, at["y"] + GRIP)

    def carry(self, source: str, count: int, target: str) -> None:
        start, end = self._ends(source, count, target)
        mouse = self.page.mouse
        mouse.move(start["x"] + GRIP, start["y"] + GRIP)
        mouse.down()
        mouse.move(end["x"] + GRIP, end["y"] + GRIP, steps=5)
        mouse.up()

    def press(self, pile: str) -> None:
        at = self._place(self.top(pile))
        self.page.mouse.click(at["x"] + GRIP, at["y"] + GRIP)

    def answer(self, button: Locator) -> None:
        button.click()


class Keyboard(Hands):
    """Goes by arrows from pile to pile, as they lead."""

    def __init__(self, *given: Any, **named: Any) -> None:
        self._ways: dict[tuple[str, str], str] = {}
        super().__init__(*given, **named)

    def word(self, move: dict[str, Any], pile: str | None) -> None:
        if move["text"] == "deal":
            self.page.keyboard.press("d")
        else:
            self.answer(self.tool(move))

    def carry(self, source: str, count: int, target: str) -> None:
        self.go(source)
        self.page.keyboard.press("Enter")
        if count > 1:
            self.page.keyboard.press(str(min(count, 9)))
            for _ in range(count - 9):
                self.page.keyboard.press("+")
        self.press(target)

    def press(self, pile: str) -> None:
        self.go(pile)
        self.page.keyboard.press("Enter")

    def answer(self, button: Locator) -> None:
        """Goes to a button by tab."""
        for _ in range(80):
            if button.evaluate("button => button === document.activeElement"):
                self.page.keyboard.press("Enter")
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"tab does not come to {button}")

    def here(self) -> str | None:
        """The pile that has the focus."""
        found: str | None = self.page.evaluate("document.activeElement.dataset.pile ?? null")
        return found

    def go(self, pile: str) -> None:
        """Goes to a pile; what an arrow does is found out by pressing it."""
        if self.here() is None:
            self.page.locator(".board [role=button][tabindex='0']").focus()
        for _ in range(400):
            here = self.here()
            assert here is not None
            if here == pile:
                return
            arrow = self._next(here, pile)
            self.page.keyboard.press(arrow)
            now = self.here()
            assert now is not None
            self._ways[here, arrow] = now
        raise AssertionError(f"no arrows lead to {pile}")

    def _next(self, here: str, pile: str) -> str:
        """The first arrow of a known way, or else of the shortest to an arrow never pressed."""
        arrows = self._by_direction(here, pile)
        seen, queue = {here}, deque([(here, "")])
        unknown = ""
        while queue:
            at, first = queue.popleft()
            if at == pile:
                return first
            for arrow in arrows:
                there = self._ways.get((at, arrow))
                if there is None:
                    unknown = unknown or first or arrow
                elif there not in seen:
                    seen.add(there)
                    queue.append((there, first or arrow))
        assert unknown, f"no arrows lead from {here} to {pile}"
        return unknown

    def _by_direction(self, here: str, pile: str) -> list[str]:
        """The arrows, beginning with those that point to a pile."""
        at, goal = self.pile(here).bounding_box(), self.pile(pile).bounding_box()
        assert at is not None
        assert goal is not None
        right, down = goal["x"] - at["x"], goal["y"] - at["y"]
        towards = {"ArrowRight": right, "ArrowLeft": -right, "ArrowDown": down, "ArrowUp": -down}
        return sorted(ARROWS, key=lambda arrow: -towards[arrow])


class Finger(Hands):
    """Taps and drags in turn on a screen that is touched."""

    def __init__(self, *given: Any, **named: Any) -> None:
        self._drags = False
        super().__init__(*given, **named)
        self._session = self.page.context.new_cdp_session(self.page)

    def word(self, move: dict[str, Any], pile: str | None) -> None:
        if pile is None:
            self.tool(move).tap()
        else:
            # Two taps on the same pile within a moment are a double tap.
            self.page.wait_for_timeout(420)
            at = self._place(self.top(pile))
            self.page.touchscreen.tap(at["x"] + GRIP, at["y"] + GRIP)

    def carry(self, source: str, count: int, target: str) -> None:
        start, end = self._ends(source, count, target)
        self._drags = not self._drags
        if self._drags:
            self._touch("touchStart", start)
            for step in (1, 2, 3, 4, 5):
                part = step / 5
                self._touch(
                    "touchMove",
                    {
                        "x": start["x"] + part * (end["x"] - start["x"]),
                        "y": start["y"] + part * (end["y"] - start["y"]),
                    },
                )
                self.page.wait_for_timeout(16)
            # Without a rest it would be a fling, and the next tap would only end that.
            self.page.wait_for_timeout(REST)
            self._touch("touchEnd", None)
        else:
            # Two taps on the same pile within a moment would be a double tap.
            self.page.touchscreen.tap(start["x"] + GRIP, start["y"] + GRIP)
            self.page.touchscreen.tap(end["x"] + GRIP, end["y"] + GRIP)

    def press(self, pile: str) -> None:
        at = self._place(self.top(pile))
        self.page.touchscreen.tap(at["x"] + GRIP, at["y"] + GRIP)

    def answer(self, button: Locator) -> None:
        button.tap()

    def _touch(self, kind: str, at: Any) -> None:
        points = [] if at is None else [{"x": at["x"] + GRIP, "y": at["y"] + GRIP}]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


HANDS: dict[str, type[Hands]] = {"mouse": Mouse, "keyboard": Keyboard, "finger": Finger}
