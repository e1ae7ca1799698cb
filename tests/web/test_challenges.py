"""The routes of challenges."""

import json

from fastapi.testclient import TestClient

from cadogan.table.intent import Intent
from cadogan.web.state import AppState


def over(client: TestClient, state: AppState) -> str:
    """The key of a table that was put away after a move."""
    table = client.post("/api/tables", json={"game": "golf", "deal": "cadogan:1"}).json()
    move = {"version": table["version"], "text": "deal"}
    table = client.post(f"/api/tables/{table['id']}/moves", json=move).json()["table"]
    state.tables.put_away(table["id"], table["version"])
    return str(table["id"])


def test_a_result_is_hidden_until_ones_own_is_in(client: TestClient, state: AppState) -> None:
    mine, theirs = over(client, state), over(client, state)
    answer = client.post("/api/challenges", json={"table": mine, "player": "Ada"})
    assert answer.status_code == 201
    made = answer.json()
    assert (made["title"], made["deal"], made["deck"]) == ("Golf", "cadogan:1", None)
    assert [each["player"] for each in made["results"]] == ["Ada"]
    path = f"/api/challenges/{made['key']}"
    for query in ("", f"?table={theirs}", "?table=" + "0" * 16):
        hidden = client.get(path + query).json()
        assert (hidden["results"], hidden["number"], hidden["player"]) == (None, 1, "Ada")
        assert '"moves"' not in json.dumps(hidden)
    assert client.get(f"{path}?table={mine}").json()["results"] == made["results"]
    entered = client.post(f"{path}/results", json={"player": "Bea", "table": theirs})
    assert entered.status_code == 201
    shown = client.get(f"{path}?table={theirs}").json()
    assert shown == entered.json()
    assert {each["player"]: each["first"] for each in shown["results"]} == {
        "Ada": True, "Bea": False,
    }  # fmt: skip


def test_what_is_wrong_is_said(client: TestClient, state: AppState) -> None:
    table = over(client, state)
    key = client.post("/api/challenges", json={"table": table, "player": "Ada"}).json()["key"]
    path = f"/api/challenges/{key}/results"
    for body, why in (
        ({"player": "Bea"}, "give either 'moves' or 'table'"),
        ({"player": "Bea", "moves": [], "table": table}, "give either 'moves' or 'table'"),
        ({"player": "Bea", "moves": ["fly"]}, "is illegal"),
        ({"player": "Bea", "moves": ["deal"] * 2_001}, "at most 2000 items"),
        ({"player": "Bea", "moves": [], "seconds": 1}, "Extra inputs"),
        ({"player": "Ada", "table": table}, "counted already"),
    ):
        answer = client.post(path, json=body)
        assert answer.status_code == 422
        assert why in answer.json()["message"]["text"]
    missing = client.get(f"/api/challenges/{'0' * 16}", params={"lang": "de"})
    assert missing.status_code == 404
    assert "Herausforderung gibt es nicht" in missing.json()["message"]["text"]
    going = state.tables.deal("golf", "cadogan:1")
    state.tables.move(going.key, going.version, Intent("deal"))
    answer = client.post("/api/challenges", json={"table": going.key, "player": "Ada"})
    assert "not over" in answer.json()["message"]["text"]
