"""The turning up of face-down top cards."""

import pytest

from cadogan import load
from cadogan.rules.compile.symmetry import interchangeable
from cadogan.rules.kinds import TurnUp
from tests.games import walk
from tests.rules.reading import BASE, book_of, rule_codes, rule_of

TURN = 'turn_up = "garden"\nforced = true'


def test_reading() -> None:
    action = rule_of(TURN).action
    assert isinstance(action, TurnUp)
    assert action.piles.piles == tuple(range(4, 10))


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ('turn_up = "garden"', ["not-forced"]),
        (f'{TURN}\nto = "waste"', ["key-does-not-fit"]),
        (f"{TURN}\nsteps = []", ["key-does-not-fit", "out-of-range"]),
    ],
)
def test_faults(keys: str, codes: list[str]) -> None:
    assert rule_codes(keys) == codes


@pytest.mark.parametrize(("before", "even"), [(True, False), (False, True)])
def test_nothing_may_come_between_the_turning_of_two_piles(before: bool, even: bool) -> None:
    turn = f'[[rule]]\nname = "turn"\n{TURN}\n'
    other = '[[rule]]\nname = "up"\nforced = true\nfrom = "waste"\nto = "foundations"\n'
    book = book_of(f"{BASE}\n{other + turn if before else turn + other}")
    garden = next(group for group in book.groups if group.name == "garden")
    assert interchangeable(garden, book) is even


def test_turned_up_cards_are_in_the_line() -> None:
    line = walk(load("klondike"), "cadogan:1", 60)[-1].line
    turned = [move for move in line if str(move).startswith("turn up tableau.")]
    assert turned
    assert all(move.forced for move in turned)
