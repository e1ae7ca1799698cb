"""Long games: their cost is linear in their length, which is limited."""

import gc
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from cadogan import load
from cadogan.table import record as records
from cadogan.table import service as held
from cadogan.table.game_file import GameFileError, write_game
from cadogan.table.intent import Intent
from cadogan.table.library import Library
from cadogan.table.record import TooLongError
from cadogan.table.service import Tables
from cadogan.table.store import Store
from cadogan.web import serialize
from cadogan.web.app import create_app
from cadogan.web.state import AppState
from tests.conftest import THOROUGH

HEAD = "# game: klondike\n# deal: cadogan:1\n"
SHORT, LONG = (6_000, 48_000) if THOROUGH else (1_000, 8_000)


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    store = Store(folder=tmp_path)
    yield Tables(store, Library(store))
    store.close()


def long_game(moves: int) -> str:
    """A legal game: the stock is dealt and turned over, again and again."""
    position, lines = load("klondike").deal("cadogan:1"), list[str]()
    while len(lines) < moves:
        words = {move.text for move in position.moves()} & {"deal", "redeal"}
        lines.append(words.pop())
        position = position.play(lines[-1])
    return HEAD + "\n".join(lines) + "\n"


def timed(work: Callable[..., Any], *args: Any) -> tuple[Any, float]:
    """What it returns, and the processor seconds of its thread without collecting garbage."""
    gc.disable()
    try:
        begun = time.thread_time()
        found = work(*args)
        return found, time.thread_time() - begun
    finally:
        gc.enable()


def costs_of(tables: Tables, moves: int) -> dict[str, float]:
    """The processor seconds that a game of this many moves costs."""
    read, importing = timed(tables.read, long_game(moves))
    record, opening = timed(Tables(tables.store, tables.library).get, read.key)
    assert (record.position.move_count, record.version) == (moves, moves)
    nodes = [record.nodes[node] for node in record.path()]
    return {
        "import": importing,
        "opening": opening,
        "tree": timed(serialize.tree, record)[1],
        "replay": timed(serialize.replay, record.position, "en", nodes)[1],
        "export": timed(write_game, record)[1],
    }


def test_the_cost_of_a_game_grows_with_its_length(tables: Tables) -> None:
    short, *longs = (costs_of(tables, moves) for moves in (SHORT, LONG, LONG))
    for name, seconds in short.items():
        long = min(costs[name] for costs in longs)
        print(f"{name}: {SHORT:,} moves {seconds:.2f} s, {LONG:,} moves {long:.2f} s")
        # Eight times as long; what is quadratic costs 64 times as much.
        assert long < 40 * max(seconds, 0.02), name


def test_going_to_and_fro_costs_the_same_at_any_length(tables: Tables) -> None:
    """Going far is not walking there; what redo does is as if it were."""
    record = tables.read(long_game(2_000))
    costs = []
    for far in (10, 2_000):
        events = [
            records.Event("goto", node, {"how": "goto"}, record.begun)
            for _ in range(3_000)
            for node in (0, far)
        ]
        costs.append(timed(record.after, events)[1])
    assert costs[1] < 4 * costs[0]


def test_a_file_that_says_the_same_again_and_again_makes_no_long_record(tables: Tables) -> None:
    text = HEAD + "# branch 0: deal\n" * 15_000 + "# name 1: here\n" * 15_000
    record = tables.read(text)
    assert len(record.nodes) == 2
    assert record.version <= 3
    assert record.nodes[1].name == "here"


def test_only_so_many_faults_are_reported(tables: Tables) -> None:
    with pytest.raises(GameFileError) as answer:
        tables.read(HEAD + "# branch 0: nonsense\n" * 15_000)
    assert len(answer.value.faults) == held.MOST_FAULTS
    with pytest.raises(GameFileError) as answer:
        tables.read(HEAD + "# name 9: nonsense\n" * 15_000)
    assert len(answer.value.faults) == held.MOST_FAULTS


def test_a_record_is_full_one_day_and_can_be_put_away_then(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held, "MOST_EVENTS", 5)
    record = tables.deal("klondike", "cadogan:1")
    for _ in range(5):
        record = tables.move(record.key, record.version, Intent("deal"))[0]
    with pytest.raises(TooLongError, match="changes"):
        tables.undo(record.key, record.version)
    record = tables.put_away(record.key, record.version)
    with pytest.raises(TooLongError):
        tables.put_away(record.key, record.version, closed=False)
    assert tables.store.version(record.key) == 6
    assert Tables(tables.store, tables.library).get(record.key).closed


def test_tables_are_held_by_their_size(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "MOST_NODES_HELD", 1_000)
    keys = [tables.read(long_game(300)).key for _ in range(6)]
    assert [key for _, key in tables._held] == keys[-3:]
    small = [tables.deal("klondike", "cadogan:2").key for _ in range(90)]
    assert [key for _, key in tables._held] == [*keys[-3:], *small]
    # A table larger than the limit stays in memory as long as it is the only one.
    large = tables.read(long_game(1_200)).key
    assert [key for _, key in tables._held] == [large]
    # What was let go is read again.
    assert tables.get(keys[0]).position.move_count == 300


def test_a_long_game_over_the_wire(tmp_path: Path) -> None:
    moves = 49_000 if THOROUGH else 5_000
    text = long_game(moves)
    state = AppState(folder=tmp_path, workers=0)
    with TestClient(create_app(state), base_url="http://127.0.0.1:7617") as client:
        begun = time.perf_counter()
        answer = client.post("/api/tables/import", json={"text": text})
        assert answer.status_code == 201
        print(f"import of {moves:,} moves: {time.perf_counter() - begun:.2f} s")
        table = answer.json()
    state.close()
    state = AppState(folder=tmp_path, workers=0)
    with TestClient(create_app(state), base_url="http://127.0.0.1:7617") as client:
        begun = time.perf_counter()
        assert client.get(f"/api/tables/{table['id']}").json()["turn"] == moves
        print(f"opening it after a restart: {time.perf_counter() - begun:.2f} s")
        begun = time.perf_counter()
        wish = {"version": table["version"], "text": table["position"]["moves"][-1]["text"]}
        assert client.post(f"/api/tables/{table['id']}/moves", json=wish).status_code == 200
        print(f"a move there: {(time.perf_counter() - begun) * 1000:.0f} ms")
    state.close()
