"""Debian's Chromium, driven by Playwright without a screen."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

USUAL = "/usr/bin/chromium"


def find_chromium() -> str | None:
    """The path of Chromium, if it is installed."""
    return shutil.which("chromium") or (USUAL if Path(USUAL).exists() else None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Runs Chromium; without an installed one, the Chromium that Playwright has downloaded.

    It looks up no names. Its own sandbox is off, since root cannot have it in a container.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(),
            args=[
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            ],
        )
        yield browser
        browser.close()
