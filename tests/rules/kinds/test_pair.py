"""Cards that leave the game two at a time."""

from pathlib import Path

import pytest

from cadogan import load
from cadogan.rules.kinds import Pair
from tests.games import deal_with, write_game
from tests.rules.reading import book_of, codes_of, rule_codes

GAME = """
name  = "Pairs"
packs = 1
ranks = "A 2 3 4"
suits = "hearts spades"
aim   = "row is empty"

[row]
role  = "tableau"
piles = 4
deal  = 2
build = "nothing"

[discard]

[[rule]]
name  = "take a pair"
pair  = "row"
match = "adding to 5"
to    = "discard"
"""


def test_reading() -> None:
    (rule,) = book_of(GAME).rules
    action = rule.action
    assert isinstance(action, Pair)
    assert action.piles.piles == (0, 1, 2, 3)
    assert action.to == 4
    assert action.along.targets[1] == (0, 2, 3)


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ('pair = "garden"\nmatch = "same rank"', ["missing-key"]),
        ('pair = "garden"\nto = "waste"', ["missing-key"]),
        ('pair = "garden.1"\nmatch = "same rank"\nto = "waste"', ["wrong-count"]),
        ('pair = "garden"\nmatch = "same rnak"\nto = "waste"', ["unknown-build"]),
        ('pair = "garden"\nmatch = "same rank"\nto = "garden.1"', ["onto-itself"]),
        ('pair = "garden"\nmatch = "same rank"\nto = "foundations.1"', ["mixed-targets"]),
        ('pair = "garden"\nmatch = "same rank"\nto = "garden"', ["one-pile-wanted"]),
        ('pair = "garden"\nmatch = "same rank"\nto = "waste"\ncards = "2"', ["key-does-not-fit"]),
    ],
)
def test_faults(keys: str, codes: list[str]) -> None:
    assert rule_codes(keys) == codes


def test_four_cards_of_unknown_piles_are_reported() -> None:
    text = GAME.replace('pair  = "row"', 'leave  = "nowhere"\nnumber = 4')
    assert "unknown-group" in codes_of(text)


def test_two_cards_leave_at_the_same_time(tmp_path: Path) -> None:
    game = write_game(tmp_path, GAME)
    position = deal_with(game, "AH 2H 3H 4H AS 2S 3S 4S")
    assert [str(move) for move in position.moves()] == ["row.1 + row.4", "row.2 + row.3"]
    after = position.play("row.4 + row.1")
    assert [str(card) for card in after.piles["discard"]] == ["AS", "4S"]
    assert position.play("row.4 > row.1") == after
    assert (
        position.play("row.2 > discard + row.3 > discard").piles["row.2"]
        == position.piles["row.2"][:-1]
    )
    won = after.play("r1+r4").play("r2+r3").play("r2+r3")
    assert won.outcome == "won"


def test_cards_that_do_not_leave(tmp_path: Path) -> None:
    position = deal_with(write_game(tmp_path, GAME), "AH 2H 3H 4H AS 2S 3S 4S")
    assert position.why_not("row.1 + row.2") == ("AS and 2S do not belong together (adding to 5)")
    assert position.why_not("row.1 > discard") == (
        "the row and the discard: cards leave only in pairs (take a pair)"
    )
    gone = position.play("row.1 + row.4").play("row.1 + row.4")
    assert gone.why_not("row.1 + row.2") == "row.1 is empty"


def test_linked_piles(tmp_path: Path) -> None:
    rows = GAME.replace('match = "adding', 'along = "lines"\nmatch = "adding').replace(
        "[row]", 'picture = """\nR1 R2\nR3 R4\n"""\n[row]\nmark = "R"'
    )
    position = deal_with(write_game(tmp_path, rows), "AH 2H 3H 4H AS 2S 3S 4S")
    assert [str(move) for move in position.moves()] == []


SETS = """
name = "Sets"
aim  = "row is empty"

[row]
role  = "tableau"
piles = 6
deal  = [2, 1, 1, 1, 1, 1]
build = "nothing"

[waste]
deal = 2

[rest]
role = "reserve"
deal = 43

[discard]

[[rule]]
name  = "set"
leave = ["row", "waste"]
to    = "discard"
"""
CARDS = "KC 2C 3H 7D 4C QC AC QH KH"
"""The row shows AC 2C 3H 7D 4C QC, the waste KH on QH."""


