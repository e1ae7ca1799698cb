import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cadogan import Position, SavedGameError, load
from cadogan.rules import catalogue
from tests.games import TINY, walk, write_game


def saved(**changes: Any) -> str:
    position = walk(load("amazons"), "cadogan:1", 6)[-1]
    return json.dumps(json.loads(position.to_json()) | changes)


@pytest.mark.parametrize("name", catalogue())
def test_a_saved_game_is_equal_after_reading(name: str) -> None:
    position = walk(load(name), "cadogan:4", 25)[-1]
    again = Position.from_json(position.to_json())
    assert again == position
    assert again.line == position.line
    assert again.deal_name == "cadogan:4"
    assert again.to_json() == position.to_json()


def test_a_game_with_a_deck_of_its_own_is_saved() -> None:
    game = load("flower-garden")
    position = game.deal(deck=game.pack[::-1])
    assert Position.from_json(position.to_json()).deck == position.deck


def test_a_game_at_hand_is_not_loaded_again(tmp_path: Path) -> None:
    position = write_game(tmp_path).deal("cadogan:1")
    text = position.to_json()
    (tmp_path / "tiny.toml").unlink()
    with pytest.raises(SavedGameError, match=r"the rules of '.*tiny\.toml' cannot be read"):
        Position.from_json(text)
    assert Position.from_json(text, position.game) == position


def test_changed_rules_are_noticed(tmp_path: Path) -> None:
    text = write_game(tmp_path).deal("cadogan:1").to_json()
    write_game(tmp_path, TINY.replace('"down in suit"', '"up in suit"'))
    with pytest.raises(SavedGameError, match="have changed since the game was saved"):
        Position.from_json(text)


def broken_line(change: Callable[[list[str]], object]) -> str:
    data = json.loads(saved())
    change(data["line"])
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not a saved game"),
        ("[" * 100_000, "not a saved game"),
        ("[]", "no JSON object"),
        ("{}", "'format' is missing"),
        (saved(format=99), "format 99"),
        (saved(format=True), "'format' is True"),
        (saved(game=7), "'game' is 7"),
        (saved(game="nobody"), "rules of 'nobody' cannot be read"),
        (saved(digest="0" * 64), "have changed"),
        (saved(deal=None), "the deal is no text"),
        (saved(deal="cadogan:-1"), "cannot be dealt"),
        (saved(deck="AS"), "either a 'deal' or a 'deck'"),
        (saved(deal="cadogan:2"), "entry"),
        (saved(line=[7]), "is no move"),
        (saved(line=[]), "the file ends, the layout"),
        (saved(hash="0"), "its hash was 0"),
        (broken_line(lambda line: line.pop()), "its hash was"),
        (broken_line(lambda line: line.append("nonsense")), "cannot be played"),
        (broken_line(lambda line: line.append("* deal")), "is not forced here"),
        (broken_line(lambda line: line.__setitem__(0, "* deal")), "the layout"),
        (broken_line(lambda line: line.__setitem__(0, line[0][2:])), "should read"),
    ],
)
def test_damage_is_told(text: str, told: str) -> None:
    with pytest.raises(SavedGameError, match=told):
        Position.from_json(text)
