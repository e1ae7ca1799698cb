"""Boards of other programs: reading, writing, and messages about wrong ones."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan import load
from cadogan.cards import Card, format_cards
from cadogan.cli import main
from cadogan.deals import DeckError
from cadogan.exchange.boards import (
    BoardError,
    deck_of,
    is_board,
    read_board,
    write_lines,
    write_solvitaire,
)
from tests.games import play_all

# Boards as the program that writes them for PySolFC does, by game and number of the deal.
PYSOL = {
    ("freecell", "pysol:100000000"): """
5H 2C TC KH 4D AS KD
TH TD 6S 2D 3C 9H 4C
6H AC AD JH KC JC QD
9D 3H 7D JD 3D QC 2H
9C 6C KS AH 2S 8H
5D 7S 7C QH 3S 8D
TS 6D 8C JS 7H QS
9S 5C 4S 5S 4H 8S
""",
    ("klondike", "pysol:24"): """
Talon: TC TS AD 4D QS 3H 3S JH TD KC 8H 8S 4S 4H KS 6D 8D 7C JD 9D 2H QD 3D AS
5C
<7H> 9H
<2D> <9S> AC
<5D> <QH> <5S> 8C
<QC> <2C> <JS> <3C> 7D
<5H> <7S> <KD> <9C> <JC> 6S
<4C> <AH> <2S> <6C> <6H> <TH> KH
""",
    ("klondike", "pysol:100000000"): """
Talon: AH QH JS 5S 4D 3C KC 3D 2S 3S 7H 4H AS 9H JC QC 8H 8D QS 8S KD 4C QD 2H
JD
<5D> JH
<9C> <AC> 2D
<9D> <TD> <6D> KH
<6H> <2C> <7S> <6S> 4S
<TH> <9S> <6C> <TC> <7D> 8C
<5H> <TS> <3H> <5C> <AD> <KS> 7C
""",
    ("yukon", "pysol:100000000"): """
8D
<5H> 7C JD 3C 4H QS
<TH> <TS> 8C AH KC AS 8S
<6H> <9S> <3H> 4S QH 3D 9H KD
<9D> <2C> <6C> <5C> KH JS 2S JC 4C
<9C> <TD> <7S> <TC> <AD> 2D 5S 3S QC QD
<5D> <AC> <6D> <6S> <7D> <KS> JH 4D 7H 8H 2H
""",
    ("golf", "pysol:100000000"): """
Talon: 2S 3S 7H 4H AS 9H JC QC 8H 8D QS 8S KD 4C QD 2H
Foundations: 3D
5H 9S 6D 7C AH
TH 2C 5C 8C QH
6H TD TC 4S JS
9D AC 6S KH 5S
9C 3H AD 2D 4D
5D 6C 7D JH 3C
TS 7S KS JD KC
""",
    ("beleaguered-castle", "pysol:24"): """
