"""Places that lie beside each other: phrases, what may go beside a card, rows that close up."""

from pathlib import Path

import pytest

from cadogan import Position, load
from cadogan.rules.kinds import Move, Pair
from cadogan.rules.rulebook.neighbours import Direction, beside, read_sides
from tests.games import deal_with, play_all, write_game
from tests.rules.reading import book_of, codes_of, rule_codes

PICTURE = """
picture = \"\"\"
 G1 G2 G3
 G4 .  G6
 G7 G8 G9
\"\"\"
[grid]
role  = "reserve"
mark  = "G"
piles = 9
deal  = 1
[rest]
role = "discard"
deal = 43
"""


@pytest.mark.parametrize(
    ("phrase", "steps"),
    [
        ("the left neighbour", [[(0, -1)]]),
        ("The Right Neighbor", [[(0, 1)]]),
        ("the neighbour above or the neighbour below", [[(-1, 0)], [(1, 0)]]),
        ("the ninth to the left", [[(0, -9)]]),
    ],
)
def test_phrases(phrase: str, steps: list[list[tuple[int, int]]]) -> None:
    assert [list(side.steps) for side in read_sides(phrase)] == steps


def test_places_touch_in_a_picture_that_is_shifted_by_half() -> None:
    picture: dict[tuple[int, float], int] = {(0, 0.5): 0, (1, 0): 1, (1, 1): 2, (1, 2): 3}
    rows = dict.fromkeys(range(4), range(4))
    for phrase in ("neighbours", "neighbours and corners"):
        found = beside(range(4), read_sides(phrase), picture, rows)
        assert {pile: set(others) for pile, others in found.items()} == {
            0: {1, 2}, 1: {0, 2}, 2: {0, 1, 3}, 3: {2},
        }  # fmt: skip


@pytest.mark.parametrize("phrase", ["", "left", "the tenth to the left", "neighbours or", "corner"])
def test_phrases_that_are_not_understood(phrase: str) -> None:
    assert read_sides(phrase) == ()


def test_a_single_place_has_a_distance() -> None:
    (far,) = read_sides("the third to the right")
    assert far.single == (3, "right")
    assert Direction("neighbours", ((0, 1), (0, -1))).single is None


def test_places_lie_as_in_the_picture_or_in_a_row() -> None:
    picture: dict[tuple[int, float], int] = {(0, 0): 0, (0, 1): 1, (1, 1): 2}
    rows = dict.fromkeys(range(3), range(3)) | dict.fromkeys(range(3, 6), range(3, 6))
    touching = read_sides("neighbours and corners")
    assert beside(range(6), touching, picture, rows) == {
        0: (1, 2), 1: (0, 2), 2: (1, 0), 3: (4,), 4: (3, 5), 5: (4,),
    }  # fmt: skip
    assert beside([0, 1, 4], read_sides("the left neighbour"), picture, rows) == {
        0: (), 1: (0,), 4: (3,),
    }  # fmt: skip
    # Row after row, within a group.
    assert beside(range(6), read_sides("the place before"), picture, rows) == {
        0: (), 1: (0,), 2: (1,), 3: (), 4: (3,), 5: (4,),
    }  # fmt: skip
    assert beside([1, 2], read_sides("the place after"), picture, rows) == {1: (2,), 2: ()}


def test_pairs_may_touch() -> None:
    head = 'name = "Touching"\naim = "grid is empty"\n'
    rule = '[[rule]]\nname = "x"\npair = "grid"\nmatch = "same rank"\nto = "rest"\n'
    for phrase, linked in [
        ("neighbours", {0: {1, 3}, 4: set(), 8: {5, 7}}),
        ("neighbours and corners", {0: {1, 3}, 1: {0, 2, 3, 5}, 8: {5, 7}}),
        ("the left neighbour", {0: {1}, 1: {0, 2}, 2: {1}, 3: set()}),
    ]:
        action = book_of(f'{head}{PICTURE}{rule}along = "{phrase}"\n').rules[-1].action
        assert isinstance(action, Pair)
        assert {pile: set(action.along.targets[pile]) for pile in linked} == linked


