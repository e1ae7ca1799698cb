"""Whether the server is alive and ready, and its figures, for those who run it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text

from cadogan.web.app import create_app
from cadogan.web.state import AppState

TOKEN = "a token of the table, which is secret"
FIGURES = "a token of the figures, also secret"
HERE = "http://127.0.0.1:7617"


@contextmanager
def asking(state: AppState, client: str = "127.0.0.1", **options: Any) -> Iterator[TestClient]:
    app = create_app(state, **options)
    with TestClient(app, base_url=HERE, client=(client, 50000)) as made:
        yield made


def figures(client: TestClient) -> dict[str, float]:
    """The figures by name and labels."""
    found = {}
    for family in text_string_to_metric_families(client.get("/metrics").text):
        for sample in family.samples:
            labels = ",".join(f"{key}={value}" for key, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def test_a_server_is_alive_and_ready_without_a_token(state: AppState) -> None:
    with asking(state, token=TOKEN) as client:
        assert client.get("/api/games").status_code == 403
        for path, status in (("/healthz", "alive"), ("/readyz", "ready")):
            answer = client.get(path)
            assert (answer.status_code, answer.json()) == (200, {"status": status})
            assert answer.headers["cache-control"] == "no-store"


def test_a_server_that_stops_is_alive_but_not_ready(state: AppState, client: TestClient) -> None:
    state.stopping = True
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["message"]["key"]) == (503, "stopping")
    assert client.get("/healthz").status_code == 200


def test_a_database_of_another_version_is_not_ready(state: AppState, client: TestClient) -> None:
    with state.store.engine.execution_options(writes=True).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["message"]["key"]) == (503, "database")
    assert client.get("/healthz").status_code == 200


def test_a_database_that_is_away_is_not_ready(
    state: AppState, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/readyz").status_code == 200
    monkeypatch.setattr("cadogan.web.readiness.FRESH_SECONDS", -1)
    monkeypatch.setattr("cadogan.web.readiness.CHECK_SECONDS", 0.01)
    release = state.store.engine.connect  # a database that hangs

    def hang() -> Any:
        import time

        time.sleep(0.2)
        return release()

    monkeypatch.setattr(state.store.engine, "connect", hang)
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200


def test_the_figures_count_what_happens(state: AppState) -> None:
    with asking(state) as client:
        count_what_happens(client)


def count_what_happens(client: TestClient) -> None:
    table = client.post("/api/tables", json={"game": "klondike", "deal": "cadogan:1"}).json()
    body = {"version": table["version"], "text": "deal"}
    assert client.post(f"/api/tables/{table['id']}/moves", json=body).status_code == 200
    assert client.post(f"/api/tables/{table['id']}/moves", json=body).status_code == 409
    client.get("/no/such/page")
    client.request("BREW", "/api/games")
    with client.websocket_connect(f"ws://127.0.0.1:7617/api/tables/{table['id']}/events") as socket:
        socket.receive_text()
        assert figures(client)["cadogan_sockets"] == 1
    found = figures(client)
    moves = "method=POST,route=/api/tables/{key}/moves"
    assert found[f"cadogan_requests_total{{{moves},status=200}}"] == 1
    assert found[f"cadogan_requests_total{{{moves},status=409}}"] == 1
    assert found[f"cadogan_request_seconds_count{{{moves}}}"] == 2
    assert found["cadogan_moves_total"] == 1
    assert found["cadogan_open_tables"] == 1
    assert found["cadogan_requests_total{method=websocket,route=websocket,status=101}"] == 1
    assert found["cadogan_searches{state=running}"] == 0
    assert found["cadogan_verdicts_total{verdict=winnable}"] == 0


def test_clients_cannot_make_up_labels_or_read_of_players(
    state: AppState, client: TestClient
) -> None:
    table = client.post("/api/tables", json={"game": "klondike", "deal": "cadogan:1"}).json()
    for number in range(30):
        client.get(f"/api/made-up/{number}")
        client.request(f"VERB{number}", "/api/games")
        client.get(f"/api/tables/{table['id']}")
    text = state.metrics.text().decode()
    assert "made-up" not in text
    assert "VERB" not in text
    assert table["id"] not in text
    assert len([line for line in text.splitlines() if "cadogan_requests_total{" in line]) < 10


@pytest.mark.parametrize(
    ("client", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("10.1.2.3", {}, 403),
        ("127.0.0.1", {"X-Forwarded-For": "10.1.2.3"}, 403),
        ("127.0.0.1", {"Via": "1.1 proxy"}, 403),
        ("10.1.2.3", {"Authorization": f"Bearer {FIGURES}"}, 200),
        ("10.1.2.3", {"Authorization": f"Bearer {TOKEN}"}, 403),
        ("10.1.2.3", {"Authorization": "Bearer wrong"}, 403),
    ],
)  # fmt: skip
def test_only_this_machine_or_the_token_of_the_figures_reads_them(
    state: AppState, client: str, headers: dict[str, str], status: int
) -> None:
    with asking(state, client, token=TOKEN, metrics_token=FIGURES) as made:
        assert made.get("/metrics", headers=headers).status_code == status


def test_the_token_of_the_figures_opens_no_table(state: AppState) -> None:
    with asking(state, token=TOKEN, metrics_token=FIGURES) as made:
        answer = made.get("/api/games", headers={"Authorization": f"Bearer {FIGURES}"})
        assert answer.status_code == 403


def test_without_a_database_there_are_still_figures(state: AppState, tmp_path: Path) -> None:
    with asking(state) as client:
        with state.store.engine.execution_options(writes=True).begin() as connection:
            connection.execute(text("ALTER TABLE summaries RENAME TO elsewhere"))
        found = figures(client)
    assert "cadogan_open_tables" not in found
    assert found["cadogan_sockets"] == 0
