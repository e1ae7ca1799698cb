"""The route of reviews."""

from typing import Any

from fastapi.testclient import TestClient

import cadogan


def lost(client: TestClient) -> dict[str, Any]:
    position = cadogan.load("amazons").deal("cadogan:2")
    line = []
    while position.outcome is None:
        line.append([move for move in position.moves() if not move.forced][-1].text)
        position = position.play(line[-1])
    body = {"game": "amazons", "deal": "cadogan:2", "line": line}
    table: dict[str, Any] = client.post("/api/tables", json=body).json()
    return table


def test_a_review_without_workers_shows_what_the_rules_say(client: TestClient) -> None:
    table = lost(client)
    answer = client.post(f"/api/tables/{table['id']}/review", json={})
    assert answer.status_code == 200
    found = answer.json()
    assert found["node"] == table["node"]
    assert len(found["turns"]) == table["turn"] + 1
    assert found["turns"][-1] == {
        "status": "unwinnable",
        "why": {"key": "review.rules", "text": "no move is left"},
        "legal": 0,
        "kept": 0,
        "lost": 0,
    }
    assert not found["searching"]
    assert not found["complete"]
    assert found["loss"] == {
        "first": 0,
        "last": table["turn"],
        "move": None,
        "why": {"key": "review.rules", "text": "no move is left"},
        "moves": [],
    }
    german = client.post(f"/api/tables/{table['id']}/review?lang=de", json={}).json()
    assert german["loss"]["why"]["text"] == "es gibt keinen Zug mehr"
    assert german["message"]["text"].startswith("das Spiel kann spätestens seit Zug")


def test_a_game_in_play_is_refused(client: TestClient) -> None:
    table = client.post("/api/tables", json={"game": "golf", "deal": "cadogan:1"}).json()
    client.post(
        f"/api/tables/{table['id']}/options", json={"version": table["version"], "verdict": "none"}
    )
    answer = client.post(f"/api/tables/{table['id']}/review", json={})
    assert answer.status_code == 422
    assert answer.json()["code"] == "refused"
    assert "put the table away first" in answer.json()["message"]["text"]


def test_what_is_not_there_is_not_reviewed(client: TestClient) -> None:
    table = lost(client)
    body = {"node": table["node"] + 1}
    assert client.post(f"/api/tables/{table['id']}/review", json=body).status_code == 404
    assert client.post("/api/tables/aaaaaaaaaaaaaaaa/review", json={}).status_code == 404
    body = {"node": -1}
    assert client.post(f"/api/tables/{table['id']}/review", json=body).status_code == 422


def test_a_part_of_a_game_can_be_reviewed(client: TestClient) -> None:
    table = lost(client)
    found = client.post(f"/api/tables/{table['id']}/review", json={"node": 3}).json()
    assert found["node"] == 3
    assert len(found["turns"]) == 4
