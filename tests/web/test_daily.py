"""The routes of the deals of the day."""

import time
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

import cadogan
from cadogan.table import daily, service
from cadogan.table.daily import DAYS
from cadogan.web import daily as routes

TODAY = datetime.now(UTC).date()


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is noon when a test begins, so no day ends in the middle of it."""
    begun = time.monotonic()

    def now() -> datetime:
        passed = timedelta(seconds=time.monotonic() - begun)
        return datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC) + passed

    for module in (daily, service, routes):
        monkeypatch.setattr(module, "now", now)


def deal_of(client: TestClient, game: str = "golf", **query: str) -> dict[str, Any]:
    """The deal of a day, when it is known."""
    for _ in range(500):
        body = client.get("/api/daily", params=query).json()
        (found,) = [each for each in body["games"] if each["game"] == game]
        if found["state"] != "searching":
            return dict(found)
        time.sleep(0.05)
    raise AssertionError("the deal was not found")


def line_of(found: dict[str, Any]) -> list[str]:
    position = cadogan.load(found["game"]).deal(found["deal"])
    return [move.text for move in cadogan.solve(position).line]


def entry(**given: Any) -> dict[str, Any]:
    return {"day": TODAY.isoformat(), "game": "golf", "player": "Ada", **given}


def test_a_deal_is_played_and_its_result_counts(client: TestClient) -> None:
    found = deal_of(client)
    assert (found["title"], found["table"], found["result"]) == ("Golf", None, None)
    request = {"game": "golf", "deal": found["deal"], "verdict": "none"}
    table = client.post("/api/tables", json=request).json()
    assert table["options"]["verdict"] == "none"
    line = line_of(found)
    for text in line:
        body = {"version": table["version"], "text": text}
        table = client.post(f"/api/tables/{table['id']}/moves", json=body).json()["table"]
    found = deal_of(client, player="Ada")
    assert (found["table"], found["won"], found["results"]) == (table["id"], True, 0)
    answer = client.post("/api/daily/results", json=entry(table=table["id"]))
    assert answer.status_code == 201
    result = answer.json()
    assert result["clean"]
    assert not result["late"]
    assert result["moves"] == len(line)
    assert 0 <= result["seconds"] < 600
    assert deal_of(client, player=" Ada")["result"] == result
    listed = client.get("/api/daily/results?game=golf&order=time").json()
    assert listed == [result]
    calendar = client.get("/api/daily/calendar?player=Ada").json()
    assert calendar == {"results": [result], "streak": 1, "best_streak": 1}
    again = client.post("/api/daily/results", json=entry(player="Bea", table=table["id"]))
    assert (again.status_code, again.json()["code"]) == (422, "refused")
    assert "counted already" in again.json()["message"]["text"]


def test_forged_results_are_refused_and_say_why(client: TestClient) -> None:
    line = line_of(deal_of(client))
    wrong = {
        "is illegal": entry(moves=["fly", *line]),
        "do not win the game": entry(moves=line[:-1]),
        "at most 2000 items": entry(moves=["deal"] * 2_001),
        "Extra inputs are not permitted": entry(moves=line, seconds=1),
        "give either 'moves' or 'table'": entry(moves=line, table="0" * 16),
        "is not a day": entry(moves=line, day="2026-02-30"),
        "1 to 40 printable": entry(moves=line, player="\x07"),
    }
    for why, body in wrong.items():
        answer = client.post("/api/daily/results", json=body)
        assert answer.status_code == 422, why
        assert why in answer.json()["message"]["text"]
    million = client.post("/api/daily/results", json=entry(moves=["deal"] * 1_000_000))
    assert million.status_code == 413
    assert million.json()["message"]["text"] == "a request has at most 512 kB"
    german = client.post("/api/daily/results?lang=de", json=entry(moves=[]))
    assert german.json()["message"]["text"] == "diese Züge gewinnen das Spiel nicht"
    assert client.get("/api/daily/results?game=golf").json() == []


def test_other_days_and_games(client: TestClient) -> None:
    def status(path: str) -> int:
        return client.get(path).status_code

    assert status("/api/daily") == 200
    first: date = TODAY - timedelta(days=DAYS)
    assert status(f"/api/daily?day={first}") == 200
    assert status(f"/api/daily?day={first - timedelta(days=1)}") == 404
    assert status(f"/api/daily?day={TODAY + timedelta(days=1)}") == 404
    assert status("/api/daily?day=2026-13-01") == 422
    assert status("/api/daily/results?game=amazons") == 404
    assert status("/api/daily/calendar") == 422
