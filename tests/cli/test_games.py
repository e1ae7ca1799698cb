import json
from pathlib import Path

import pytest

from .conftest import Run


def test_games_are_listed_with_title_packs_and_variants(run: Run) -> None:
    result = run("games", width=200)
    assert result.status == 0
    line = next(line for line in result.out.splitlines() if line.startswith("amazons "))
    assert line.split("  ")[0] == "amazons"
    assert "Amazons" in line
    assert "1 pack " in line
    assert "left-to-right, queens-free" in line


def test_help_for_the_list_is_not_data(run: Run) -> None:
    result = run("games")
    assert "cadogan info GAME" in result.err
    assert "cadogan info GAME" not in result.out


def test_list_as_json_is_what_loading_the_games_says(run: Run) -> None:
    import cadogan
    from cadogan.rules import catalogue

    rows = json.loads(run("games", "--json").out)
    assert [row["name"] for row in rows] == list(catalogue())
    for row in rows:
        game = cadogan.load(row["name"])
        assert row["title"] == game.title
        assert row["packs"] == game.rulebook.packs
        assert row["variants"] == [variant.name for variant in game.variants]


def test_the_list_is_cached_until_a_rules_file_changes(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = tmp_path / "catalogue"
    catalogue.mkdir()
    monkeypatch.setattr("cadogan.cli.games.CATALOGUE", catalogue)
    monkeypatch.delenv("CADOGAN_NO_CACHE", raising=False)
    file = catalogue / "mine.toml"
    file.write_text('name = "Mine"\npacks = 1\n')
    assert json.loads(run("games", "--json").out)[0]["title"] == "Mine"
    cache = home / "cache" / "games.json"
    assert "Mine" in cache.read_text()
    file.write_text('name = "Changed"\npacks = 2\n')
    assert json.loads(run("games", "--json").out)[0]["title"] == "Changed"
    for damaged in ("", "{", "[]", '{"stamp": []}', "\x00"):
        cache.write_text(damaged)
        assert json.loads(run("games", "--json").out)[0]["title"] == "Changed"
    cache.unlink()
    cache.mkdir()
    assert json.loads(run("games", "--json").out)[0]["title"] == "Changed"


def test_no_line_of_the_list_is_wider_than_the_terminal(run: Run) -> None:
    for width in (80, 120):
        assert max(map(len, run("games", width=width).out.splitlines())) <= width


def test_info_tells_groups_and_variants_with_their_reasons(run: Run) -> None:
    out = run("info", "amazons").out
    assert "28 cards" in out
    assert "columns " in out
    assert "queens-free" in out
    assert "a queen may go up from any column" in out


def test_info_marks_the_chosen_variant(run: Run) -> None:
    out = run("info", "amazons:chance").out
    marked = [line for line in out.splitlines() if line.startswith("*")]
    assert [line.split()[1] for line in marked] == ["chance"]


def test_info_as_json(run: Run) -> None:
    facts = json.loads(run("info", "empress-of-india", "--json").out)
    assert facts["packs"] == 4
    assert facts["cards"] == 176
    assert {group["name"]: len(group["piles"]) for group in facts["groups"]}["army"] == 24
