"""``make picture``: takes the screenshots of the table for the README from the real page.

The game, the deal and the moves are fixed, and the clock is hidden, so the pictures change only
when the page does.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, expect

import cadogan
from tests.browser.chromium import chromium
from tests.browser.server import Server, serving

FOLDER = Path(__file__).parent.parent / "docs" / "images"
GAME, DEAL = "klondike", "cadogan:24"
MOVES = 150
"""How many moves of a winning line are played before the screenshot."""
PICTURES = {"table": (1200, 780, 1), "phone": (390, 700, 2)}
"""Width and height of the window, and the device pixels per CSS pixel."""
COLOURS = 128
LARGEST = 150_000
"""The largest size of a picture in bytes."""
PATIENCE = 120_000
"""Milliseconds to wait for the verdict and for the card images."""


def take(browser: Browser, server: Server, key: str, name: str) -> bytes:
    """Takes a picture of a table, as an optimized PNG."""
    width, height, scale = PICTURES[name]
    page = browser.new_page(
        viewport={"width": width, "height": height}, device_scale_factor=scale, locale="en-GB"
    )
    page.goto(f"{server.address}/#/table/{key}")
    expect(page.locator(".verdict")).to_contain_text("can be won", timeout=PATIENCE)
    if name == "table":
        # Narrow cards have no images.
        page.wait_for_selector(".board .card.faced", timeout=PATIENCE)
    page.mouse.move(0, 0)
    shot = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
    page.close()
    png = io.BytesIO()
    shot.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(png, "PNG", optimize=True)
    return png.getvalue()


def main() -> int:
    """Writes the pictures."""
    position = cadogan.load(GAME).deal(DEAL)
    verdict = cadogan.solve(position, 100_000)
    assert verdict.line is not None
    line = [str(move) for move in verdict.line if not move.forced]
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium() as browser,
        serving(Path(folder), workers=1) as server,
    ):
        server.set(hide_clock=True, verdict="thoughtful")
        key = server.deal(position, line[:MOVES])
        for name in PICTURES:
            png = take(browser, server, key, name)
            if len(png) > LARGEST:
                print(f"{name}.png has {len(png)} bytes, more than {LARGEST}", file=sys.stderr)
                return 1
            (FOLDER / f"{name}.png").write_bytes(png)
            print(f"docs/images/{name}.png: {len(png) / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
