"""The routes of puzzles."""

from typing import Any

from fastapi.testclient import TestClient

import cadogan


def solution(client: TestClient, puzzle: dict[str, Any]) -> list[str]:
    """The line, asked for at another server's expense: nobody has tried it there."""
    found = client.post(f"/api/puzzles/{puzzle['key']}/tries", json={"gives_up": True}).json()
    return [move["text"] for move in found["line"]]


def test_a_puzzle_shows_what_its_proof_sees(client: TestClient) -> None:
    puzzle = client.get("/api/puzzles/next?game=golf").json()
    assert puzzle["counts"]
    assert puzzle["title"] == "Golf"
    assert puzzle["player"] == {"rating": 1500, "deviation": 350, "tried": 0, "solved": 0}
    assert len(puzzle["position"]["moves"]) >= 3
    hidden = {pile["name"]: pile["cards"] for pile in puzzle["hidden"]}
    lying = {pile["name"]: pile["cards"] for pile in puzzle["position"]["piles"]}
    assert set(lying["stock"]) <= {"*"}
    assert len(hidden.get("stock", [])) == len(lying["stock"])
    assert "*" not in hidden.get("stock", [])
    assert client.get(f"/api/puzzles/{puzzle['key']}").json() == puzzle
    assert {"name": "golf", "title": "Golf", "puzzles": 20} in puzzle["games"]


def test_a_wrong_try_is_explained_and_the_right_one_shows_the_line(client: TestClient) -> None:
    puzzle = client.get("/api/puzzles/next?game=king-albert").json()
    address = f"/api/puzzles/{puzzle['key']}/tries"
    legal = [move["text"] for move in puzzle["position"]["moves"]]
    answers = {text: client.post(address, json={"text": text}).json() for text in legal}
    (right,) = [text for text, answer in answers.items() if answer["right"]]
    for text, answer in answers.items():
        assert answer["counted"] == (text == legal[0])
        assert answer["move"] == text
        assert answer["steps"]
        if text != right:
            assert answer["message"]["text"].startswith("this move loses: ")
            assert answer["line"] == []
    found = answers[right]
    assert found["message"]["text"].startswith("right: it is the only move that keeps the win")
    assert len(found["line"]) == puzzle["left"]
    assert found["line"][-1]["outcome"] == "won"
    german = client.post(f"{address}?lang=de", json={"text": right}).json()
    assert german["message"]["text"].startswith("richtig: ")
    assert not client.get(f"/api/puzzles/{puzzle['key']}").json()["counts"]
    assert client.get("/api/puzzles/next?game=king-albert").json()["key"] != puzzle["key"]


def test_the_line_can_be_played(client: TestClient) -> None:
    puzzle = client.get("/api/puzzles/next?game=tri-peaks").json()
    line = solution(client, puzzle)
    assert client.get(f"/api/puzzles/{puzzle['key']}").json()["player"]["tried"] == 1
    first = client.post(f"/api/puzzles/{puzzle['key']}/tries", json={"text": line[0]}).json()
    assert first["right"]
    assert not first["counted"]
    assert [move["text"] for move in first["line"]] == line
    saved = cadogan.load("tri-peaks").deal(puzzle["deal"])
    assert saved.deal_name == puzzle["deal"]


def test_what_is_no_try_is_refused(client: TestClient) -> None:
    puzzle = client.get("/api/puzzles/next?game=golf").json()
    address = f"/api/puzzles/{puzzle['key']}/tries"
    for body in ({}, {"from": "tableau.1"}, {"text": "deal", "gives_up": True}):
        assert client.post(address, json=body).status_code == 422
    refused = client.post(address, json={"from": "waste", "to": "tableau.1"})
    assert (refused.status_code, refused.json()["code"]) == (422, "refused")
    assert client.get(f"/api/puzzles/{puzzle['key']}").json()["counts"]


def test_there_is_no_such_puzzle(client: TestClient) -> None:
    assert client.get("/api/puzzles/0123456789abcdef").status_code == 404
    assert client.get("/api/puzzles/next?game=none").status_code == 404
    assert client.get("/api/puzzles/nonsense").status_code == 422
    body = {"text": "deal"}
    assert client.post("/api/puzzles/0123456789abcdef/tries", json=body).status_code == 404
    many = "&".join(f"skip={number:016x}" for number in range(51))
    assert client.get(f"/api/puzzles/next?{many}").status_code == 422