@pytest.mark.parametrize(
    ("keys", "moves"),
    [
        (
            'number = [2, 4]\nmatch = "adding to 10"',
            ["row.1 + row.2 + row.3 + row.5", "row.1 + row.2 + row.4", "row.3 + row.4"],
        ),
        (
            'number = 3\nmatch = "any rank in suit"',
            [
                "row.1 + row.2 + row.5",
                "row.1 + row.2 + row.6",
                "row.1 + row.5 + row.6",
                "row.2 + row.5 + row.6",
            ],
        ),
        ('number = 4\nmatch = "up"', ["row.1 + row.2 + row.3 + row.5"]),
        (
            'number = 3\nmatch = "down, round the corner"',
            [
                "row.1 + row.2 + row.3",
                "row.1 + row.2 + waste",
                "row.1 + row.6 + waste",
                "row.2 + row.3 + row.5",
            ],
        ),
        ('match = "a king and a queen"', ["row.6 + waste"]),
        ('match = "a king and a queen in suit"', []),
        ('match = "a king and a queen"\ntwo_of = "waste"', ["row.6 + waste", "waste + waste"]),
        ('match = ["adding to 13", "a king"]', ["row.1 + row.6", "waste > discard"]),
        (
            'match = "a court card and three others of different ranks adding to 12"',
            [
                "row.1 + row.4 + row.5 + row.6",
                "row.1 + row.4 + row.5 + waste",
                "row.2 + row.3 + row.4 + row.6",
                "row.2 + row.3 + row.4 + waste",
            ],
        ),
    ],
)
def test_sets(tmp_path: Path, keys: str, moves: list[str]) -> None:
    position = deal_with(write_game(tmp_path, SETS + keys), CARDS)
    assert sorted(str(move) for move in position.moves()) == moves
    for move in position.moves():
        gone = [
            card for pile, _, _ in set(position.transfers(move)) for card in position.piles[pile]
        ]
        after = position.play(move).piles
        assert set(after["discard"]) <= set(gone)
        assert len(after["discard"]) == len(position.transfers(move))


def test_a_set_is_read_and_refused(tmp_path: Path) -> None:
    game = write_game(tmp_path, SETS + 'match = ["a king", "an ace, a two and a three"]')
    position = deal_with(game, CARDS)
    for text in (
        "ro1 + ro3 + ro2",
        "row.1 AC + row.2 2C + row.3",
        "row.2 + row.3 > discard + row.1",
    ):
        assert position.play(text) == position.play("row.1 + row.2 + row.3")
    assert str(position.play("waste > discard").piles["discard"][-1]) == "KH"
    assert position.why_not("row.1 + row.2 + row.4") == (
        "AC, 2C and 7D do not belong together (a king / an ace, a two and a three)"
    )
    assert position.why_not("row.1 KS + row.2 + row.3") == "the card of row.1 is AC, not KS"
    assert position.why_not("row.1 > discard") == (
        "the row and the discard: cards leave only together (set)"
    )


def test_too_many_piles_for_sets_of_four() -> None:
    text = """
    name = "Many"
    aim  = "row is empty"
    [row]
    role  = "tableau"
    piles = 26
    deal  = 2
    build = "nothing"
    [discard]
    [[rule]]
    name   = "set"
    leave  = "row"
    number = 4
    match  = "same rank"
    to     = "discard"
    """
    assert codes_of(text) == ["too-many"]
    assert book_of(text.replace("number = 4", "number = 3")).rules


def test_a_game_of_the_catalogue() -> None:
    position = load("fourteen-out").deal("cadogan:1")
    assert all(" + " in str(move) for move in position.moves())


def test_a_card_put_on_another_is_refused_as_a_pair() -> None:
    position = load("pyramid").deal("cadogan:1")
    covered = "pyramid.1 is covered by pyramid.2 and pyramid.3"
    assert position.why_not("pyramid.1 > pyramid.22") == covered
    assert position.why_not("pyramid.22 > pyramid.1") == covered
    apart = position.why_not("pyramid.22 > pyramid.24")
    assert apart == "7D and 7H do not belong together (adding to 13)"
