"""Moves as values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan import load
from cadogan.moves import MoveCode
from cadogan.rules import catalogue

BYTE = st.integers(0, 255)


@given(BYTE, BYTE, BYTE, BYTE)
def test_a_code_has_four_parts(rule: int, source: int, count: int, target: int) -> None:
    code = rule << 24 | source << 16 | count << 8 | target
    assert MoveCode.of(code) == MoveCode(rule, source, count, target)


@pytest.mark.parametrize("name", catalogue())
def test_a_move_says_what_its_code_says(name: str) -> None:
    game = load(name)
    for move in game.deal("cadogan:1").moves():
        code = MoveCode.of(move.code)
        assert move.rule == game.rulebook.rules[code.rule].name
        assert move.rule_index == code.rule
        assert str(move) == move.text
        if move.source is not None:
            assert move.source == game.pile_names[code.source]
        if move.target is not None:
            assert move.target == game.pile_names[code.target]
            assert move.count == code.count
