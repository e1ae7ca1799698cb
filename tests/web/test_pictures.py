"""Pictures to share, and the previews of links."""

import html
import io
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from argon2 import PasswordHasher
from fastapi.testclient import TestClient
from PIL import Image

from cadogan.table import shown
from cadogan.table.accounts import Accounts
from cadogan.table.drawings import MOST_OF_A_CLIENT
from cadogan.web import page
from cadogan.web.app import create_app
from cadogan.web.state import AppState
from tests.games import TINY
from tests.web.test_challenges import over

SIZE = (1200, 630)


@pytest.fixture
def robot(tmp_path: Path) -> Iterator[tuple[TestClient, AppState]]:
    """A server with accounts, and a client that is not logged in."""
    state = AppState(folder=tmp_path, workers=0, accounts=True)
    state.accounts = Accounts(state.store, PasswordHasher(1, 8, 1))
    with TestClient(create_app(state), base_url="http://127.0.0.1:7617") as client:
        yield client, state
    state.close()


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page, in case none is built."""
    folder = tmp_path / "dist"
    folder.mkdir()
    (folder / "index.html").write_text("<html><head><title>Cadogan</title></head></html>")
    monkeypatch.setattr(page, "DIST", folder)


def tags(text: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)" />', text)
    return {name: html.unescape(content) for name, content in found}


def size(content: bytes) -> tuple[int, int]:
    return Image.open(io.BytesIO(content)).size


def test_a_table_has_a_picture_in_both_forms_and_languages(
    client: TestClient, state: AppState
) -> None:
    key = over(client, state)
    path = f"/api/tables/{key}/picture"
    answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert size(answer.content) == SIZE
    text = client.get(path, params={"format": "svg"}).text
    assert "given up after 1 move" in text
    german = client.get(path, params={"format": "svg", "lang": "de"}).text
    assert "aufgegeben nach 1 Zug" in german
    assert "Golf" in client.get(path, params={"format": "svg", "node": 0}).text
    assert "given up" not in client.get(path, params={"format": "svg", "node": 0}).text
    assert client.get(path, params={"node": 99}).status_code == 404
    assert client.get(path, params={"format": "gif"}).status_code == 422


def test_a_challenge_previews_its_deal_and_not_the_result(
    robot: tuple[TestClient, AppState],
) -> None:
    client, state = robot
    table = state.tables.deal("golf", "cadogan:1")
    state.tables.put_away(table.key, None)
    key = state.challenges.make(table.key, "Ada").key
    answer = client.get(f"/c/{key}", headers={"Accept": "*/*"})
    assert answer.status_code == 200
    found = tags(answer.text)
    assert found["og:title"] == "Golf: a challenge"
    assert found["og:url"] == f"http://127.0.0.1:7617/c/{key}"
    assert found["twitter:card"] == "summary_large_image"
    image = client.get(found["og:image"])
    assert (image.status_code, image.headers["content-type"]) == (200, "image/png")
    assert size(image.content) == SIZE
    assert "public" in image.headers["cache-control"]
    svg = client.get(found["og:image"], params={"format": "svg"}).text
    for text in (answer.text, svg):
        assert "Ada" not in text
        assert "after" not in text
        assert table.key not in text
    german = tags(client.get(f"/c/{key}?lang=de").text)
    assert german["og:title"] == "Golf: eine Herausforderung"
    assert "lang=de" in german["og:image"]
    # Those who are not logged in learn nothing else of it.
    assert client.get(f"/api/challenges/{key}").status_code == 401


def test_a_shown_table_previews_its_board_until_it_is_hidden(
    robot: tuple[TestClient, AppState],
) -> None:
    client, state = robot
    assert state.accounts is not None
    owners = state.of(state.accounts.add("Ada", "a long sentence").id)
    table = owners.tables.deal("klondike", "cadogan:1", line=["deal"])
    secret = shown.show(owners.store, table.key)
    found = tags(client.get(f"/w/{secret}").text)
    assert found["og:title"] == "Klondike: watch a game"
    assert size(client.get(found["og:image"]).content) == SIZE
    assert "1 move so far" in client.get(found["og:image"], params={"format": "svg"}).text
    assert client.get(f"/api/tables/{table.key}/picture").status_code == 401
    shown.hide(owners.store, table.key)
    assert client.get(found["og:image"]).status_code == 404
    assert tags(client.get(f"/w/{secret}").text) == {}


def test_a_link_previews_its_deal_or_the_end_of_its_line(
    robot: tuple[TestClient, AppState],
) -> None:
    client, _ = robot
    query = urlencode({"game": "klondike:draw-three", "deal": "cadogan:1"})
    found = tags(client.get(f"/s?{query}&lang=de").text)
    assert found["og:title"] == "Klondike (drei Karten auf einmal)"
    assert size(client.get(found["og:image"]).content) == SIZE
    line = tags(client.get(f"/s?{query}&line={quote('deal; deal')}").text)
    assert line["og:description"].startswith("See 2 moves of a game")
    assert "2 moves so far" in client.get(f"{line['og:image']}&format=svg").text
    illegal = client.get(f"/api/pictures?{query}&line=fly")
    assert illegal.status_code == 422
    assert "illegal" in illegal.json()["message"]["text"]
    for other in ("", "?game=no-such-game", "?game=%22%3E%3Cscript%3E"):
        answer = client.get(f"/s{other}")
        assert (answer.status_code, tags(answer.text)) == (200, {})
        assert "<script" not in answer.text


def test_rules_files_of_players_are_not_for_everybody(
    robot: tuple[TestClient, AppState],
) -> None:
    client, state = robot
    name, _ = state.library.add(TINY)
    query = urlencode({"game": name, "deal": "cadogan:1"})
    assert client.get(f"/api/pictures?{query}").status_code == 404
    assert "Tiny" not in client.get(f"/s?{query}").text


def test_a_server_with_a_token_shows_nothing_without_it(state: AppState) -> None:
    app = create_app(state, token="a-secret-of-this-table")
    with TestClient(app, base_url="http://127.0.0.1:7617") as client:
        for path in ("/api/pictures?game=golf&deal=cadogan:1", "/s?game=golf&deal=cadogan:1"):
            assert client.get(path).status_code == 403
            assert client.get(path, headers={"Accept": "text/html"}).status_code == 403


def test_a_client_cannot_ask_without_end(robot: tuple[TestClient, AppState]) -> None:
    client, _ = robot
    path = "/api/pictures?game=golf&deal=cadogan:1&format=svg"
    answers = [client.get(path).status_code for _ in range(MOST_OF_A_CLIENT + 2)]
    assert answers[:-2] == [200] * MOST_OF_A_CLIENT
    assert answers[-2:] == [429, 429]
    answer = client.get(f"{path}&lang=de").json()["message"]["text"]
    assert answer.startswith("es wurden zu viele Bilder verlangt")


def test_an_unknown_link_gets_the_page_without_a_preview(client: TestClient) -> None:
    for path in ("/c/" + "0" * 16, "/c/x", "/w/xyz"):
        answer = client.get(path)
        assert (answer.status_code, tags(answer.text)) == (200, {})
