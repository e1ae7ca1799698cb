"""H6, L1, L7, L8, M2: cookies, origins, tokens and settings that lock out or break the server."""

import base64
import hashlib
import json
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from cadogan.web.app import create_app
from cadogan.web.state import AppState

TOKEN = "a-long-secret-of-somebody"
HOST = "http://127.0.0.1:7617"


@pytest.fixture
def locked(state: AppState) -> TestClient:
    app = create_app(state, token=TOKEN, ticket="opens-the-door-once")
    return TestClient(app, base_url=HOST, follow_redirects=False)


def session(locked: TestClient) -> str:
    """The cookie of who has come with the token, as browsers send it."""
    answer = locked.get(f"/?token={TOKEN}")
    assert answer.status_code == 303
    locked.cookies.clear()
    return answer.headers["set-cookie"].split(";")[0]


@pytest.mark.parametrize("cookie", ['a="' + "\\" * 60_000, "a=b; " * 12_000, "=" * 60_000])
def test_a_foreign_cookie_costs_nothing(locked: TestClient, cookie: str) -> None:
    begun = time.perf_counter()
    assert locked.get("/api/about", headers={"Cookie": cookie}).status_code == 403
    assert time.perf_counter() - begun < 2


@pytest.mark.parametrize(
    "around", ["a=b; {}; x", "bad[cookie=1; {}", '{}; q="\\', "a=\xe4; {}", ";;{};;", "{}; {}"]
)
def test_cookies_of_others_lock_nobody_out(locked: TestClient, around: str) -> None:
    cookie = around.replace("{}", session(locked)).encode("latin-1")
    assert locked.get("/api/about", headers=[(b"cookie", cookie)]).status_code == 200


def test_the_cookie_is_no_secret_that_lasts(
    locked: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    cookie = session(locked)
    assert TOKEN not in cookie
    name, _, value = cookie.partition("=")
    later, mark = int(value.split(".")[0]) + 1, value.split(".")[1]
    for forged in (f"{later}.{mark}", TOKEN, "", f"{'9' * 5000}.{mark}", "-1.x", f"²³.{mark}"):
        headers = [(b"cookie", f"{name}={forged}".encode())]
        assert locked.get("/api/about", headers=headers).status_code == 403, forged
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 31 * 86400)
    assert locked.get("/api/about", headers={"Cookie": cookie}).status_code == 403


def test_a_cookie_counts_after_a_restart(locked: TestClient, state: AppState) -> None:
    cookie = session(locked)
    again = TestClient(create_app(state, token=TOKEN), base_url=HOST)
    assert again.get("/api/about", headers={"Cookie": cookie}).status_code == 200
    other = TestClient(create_app(state, token="another-secret-of-theirs"), base_url=HOST)
    assert other.get("/api/about", headers={"Cookie": cookie}).status_code == 403


def test_a_ticket_opens_once(locked: TestClient) -> None:
    assert locked.get("/?token=opens-the-door-once").status_code == 303
    locked.cookies.clear()
    assert locked.get("/?token=opens-the-door-once").status_code == 403


@pytest.mark.parametrize("path", ["//evil.example/", "///evil.example/", "/\\evil.example/"])
def test_the_redirect_stays_here(locked: TestClient, path: str) -> None:
    answer = locked.get(f"{HOST}{path}?token={TOKEN}")
    place = answer.headers.get("location", "/")
    assert place.startswith("/")
    assert place[1:2] not in ("/", "\\")


def test_behind_tls_the_cookie_is_secure(state: AppState) -> None:
    for scheme in ("http", "https"):
        client = TestClient(
            create_app(state, token=TOKEN),
            base_url=f"{scheme}://127.0.0.1:7617",
            follow_redirects=False,
        )
        cookie = client.get(f"/?token={TOKEN}").headers["set-cookie"]
        assert ("secure" in cookie.lower()) == (scheme == "https")


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "http://a]b", "["])
def test_a_broken_origin_is_refused(client: TestClient, origin: str) -> None:
    answer = client.put("/api/settings", json={}, headers={"Origin": origin})
    assert answer.status_code == 403
    headers = {"Host": "127.0.0.1:7617", "Origin": origin}
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"/api/tables/{'a' * 16}/events", headers=headers) as socket,
    ):
        socket.receive_json()


def test_answers_to_faults_have_the_policy(
    state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(state, "settings", fail)
    client = TestClient(create_app(state), base_url=HOST, raise_server_exceptions=False)
    answer = client.get("/api/settings")
    assert answer.status_code == 500
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "page", [{"a": "\ud800"}, {"\udfff": 1}, *({"a": nested(depth)} for depth in (30, 300, 900))]
)
def test_settings_that_cannot_be_told_are_not_stored(client: TestClient, page: object) -> None:
    before = client.get("/api/settings").json()
    body = json.dumps({"page": page}).encode()
    answer = client.put("/api/settings", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (413, 422), answer.text
    assert client.get("/api/settings").json() == before


def test_settings_of_an_old_version_break_nothing(client: TestClient, state: AppState) -> None:
    state.store.set_setting("settings", {"theme": "dark", "page": {"a": "\ud800"}})
    answer = client.get("/api/settings")
    assert answer.status_code == 200
    assert answer.json()["page"] == {}


def test_the_page_of_many_bytes_has_one_traceback_less(tmp_path: Path) -> None:
    """A body that continues after the answer raises nothing."""
    state = AppState(folder=tmp_path, workers=0)
    client = TestClient(create_app(state), base_url=HOST)
    answer = client.request("GET", "/", content=(b"x" * 65536 for _ in range(20)))
    assert answer.status_code in (200, 413, 503)
    state.close()


def test_the_address_of_imports_is_not_for_reading(client: TestClient) -> None:
    answer = client.get("/api/tables/import")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize(("number", "status"), [(0.0, 200), (0.5, 422), ("0", 422), (False, 422)])
def test_an_integer_is_what_the_schema_says(
    number: object, status: int, client: TestClient
) -> None:
    table = client.post("/api/tables", json={"game": "klondike", "deal": "cadogan:1"}).json()
    body = json.dumps({"version": number, "node": number, "name": "x"})
    headers = {"Content-Type": "application/json"}
    at = f"/api/tables/{table['id']}/bookmark"
    assert client.post(at, content=body, headers=headers).status_code == status


@pytest.mark.parametrize(("language", "says"), [("en", "asks for its token"), ("de", "Token ein:")])
def test_a_browser_without_the_token_is_reported_how_to_get_in(
    language: str, says: str, locked: TestClient
) -> None:
    headers = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": language}
    answer = locked.get("/", headers=headers)
    assert answer.status_code == 403
    assert answer.headers["content-type"].startswith("text/html")
    assert says in answer.text
    assert 'role="alert"' not in answer.text
    assert 'role="alert"' in locked.get("/?token=%3Cb%3Ewrong", headers=headers).text
    assert "<b>" not in locked.get("/?token=%3Cb%3Ewrong", headers=headers).text
    policy = answer.headers["content-security-policy"]
    assert "form-action 'self'" in policy
    assert "unsafe" not in policy
    style = answer.text.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in policy
    # What its form sends opens the door.
    assert locked.get(f"/?token={TOKEN}", headers=headers).status_code == 303


def test_a_program_without_the_token_is_reported_in_json(locked: TestClient) -> None:
    for path, headers in (("/", {"Accept": "*/*"}), ("/api/about", {"Accept": "text/html"})):
        found = locked.get(path, headers=headers).json()
        assert found["code"] == "forbidden"
        assert "Authorization: Bearer" in found["hint"]
