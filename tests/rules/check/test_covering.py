"""Which places of the picture cover others."""

from pathlib import Path

import pytest

from cadogan import IllegalMoveError
from cadogan.rules.check.lint import lint
from cadogan.rules.compile.compile import compile_rulebook
from tests.games import deal_with, write_game
from tests.rules.reading import book_of, codes_of, read

PYRAMID = """
name    = "A small pyramid"
ranks   = "A 2 3"
suits   = "hearts spades"
aim     = "pyramid is empty"
picture = '''
   . P1
 / P2 P3
 P4 P5 P6
'''

[pyramid]
role    = "reserve"
piles   = 6
mark    = "P"
deal    = 1
{how}

[discard]

[[rule]]
name = "throw out"
from = "pyramid"
to   = "discard"
"""

GRID = """
name    = "A small quilt"
ranks   = "A 2 3 4 5"
suits   = "hearts spades"
aim     = "quilt is empty"
picture = '''
 Q1 Q2 Q3
 Q4 .  Q5
 Q6 Q7 Q8
 F1 F2 .
'''

[foundations]
piles = 2
mark  = "F"
base  = "ace"
build = "up in suit"

[quilt]
piles = 8
role  = "tableau"
mark  = "Q"
deal  = [1, 1, 1, 1, 1, 1, 1, 3]
build = "down"
{how}
"""


def ways(text: str, how: str) -> dict[int, list[list[int]]]:
    """For each pile of the group, counted from one: the sets one of which must be vacant."""
    book = book_of(text.replace("{how}", how))
    first = next(g.first for g in book.groups if g.name == book.coverings[0].group) - 1
    return {
        pile - first: [[other - first for other in way] for way in ways]
        for pile, ways in book.open_when.items()
    }


def test_places_that_are_shifted_by_half_cover_two() -> None:
    covers = {1: [[2, 3]], 2: [[4, 5]], 3: [[5, 6]]}
    assert ways(PYRAMID, 'covered = "by the two below"') == covers
    assert ways(PYRAMID, 'covered = "by those below"') == covers
    assert ways(PYRAMID, 'covered = "by  the two cards  Below"') == covers
    assert ways(PYRAMID, 'covered = "by those above"') == {
        2: [[1]],
        3: [[1]],
        4: [[2]],
        5: [[2, 3]],
        6: [[3]],
    }


def test_the_picture_has_halves() -> None:
    book = book_of(PYRAMID.replace("{how}", 'covered = "by the two below"'))
    assert list(book.picture) == [(0, 1), (1, 0.5), (1, 1.5), (2, 0), (2, 1), (2, 2)]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("the place below is", {1: [[4]], 3: [[5]], 4: [[6]], 5: [[8]]}),
        ("all places below are", {1: [[4, 6]], 2: [[7]], 3: [[5, 8]], 4: [[6]], 5: [[8]]}),
        ("a place to the left or to the right is", {2: [[1], [3]], 7: [[6], [8]]}),
        ("the place to the left or the place to its right is", {2: [[1], [3]], 7: [[6], [8]]}),
        ("the place above or below is", {4: [[1], [6]], 5: [[3], [8]]}),
        ("all places above are", {4: [[1]], 5: [[3]], 6: [[1, 4]], 7: [[2]], 8: [[3, 5]]}),
        ("a place above is", {4: [[1]], 5: [[3]], 6: [[4]], 8: [[5]]}),
    ],
)
def test_open_places(how: str, expected: dict[int, list[list[int]]]) -> None:
    """The edge, a gap and a foundation are in nobody's way."""
    assert ways(GRID, f'open = "while {how} vacant"') == expected
    assert ways(GRID, f'open = "when {how} vacant"') == expected


@pytest.mark.parametrize(
    ("text", "how", "codes"),
    [
        (PYRAMID, 'covered = "by two"', ["unknown-phrase"]),
        (PYRAMID, 'covered = "by the many below"', ["unknown-phrase"]),
        (PYRAMID, 'covered = "by the three below"', ["wrong-count"]),
        (PYRAMID, 'covered = "by the one above"', ["wrong-count"]),
        (PYRAMID, 'open = "below"', ["unknown-phrase"]),
        (PYRAMID, 'open = "while the place inside is vacant"', ["unknown-phrase"]),
        (PYRAMID, 'covered = "by the two below"\nopen = "below"', ["key-does-not-fit"]),
        (PYRAMID.replace("P6", "."), 'covered = "by the two below"', ["not-in-picture"]),
        (PYRAMID.replace("/ P2 P3", ". ."), 'covered = "by those below"', ["not-in-picture"]),
        (GRID.replace("Q6 Q7 Q8", "Q6 Q7 Q9"), 'covered = "by those below"', ["unknown-pile"]),
        (
            GRID.replace('base  = "ace"', 'base = "ace"\ncovered = "by those below"'),
            "",
            ["key-of-another-role"],
        ),
    ],
)
def test_faults(text: str, how: str, codes: list[str]) -> None:
    assert codes_of(text.replace("{how}", how)) == codes


def test_a_card_that_can_never_be_uncovered() -> None:
    stuck = PYRAMID.replace('from = "pyramid"', 'from = ["pyramid.1", "pyramid.4", "pyramid.5"]')
    for text, codes in ((stuck, ["dead-end-pile"]), (PYRAMID, [])):
        book, report = read(text.replace("{how}", 'covered = "by the two below"'))
        assert book is not None
        lint(book, report)
        assert [fault.code for fault in report.faults] == codes


def test_piles_that_cover_are_not_interchanged() -> None:
    book = book_of(PYRAMID.replace("{how}", 'covered = "by the two below"'))
    piles = compile_rulebook(book).data["piles"]
    assert [pile["class"] for pile in piles[:6]] == [0, 1, 2, 3, 4, 5]
    assert [pile.get("open_when") for pile in piles[:4]] == [["6"], ["18"], ["30"], None]


def test_refusals(tmp_path: Path) -> None:
    game = write_game(tmp_path, PYRAMID.replace("{how}", 'covered = "by the two below"'))
    position = deal_with(game, "AH 2H 3H AS 2S 3S")
    covers = r"pyramid\.2 is covered by pyramid\.4 and pyramid\.5"
    with pytest.raises(IllegalMoveError, match=covers):
        position.play("pyramid.2 > discard")
    position = position.play("pyramid.4 > discard")
    with pytest.raises(IllegalMoveError, match=r"pyramid\.2 is covered by pyramid\.5"):
        position.play("pyramid.2 > discard")
    position = position.play("pyramid.5 > discard").play("pyramid.2 > discard")
    assert {str(move) for move in position.moves()} == {"pyramid.6 > discard"}

    text = GRID.replace("{how}", 'open = "while the place below is vacant"')
    position = write_game(tmp_path, text, "quilt").deal("cadogan:1")
    with pytest.raises(IllegalMoveError, match=r"quilt\.1 is not open: quilt\.4 holds a card"):
        position.play("quilt.1 > foundations.1")
