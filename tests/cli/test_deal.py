import json
from pathlib import Path

import cadogan

from .conftest import Run

GARDEN = ("flower-garden", "--deal", "cadogan:1")


def test_a_deal_taken_at_random_is_named_and_can_be_dealt_again(run: Run) -> None:
    result = run("deal", "flower-garden")
    name = result.err.split()[-1]
    assert result.err == f"dealing {name}\n"
    assert run("deal", "flower-garden", "--deal", name).out == result.out


def test_the_number_taken_at_random_is_in_the_data_too(run: Run) -> None:
    result = run("deal", "klondike", "--json")
    assert json.loads(result.out)["deal"] == result.err.split()[-1]


def test_a_deck_gives_the_same_table_as_its_deal(run: Run, tmp_path: Path) -> None:
    deck = " ".join(map(str, cadogan.load("flower-garden").deal("cadogan:1").deck))
    file = tmp_path / "deck.txt"
    file.write_text(f"# my deck\n{deck[:50]}\n{deck[50:]} # and no more\n")
    ways = (
        run("deal", "flower-garden", "--deck", deck),
        run("deal", "flower-garden", "--deck", deck.replace(" ", ", ").lower()),
        run("deal", "flower-garden", "--deck-file", str(file)),
        run("deal", "flower-garden", "--deck-file", "-", stdin=deck),
    )
    table = run("deal", *GARDEN).out.partition("\n")[2]
    assert [way.out.partition("\n")[2] for way in ways] == [table] * 4


def test_variants_are_chosen_by_colon(run: Run) -> None:
    out = run("deal", "amazons:left-to-right+queens-free", "--deal", "cadogan:1").out
    assert out.startswith("Amazons (left-to-right, queens-free)")


def test_a_rules_file_serves_where_a_game_is_named(run: Run, tmp_path: Path) -> None:
    source = Path(cadogan.__file__).parent / "catalogue" / "flower-garden.toml"
    file = tmp_path / "mine.toml"
    file.write_bytes(source.read_bytes())
    for words in (("deal", "--deal", "cadogan:1"), ("moves", "--deal", "cadogan:1"), ("info",)):
        assert run(words[0], str(file), *words[1:]).status == 0
    named = run("deal", f"{file}:worrying-back", "--deal", "cadogan:1").out
    assert named.startswith("The Flower Garden (worrying-back)")


def test_json_holds_what_the_player_sees(run: Run) -> None:
    facts = json.loads(run("deal", "klondike", "--deal", "cadogan:1", "--json").out)
    assert facts["piles"]["tableau.3"][:2] == [None, None]
    assert facts["piles"]["stock"] == [None] * 24
    assert facts["deck"] is None
    assert facts["outcome"] is None


def test_json_holds_the_whole_truth_when_asked_for(run: Run) -> None:
    facts = json.loads(run("deal", "klondike", "--deal", "cadogan:1", "--json", "--open").out)
    assert sorted(facts["deck"]) == sorted(
        card for pile in facts["piles"].values() for card in pile
    )


def test_moves_are_numbered_and_read_back(run: Run) -> None:
    lines = run("moves", *GARDEN).out.splitlines()
    position = cadogan.load("flower-garden").deal("cadogan:1")
    assert [line.split("  ")[1].strip() for line in lines] == [m.text for m in position.moves()]
    assert lines[0].split() == ["1", "garden.2", ">", "garden.5", "3♥", "on", "4♥"]


def test_moves_as_json(run: Run) -> None:
    rows = json.loads(run("moves", *GARDEN, "--json").out)
    assert rows[0] == {
        "number": 1,
        "text": "garden.2 > garden.5",
        "rule": rows[0]["rule"],
        "source": "garden.2",
        "target": "garden.5",
        "count": 1,
    }


def test_moves_can_be_made_first(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "moves.txt"
    file.write_text("# two moves\ng.3 > g.2  # the two\n\nbouquet.2 > garden.6\n")
    ways = (
        run("deal", *GARDEN, "--moves", "garden.3 > garden.2; b.2 > g.6"),
        run("deal", *GARDEN, "--moves-file", str(file)),
        run("deal", *GARDEN, "--moves-file", "-", stdin=file.read_text()),
    )
    assert len({way.out for way in ways}) == 1
    assert "2 moves" in ways[0].out


def test_an_open_choice_is_reported_beside_the_moves(run: Run) -> None:
    words = ("besieged-city", "--deal", "cadogan:1", "--moves", "ramparts.1 > ramparts.2")
    result = run("moves", *words)
    assert "you must choose one of these: a breach is filled from its line" in result.err
    assert all("> ramparts.1" in line for line in result.out.splitlines())
