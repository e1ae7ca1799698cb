import json

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
    assert "cadogan show GAME" in result.err
    assert "cadogan show GAME" not in result.out


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


def test_no_line_of_the_list_is_wider_than_the_terminal(run: Run) -> None:
    for width in (80, 120):
        assert max(map(len, run("games", width=width).out.splitlines())) <= width


def test_show_tells_groups_and_variants_with_their_reasons(run: Run) -> None:
    out = run("show", "amazons").out
    assert "28 cards" in out
    assert "columns " in out
    assert "queens-free" in out
    assert "a queen may go up from any column" in out


def test_show_marks_the_chosen_variant(run: Run) -> None:
    out = run("show", "amazons:chance").out
    marked = [line for line in out.splitlines() if line.startswith("*")]
    assert [line.split()[1] for line in marked] == ["chance"]


def test_show_as_json(run: Run) -> None:
    facts = json.loads(run("show", "empress-of-india", "--json").out)
    assert facts["packs"] == 4
    assert facts["cards"] == 176
    assert {group["name"]: len(group["piles"]) for group in facts["groups"]}["army"] == 24
