"""Log in with a browser, and watch a table that is shown."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from cadogan.table.accounts import Accounts
from cadogan.web import events
from cadogan.web.app import create_app
from cadogan.web.door import SESSION
from cadogan.web.state import AppState
from tests.web.test_roles import HOST, PASSWORD

pytestmark = pytest.mark.timeout(60)
LOG_IN = {"name": "Ada", "password": PASSWORD}


@pytest.fixture
def state(tmp_path: Path) -> Iterator[AppState]:
    made = AppState(folder=tmp_path, workers=0, accounts=True)
    made.accounts = Accounts(made.store, PasswordHasher(1, 8, 1))
    made.accounts.add("Ada", PASSWORD, "host")
    yield made
    made.close()


@pytest.fixture(params=["http", "https"])
def client(state: AppState, request: pytest.FixtureRequest) -> Iterator[TestClient]:
    with TestClient(create_app(state), base_url=f"{request.param}://127.0.0.1:7617") as made:
        yield made


def test_a_browser_gets_a_cookie_that_no_script_and_no_other_site_can_use(
    client: TestClient,
) -> None:
    assert client.get("/api/account").json() == {"accounts": True, "player": None}
    assert client.get("/").status_code in (200, 503)  # the page itself, if it is built
    wrong = client.post("/api/account/sessions", json={**LOG_IN, "password": "x"})
    assert (wrong.status_code, wrong.headers.get("set-cookie")) == (422, None)
    answer = client.post("/api/account/sessions", json=LOG_IN)
    assert answer.json()["player"]["name"] == "Ada"
    cookie = answer.headers["set-cookie"].lower()
    name = cookie.partition("=")[0]
    assert {"httponly", "samesite=strict", "path=/"} <= set(cookie.split("; "))
    if client.base_url.scheme == "https":
        assert name == f"__host-{SESSION}"
        assert "secure" in cookie.split("; ")
    else:
        assert name == SESSION
    assert client.get("/api/settings").status_code == 200
    (session,) = client.get("/api/account/sessions").json()
    assert session["current"]
    gone = client.delete("/api/account/session")
    assert gone.status_code == 204
    assert client.get("/api/settings").status_code == 401


def test_too_many_attempts_say_when_to_try_again(client: TestClient, state: AppState) -> None:
    for _ in range(20):
        client.post("/api/account/sessions", json={**LOG_IN, "password": "wrong"})
    answer = client.post("/api/account/sessions", json=LOG_IN, headers={"Accept-Language": "de"})
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 900
    assert answer.json()["message"]["text"].startswith("zu viele Versuche")


def test_results_count_for_the_player_who_is_logged_in(client: TestClient, state: AppState) -> None:
    client.post("/api/account/sessions", json=LOG_IN)
    day = client.get("/api/daily?player=Bea").json()["day"]
    body = {"day": day, "game": "golf", "player": "Bea", "moves": ["nonsense"]}
    # The name is not looked at; the moves are.
    assert client.post("/api/daily/results", json=body).status_code == 422
    assert client.get("/api/daily/calendar?player=Bea").json()["results"] == []


def until_closed(socket: WebSocketTestSession) -> tuple[list[str], int]:
    """The types of the events until a socket is closed, and the code of its end."""
    types: list[str] = []
    while True:
        try:
            types.append(socket.receive_json()["type"])
        except WebSocketDisconnect as closed:
            return types, closed.code


def test_a_table_is_watched_until_its_link_is_withdrawn(
    state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "CHECK", 0.05)
    player, watcher = (
        TestClient(create_app(state), base_url="http://127.0.0.1:7617") for _ in range(2)
    )
    with player, watcher:
        player.post("/api/account/sessions", json=LOG_IN)
        table = player.post("/api/tables", json={"game": "klondike", "deal": "cadogan:1"}).json()
        path = f"/api/tables/{table['id']}"
        assert player.get(f"{path}/shown").json() == {"shown": False, "secret": None}
        secret = player.post(f"{path}/shown").json()["secret"]
        assert player.get(f"{path}/shown").json() == {"shown": True, "secret": None}
        seen = watcher.get(f"/api/watch/{secret}").json()
        assert (seen["player"], seen["table"]["id"]) == ("Ada", table["id"])
        assert seen["game"]["name"] == "klondike"
        # Face-down cards stay so.
        assert {pile["name"]: pile["cards"] for pile in seen["table"]["position"]["piles"]} == {
            pile["name"]: pile["cards"] for pile in table["position"]["piles"]
        }
        with watcher.websocket_connect(f"/api/watch/{secret}/events", headers=HOST) as socket:
            assert socket.receive_json()["table"]["version"] == 0
            player.post(f"{path}/moves", json={"version": 0, "text": "deal"})
            assert socket.receive_json()["table"]["version"] == 1
            assert player.delete(f"{path}/shown").status_code == 204
            player.post(f"{path}/moves", json={"version": 1, "text": "deal"})
            # A verdict may still come, but no change of the table.
            seen, code = until_closed(socket)
            assert "table" not in seen
            assert code == events.NO_TABLE
        assert watcher.get(f"/api/watch/{secret}").status_code == 404


def test_a_socket_ends_with_its_session(state: AppState, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "CHECK", 0.05)
    with TestClient(create_app(state), base_url="http://127.0.0.1:7617") as client:
        client.post("/api/account/sessions", json=LOG_IN)
        table = client.post("/api/tables", json={"game": "klondike", "deal": "cadogan:1"}).json()
        headers = HOST | {"Cookie": f"{SESSION}={client.cookies[SESSION]}"}
        path = f"/api/tables/{table['id']}/events"
        with client.websocket_connect(path, headers=headers) as socket:
            assert socket.receive_json()["table"]["version"] == 0
            client.delete("/api/account/session")
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_json()
            assert closed.value.code == events.NO_LOGIN
