"""How much work the frames of a page take, from Chromium's trace.

On a shared machine the time from frame to frame tells mostly what others do. The processor time of
a thread does not: it is what the page costs, with or without others. So a page can be shown at 60
frames a second if the work for each frame takes less than 16.7 ms of processor on each thread.
"""

import json
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

FRAME = 1000 / 60
"""Milliseconds of a frame at 60 frames a second."""

CATEGORIES = ("toplevel", "cc", "viz", "devtools.timeline", "disabled-by-default-devtools.timeline")
MAIN, COMPOSITOR, SCREEN = "CrRendererMain", "Compositor", "VizCompositorThread"
BEGIN = "ProxyMain::BeginMainFrame"
RASTER = "RasterTask"
DRAW = "Display::DrawAndSwap"

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
"""Asks for every frame, so that each is drawn, and notes the time from one to the next."""
GAPS = "() => { window.watch.on = false; return window.watch.gaps.slice(1); }"


@dataclass(frozen=True)
class Frames:
    """What frames took, in milliseconds.

    Attributes:
        main: Processor time of the main thread: scripts, style, layout, painting.
        raster: Processor time of all threads that draw layers of the page, by frame.
        compositor: Processor time of the compositor.
        screen: Processor time for putting layers on the screen, which a graphics card does
            otherwise.
        gaps: Time on the clock from frame to frame.
    """

    main: list[float]
    raster: list[float]
    compositor: list[float]
    screen: list[float]
    gaps: list[float]


def measured(page: Page, act: Callable[[], None], milliseconds: int) -> Frames:
    """Measures the frames of a page while something happens there.

    Args:
        page: The page.
        act: Lets something happen.
        milliseconds: How long it is measured after that.
    """
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=list(CATEGORIES))
    page.evaluate(WATCH)
    act()
    page.wait_for_timeout(milliseconds)
    gaps: list[float] = page.evaluate(GAPS)
    return read(browser.stop_tracing(), gaps)


def read(trace: bytes, gaps: list[float]) -> Frames:
    """Reads a trace in which a page asked for every frame."""
    events = json.loads(trace)["traceEvents"]
    threads = {
        (event["pid"], event["tid"]): event["args"]["name"]
        for event in events
        if event["name"] == "thread_name"
    }
    by_thread: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            by_thread[event["pid"], event["tid"]].append(event)
    # The process of the page is the one that begins the most frames.
    begins = {
        thread[0]: [event["ts"] for event in found if event["name"] == BEGIN]
        for thread, found in by_thread.items()
        if threads.get(thread) == MAIN
    }
    process = max(begins, key=lambda process: len(begins[process]))

    def of(name: str, *, own: bool = True) -> list[dict[str, Any]]:
        return [
            event
            for thread, found in by_thread.items()
            if threads.get(thread) == name and (thread[0] == process or not own)
            for event in outermost(found)
        ]

    tasks = of(MAIN)
    # A frame begins with the task in which the main thread begins it.
    times = [task["ts"] for task in tasks]
    starts = sorted({times[bisect_right(times, ts) - 1] for ts in begins[process]})
    rasters = [
        event
        for (other, _), found in by_thread.items()
        if other == process
        for event in found
        if event["name"] == RASTER
    ]
    return Frames(
        main=per_frame(tasks, starts),
        raster=per_frame(rasters, starts),
        compositor=per_frame(of(COMPOSITOR), starts),
        screen=per_frame(of(SCREEN, own=False), starts),
        gaps=gaps,
    )


def outermost(events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events of a thread that are not part of others."""
    found: list[dict[str, Any]] = []
    end = 0
    for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
        if event["ts"] >= end:
            found.append(event)
            end = event["ts"] + event["dur"]
    return found


def per_frame(events: Iterable[dict[str, Any]], starts: list[int]) -> list[float]:
    """The processor time of events for each frame, in milliseconds.

    A task that several frames wait for counts for the frame in which it begins.
    """
    sums = [0.0] * (len(starts) - 1)
    for event in events:
        number = bisect_right(starts, event["ts"]) - 1
        if 0 <= number < len(sums):
            sums[number] += event.get("tdur", 0) / 1000
    return sums
