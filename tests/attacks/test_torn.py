"""Several servers on one database: every answer is consistent."""

import random
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cadogan.table.intent import Intent
from cadogan.table.library import Library
from cadogan.table.record import Draft, Options, Record
from cadogan.table.service import StaleError, Tables
from cadogan.table.store import Store
from cadogan.web import models, serialize
from cadogan.web.state import AppState
from tests.conftest import THOROUGH

ANSWERS = 20_000 if THOROUGH else 1_500
PLAYERS = 12


@pytest.fixture(autouse=True)
def _hurried() -> Any:
    """Threads take turns far more often than usual."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(usual)


def told(table: models.Table) -> tuple[int, int, str, float, int]:
    piles = [(pile.name, pile.cards) for pile in table.position.piles]
    return table.version, table.node, str(piles), table.seconds, len(table.bookmarks)


def truth(folder: Path, key: str) -> set[tuple[int, int, str, float, int]]:
    """What may be told of a table: how it stood after each of its events."""
    store = Store(folder=folder)
    record = Tables(store, Library(store)).get(key)
    draft = Draft(Record.dealt(key, record.nodes[0].position, record.begun, Options()))
    found = set[tuple[int, int, str, float, int]]()
    for event in [None, *store.events(key)]:
        if event is not None:
            draft.add(event)
        now = draft.now
        piles = [(pile.name, pile.cards) for pile in serialize.position(now.position, "en").piles]
        marks = sum(node.name is not None for node in now.nodes)
        found.add((now.version, now.node, str(piles), now.seconds, marks))
    store.close()
    return found


@pytest.mark.slow
def test_no_answer_of_two_servers_is_torn(tmp_path: Path) -> None:
    houses = [AppState(folder=tmp_path, workers=0) for _ in range(2)]
    keys = [houses[0].tables.deal("klondike", f"cadogan:{n}").key for n in range(THOROUGH * 5 + 1)]
    answers: dict[str, list[tuple[int, int, str, float, int]]] = {key: [] for key in keys}
    lock = threading.Lock()
    refused: list[str] = []

    def note(table: models.Table) -> None:
        with lock:
            answers[table.id].append(told(table))

    for state in houses:
        # The event for the sockets is rendered where the change is made.
        state.tables.listen(lambda record, state=state: note(state.table(record, "en")))  # type: ignore[misc]

    def visit(seed: int) -> None:
        dice, state = random.Random(seed), houses[seed % 2]
        while sum(map(len, answers.values())) < ANSWERS:
            key = dice.choice(keys)
            record = state.tables.get(key)
            table = state.table(record, "en")
            note(table)
            try:
                if dice.random() < 0.2 and table.undo:
                    record = state.tables.undo(key, table.version)
                elif dice.random() < 0.1 or not table.position.moves or table.node > 300:
                    record = state.tables.restart(key, table.version)
                elif dice.random() < 0.1:
                    record = state.tables.bookmark(key, table.version, table.node, "here")
                else:
                    text = dice.choice(table.position.moves).text
                    record = state.tables.move(key, table.version, Intent(text))[0]
            except StaleError as stale:
                record = stale.record
            except ValueError as fault:
                # A move that is listed at the version told is allowed there.
                refused.append(str(fault))
            note(state.table(record, "en"))

    with ThreadPoolExecutor(PLAYERS) as threads:
        for each in [threads.submit(visit, seed) for seed in range(PLAYERS)]:
            each.result()
    for state in houses:
        state.close()
    number = sum(map(len, answers.values()))
    torn = [answer for key in keys for answer in set(answers[key]) - truth(tmp_path, key)]
    assert torn == []
    assert refused == []
    assert number >= ANSWERS
    print(f"{number:,} answers of two servers at {len(keys)} tables, {len(torn)} torn")
