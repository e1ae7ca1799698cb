"""The editor of rules, as a person sees it and writes in it."""

import re
import time

from playwright.sync_api import Locator, Page, expect

SECONDS = 30


class RulesText:
    """The text of the rules on a page.

    Args:
        page: The page.
        label: What the editor is called in the language of the page.
    """

    def __init__(self, page: Page, label: str = "Rules file") -> None:
        self.page = page
        self.box: Locator = page.get_by_role("textbox", name=label)

    def value(self) -> str:
        """The text; it must be short enough for all its lines to be drawn."""
        expect(self.box).to_be_visible()
        drawn: str = self.box.evaluate(
            "box => [...box.querySelectorAll('.cm-line')].map(each => each.textContent).join('\\n')"
        )
        return drawn

    def fill(self, text: str) -> None:
        """Writes a text in place of the present one."""
        self.box.focus()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)

    def selected(self) -> str:
        """The selected part of it, as soon as there is one: the editor may still be loading."""
        until = time.monotonic() + SECONDS
        while True:
            found: str = self.box.evaluate("box => box.getRootNode().getSelection().toString()")
            if found or time.monotonic() >= until:
                return found
            self.page.wait_for_timeout(50)

    def expect(self, wanted: str | re.Pattern[str]) -> None:
        """Waits until the text is this one, or has something that fits a pattern."""
        until = time.monotonic() + SECONDS
        while True:
            value = self.value()
            if value == wanted if isinstance(wanted, str) else wanted.search(value):
                return
            assert time.monotonic() < until, (wanted, value)
            self.page.wait_for_timeout(50)
