"""Units: which cards move together."""

import pytest

from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.asks import Unit
from tests.rules.reading import rule_codes, rule_of

MOVE = 'from = "garden"\nto = "waste"\n'


def unit(phrase: str) -> Unit:
    action = rule_of(f'{MOVE}cards = "{phrase}"').action
    assert isinstance(action, Move)
    return action.cards


@pytest.mark.parametrize(
    ("phrase", "kind"),
    [
        ("one card", "top"),
        ("The top card", "top"),
        ("a packet", "packet"),
        ("the  whole pile", "all"),
        ("up to 4 cards", "count"),
        ("a sequence down in suit", "run"),
        ("a complete sequence down in suit", "run"),
    ],
)
def test_kinds(phrase: str, kind: str) -> None:
    assert unit(phrase).kind == kind


def test_numbers() -> None:
    assert unit("up to 1 card").most == 1
    assert unit("up to 104 cards").most == 104
    complete = unit("a complete sequence down in suit")
    assert (complete.least, complete.most) == (13, 13)
    assert (unit("a sequence down").least, unit("a sequence down").most) == (1, 416)


def test_a_sequence_may_run_in_several_ways() -> None:
    relation = unit("a sequence down in suit or else up").relation
    assert relation is not None
    assert relation.texts == ("down in suit", "up")


def test_several_cards_are_laid_one_by_one() -> None:
    for cards, reverse in (("up to 3 cards", True), ("a packet", False)):
        action = rule_of(f'{MOVE}cards = "{cards}"').action
        assert isinstance(action, Move)
        assert action.laid_one_by_one == reverse


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ('cards = ""', ["unknown-phrase"]),
        ('cards = "two cards"', ["unknown-phrase"]),
        ('cards = "up to 0 cards"', ["unknown-phrase"]),
        ('cards = "up to 105 cards"', ["unknown-phrase"]),
        ('cards = "a sequence"', ["unknown-phrase"]),
        ('cards = "a sequence down in siut"', ["unknown-build"]),
        ('cards = "a sequence down or else sideways"', ["unknown-build"]),
        ("build = []", ["unknown-build"]),
    ],
)
def test_faults(keys: str, codes: list[str]) -> None:
    assert rule_codes(MOVE + keys) == codes


def test_foundations_take_one_card() -> None:
    assert rule_codes('from = "garden"\nto = "foundations"\ncards = "a packet"') == [
        "mixed-targets"
    ]
