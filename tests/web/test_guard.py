"""The guard: access, limits of requests, and the policy of pages."""

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from cadogan.web.app import create_app
from cadogan.web.guard import COOKIE, LARGEST_BODY
from cadogan.web.state import AppState
from tests.web.test_tables import deal

TOKEN = "a-long-secret-of-somebody"


@pytest.fixture
def locked(state: AppState) -> TestClient:
    return TestClient(create_app(state, token=TOKEN), base_url="http://192.0.2.7:7617")


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:7617", "", "[::1"])
def test_a_foreign_host_is_refused(client: TestClient, host: str) -> None:
    answer = client.get("/api/about", headers={"Host": host})
    assert answer.status_code == 403
    assert answer.json()["message"]["key"] == "forbidden.host"


@pytest.mark.parametrize("host", ["localhost:7617", "127.0.0.1", "[::1]:7617"])
def test_this_machine_is_not(client: TestClient, host: str) -> None:
    assert client.get("/api/about", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9999"])
def test_a_foreign_origin_is_refused(client: TestClient, origin: str) -> None:
    answer = client.put("/api/settings", json={}, headers={"Origin": origin})
    assert answer.status_code == 403
    table = deal(client)
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(
            f"/api/tables/{table['id']}/events",
            headers={"Host": "127.0.0.1:7617", "Origin": origin},
        ) as socket,
    ):
        socket.receive_json()


def test_our_own_origin_is_not(client: TestClient) -> None:
    headers = {"Origin": "http://127.0.0.1:7617", "Sec-Fetch-Site": "same-origin"}
    assert client.put("/api/settings", json={}, headers=headers).status_code == 200


def test_what_another_site_fetches_is_refused(client: TestClient) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert client.get("/api/tables", headers=headers).status_code == 403


def test_a_large_request_is_refused(client: TestClient) -> None:
    answer = client.post("/api/rules", content=b"x" * (LARGEST_BODY + 1))
    assert answer.status_code == 413

    def parts() -> object:
        for _ in range(10):
            yield b"x" * (LARGEST_BODY // 8)

    answer = client.post("/api/rules", content=parts())  # type: ignore[arg-type]
    assert answer.status_code == 413
    assert client.get("/api/tables?game=" + "x" * 40_000).status_code in (413, 414)


def test_every_answer_has_the_policy(client: TestClient) -> None:
    for path in ("/", "/api/about", "/api/nothing", "/favicon.ico"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
    refused = client.get("/api/about", headers={"Host": "evil.example"})
    assert "content-security-policy" in refused.headers


@pytest.mark.parametrize(
    "path", ["/../openapi.py", "/%2e%2e/openapi.py", "/..%2fopenapi.py", "/assets/../../app.py"]
)
def test_nothing_outside_the_page_is_served(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert "def " not in answer.text
    assert answer.status_code in (200, 404, 503)


def test_without_the_token_nobody_comes_in(locked: TestClient, state: AppState) -> None:
    key = state.tables.deal("klondike", "cadogan:1").key
    for path in ("/", "/api/about", f"/api/tables/{key}", "/assets/x.js", "/api/openapi.json"):
        assert locked.get(path).status_code == 403, path
        assert locked.get(path, headers={"Authorization": "Bearer wrong"}).status_code == 403
        assert locked.get(f"{path}?token=wrong", follow_redirects=False).status_code == 403
    for suffix in ("", "?token=wrong"):
        with (
            pytest.raises(WebSocketDisconnect),
            locked.websocket_connect(
                f"/api/tables/{key}/events{suffix}", headers={"Host": "192.0.2.7:7617"}
            ) as socket,
        ):
            socket.receive_json()


def test_with_the_token_one_comes_in(locked: TestClient, state: AppState) -> None:
    key = state.tables.deal("klondike", "cadogan:1").key
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    assert locked.get("/api/about", headers=bearer).status_code == 200
    ours = {"Host": "192.0.2.7:7617"}
    path = f"/api/tables/{key}/events"
    with locked.websocket_connect(path, headers={**ours, **bearer}) as socket:
        assert socket.receive_json()["type"] == "table"
    answer = locked.get(f"/?token={TOKEN}&game=golf", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/?game=golf"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert TOKEN not in cookie
    name, value = cookie.split(";")[0].split("=", 1)
    assert name.startswith(COOKIE)
    locked.cookies.set(name, value)
    assert locked.get("/api/about").status_code == 200
    with locked.websocket_connect(path, headers=ours) as socket:
        assert socket.receive_json()["type"] == "table"


def test_a_name_that_is_not_ours_is_refused_even_with_the_token(locked: TestClient) -> None:
    headers = {"Host": "evil.example", "Authorization": f"Bearer {TOKEN}"}
    assert locked.get("/api/about", headers=headers).status_code == 403
