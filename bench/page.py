"""``make bench-page``: the size of the page, the time to its first paint, and its frame times.

Headless Chromium shows the page without a graphics card. Frames are measured while a pile of 104
cards is dragged, and while a game is dealt.
"""

import gzip
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from rich.console import Console
from rich.table import Table

from cadogan.web.page import DIST
from tests.browser.chromium import chromium
from tests.browser.server import Server, serving

WEIGHT = 150
"""The largest size of the page in kilobytes, compressed and without card images and the editor."""
PAINT = 1000
"""The longest time to the first paint of a table, in milliseconds."""
GAP = 50
"""The longest time of a frame while cards are dragged, in milliseconds."""

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

WATCH = """() => {
    const watch = window.watch = { gaps: [], on: true };
    let last = performance.now();
    const frame = (now) => {
        watch.gaps.push(now - last);
        last = now;
        if (watch.on) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
}"""
GAPS = "() => { window.watch.on = false; return window.watch.gaps.slice(1); }"


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


def dealt(page: Page, address: str) -> list[float]:
    """Returns the frame times of the first 1.5 seconds while a table is dealt."""
    page.goto(address.partition("#")[0])
    page.wait_for_selector("main h1")
    page.evaluate(WATCH)
    page.evaluate("address => { location.href = address }", address)
    page.wait_for_timeout(1500)
    gaps: list[float] = page.evaluate(GAPS)
    return gaps


def dragged(page: Page) -> list[float]:
    """Returns the frame times while the whole pile is dragged."""
    bottom = page.locator(".board [data-card][data-pile=heap][data-index='0']")
    box = bottom.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 6, box["y"] + 3)
    page.mouse.down()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.wait_for_timeout(300)
    page.evaluate(WATCH)
    for step in range(60):
        page.mouse.move(box["x"] + 20 + 8 * step, box["y"] + 20 + 3 * (step % 20))
        page.wait_for_timeout(16)
    gaps: list[float] = page.evaluate(GAPS)
    assert page.locator(".board .dragged").count() == 104
    page.mouse.up()
    return gaps


def figures(server: Server, page: Page) -> dict[str, Any]:
    """Measures everything."""
    found: dict[str, Any] = {"weight": weight()}
    own = server.ask("POST", "/rules", {"text": HEAP, "file_name": "heap.toml"})["game"]["name"]
    tables = {
        name: server.ask("POST", "/tables", {"game": name, "deal": "cadogan:1"})["id"]
        for name in ("spider", "hochzeitszug", own)
    }
    at = {name: f"{server.address}/#/table/{key}" for name, key in tables.items()}
    for deck in ("plain", "two-colour"):
        server.set(deck=deck, speed=1)
        paints = sorted(paint(page, at["spider"]) for _ in range(5))
        paint(page, at[own])
        page.wait_for_timeout(1500)
        gaps = dragged(page)
        deals = dealt(page, at["hochzeitszug"])
        found[deck] = {
            "paint": paints[2],
            "drag": {"frames": len(gaps), "longest": max(gaps), "late": late(gaps)},
            "deal": {
                "frames": len(deals),
                "median": quantile(deals, 0.5),
                "slow": quantile(deals, 0.95),
                "longest": max(deals),
                "late": late(deals),
            },
        }
    return found


def quantile(gaps: list[float], share: float) -> float:
    """Returns the time that this share of the frames does not exceed."""
    return sorted(gaps)[min(int(share * len(gaps)), len(gaps) - 1)]


def late(gaps: list[float]) -> int:
    """Counts the frames that took too long."""
    return sum(gap > GAP for gap in gaps)


def main() -> int:
    """Measures, and prints the figures beside their targets."""
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium() as browser,
        serving(Path(folder)) as server,
    ):
        found = figures(server, browser.new_page(viewport={"width": 1280, "height": 800}))
    if "--json" in sys.argv:
        print(json.dumps(found, indent=1))
        return 0
    kilobytes = found.pop("weight")
    print(f"size, gzip: {kilobytes['page']:.0f} kB (target: under {WEIGHT}), "
          f"{kilobytes['largest deck']:.0f} kB for the images of a deck, "
          f"{kilobytes['editor']:.0f} kB for the editor of rules")  # fmt: skip
    table = Table("deck", "first paint (ms)", "longest frame of a drag (ms)", f"> {GAP} ms",
                  "deal (ms): median, 95 %, longest", f"> {GAP} ms")  # fmt: skip
    for deck, row in found.items():
        drag, deal = row["drag"], row["deal"]
        table.add_row(
            deck, f"{row['paint']:.0f}",
            f"{drag['longest']:.0f}", f"{drag['late']} of {drag['frames']}",
            f"{deal['median']:.0f}, {deal['slow']:.0f}, {deal['longest']:.0f}",
            f"{deal['late']} of {deal['frames']}",
        )  # fmt: skip
    Console().print(table)
    print(f"targets: first paint within {PAINT} ms, no frame of a drag over {GAP} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
