"""Refused requests leave nothing behind."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.exc import OperationalError

from cadogan.web.app import create_app
from cadogan.web.state import AppState

NOBODY = "a" * 16
GAME = "# game: klondike\n# deal: cadogan:1\n"


@pytest.fixture
def state(tmp_path: Path) -> Iterator[AppState]:
    made = AppState(folder=tmp_path, workers=0)
    yield made
    made.close()


@pytest.fixture
def client(state: AppState) -> Iterator[TestClient]:
    app = create_app(state)
    with TestClient(app, base_url="http://127.0.0.1:7617", raise_server_exceptions=False) as made:
        yield made


def deal(client: TestClient, **more: Any) -> Any:
    return client.post("/api/tables", json={"game": "klondike", "deal": "cadogan:1", **more})


def number(client: TestClient) -> int:
    return len(client.get("/api/tables").json())


@pytest.mark.parametrize(
    ("status", "wish"),
    [
        (422, {"line": ["deal", "tableau.1 > tableau.1"]}),
        (422, {"line": ["nonsense"]}),
        (404, {"closes": NOBODY}),
        (404, {"closes": NOBODY, "line": ["deal"]}),
        (422, {"deal": "nowhere:1"}),
        (404, {"game": "klondyke"}),
        (404, {"deal": None, "like": NOBODY}),
    ],
)
def test_a_refused_deal_leaves_no_table(
    client: TestClient, status: int, wish: dict[str, Any]
) -> None:
    old = deal(client).json()["id"]
    assert deal(client, **{"closes": old, **wish}).status_code == status
    assert number(client) == 1
    assert not client.get(f"/api/tables/{old}").json()["closed"]


@pytest.mark.parametrize("text", [GAME + "deal\nnonsense\n", GAME + "# name 7: x\n", "", "deal\n"])
def test_a_refused_file_leaves_no_table(client: TestClient, text: str) -> None:
    assert client.post("/api/tables/import", json={"text": text}).status_code == 422
    assert number(client) == 0


@pytest.mark.parametrize("statement", ["INSERT INTO tables", "INSERT INTO events", "UPDATE summ"])
def test_what_the_disk_refuses_in_the_middle_leaves_no_table(
    client: TestClient, state: AppState, statement: str
) -> None:
    from sqlalchemy import event

    old = deal(client).json()["id"]

    def refuse(_cursor: Any, text: str, *_: Any) -> None:
        if text.startswith(statement):
            raise OperationalError(text, None, OSError(28, "no space left on device"))

    for name in ("do_execute", "do_executemany"):
        event.listen(state.store.engine, name, refuse)
    line = ["deal", "deal"]
    assert deal(client, line=line, closes=old).status_code >= 500
    if statement != "UPDATE summ":
        text = GAME + "deal\ndeal\n"
        assert client.post("/api/tables/import", json={"text": text}).status_code >= 500
    for name in ("do_execute", "do_executemany"):
        event.remove(state.store.engine, name, refuse)
    assert number(client) == 1
    assert not client.get(f"/api/tables/{old}").json()["closed"]
    assert deal(client, line=line, closes=old).json()["turn"] == 2
    assert client.get(f"/api/tables/{old}").json()["closed"]
