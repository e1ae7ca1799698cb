"""Debian's Chromium, the real server, and pages that are watched.

``--screenshots DIR`` keeps pictures of what the tests have played, to be looked at; a test that
fails leaves one there, too.

The fixtures of pytest-playwright are not used: they keep Playwright's event loop running until the
session ends, where other tests would meet it. Here it ends with this package.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from cadogan.web.page import is_built
from tests.browser.chromium import chromium, find_chromium
from tests.browser.server import Server, serving

SECONDS = 30
"""What a test waits for on a busy machine."""

FOLDER = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--screenshots", type=Path, metavar="DIR", help="keep pictures of the page in this folder"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if FOLDER in item.path.parents and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(600))


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    lacking = None
    if find_chromium() is None:
        lacking = "there is no Chromium here (on Debian: apt-get install chromium)"
    elif not is_built():
        lacking = "the page is not built (make web)"
    if lacking is not None:
        if os.environ.get("CI"):
            pytest.fail(lacking)
        pytest.skip(lacking)
    expect.set_options(timeout=SECONDS * 1000)
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("table")) as server:
        yield server


@pytest.fixture
def server(shared_server: Server) -> Server:
    """The server of all tests that bring their own table."""
    shared_server.set()
    return shared_server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server at which nothing was played yet."""
    with serving(tmp_path / "home", workers=1) as server:
        server.set()
        yield server


NewContext = Callable[..., BrowserContext]


class Watch:
    """What pages must not do: ask others than the server, write of errors, lose the focus."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def over(self, context: BrowserContext) -> None:
        """Watches all pages of a context."""
        context.on("request", lambda request: self._asked(request.url))
        context.on("weberror", lambda error: self.faults.append(str(error.error)))
        context.on("console", lambda message: self._wrote(message.type, message.text))

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.hostname != "127.0.0.1":
            self.faults.append(f"asked for {url}")

    def _wrote(self, kind: str, text: str) -> None:
        # Chromium logs every refused request; the page shows these to the player.
        refused = text.startswith("Failed to load resource") and "status of 4" in text
        if kind in ("error", "warning") and not refused:
            self.faults.append(f"{kind}: {text}")


@pytest.fixture
def new_context(
    browser: Browser, request: pytest.FixtureRequest, pytestconfig: pytest.Config
) -> Iterator[NewContext]:
    """Makes contexts, which are like separate browsers."""
    watch = Watch()
    made: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        usual = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB"}
        context = browser.new_context(**{**usual, **options})
        context.set_default_timeout(SECONDS * 1000)
        context.add_init_script(path=FOLDER / "focus.js")
        watch.over(context)
        made.append(context)
        return context

    failed = request.session.testsfailed
    yield make
    folder: Path | None = pytestconfig.getoption("--screenshots")
    if folder is not None and request.session.testsfailed > failed:
        for number, page in enumerate(page for context in made for page in context.pages):
            page.screenshot(path=folder / "failed" / f"{request.node.name}-{number}.png")
    for context in made:
        context.close()
    assert watch.faults == []


@pytest.fixture
def page(new_context: NewContext) -> Page:
    """A page of a wide window."""
    return new_context().new_page()


Keep = Callable[[Page, str], None]


@pytest.fixture
def keep(pytestconfig: pytest.Config) -> Keep:
    """Keeps a picture of a page, if pictures are wished."""
    folder: Path | None = pytestconfig.getoption("--screenshots")

    def take(page: Page, name: str) -> None:
        if folder is not None:
            page.screenshot(path=folder / f"{name}.png")

    return take
