"""The German texts of the server: none is left in English."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from cadogan.rules import catalogue
from tests.i18n.test_text import messages

SAME = {text.casefold() for text, german in messages("de").items() if text == german}
"""Words that are the same in both languages, as the catalogue of messages says."""
TOLD = {"title", "why", "label", "source", "text", "hint", "order", "remarks"}
"""Keys whose values are texts."""


def is_german_too(text: str) -> bool:
    """Whether a text may be the same in German: a known word, or proper names and nothing else.

    >>> [is_german_too(text) for text in ("Gypsy", "AisleRiot; PySolFC", "Miss Milligan")]
    [True, True, True]
    >>> [is_german_too(text) for text in ("AisleRiot and PySolFC", "draw three", "The Fan")]
    [False, False, False]
    """
    words = re.findall(r"[A-Za-z]+", text)
    names = all(word[0].isupper() and word not in ENGLISH for word in words)
    return text.casefold() in SAME or names


ENGLISH = frozenset({"The", "A", "An", "Of", "And", "In", "On", "With"})


def _texts(data: Any, key: str = "") -> list[str]:
    """All texts for people, in order; the text of a move is notation."""
    if isinstance(data, dict):
        return [
            text
            for name, value in data.items()
            if name not in ("moves", "names") and not (name == "text" and key != "message")
            for text in _texts(value, name)
        ]
    if isinstance(data, list):
        return [text for value in data for text in _texts(value, key)]
    return [data] if isinstance(data, str) and key in TOLD and data else []


def _both(client: TestClient, method: str, path: str, **body: Any) -> Any:
    """Asks in both languages; the German answer."""
    answer = [
        client.request(method, path, headers={"Accept-Language": language}, **body).json()
        for language in ("en", "de")
    ]
    english, german = map(_texts, answer)
    assert len(english) == len(german)
    assert english, path
    same = {a for a, b in zip(english, german, strict=True) if a == b}
    assert {text for text in same if not is_german_too(text)} == set()
    return answer[1]


def test_the_list_of_games_is_german(client: TestClient) -> None:
    games = _both(client, "GET", "/api/games")
    titles = {game["name"]: game["title"] for game in games}
    assert titles["flower-garden"] == "Der Blumengarten"
    assert titles["hochzeitszug"] == "Hochzeitszug"


@pytest.mark.costly
@pytest.mark.parametrize("game", catalogue())
def test_a_game_its_variants_and_its_table_are_german(client: TestClient, game: str) -> None:
    _both(client, "GET", f"/api/games/{game}")
    if client.get(f"/api/games/{game}/variants").json():
        _both(client, "GET", f"/api/games/{game}/variants")
    table = client.post("/api/tables", json={"game": game, "deal": "cadogan:1"}).json()
    german = _both(client, "GET", f"/api/tables/{table['id']}")
    assert german["verdict"]["message"]["text"] in ("nicht gefragt", "noch nicht bekannt")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/nothing", None),
        ("PUT", "/api/about", None),
        ("GET", "/api/games/klondyke", None),
        ("GET", "/api/games/klondike:nothing", None),
        ("GET", "/api/tables/abcdefghijklmnop", None),
        ("POST", "/api/tables", {"gam": 1}),
        ("POST", "/api/tables", {"game": "golf", "deal": "7"}),
        ("POST", "/api/tables", {"game": "golf", "deal": "ms:0"}),
        ("POST", "/api/tables", {"game": "golf", "deck": "AS XX"}),
        ("POST", "/api/tables", {"game": "golf", "line": ["stock"]}),
        ("POST", "/api/rules", {"text": 'name = "x"\n[tableau]\nbiuld = "down"\n'}),
        ("POST", "/api/rules/check", {"text": "piles = "}),
        ("POST", "/api/tables/import", {"text": "no game"}),
    ],
)
def test_whatever_cannot_be_done_is_reported_in_german(
    client: TestClient, method: str, path: str, body: Any
) -> None:
    _both(client, method, path, json=body)


def test_a_stranger_is_turned_away_in_german(client: TestClient) -> None:
    headers = {"Accept-Language": "de", "Host": "example.org"}
    answer = client.get("/api/games", headers=headers).json()
    assert answer["message"]["text"] == "dieser Server heißt nicht 'example.org'"
    assert "cadogan serve" in answer["hint"]
    assert "Adresse" in answer["hint"]


def test_a_stale_move_and_a_refusal_are_reported_in_german(client: TestClient) -> None:
    table = client.post("/api/tables", json={"game": "flower-garden", "deal": "cadogan:1"}).json()
    path = f"/api/tables/{table['id']}/moves"
    body = {"version": table["version"], "from": "garden.2", "to": "bouquet.3"}
    refused = client.post(path, json=body, headers={"Accept-Language": "de"}).json()
    assert refused["message"]["text"] == "Strauß: hier wird nichts hingelegt"
    stale = client.post(path, json=body | {"version": 99}, headers={"Accept-Language": "de"}).json()
    assert stale["message"]["text"].startswith("der Tisch hat sich inzwischen geändert")
    assert stale["table"]["title"] == "Der Blumengarten"
