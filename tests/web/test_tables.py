"""A game over the wire."""

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from cadogan import Move, Position, load
from cadogan.web.app import create_app
from cadogan.web.state import AppState


def deal(client: TestClient, game: str = "klondike", **more: Any) -> dict[str, Any]:
    answer = client.post("/api/tables", json={"game": game, "deal": "cadogan:1", **more})
    assert answer.status_code == 201, answer.text
    table: dict[str, Any] = answer.json()
    return table


def post(client: TestClient, table: dict[str, Any], what: str, **body: Any) -> dict[str, Any]:
    body = {"version": table["version"], **body}
    answer = client.post(f"/api/tables/{table['id']}/{what}", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def cards(table: dict[str, Any], pile: str) -> list[str]:
    (found,) = [each for each in table["position"]["piles"] if each["name"] == pile]
    held: list[str] = found["cards"]
    return held


def test_hidden_cards_are_not_sent(client: TestClient) -> None:
    table = deal(client)
    assert set(cards(table, "stock")) == {"*"}
    assert cards(table, "tableau.7")[:-1] == ["*"] * 6
    assert "deck" not in {key for key, value in table.items() if value is not None}


def test_a_move_is_reported_step_by_step(client: TestClient) -> None:
    table = deal(client)
    played = post(client, table, "moves", **{"from": "tableau.5", "to": "tableau.4", "count": 1})
    first, second = played["steps"]
    assert first["by"] == "player"
    top = {"from": "tableau.5", "count": 1, "to": "tableau.4", "depth": None}
    assert first["transfers"] == [top]
    assert second["by"] == "rules"
    assert second["text"] == "turn up tableau.5"
    (turned,) = second["piles"]
    assert turned["cards"] == cards(played["table"], "tableau.5")
    assert played["table"]["version"] == 1


def test_a_move_is_resolved_once_and_played_once(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays, reads = list[str](), list[str]()
    play, read = Position.play, Position.parse_move

    def counted_play(position: Position, move: Move | str) -> Position:
        plays.append(str(move))
        return play(position, move)

    def counted_read(position: Position, text: str) -> Move:
        reads.append(text)
        return read(position, text)

    table = deal(client)
    # Whether a game can be finished is found out by playing ahead, which is no part of the move.
    monkeypatch.setattr("cadogan.web.serialize.finishing_line", lambda _: [])
    monkeypatch.setattr(Position, "play", counted_play)
    monkeypatch.setattr(Position, "parse_move", counted_read)
    played = post(client, table, "moves", **{"from": "tableau.5", "to": "tableau.4", "count": 1})
    assert (plays, reads) == (["tableau.5 > tableau.4"], [])
    table = post(client, played["table"], "moves", text="DEAL")["table"]
    assert (plays, reads) == (["tableau.5 > tableau.4", "deal"], ["DEAL"])
    plays.clear()
    reads.clear()
    # What was played before is there.
    table = post(client, table, "undo")
    table = post(client, table, "redo")["table"]
    table = post(client, table, "undo")
    table = post(client, table, "moves", text="deal")["table"]
    assert (plays, reads) == ([], ["deal"])
    assert table["turn"] == 2


def test_moves_that_need_no_player_are_played_once(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = deal(client, "freecell", deal="ms:1")
    table = post(client, table, "options", autoplay=True)
    table = post(client, table, "moves", text="tableau.6 > cells")["table"]
    plays, play = list[str](), Position.play

    def counted(position: Position, move: Move | str) -> Position:
        plays.append(str(move))
        return play(position, move)

    monkeypatch.setattr(Position, "play", counted)
    played = post(client, table, "moves", text="tableau.6 > cells")
    steps = [step["text"] for step in played["steps"]]
    assert len(steps) > 1
    # What is played beyond that looks whether the game can be finished.
    assert plays[: len(steps)] == steps
    assert all("foundations" in text and text not in steps for text in plays[len(steps) :])


def test_a_refusal_shows_its_reason(client: TestClient) -> None:
    table = deal(client)
    body = {"version": 0, "from": "tableau.1", "to": "tableau.7"}
    answer = client.post(f"/api/tables/{table['id']}/moves", json=body)
    assert answer.status_code == 422
    assert answer.json()["code"] == "refused"
    assert "builds down in alternate colours" in answer.json()["message"]["text"]


def test_a_stale_move_is_refused_and_the_fresh_table_told(client: TestClient) -> None:
    table = deal(client)
    post(client, table, "moves", text="deal")
    answer = client.post(f"/api/tables/{table['id']}/moves", json={"version": 0, "text": "deal"})
    assert answer.status_code == 409
    assert answer.json()["code"] == "stale"
    assert answer.json()["table"]["version"] == 1
    assert len(cards(answer.json()["table"], "waste")) == 1


def test_branches_are_stored(client: TestClient) -> None:
    table = deal(client)
    one = post(client, table, "moves", text="deal")["table"]
    back = post(client, one, "undo")
    two = post(client, back, "moves", text="tableau.5 > tableau.4")["table"]
    tree = client.get(f"/api/tables/{table['id']}/tree").json()
    assert [node["parent"] for node in tree["nodes"]] == [None, 0, 0]
    there = post(client, two, "goto", node=1)
    assert cards(there, "waste") == cards(one, "waste")
    assert there["made"] == 2


def test_a_game_goes_out_as_text_and_comes_back(client: TestClient) -> None:
    table = deal(client)
    for text in ("deal", "tableau.5 > tableau.4"):
        table = post(client, table, "moves", text=text)["table"]
    table = post(client, table, "bookmark", node=1, name="before it")
    table = post(client, post(client, table, "undo"), "moves", text="deal")["table"]
    text = client.get(f"/api/tables/{table['id']}/export").json()["text"]
    answer = client.post("/api/tables/import", json={"text": text})
    assert answer.status_code == 201, answer.text
    again = answer.json()
    assert again["position"] == table["position"]
    assert [mark["name"] for mark in again["bookmarks"]] == ["before it"]
    assert client.get(f"/api/tables/{again['id']}/export").json()["text"].count("branch") == 1


def test_the_socket_tells_what_another_tab_does(client: TestClient) -> None:
    table = deal(client)
    path, ours = f"/api/tables/{table['id']}/events", {"Host": "127.0.0.1:7617"}
    with client.websocket_connect(path, headers=ours) as socket:
        assert socket.receive_json()["table"]["version"] == 0
        post(client, table, "moves", text="deal")
        answer = socket.receive_json()
        assert answer["type"] == "table"
        assert answer["table"]["version"] == 1


def test_safe_moves_are_played_automatically_if_wished(client: TestClient) -> None:
    table = deal(client, "freecell", deal="ms:1")
    table = post(client, table, "options", autoplay=True)
    table = post(client, table, "moves", text="tableau.6 > cells")["table"]
    played = post(client, table, "moves", text="tableau.6 > cells")
    assert [step["by"] for step in played["steps"]][:2] == ["player", "autoplay"]
    nodes = client.get(f"/api/tables/{table['id']}/tree").json()["nodes"]
    assert len(nodes) == 2 + len(played["steps"])
    undone = post(client, played["table"], "undo")
    assert undone["turn"] == played["table"]["turn"] - 1


def test_a_hint_says_whether_it_is_proved(client: TestClient) -> None:
    table = deal(client, "flower-garden")
    hint = post(client, table, "hint")
    assert hint["kind"] == "proved"
    after = post(client, table, "moves", text=hint["move"]["text"])["table"]
    assert post(client, after, "hint")["left"] == hint["left"] - 1


def test_a_game_is_finished_automatically_or_not(client: TestClient) -> None:
    table = deal(client, "flower-garden")
    answer = client.post(f"/api/tables/{table['id']}/finish", json={"version": 0})
    assert answer.json()["code"] == "refused"
    while (hint := post(client, table, "hint"))["left"] > 5:
        table = post(client, table, "moves", text=hint["move"]["text"])["table"]
    assert table["finish"]
    played = post(client, table, "finish")
    assert played["table"]["position"]["outcome"] == "won"
    assert {step["by"] for step in played["steps"]} == {"autoplay"}
    assert client.get("/api/statistics").json()["games"][0]["won"] == 1
    csv = client.get("/api/statistics/cadogan.csv")
    assert csv.headers["content-type"].startswith("text/csv")
    assert csv.text.count("\n") == 2


def test_with_autoplay_the_finish_comes_by_itself(client: TestClient) -> None:
    table = post(client, deal(client, "flower-garden"), "options", autoplay=True)
    while not table["won"]:
        move = post(client, table, "hint")["move"]["text"]
        played = post(client, table, "moves", text=move)
        table = played["table"]
    assert played["steps"][-1]["by"] == "autoplay"


def test_a_position_is_looked_at_without_going_there(client: TestClient) -> None:
    table = deal(client)
    played = post(client, table, "moves", text="tableau.5 > tableau.4")
    view = client.get(f"/api/tables/{table['id']}/nodes/1").json()
    assert view["position"] == played["table"]["position"]
    assert view["steps"] == played["steps"]
    assert client.get(f"/api/tables/{table['id']}/nodes/2").status_code == 404


def test_a_shared_line_is_played_at_once(client: TestClient) -> None:
    table = deal(client)
    table = post(client, table, "moves", text="deal")["table"]
    share = client.get(f"/api/tables/{table['id']}/share?line=true").json()
    assert share["query"] == "game=klondike&deal=cadogan%3A1&line=deal"
    again = deal(client, share["game"], deal=share["deal"], line=share["line"])
    assert again["position"] == table["position"]


def test_the_same_deal_again(client: TestClient) -> None:
    named = post(client, deal(client), "moves", text="deal")["table"]
    again = deal(client, deal=None, like=named["id"])
    assert again["deal"] == "cadogan:1"
    assert again["turn"] == 0
    deck = " ".join(map(str, load("golf").deal("cadogan:7").deck))
    given = deal(client, "golf", deal=None, deck=deck)
    assert given["deck"] is None
    same = deal(client, "golf", deal=None, like=given["id"])
    assert same["position"] == given["position"]
    both = client.post("/api/tables", json={"game": "golf", "deal": "ms:1", "like": given["id"]})
    assert both.status_code == 422


@pytest.mark.timeout(240)
def test_the_verdict_comes_over_the_socket(tmp_path: Path) -> None:
    state = AppState(folder=tmp_path, workers=1)
    try:
        with TestClient(create_app(state), base_url="http://127.0.0.1:7617") as client:
            table = post(client, deal(client, "flower-garden"), "options", verdict="thoughtful")
            path, ours = f"/api/tables/{table['id']}/events?lang=de", {"Host": "127.0.0.1:7617"}
            with client.websocket_connect(path, headers=ours) as socket:
                answer = socket.receive_json()
                while answer["type"] != "verdict" or answer["verdict"]["status"] == "unknown":
                    answer = socket.receive_json()
            assert answer["verdict"]["status"] == "winnable"
            assert answer["verdict"]["message"]["text"] == "kann aufgehen"
    finally:
        state.close()


def test_a_line_is_replayed_move_by_move(client: TestClient) -> None:
    table = deal(client)
    for text in ("deal", "tableau.5 > tableau.4"):
        table = post(client, table, "moves", text=text)["table"]
    table = post(client, post(client, table, "bookmark", node=1, name="here"), "undo")
    answer = client.get(f"/api/tables/{table['id']}/replay").json()
    assert [(each["text"], each["node"], each["bookmark"]) for each in answer["moves"]] == [
        ("deal", 1, "here"),
        ("tableau.5 > tableau.4", 2, None),
    ]
    assert answer["at"] == 1
    assert answer["moves"][0]["cards"] == cards(table, "waste")
    stood = {pile["name"]: pile["cards"] for pile in answer["piles"]}
    for step in answer["moves"][0]["steps"]:
        stood |= {pile["name"]: pile["cards"] for pile in step["piles"]}
    assert stood == {pile["name"]: pile["cards"] for pile in table["position"]["piles"]}
    tree = client.get(f"/api/tables/{table['id']}/tree").json()
    assert [node["cards"] for node in tree["nodes"]] == [
        [],
        *(each["cards"] for each in answer["moves"]),
    ]
    # The same by a link, of which no table is made.
    share = client.get(f"/api/tables/{table['id']}/share?line=true&node=2").json()
    line = {"game": share["game"], "deal": share["deal"], "line": share["line"]}
    linked = client.post("/api/replays", json=line).json()
    assert [each["steps"] for each in linked["moves"]] == [
        each["steps"] for each in answer["moves"]
    ]
    assert len(client.get("/api/tables").json()) == 1


def test_a_bad_link_is_reported_what_is_wrong_with_it(client: TestClient) -> None:
    def wrong(**line: Any) -> tuple[int, str]:
        answer = client.post("/api/replays", json={"line": [], **line})
        return answer.status_code, answer.json()["message"]["text"]

    bad = ["deal", "tableau.1 > tableau.2"]
    status, text = wrong(game="klondike", deal="cadogan:1", line=bad)
    assert status == 422
    assert text.startswith("move 2 of the line, 'tableau.1 > tableau.2', is illegal: ")
    assert wrong(game="klondyke", deal="cadogan:1")[0] == 404
    assert wrong(game="klondike", deal="nowhere:1")[0] == 422
    assert wrong(game="klondike")[0] == 422


def test_all_faults_of_a_file_are_reported_with_their_places(client: TestClient) -> None:
    def faults(text: str) -> list[tuple[int, int, int]]:
        answer = client.post("/api/tables/import", json={"text": text})
        assert answer.status_code == 422
        assert answer.json()["code"] == "unreadable"
        return [(each["line"], each["column"], each["end"]) for each in answer.json()["faults"]]

    head = "# game: klondike\n# deal: cadogan:1\n"
    assert faults("deal\n") == [(1, 1, 1), (1, 1, 1)]
    assert faults(head + "# deal: cadogan:2\n") == [(3, 3, 7)]
    assert faults("# game: klondyke\n# deal: cadogan:1\n") == [(1, 9, 17)]
    assert faults("# game: klondike\n# deal: nowhere:1\n") == [(2, 9, 18)]
    wrong = faults(head + "deal;  tableau.1 > tableau.1\n# branch 1: foo\n# name 9: x\n")
    assert wrong == [(3, 8, 29), (4, 13, 16), (5, 11, 12)]


def test_counters_are_those_that_the_player_needs(client: TestClient) -> None:
    def counters(game: str, language: str = "en") -> dict[str, tuple[str, str, bool]]:
        headers = {"Accept-Language": language}
        body = {"game": game, "deal": "cadogan:3"}
        table = client.post("/api/tables", json=body, headers=headers).json()
        found = table["position"]["counters"]
        return {each["name"]: (each["label"], each["text"], each["shown"]) for each in found}

    assert counters("duchess")["base"] == ("base", "to be chosen", True)
    assert counters("duchess", "de")["base"] == ("Grundwert", "noch zu wählen", True)
    assert counters("sly")["laid"] == ("cards laid in this round", "0", True)
    # The word of the move says how often it is still allowed; a switch is for the rules only.
    assert counters("klondike:two-redeals")["redeals"][2] is False
    assert counters("three-shuffles-and-a-draw")["draws"][2] is False


def test_the_layout_says_which_piles_cover_a_card(client: TestClient) -> None:
    layout = client.get("/api/games/pyramid").json()["layout"]
    free = {place["pile"]: place["free_when"] for place in layout["places"]}
    assert free["pyramid.1"] == [["pyramid.2", "pyramid.3"]]
    assert free["pyramid.28"] == free["waste"] == []
