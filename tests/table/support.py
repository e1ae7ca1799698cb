"""What tests of searches share."""

import time
from collections.abc import Callable

from cadogan.table.intent import Intent
from cadogan.table.record import Record
from cadogan.web.state import AppState


def wait(until: Callable[[], bool], seconds: float = 100) -> None:
    """Waits for other processes; how long says nothing about what they find."""
    for _ in range(int(seconds / 0.02)):
        if until():
            return
        time.sleep(0.02)
    raise AssertionError("it did not happen")


def play(state: AppState, record: Record, text: str) -> Record:
    return state.tables.move(record.key, record.version, Intent(text))[0]