Foundations: H-A C-A D-A S-A
4C QH 3C 9H JH 6D
5H 9S 6H 5C TD 8D
QC 2S JC TC KC 7C
5D KD TH TS 8H JD
2D JS KH 4D 8S 9D
7H 5S 6S QS 4S 2H
7S 6C 7D 3H 4H QD
2C 9C 8C 3S KS 3D
""",
}
MIDDLE = """
Foundations: H-6 C-9 D-2 S-0
Freecells:  QS  3S  -  KD
: 8H 3D 2S
: KS QD JC
: AS 8D TD 7D JH TS 9D
: 7S 6D
: 5S
: KH QC JD TC 9H 8S 7H 6S 5D 4S
: KC QH JS TH 9S
: 4D
"""


@pytest.mark.parametrize(("name", "deal"), PYSOL)
def test_boards_of_pysol_are_its_deals(name: str, deal: str) -> None:
    game = load(name)
    text = PYSOL[name, deal]
    position = game.deal(deal)
    assert deck_of(read_board(text), game) == list(position.deck)
    ours = [line for line in write_lines(position).splitlines() if "Freecells" not in line]
    # Headings stand in another order in some of them.
    assert sorted(ours) == sorted(line for line in text.splitlines() if line)
    assert " ".join(line for line in ours if ":" not in line).split() == [
        word for line in text.splitlines() if ":" not in line for word in line.split()
    ]


def test_a_board_in_the_middle_of_a_game_is_read_but_is_no_deal() -> None:
    board = read_board(MIDDLE)
    assert format_cards(board.cards("cell")) == "QS 3S KD"
    assert [len(pile) for pile in board.piles["foundation"]] == [6, 9, 2]
    assert sum(len(board.cards(role)) for role in board.piles) == 52
    with pytest.raises(BoardError, match="in this game they hold 7, 7, 7, 7, 6, 6, 6, 6"):
        deck_of(board, load("freecell"))


@pytest.mark.parametrize("name", ["freecell", "klondike", "yukon", "golf", "beleaguered-castle"])
@given(number=st.integers(0, 2**64 - 1))
def test_lines_are_read_back(name: str, number: int) -> None:
    game = load(name)
    position = game.deal(f"cadogan:{number}")
    assert deck_of(read_board(write_lines(position)), game) == list(position.deck)


@pytest.mark.parametrize(
    "name",
    ["freecell", "klondike", "spider", "golf", "canfield", "flower-garden", "beleaguered-castle"],
)
@given(number=st.integers(0, 2**64 - 1))
def test_json_is_read_back(name: str, number: int) -> None:
    game = load(name)
    position = game.deal(f"cadogan:{number}")
    assert deck_of(read_board(write_solvitaire(position)), game) == list(position.deck)


def test_columns_may_stand_in_another_order() -> None:
    game = load("klondike")
    lines = write_lines(game.deal("ms:5")).splitlines()
    turned = "\n".join([lines[0], *reversed(lines[1:])])
    assert deck_of(read_board(turned), game) == list(game.deal("ms:5").deck)


def test_spellings_of_others_are_read() -> None:
    board = read_board("# a comment\n\nfc: 10h -\nFounds: H-3 S-0 D-A\n: 1C 13s t♦\n:\n")
    assert board.cards("cell") == [Card.parse("TH")]
    assert format_cards(board.cards("foundation")) == "AH 2H 3H AD"
    assert [format_cards(pile) for pile in board.piles["tableau"]] == ["AC KS TD", ""]
    told = {"tableau piles": [["13C", "as"], ""], "reserve": ["2H", ["3h", "4H"]], "hole": "5H"}
    board = read_board(json.dumps(told))
    assert [format_cards(pile) for pile in board.piles["tableau"]] == ["KC AS", ""]
    assert [format_cards(pile) for pile in board.piles["reserve"]] == ["2H", "3H 4H"]
    assert board.cards("waste") == [Card.parse("5H")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the board has no columns: write one per line, as in 4C 2C 9C"),
        (
            "4C 2C\n\n9C 8X",
            "line 3, column 4: '8X' is not a card: write rank and suit, as in TC",
        ),
        ("4C ##", "line 1, column 4: this card is hidden, so the deal is not known"),
        ("Foundations: X-3\n4C", "line 1, column 14: '3X' is not a card"),
        ("Foundations: X-0\n4C", "line 1, column 14: 'AX' is not a card"),
        ("Hand: 4C", "line 1, column 1: unknown heading 'Hand:': a line begins with Foundations:"),
        ('{"tableau piles": [', "line 1, column 20: this is not JSON: expecting value"),
        ("{}", "the deal has no 'tableau piles'"),
        ('{"piles": []}', "unknown key 'piles' in this kind of deal: it may have 'tableau piles'"),
        ('{"tableau piles": 3}', "'tableau piles': expected a list of cards, not a number"),
        (
            '{"tableau piles": [["2C"], ["3C", "3Z"]]}',
            "'tableau piles', pile 2, card 2: '3Z' is not a card",
        ),
        (
            '{"tableau piles": [["2C"], [3]]}',
            "'tableau piles', pile 2, card 1: expected a card, as in '10H', not a number",
        ),
        ('{"tableau piles": [["2C"], {}]}', "'tableau piles', pile 2: expected a list of"),
        ('{"tableau piles": [["##"]]}', "'tableau piles', pile 1, card 1: this card is hidden"),
        ('{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_board_is_reported(text: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        read_board(text)
    assert message in str(caught.value)
    assert str(caught.value).startswith(caught.value.place)


@given(st.text() | st.text('{}[]": ,\n-#<>AKQJT98CDHS'))
def test_reading_never_fails_otherwise(text: str) -> None:
    is_board(text)
    with suppress(BoardError):
        read_board(text)


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("freecell", "4C 2C", "hold 7, 7, 7, 7, 6, 6, 6, 6 cards before the first move, not 2"),
        ("golf", "Freecells: 4C\n" + "2C 2C 2C 2C 2C\n" * 7, "is 0 cards|are 0 cards"),
        ("empress-of-india", "4C", "depends on the cards: give its deck, not a table"),
        (
            "freecell",
            "Freecells: 4C\n" + "2C 2C 2C 2C 2C 2C 2C\n" * 4 + "2C 2C 2C 2C 2C 2C\n" * 4,
            "there is 1 card in the cells, but this game deals none there",
        ),
        (
            "yukon",
            "Talon: 4C\n" + "".join("2C " * length + "\n" for length in (1, 6, 7, 8, 9, 10, 11)),
            "there is 1 card in the stock",
        ),
        (
            "yukon",
            "FC: 4C\n" + "".join("2C " * length + "\n" for length in (1, 6, 7, 8, 9, 10, 11)),
            "Yukon has no cells, but the board has cards there",
        ),
    ],
)
def test_a_board_of_another_game_is_refused(game: str, text: str, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        deck_of(read_board(text), load(game))


def test_a_board_with_wrong_cards_is_reported_as_a_deck() -> None:
    game = load("freecell")
    text = write_lines(game.deal("ms:1")).replace("KS", "KH")
    with pytest.raises(DeckError, match="missing KS; too many KH"):
        game.deal(deck=deck_of(read_board(text), game))


def test_what_cannot_be_written_is_reported() -> None:
    with pytest.raises(BoardError, match=r"cannot show the cards on bouquet.1"):
        write_lines(load("flower-garden").deal("ms:1"))
    position = load("freecell").deal("ms:1")
    move = next(move for move in position.moves() if (move.target or "").startswith("cells"))
    with pytest.raises(BoardError, match=r"cannot show the cards on cells"):
        write_solvitaire(position.play(move))
    assert "\nFreecells: " in "\n" + write_lines(position.play(move))


def test_a_position_is_written_as_it_is() -> None:
    position = play_all(load("klondike").deal("ms:1"), "deal; deal")
    told = json.loads(write_solvitaire(position))
    assert len(told["stock"]) == 22
    assert len(told["waste"]) == 2
    assert told["tableau piles"][1] == ["2d", "5H"]


def test_command_line_takes_a_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.txt"
    path.write_text(PYSOL["klondike", "pysol:24"], encoding="utf-8")
    assert main(["deal", "klondike", "--deck-file", str(path), "--json", "--open"]) in (0, None)
    told = json.loads(capsys.readouterr().out)
    assert told["deck"] == [str(card) for card in load("klondike").deal("pysol:24").deck]
