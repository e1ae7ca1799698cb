"""The form that writes a rules file, over the wire."""

import time
from typing import Any

import pytest
from fastapi.testclient import TestClient

from cadogan.i18n.text import translate
from cadogan.rules import check_text
from cadogan.rules.validate.schema import schema
from cadogan.rules.writing.choices import CHOICES
from cadogan.rules.writing.rules_file import rules_file
from cadogan.rules.writing.vocabulary import vocabulary
from cadogan.web.state import AppState

WORDS = {"space": "any card", "moves": "sequences"}
GAME = """
name = "A"
[foundations]
piles = 4
base = "ace"
build = "up in suit"
[tableau]
piles = 7
deal = 1
build = "down"
space = "{space}"
moves = "{moves}"
[stock]
deals = "1 to waste"
[waste]
"""


def write(client: TestClient, answers: dict[str, str], language: str = "en") -> dict[str, object]:
    answer = client.post(
        "/api/rules/form", json={"answers": answers}, headers={"Accept-Language": language}
    )
    assert answer.status_code == 200, answer.text
    written: dict[str, object] = answer.json()
    return written


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_form_has_all_choices_in_the_language_asked_for(
    client: TestClient, language: str
) -> None:
    sections = client.get("/api/rules/form", headers={"Accept-Language": language}).json()
    choices = [choice for section in sections for choice in section["choices"]]
    assert [choice["key"] for choice in choices] == list(CHOICES)
    for answer in choices:
        choice = CHOICES[answer["key"]]
        assert answer["label"] == translate(choice.label, language)
        assert answer["help"] == translate(choice.help, language)
        assert [option["value"] for option in answer["options"]] == [
            option.value for option in choice.options
        ]
        assert {bar["choice"] for bar in answer["unless"]} == set(choice.unless)


def test_answers_are_written_as_a_file_that_can_be_played(client: TestClient) -> None:
    answers = {"name": "By Choice", "stock": "waste", "redeals": "2", "shuffle": "yes"}
    written = write(client, answers)
    assert written == {"text": rules_file(answers), "misfits": []}
    answer = client.post("/api/rules", json={"text": written["text"]})
    assert answer.status_code == 201
    assert answer.json()["game"]["title"] == "By Choice"


def test_a_game_without_a_name_has_one_in_the_language_asked_for(client: TestClient) -> None:
    assert 'name  = "A game of my own"' in str(write(client, {})["text"])
    assert 'name  = "Ein eigenes Spiel"' in str(write(client, {}, "de")["text"])


def test_answers_that_do_not_fit_are_explained(client: TestClient) -> None:
    written = write(client, {"refill": "waste", "space": "elsewhere"}, "de")
    assert written["text"] is None
    assert written["misfits"] == [
        {
            "choices": ["space"],
            "text": "„Auf einen leeren Platz kommen“ kann nicht „elsewhere“ sein, sondern eines von"
            " any, king, ace, before-base, nothing",
        }
    ]
    assert write(client, {"refill": "waste"})["misfits"] == [
        {
            "choices": ["refill", "stock"],
            "text": '"A vacancy is filled at once: from the waste" does not fit "The stock is'
            ' dealt: not at all"',
        }
    ]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"answers": ["packs"]},
        {"answers": {"packs": 2}},
        {"answers": {"name": "x" * 201}},
        {"answers": {f"choice-{number}": "x" for number in range(101)}},
        {"answers": {}, "more": 1},
    ],
)
def test_other_bodies_are_refused(client: TestClient, body: dict[str, object]) -> None:
    assert client.post("/api/rules/form", json=body).status_code == 422


def test_the_editor_gets_the_schema_and_the_phrases_of_the_catalogue(client: TestClient) -> None:
    answer = client.get("/api/rules/vocabulary").json()
    assert answer["json_schema"] == schema()
    assert answer["groups"][:3] == ["stock", "foundations", "tableau"]
    assert "down in alternate colours" in answer["phrases"]["build"]
    assert "tableau" not in answer["phrases"]["refill"]
    assert "refill" in answer["piles"]


@pytest.mark.parametrize("key", ["space", "moves"])
def test_phrases_that_are_offered_are_understood(key: str) -> None:
    """Each of them, in a game in which it has a meaning."""
    for phrase in vocabulary().phrases[key]:
        report = check_text(GAME.format(**(WORDS | {key: phrase})), "game")
        assert not any(each.code.startswith("unknown") for each in report.errors), phrase


def draft(client: TestClient, text: str, language: str = "en") -> dict[str, Any]:
    body = {"text": text, "deal": 1}
    answer = client.post("/api/rules/check", json=body, headers={"Accept-Language": language})
    assert answer.status_code == 200, answer.text
    checked: dict[str, Any] = answer.json()
    return checked


def test_rules_are_drawn_and_put_into_words_while_they_are_written(client: TestClient) -> None:
    text = rules_file({"name": "By Choice"})
    found = draft(client, text, "de")["draft"]
    assert found["title"] == "By Choice"
    assert found["picture"].startswith("<svg")
    assert "Grundstapel" in found["markdown"]
    assert found["deal"] == "cadogan:1"
    assert draft(client, text.replace("piles", "pils"))["draft"] is None
    assert client.post("/api/rules/check", json={"text": text}).json()["draft"] is None
    for deal in (0, 1_000_001, "cadogan:1"):
        body = {"text": text, "deal": deal}
        assert client.post("/api/rules/check", json=body).status_code == 422


def test_it_is_counted_how_often_they_come_out(
    client: TestClient, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.table.rates.MOST_DEALS", 3)
    text = rules_file({"name": "By Choice"})
    # A server without processes that search does not search here, either.
    assert draft(client, text)["draft"]["rate"] is None
    state.workers = 1
    text = rules_file({"name": "By Choice", "reserves": "8"})
    rate = draft(client, text)["draft"]["rate"]
    assert draft(client, text + "# a remark")["draft"]["rate"]["id"] == rate["id"]
    until = time.monotonic() + 60
    while not rate["complete"]:
        assert time.monotonic() < until
        time.sleep(0.05)
        rate = client.get(f"/api/rules/rates/{rate['id']}").json()
    assert rate["deals"] == rate["won"] + rate["lost"] + rate["undecided"] == 3
    assert 0 <= rate["low"] <= (rate["won"] / 3) <= rate["high"] <= 1
    assert client.get("/api/rules/rates/0000000000000000").status_code == 404
