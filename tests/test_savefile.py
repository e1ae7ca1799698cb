import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cadogan import Position, SavedGameError, load
from cadogan.rules import catalogue
from tests.games import TINY, walk, write_game


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


Data = dict[str, Any]


def sets(**changes: Any) -> Callable[[Data], object]:
    """A change of entries of a saved game."""
    return lambda data: data.update(changes)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (sets(format=99), "format 99"),
        (sets(format=True), "'format' is True"),
        (sets(game=7), "'game' is 7"),
        (sets(game="nobody"), "rules of 'nobody' cannot be read"),
        (sets(digest="0" * 64), "have changed"),
        (sets(deal=None), "the deal is not a string"),
        (sets(deal="cadogan:-1"), "cannot be dealt"),
        (sets(deck="AS"), "either a 'deal' or a 'deck'"),
        (sets(deal="cadogan:2"), "entry"),
        (sets(line=[7]), "is not a move"),
        (sets(line=[]), "the file ends, the layout"),
        (sets(hash="0"), "its hash was 0"),
        (lambda data: data.pop("digest"), "'digest' is missing"),
        (lambda data: data["line"].pop(), "its hash was"),
        (lambda data: data["line"].append("nonsense"), "cannot be played"),
        (lambda data: data["line"].append("* deal"), "is not forced here"),
        (lambda data: data["line"].__setitem__(0, "* deal"), "the layout"),
        (lambda data: data["line"].__setitem__(0, data["line"][0][2:]), "should read"),
    ],
)
def test_damage_is_reported(change: Callable[[Data], object], told: str) -> None:
    data = json.loads(walk(load("amazons"), "cadogan:1", 6)[-1].to_json())
    change(data)
    with pytest.raises(SavedGameError, match=told):
        Position.from_json(json.dumps(data))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not a saved game"),
        ("[" * 100_000, "not a saved game"),
        ("[]", "not a JSON object"),
        ("{}", "'format' is missing"),
    ],
    ids=["empty", "deep", "list", "bare"],
)
def test_what_is_no_saved_game_is_reported(text: str, told: str) -> None:
    with pytest.raises(SavedGameError, match=told):
        Position.from_json(text)
