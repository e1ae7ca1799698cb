"""Games over the wire: the list, the rules, rules files of the player's own."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient

from cadogan import load
from cadogan.rules import catalogue
from cadogan.rules.rulebook.families import FAMILIES
from cadogan.table import win_rates
from cadogan.web.state import AppState
from tests.documents import ROOT
from tests.games import TINY

GARDEN = (ROOT / "python/cadogan/catalogue/flower-garden.toml").read_text(encoding="utf-8")


def test_the_list_has_the_whole_catalogue(client: TestClient) -> None:
    games = {game["name"]: game for game in client.get("/api/games").json()}
    assert set(games) == set(catalogue())
    assert games["flower-garden"]["open"]
    assert not games["klondike"]["open"]
    assert games["hochzeitszug"]["names"]["en"] == "Wedding Procession"


def test_a_picture_shows_the_first_deal(client: TestClient) -> None:
    answer = client.get("/api/games/klondike:draw-three/picture")
    assert answer.headers["content-type"] == "image/svg+xml"
    # Rules files can change, so a picture is not kept for long.
    assert answer.headers["cache-control"] == "private, max-age=600"
    drawn = ElementTree.fromstring(answer.text)
    texts = [each.text or "" for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    position = load("klondike").deal("cadogan:1")
    seen = [str(card) for pile in position.visible_piles().values() for card in pile if card]
    ranks = sorted(card[0].replace("T", "10") for card in seen)
    assert sorted(text for text in texts if text not in ("24", "A")) == [
        rank for rank in ranks if rank != "A"
    ]
    assert client.get("/api/games/no-such-game/picture").status_code == 404


def test_an_upload_is_playable_at_once(client: TestClient, state: AppState) -> None:
    answer = client.post("/api/rules", json={"text": GARDEN.replace("piles = 16", "piles = 16 ")})
    assert answer.status_code == 201, answer.text
    name = answer.json()["game"]["name"]
    table = client.post("/api/tables", json={"game": name, "deal": "cadogan:1"})
    assert table.status_code == 201
    assert table.json()["title"] == "The Flower Garden"
    variant = client.post("/api/tables", json={"game": f"{name}:sequences"})
    assert variant.status_code == 201
    assert client.get(f"/api/games/{name}/rules").json()["markdown"].startswith("# The Flower")
    assert client.get(f"/api/tables/{table.json()['id']}/share").json()["portable"] is False
    assert client.delete(f"/api/rules/{name}").status_code == 204
    assert name not in {game["name"] for game in client.get("/api/games").json()}
    # What is played by it can be gone on with.
    assert client.get(f"/api/tables/{table.json()['id']}").status_code == 200


def test_the_faults_of_an_upload_are_reported_with_their_places(client: TestClient) -> None:
    broken = GARDEN.replace('"ace"', '"aec"').replace("piles = 6", "pils = 6")
    answer = client.post("/api/rules", json={"text": broken})
    assert answer.status_code == 422
    problem = answer.json()
    assert problem["code"] == "rules"
    lines = broken.splitlines()
    given = {lines[fault["line"] - 1][fault["column"] - 1 :][:5] for fault in problem["faults"]}
    assert {'"aec"', "pils "} <= given
    assert any(fault["hint"] for fault in problem["faults"])


@pytest.mark.parametrize(
    "name",
    [
        *("../../../etc/passwd", "/etc/passwd", "x.toml", "..", "own.", "own.x.toml"),
        *("./flower-garden.toml", "own.../../x.00000000", "klondike:../x", "C:\\x.toml"),
    ],
)
def test_no_name_reads_a_file(client: TestClient, name: str) -> None:
    for answer in (
        client.post("/api/tables", json={"game": name}),
        client.post("/api/searches", json={"game": name}),
        client.post("/api/tables/import", json={"text": f"# game: {name}\n# deal: cadogan:1\n"}),
    ):
        assert answer.status_code in (404, 422), (name, answer.text)


def test_the_figures_of_the_package_are_of_games_that_there_are() -> None:
    answer = json.loads(win_rates.FILE.read_text(encoding="utf-8"))
    assert {name.partition(":")[0] for name in answer} <= set(catalogue())
    for name, entry in answer.items():
        assert 0 <= entry["low"] <= entry["high"] <= 1, name
        assert entry["won"] + entry["undecided"] <= entry["deals"], name
        load(name)


def test_a_check_stores_nothing(client: TestClient) -> None:
    before = client.get("/api/games").json()
    broken = GARDEN.replace("piles = 6", "pils = 6") + "x = 1\n"
    answer = client.post("/api/rules/check", json={"text": broken}).json()
    assert not answer["ok"]
    assert [fault["line"] for fault in answer["faults"]] == sorted(
        fault["line"] for fault in answer["faults"]
    )
    assert len(answer["faults"]) >= 2
    assert client.post("/api/rules/check", json={"text": GARDEN}).json() == {
        "ok": True,
        "faults": [],
        "draft": None,
    }
    assert client.post("/api/rules/check", json={"text": "ä" * 200_000}).status_code == 413
    assert client.get("/api/games").json() == before


def test_a_new_version_takes_the_place_of_the_old_one(client: TestClient) -> None:
    first = client.post("/api/rules", json={"text": GARDEN}).json()["game"]["name"]
    table = client.post("/api/tables", json={"game": first}).json()["id"]
    client.put(f"/api/games/{first}/favourite")
    body = {"text": GARDEN.replace("piles = 16", "piles = 15"), "replaces": first}
    second = client.post("/api/rules", json=body).json()["game"]
    assert second["favourite"]
    own = [game["name"] for game in client.get("/api/games").json() if game["origin"] == "upload"]
    assert own == [second["name"]]
    assert client.get(f"/api/tables/{table}").status_code == 200
    # What is of the catalogue or of nobody is not replaced.
    client.post("/api/rules", json={"text": GARDEN, "replaces": "golf"})
    assert "golf" in {game["name"] for game in client.get("/api/games").json()}


def test_variants_say_which_exclude_each_other(client: TestClient) -> None:
    answer = client.get("/api/games/klondike/variants?lang=de").json()
    by_name = {variant["name"]: variant for variant in answer}
    excludes = {each["variant"]: each for each in by_name["one-pass"]["excludes"]}
    exclusion = excludes["two-redeals"]
    assert "stock.redeals" in exclusion["message"]["text"]
    assert "one-pass" not in {each["variant"] for each in by_name["draw-three"]["excludes"]}


def test_what_was_measured_is_reported_the_rules_it_was_measured_by(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "chances.json"
    figures = {"deals": 100, "won": 80, "undecided": 10, "low": 0.7, "high": 0.95}
    mark = load("golf").digest[:12]
    file.write_text(
        json.dumps({"golf": {"rules": mark, **figures}, "klondike": {"rules": "0", **figures}})
    )
    monkeypatch.setattr(win_rates, "FILE", file)
    games = {game["name"]: game for game in client.get("/api/games").json()}
    assert games["golf"]["chances"]["won"] == 80
    assert games["klondike"]["chances"] is None
    assert games["klondike"]["difficulty"] is None


def test_what_an_upload_is_called_does_not_say_where_it_goes(
    client: TestClient, state: AppState, tmp_path: Path
) -> None:
    wicked = GARDEN.replace('"The Flower Garden"', '"../../../evil"')
    answer = client.post("/api/rules", json={"text": wicked, "file_name": "../../evil.toml"})
    assert answer.status_code == 201
    name = answer.json()["game"]["name"]
    assert name.startswith("own.evil.")
    path = Path(state.library.address(name))
    assert path.resolve().is_relative_to((tmp_path / "rules").resolve())


def test_favourites_are_stored(client: TestClient) -> None:
    assert client.put("/api/games/golf/favourite").status_code == 204
    assert client.get("/api/games").json()[list(catalogue()).index("golf")]["favourite"]
    assert client.delete("/api/games/golf/favourite").status_code == 204
    assert client.put("/api/games/gulf/favourite").status_code == 404


def test_settings_are_stored_and_have_a_limit(client: TestClient) -> None:
    settings = client.get("/api/settings").json()
    settings["theme"] = "dark"
    settings["page"] = {"tips": True}
    assert client.put("/api/settings", json=settings).status_code == 200
    assert client.get("/api/settings").json() == settings
    settings["page"] = {"x": "y" * 9000}
    assert client.put("/api/settings", json=settings).status_code == 413


def test_the_rules_are_reported_in_german(client: TestClient) -> None:
    for name in ("hochzeitszug", "hochzeitszug:columns", "klondike", "klondike:draw-three"):
        german = client.get(f"/api/games/{name}/rules", headers={"Accept-Language": "de"}).json()
        assert (german["language"], german["complete"]) == ("de", True)
        assert "## Das Ziel" in german["markdown"]
        english = client.get(f"/api/games/{name}/rules").json()
        assert (english["language"], english["complete"]) == ("en", True)
        assert "## The aim" in english["markdown"]


def test_the_list_has_families_and_other_titles(client: TestClient) -> None:
    answer = client.get("/api/games", headers={"Accept-Language": "de"}).json()
    games = {game["name"]: game for game in answer}
    assert games["clock"]["family"]["title"] == "Andere Spiele mit einem Paket"
    assert "Hidden Cards" in games["clock"]["aliases"]
    assert games["fan"]["family"] == {"name": "fan", "title": "Fächer", "place": 8}
    assert games["klondike"]["family"]["place"] == 0


def test_a_game_without_a_family_comes_last(client: TestClient) -> None:
    added = client.post("/api/rules", json={"text": TINY}).json()["game"]
    assert added["family"] == {"name": "", "title": "Other games", "place": len(FAMILIES)}
    assert added["aliases"] == []
