"""``make bench-page``: the size of the page, the time to its first paint, the work for its frames.

Headless Chromium shows the page without a graphics card. Frames are measured while games are dealt
and played, and while a pile of 104 cards is dragged.
"""

import gzip
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize
from rich.console import Console
from rich.table import Table

from bench.frames import FRAME, Frames, measured
from cadogan.web.page import DIST
from tests.browser.chromium import chromium
from tests.browser.server import Server, serving

WEIGHT = 150
"""The largest size of the page in kilobytes, compressed and without card images and the editor."""
PAINT = 1000
"""The longest time to the first paint of a table, in milliseconds."""

HEAP = """
name   = "A Heap"
source = "made to be measured"
packs  = 2
aim    = "heap is empty"

[heap]
role  = "tableau"
piles = 1
deal  = 104
build = "down"

[rest]
role  = "tableau"
piles = 7
build = "down"
space = "any card"
"""

DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
GAMES = (("spider", DESK), ("empress-of-india", DESK), ("klondike", PHONE))
"""Games that are dealt and played, and the window."""

SETTLED = 1500
"""Milliseconds until a table is dealt and has the images of its cards, without measuring."""
MOVE = 700
"""Milliseconds for a move, with its animation."""


def weight() -> dict[str, float]:
    """Returns the kilobytes of the page, with each file compressed."""
    files = {path: len(gzip.compress(path.read_bytes())) for path in DIST.rglob("*.*")}
    faces = [path for path in files if path.name.startswith("deck-")]
    index = (DIST / "index.html").read_text(encoding="utf-8")
    # What the first page does not name is loaded when somebody writes rules.
    later = [path for path in files if path.suffix == ".js" and path.name not in index]
    first = files.keys() - {*faces, *later}
    return {
        "page": sum(files[path] for path in first) / 1000,
        "editor": sum(files[path] for path in later) / 1000,
        "largest deck": max(files[path] for path in faces) / 1000,
    }


def paint(page: Page, address: str) -> float:
    """Returns the milliseconds until all cards of a table are painted."""
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(".board .card", state="attached")
    seen: float = page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => setTimeout("
        "() => done(performance.now()))))"
    )
    return seen


def dealt(page: Page, address: str) -> Frames:
    """Measures a deal: from the click in the list until the cards have their images."""
    page.goto(address.partition("#")[0])
    page.wait_for_selector("main li a[href*='rules']")
    page.wait_for_timeout(SETTLED)
    return measured(
        page, lambda: page.evaluate("address => { location.href = address }", address), 2 * SETTLED
    )


def played(page: Page) -> Frames:
    """Measures two deals from the stock, and taking both back."""

    def act() -> None:
        for key in "dduu":
            page.keyboard.press(key)
            page.wait_for_timeout(MOVE)

    return measured(page, act, 0)


def dragged(page: Page) -> Frames:
    """Measures dragging the whole pile; it may not stay where it is dropped, so it flies back."""
    bottom = page.locator(".board [data-card][data-pile=heap][data-index='0']")
    box = bottom.bounding_box()
    assert box is not None

    def act() -> None:
        page.mouse.move(box["x"] + 6, box["y"] + 3)
        page.mouse.down()
        for step in range(60):
            page.mouse.move(box["x"] + 20 + 8 * step, box["y"] + 20 + 3 * (step % 20))
            page.wait_for_timeout(16)
        assert page.locator(".board .dragged").count() == 104
        page.mouse.up()

    return measured(page, act, MOVE)


def figures(server: Server, browser: Browser) -> dict[str, Any]:
    """Measures everything."""
    found: dict[str, Any] = {"weight": weight(), "paint": {}, "frames": {}}
    own = server.ask("POST", "/rules", {"text": HEAP, "file_name": "heap.toml"})["game"]["name"]

    def table(game: str) -> str:
        key = server.ask("POST", "/tables", {"game": game, "deal": "cadogan:1"})["id"]
        return f"{server.address}/#/table/{key}"

    for deck in ("plain", "two-colour"):
        server.set(deck=deck, speed=1)
        for game, window in GAMES:
            page = browser.new_page(viewport=window)
            found["frames"][f"{deck}: {game}, deal"] = dealt(page, table(game))
            page.wait_for_timeout(SETTLED)
            found["frames"][f"{deck}: {game}, moves"] = played(page)
            page.close()
        page = browser.new_page(viewport=DESK)
        spider = table("spider")
        found["paint"][deck] = sorted(paint(page, spider) for _ in range(5))[2]
        paint(page, table(own))
        page.wait_for_timeout(2 * SETTLED)
        found["frames"][f"{deck}: 104 cards dragged"] = dragged(page)
        page.close()
    return found


def quantile(times: list[float], share: float) -> float:
    """Returns the time that this share of the frames does not exceed."""
    return sorted(times)[min(int(share * len(times)), len(times) - 1)]


def slowest_of(times: list[float]) -> str:
    """The 99th percentile and the largest of some times."""
    return f"{quantile(times, 0.99):.1f}, {max(times):.1f}"


def main() -> int:
    """Measures, and prints the figures beside their targets."""
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium() as browser,
        serving(Path(folder)) as server,
    ):
        found = figures(server, browser)
    if "--json" in sys.argv:
        print(json.dumps(found, indent=1, default=vars))
        return 0
    kilobytes = found["weight"]
    print(f"size, gzip: {kilobytes['page']:.0f} kB (target: under {WEIGHT}), "
          f"{kilobytes['largest deck']:.0f} kB for the images of a deck, "
          f"{kilobytes['editor']:.0f} kB for the editor of rules")  # fmt: skip
    for deck, paints in found["paint"].items():
        print(f"first paint of a table of Spider, {deck}: {paints:.0f} ms (target: {PAINT})")
    print("Milliseconds a frame: 99 of 100, and the longest. Of processor, by thread:")
    table = Table("deck: what happens", "page", f"> {FRAME:.1f}", "raster", "compositor", "screen",
                  "on the clock")  # fmt: skip
    for what, frames in found["frames"].items():
        late = sum(time > FRAME for time in frames.main)
        others = (frames.raster, frames.compositor, frames.screen, frames.gaps)
        slowest = (slowest_of(times) for times in others)
        table.add_row(what, slowest_of(frames.main), f"{late} of {len(frames.main)}", *slowest)
    Console().print(table)
    print(f"target: no frame takes the page more than {FRAME:.1f} ms of processor")
    return 0


if __name__ == "__main__":
    sys.exit(main())
