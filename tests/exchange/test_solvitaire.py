"""Rules of Solvitaire become rules files that are right, or the reasons why not."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan import load
from cadogan.exchange.solvitaire import _HEAD, _KEYS, SolvitaireError, rules_file
from cadogan.rules import check_text

# Its own games that are in our catalogue, too.
SAME: dict[str, dict[str, Any]] = {
    "flower-garden": {"tableau piles": {"count": 6}, "reserve": {"size": 16}},
    "freecell": {"tableau piles": {"build policy": "red-black"}, "cells": {"count": 4}},
    "black-hole": {
        "tableau piles": {"count": 17, "build policy": "no-build"},
        "foundations": {"present": False},
        "hole": {"present": True},
    },
    "klondike:draw-three": {
        "tableau piles": {
            "count": 7,
            "build policy": "red-black",
            "spaces policy": "kings",
            "move built group": "yes",
            "diagonal deal": True,
            "face up cards": "top",
        },
        "foundations": {"removable": True},
        "stock": {"size": 24, "deal count": 3, "redeal": True},
    },
}


@pytest.mark.parametrize("name", SAME)
def test_a_game_plays_as_the_one_of_the_catalogue(name: str, tmp_path: Any) -> None:
    path = tmp_path / "imported.toml"
    path.write_text(rules_file(json.dumps(SAME[name]), "Imported"), encoding="utf-8")
    ours, theirs = load(name), load(str(path))
    for deal in ("solvitaire:1", "solvitaire:2"):
        here, there = ours.deal(deal), theirs.deal(deal)
        for _ in range(30):
            held = sorted(filter(None, here.piles.values()))
            assert sorted(filter(None, there.piles.values())) == held
            moves = here.moves()
            assert len(moves) == len(there.moves())
            if not moves:
                break
            # The piles have other names, so the same move is the one that leads to the same table.
            here = here.play(moves[0])
            wanted = sorted(filter(None, here.piles.values()))
            there = next(
                after
                for after in map(there.play, there.moves())
                if sorted(filter(None, after.piles.values())) == wanted
            )


def values(key: Any) -> st.SearchStrategy[Any]:
    """Values that a key takes."""
    if isinstance(key.default, bool):
        return st.booleans()
    if isinstance(key.default, int):
        return st.integers(0, min(key.most, 40))
    words = st.sampled_from(key.words)
    return st.lists(words, max_size=3) if isinstance(key.default, list) else words


def sections(keys: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Some keys of a section, with values."""
    return st.fixed_dictionaries({}, optional={key: values(keys[key]) for key in keys})


RULES = st.fixed_dictionaries(
    {}, optional={**{name: sections(_KEYS[name]) for name in _KEYS}, "two decks": st.booleans()}
)


@given(RULES)
def test_any_rules_are_translated_or_refused_with_reasons(rules: dict[str, Any]) -> None:
    try:
        text = rules_file(json.dumps(rules), "Random")
    except SolvitaireError as wrong:
        assert wrong.faults
        assert str(wrong) == "\n".join(wrong.faults)
        return
    assert check_text(text, "random").ok


def test_all_faults_are_reported_in_one_run() -> None:
    rules = {
        "tableau piles": {"count": "six", "colour": 1},
        "cells": 4,
        "max rank": 14,
        "resrve": {},
        "stock": {"deal type": "tableau"},
    }
    with pytest.raises(SolvitaireError) as caught:
        rules_file(json.dumps(rules), "Wrong")
    assert caught.value.faults == [
        '"cells" must be a JSON object',
        '"max rank" must be a number from 0 to 13',
        '"stock" "deal type" must be one of "waste", "tableau piles", "hole"',
        '"tableau piles" "count" must be a number from 0 to 120',
        '"tableau piles" has no key "colour"',
        'the rules have no key "resrve"',
    ]


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '"x"', "[" * 100_000, '{"a": NaN'])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(SolvitaireError):
        rules_file(text, "None")


def test_what_the_program_prints_around_the_rules_does_not_matter() -> None:
    rules = json.dumps(SAME["freecell"])
    assert rules_file(f"The rules of 'x':\n{rules}\nTo see more", "X") == rules_file(rules, "X")


def test_every_key_has_a_default_that_it_accepts() -> None:
    for keys in (*_KEYS.values(), _HEAD):
        for key in keys.values():
            assert key.accepts(key.default)
