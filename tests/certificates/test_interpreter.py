"""The second reading of the rules plays exactly as the kernel does, in every game."""

import random

import pytest

from cadogan import _kernel
from cadogan.certificates.game import Keys
from cadogan.certificates.interpreter import Interpreter, Position, piles_of
from cadogan.certificates.tables import read_tables
from cadogan.rules.compile.digest import digest
from cadogan.rules.pipeline import load_rules
from tests.catalogue import all_readings
from tests.conftest import THOROUGH

DEALS = 6 if THOROUGH else 1
LENGTH = 120 if THOROUGH else 40


def same(position: Position, state: _kernel.State) -> bool:
    return (
        position.piles == [bytes(pile) for pile in state.piles()]
        and position.counters == list(state.counters())
        and piles_of(position.closed) == list(state.closed())
        and (None if position.choice is None else position.choice.rule) == state.choosing()
    )


@pytest.mark.costly
@pytest.mark.parametrize("name", all_readings())
def test_moves_and_positions_are_those_of_the_kernel(name: str) -> None:
    program = load_rules(name).program
    play = Interpreter(read_tables(program.data))
    keys = Keys(play.tables)
    kernel = _kernel.Program(program.to_bytes())
    chance = random.Random(name)
    for _ in range(DEALS):
        deck = list(play.tables.deck)
        chance.shuffle(deck)
        state, position = kernel.deal(bytes(deck)), play.deal(bytes(deck))
        assert same(position, state)
        for _ in range(LENGTH):
            moves = play.moves(position)
            assert [move.code for move in moves] == list(state.moves())
            if not moves:
                break
            move = chance.choice(moves)
            position = play.play(position, move)
            state, _ = state.play(move.code)
            assert same(position, state)
            again = keys.position(keys.key(position))
            assert keys.key(again) == keys.key(position)


def test_the_digest_is_that_of_the_program() -> None:
    program = load_rules("freecell").program
    assert digest(program.data) == program.digest


def test_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match="format 99"):
        read_tables({"format": 99})