def test_a_row_without_a_picture_follows_the_numbers() -> None:
    rule = (
        '[[rule]]\nname = "x"\nfrom = "row"\nto = "occupied row"\n'
        'along = "the third to the left"\nbuild = "same rank"\n'
    )
    text = (
        'name = "Row"\naim = "only one row is occupied"\n'
        f'[row]\nrole = "reserve"\npiles = 52\ndeal = 1\n{rule}'
    )
    action = book_of(text).rules[-1].action
    assert isinstance(action, Move)
    assert [action.along.targets[pile] for pile in (0, 2, 3, 51)] == [(), (), (0,), (48,)]


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ('from = "garden"\nto = "garden"\nalong = "lefts"', ["unknown-phrase"]),
        ('from = "garden"\nto = "garden"\nalong = "the neighbour above"', ["not-in-picture"]),
        ('from = "garden"\nto = "vacant garden"\nbeside = "up in suit"', ["unknown-phrase"]),
        (
            'from = "garden"\nto = "vacant garden"\nbeside = "pu in suit of the left neighbour"',
            ["unknown-build"],
        ),
        ('steps = [{ close_up = "gardne" }]', ["unknown-group"]),
        ('steps = [{ deal = 1, from = "stock", to = ["vacant garden", "waste"] }]',
         ["mixed-targets"]),
    ],
)  # fmt: skip
def test_faults(keys: str, codes: list[str]) -> None:
    assert rule_codes(keys) == codes


def test_a_group_closes_up_by_a_deal_only_if_there_is_one() -> None:
    text = (
        'name = "Row"\naim = "row is empty"\n[row]\nrole = "reserve"\npiles = 52\ndeal = 1\n'
        'closes = "at each deal"\n'
    )
    assert codes_of(text) == ["key-does-not-fit"]


GAPS = """
name    = "Gaps"
ranks   = "A 2 3 4"
suits   = "spades hearts"
aim     = "rows of field lie in order up in suit"
picture = \"\"\"
 F1 F2 F3 F4
 F5 F6 F7 F8
\"\"\"
[field]
role   = "tableau"
mark   = "F"
piles  = 8
deal   = 1
build  = "nothing"
beside = ["up in suit of the left neighbour", "down in suit of the right neighbour"]
space  = "twos"
[aces]
role = "discard"
[[rule]]
name   = "aces leave"
forced = true
during = "layout"
from   = "field"
to     = "aces"
which  = "aces"
"""
ONE_SIDE = GAPS.replace(', "down in suit of the right neighbour"', "")


def _gaps(folder: Path, text: str = ONE_SIDE) -> Position:
    return deal_with(write_game(folder, text), "2S AH 4H 2H AS 3H 3S 4S")


def test_a_vacancy_takes_what_goes_beside_its_neighbour(tmp_path: Path) -> None:
    position = _gaps(tmp_path)
    assert sorted(str(move) for move in position.moves()) == [
        "field.1 > field.5", "field.4 > field.5", "field.7 > field.2",
    ]  # fmt: skip
    why = position.why_not
    assert why("field.6 > field.2") == (
        "field.2 takes a card up in suit of the left neighbour: 3H does not go beside field.1 (2S)"
    )
    assert why("field.6 > field.5") == (
        "field.5 has no such neighbour and takes only twos: 3H is not one"
    )
    assert play_all(position, "field.1 > field.5").why_not("field.7 > field.2") == (
        "field.2 takes nothing beside the empty field.1"
    )


def test_either_neighbour_may_decide(tmp_path: Path) -> None:
    position = _gaps(tmp_path, GAPS)
    assert sorted(str(move) for move in position.moves()) == [
        "field.4 > field.5", "field.6 > field.2", "field.7 > field.2",
    ]  # fmt: skip


def test_gaps_are_won_when_the_rows_lie_in_order(tmp_path: Path) -> None:
    position = deal_with(write_game(tmp_path, ONE_SIDE), "2S AH 4S 3S 2H 3H 4H AS")
    assert position.outcome is None
    assert play_all(position, "field.4 > field.2").outcome == "won"


def test_an_accordion_closes_up() -> None:
    position = load("accordion").deal("cadogan:1")
    move = position.moves()[0]
    after = position.play(move)
    assert [bool(after.piles[f"row.{place}"]) for place in (51, 52)] == [True, False]


def test_a_square_closes_up_at_each_deal_and_vacancies_are_dealt() -> None:
    game = load("monte-carlo")
    position = game.deal("cadogan:1")
    assert position.why_not("deal") == "there is nothing that 'deal' could move"
    pair = next(move for move in position.moves() if " + " in str(move))
    after = position.play(pair).play("deal")
    assert all(len(after.piles[f"square.{place}"]) == 1 for place in range(1, 26))
    left = [pile for name, pile in position.piles.items() if name.startswith("square")]
    gone = {str(pair).partition(" + ")[0], str(pair).partition(" + ")[2]}
    stay = [
        pile for name, pile in position.piles.items()
        if name.startswith("square") and name not in gone
    ]  # fmt: skip
    assert len(stay) == len(left) - 2
    assert [after.piles[f"square.{place}"] for place in range(1, 24)] == stay
