"""Warnings: which ones the catalogue has, and no others."""

import re

import pytest

from cadogan.rules import catalogue, check_text
from cadogan.storage import CATALOGUE

DELIBERATE = {
    "amazons": ["endless-redeals"],  # the variant "unlimited"
    "anna": ["pack-not-consumed"],  # the queens stay
    "cruel": ["endless-redeals"],
    "diamond-mine": ["pack-not-consumed"],  # only the diamonds go up
    "perpetual-motion": ["endless-redeals"],
    "ripple-fan": ["endless-redeals"],
    "valentine": ["endless-redeals"],
    "spensers-fairie-queen": ["pack-not-consumed"],  # the kings stay
    "the-queens": ["endless-redeals"],  # the variant "contained"
}
UNLIMITED = re.compile(rb'redeals\s*=\s*"unlimited"')
"""A file that says so means its endless redeals."""


def warnings_of(text: str) -> list[str]:
    report = check_text(text, "a.toml")
    assert report.ok, report.render()
    return [fault.title for fault in report.warnings]


@pytest.mark.parametrize("game", catalogue())
def test_the_catalogue_is_warned_of_nothing_but_what_it_means(game: str) -> None:
    text = (CATALOGUE / f"{game}.toml").read_bytes()
    faults = [fault.code for fault in check_text(text, f"{game}.toml").faults]
    said = ["endless-redeals"] if UNLIMITED.search(text) else []
    assert faults == DELIBERATE.get(game, said)


GARDEN = """
name = "The Garden"
{head}
[foundations]
piles = {piles}
base  = "ace"
build = "{build}"

[garden]
role  = "tableau"
piles = 6
build = "down"
deal  = 2
"""


@pytest.mark.parametrize(
    ("head", "piles", "build", "warning"),
    [
        ("", 4, "up in suit", None),
        ("packs = 2", 8, "up in suit", None),
        ('without = "kings"', 4, "up in suit", "4 cards too many: 4 kings"),
        ('without = "king of hearts"', 4, "up in suit", "one card too many: the king of hearts"),
        ("", 4, "up in alternate colours", None),
        ("", 3, "up in suit", "13 cards over: 1 of every rank"),
        ('ranks = "A 2 3"', 4, "up in suit", None),
        ('ranks = "A 3 2 4"', 4, "up by twos", "8 cards over: 4 threes, 4 fours"),
        ('suits = "hearts"\npacks = 4', 4, "up in suit", None),
        ('aim = "garden is empty"', 3, "up in suit", None),
    ],
)
def test_the_foundations_take_the_pack(
    head: str, piles: int, build: str, warning: str | None
) -> None:
    told = warnings_of(GARDEN.format(head=head, piles=piles, build=build))
    if warning is None:
        assert told == []
    else:
        assert len(told) == 1
        assert told[0].endswith(warning)


def test_golf_may_leave_its_cards_on_the_waste() -> None:
    golf = """
        name = "Golf"
        aim  = "tableau is empty"
        tableau = { piles = 7, deal = 5, build = "nothing" }
        waste = { deal = 1, build = "up or down" }
        stock = { deals = "1 to waste" }
    """
    assert warnings_of(golf) == []
    stuck = golf.replace('deal = 1, build = "up or down"', "deal = 1")
    assert warnings_of(stuck) == [
        'no card can ever leave "tableau", but it must be empty when the game is won'
    ]


@pytest.mark.parametrize(
    ("build", "warned"),
    [("up", True), ("down", False), ("down, never on twos", True), ("down in suit", False)],
)
def test_a_rule_that_no_card_of_the_pack_fits(build: str, warned: bool) -> None:
    rule = 'from = "garden"\nto = "occupied garden"\nwhich = "aces"'
    text = GARDEN.format(head="", piles=4, build="up in suit")
    told = warnings_of(f'{text}[[rule]]\nname = "x"\n{rule}\nbuild = "{build}"\n')
    assert [title.endswith(f'no card of the pack goes "{build}" on another') for title in told] == (
        [True] if warned else []
    )


def test_one_class_of_cards_may_be_barred() -> None:
    rule = 'from = "garden"\nto = "occupied garden"\nbuild = "down, never on twos"'
    text = GARDEN.format(head="", piles=4, build="up in suit")
    assert warnings_of(f'{text}[[rule]]\nname = "x"\n{rule}\n') == []
