import json
from pathlib import Path

import pytest

import cadogan
from cadogan.rules import catalogue
from cadogan.table import win_rates

from .conftest import Result, Run


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
    for row in rows[:20]:
        game = cadogan.load(row["name"])
        assert row["title"] == game.title
        assert row["packs"] == game.rulebook.packs
        assert row["variants"] == [variant.name for variant in game.variants]


def test_games_are_listed_family_by_family(run: Run) -> None:
    lines = run("games", width=120).out.splitlines()
    heads = [line for number, line in enumerate(lines) if not number or not lines[number - 1]]
    assert heads[:2] == ["Klondike (klondike)", "King Albert and Raglan (raglan)"]
    assert heads[-1] == "Other games of two packs or more (two-pack)"


def names(result: Result) -> set[str]:
    return {row["name"] for row in json.loads(result.out)}


def test_games_are_chosen_by_family_packs_book_and_text(run: Run) -> None:
    fans = names(run("games", "--family", "fan", "--json"))
    assert {"fan", "la-belle-lucie"} <= fans
    assert names(run("games", "--family", "Fans", "--json")) == fans
    one = names(run("games", "--family", "fan", "--packs", "1", "--json"))
    assert one < fans
    more = names(run("games", "--family", "fan", "--packs", "2..", "--json"))
    assert one | more == fans
    assert {"the-queens", "besieged-city"} <= names(
        run("games", "--book", "lady-cadogan", "--json")
    )
    found = run("games", "--search", "hidden")
    head, clock = found.out.splitlines()
    assert head == "Other games of one pack (one-pack)"
    assert clock.startswith("clock  Clock (Hidden Cards)  1 pack  ")
    assert names(run("games", "--search", "räuber", "--json")) == {"forty-thieves"}
    assert names(run("games", "--search", "miss-muffet", "--json")) == {"curds-and-whey"}


def test_games_are_chosen_by_how_often_they_can_be_won(run: Run) -> None:
    result = run("games", "--winnable", "60..90", "--json")
    rows = json.loads(result.out)
    assert {"bakers-game", "seahaven-towers", "beleaguered-castle"} <= {row["name"] for row in rows}
    for row in rows:
        assert 60 <= row["winnable"]["least"] <= row["winnable"]["most"] <= 90
    always = run("games", "--winnable", "99..", "--json").out
    assert "freecell" in {row["name"] for row in json.loads(always)}
    shown = run("games", "--search", "bakers-game").out
    assert "Baker's Game  1 pack  74 %  kings-only" in shown


def test_games_that_were_not_measured_are_counted(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = json.loads(win_rates.FILE.read_text(encoding="utf-8"))
    rates = {game: figures for game, figures in rates.items() if game != "golf"}
    file = tmp_path / "rates.json"
    file.write_text(json.dumps(rates), encoding="utf-8")
    monkeypatch.setattr(win_rates, "FILE", file)
    unknown = sum(win_rates.chances(cadogan.load(game)) is None for game in catalogue())
    result = run("games", "--winnable", "..100", "--json")
    assert "golf" not in {row["name"] for row in json.loads(result.out)}
    assert f"Not measured, and so not listed: {unknown} more." in result.err


def test_if_no_game_fits_it_is_said(run: Run) -> None:
    result = run("games", "--search", "no such game")
    assert (result.status, result.out, result.err) == (0, "", "No game fits.\n")
    assert json.loads(run("games", "--search", "no such game", "--json").out) == []


@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        (("--family", "fann"), "there is no family called 'fann'", "did you mean fan?"),
        (("--family", "xyz"), "there is no family called 'xyz'", "say klondike, raglan, freecell"),
        (("--book", "hoyle"), "there is no book called 'hoyle'", "say lady-cadogan"),
        (("--packs", "one"), "--packs 'one' is not a range", "write 1, 2 or 2..4"),
        (("--packs", ".."), "--packs '..' is not a range", "write 1, 2 or 2..4"),
        (("--winnable", "90..50"), "--winnable '90..50' ends before it begins", "write 50..90"),
    ],
)
def test_slips_are_answered(run: Run, words: tuple[str, ...], error: str, hint: str) -> None:
    result = run("games", *words)
    assert result.status == 2
    assert error in result.err
    assert hint in result.err.replace("\n", " ")


def test_the_figures_are_cached(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CADOGAN_CACHE", raising=False)
    out = run("games").out
    assert json.loads((home / "cache" / "rates.json").read_text())["data"]["freecell"]
    monkeypatch.setattr("cadogan.cli.games._measured", lambda: pytest.fail("asked again"))
    assert run("games").out == out


def test_a_game_is_named_by_its_titles(run: Run) -> None:
    assert "name    clock" in run("info", "travellers").out
    assert run("rules", "Hidden Cards").out == run("rules", "clock").out
    result = run("info", "teppich")
    assert result.status == 2
    assert 'several games are called "teppich": "carpet" and "the-carpet"' in result.err


def test_info_has_titles_family_and_kin(run: Run) -> None:
    out = run("info", "la-belle-lucie").out
    assert "also    Midnight Oil, Clover Leaf, Fair Lucy" in out
    assert "family  Fans (fan)" in out
    assert "\nlike this: " in out
    facts = json.loads(run("info", "la-belle-lucie", "--json").out)
    assert facts["family"] == "fan"
    assert len(facts["kin"]) == 5


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
