"""H3: a table with thousands of moves."""

import threading
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from cadogan import Position, load
from cadogan.table.intent import Intent, find_move, finishing_line
from cadogan.web import serialize
from cadogan.web.state import AppState
from tests.web.test_tables import deal

PACKETS = """
name  = "Packets"
packs = 4
aim   = "some heap is vacant"

[heap]
role  = "reserve"
piles = 16
deal  = 13

[[rule]]
name  = "any packet anywhere"
from  = "heap"
to    = "heap"
cards = "a packet"
"""


@pytest.fixture
def crowded(tmp_path: Path) -> Position:
    """A position with 3,120 moves."""
    path = tmp_path / "packets.toml"
    path.write_text(PACKETS, encoding="utf-8")
    return load(path).deal("cadogan:1")


def test_no_loop_asks_the_kernel_for_each_move(
    crowded: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves = crowded.moves()
    assert len(moves) == 3120

    def one_by_one(_self: Position, _move: object) -> None:
        raise AssertionError("each of these looks through all moves")

    monkeypatch.setattr(Position, "transfers", one_by_one)
    shown = serialize.position(crowded, "en")
    assert [move.text for move in shown.moves] == [move.text for move in moves]
    assert find_move(crowded, Intent(source="heap.1", target="heap.2", count=13)).count == 13
    assert finishing_line(crowded) == []


def test_all_transfers_are_those_of_each_move(crowded: Position) -> None:
    for move, ways in crowded.moves_with_transfers()[::97]:
        assert ways == crowded.transfers(move)


def test_the_first_event_is_made_in_a_thread(
    state: AppState, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = deal(client)
    made_in: list[threading.Thread] = []
    usual = state.table_event

    def noted(*words: object) -> str:
        made_in.append(threading.current_thread())
        return usual(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(state, "table_event", noted)
    loops: list[threading.Thread] = []
    app = client.app

    async def watched(scope: object, receive: object, send: object) -> None:
        loops.append(threading.current_thread())
        await app(scope, receive, send)  # type: ignore[arg-type]

    monkeypatch.setattr(client._transport, "app", watched)
    with client.websocket_connect(
        f"/api/tables/{table['id']}/events", headers={"Host": "127.0.0.1:7617"}
    ) as socket:
        assert socket.receive_json()["type"] == "table"
    assert made_in
    assert loops
    assert set(made_in).isdisjoint(loops)
