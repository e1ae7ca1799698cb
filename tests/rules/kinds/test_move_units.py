"""Which cards move together: any card of a pile, the bottom card, sequences as one move."""

from pathlib import Path

import pytest

import cadogan
from cadogan.certificates.interpreter import Interpreter
from cadogan.certificates.tables import read_tables
from cadogan.rules.pipeline import load_rules

GAME = """
name = "Heaps"
ranks = "A 2 3 4"

[foundations]
piles = 4
base  = "ace"
build = "up in suit"
from  = "heaps"

[heaps]
role  = "tableau"
piles = 4
deal  = 4
dealt = "in packets"
build = "down"
holds = 5

[[rule]]
name  = "draw"
from  = "heaps"
to    = "foundations"
cards = "{unit}"
{more}
"""
DECK = "AC 4H 3D 2S 2C 3C 4C AD 2D 3H 4S AH AS 4D 2H 3S"


def deal(tmp_path: Path, unit: str, more: str = "") -> cadogan.Position:
    path = tmp_path / "heaps.toml"
    path.write_text(GAME.format(unit=unit, more=more), encoding="utf-8")
    return cadogan.load(path).deal(deck=DECK.split())


def up(position: cadogan.Position) -> list[str]:
    return [move.text for move in position.moves() if move.rule == "draw"]


def test_any_card_is_taken_from_under_others(tmp_path: Path) -> None:
    position = deal(tmp_path, "any card of the pile")
    # The top aces go up by the rule of the role.
    assert up(position) == ["heaps.1 > foundations.1 #4", "heaps.4 > foundations.1 #4"]
    after = position.play("heaps.1 > foundations.1 #4")
    assert str(after.piles["heaps.1"]) == str(position.piles["heaps.1"][1:])
    assert [str(card) for card in after.piles["foundations.1"]] == ["AC"]
    assert after.undo() == position
    # The card may be named instead of its place, and the number may be a count.
    assert position.play("heaps.4 AS > foundations") == position.play("heaps.4 > foundations.1 #4")
    assert position.play("heaps.1 > foundations.1 x4") == after
    with pytest.raises(cadogan.IllegalMoveError, match="begins with an ace, not 3D"):
        position.play("heaps.1 > foundations.1 #2")


def test_the_bottom_card_goes_alone(tmp_path: Path) -> None:
    position = deal(tmp_path, "the bottom card")
    assert up(position) == ["heaps.1 > foundations.1", "heaps.4 > foundations.1"]
    after = position.play("heaps.1 > foundations.1")
    assert [str(card) for card in after.piles["heaps.1"]] == ["4H", "3D", "2S"]


def test_exactly_so_many_cards_move(tmp_path: Path) -> None:
    path = tmp_path / "heaps.toml"
    text = GAME.format(unit="exactly 3 cards", more="").replace(
        '"foundations"\ncards', '"heaps"\ncards'
    )
    path.write_text(text.replace("holds = 5", ""), encoding="utf-8")
    position = cadogan.load(path).deal(deck=DECK.split())
    assert "heaps.1 > heaps.2" in {text.removesuffix(" (draw)") for text in up(position)}
    after = position.play(
        next(text for text in up(position) if text.startswith("heaps.1 > heaps.2"))
    )
    # They are laid down one by one.
    assert [str(card) for card in after.piles["heaps.2"][4:]] == ["2S", "3D", "4H"]
    after = after.play(next(text for text in up(after) if text.startswith("heaps.3 > heaps.2")))
    assert [text for text in up(after) if text.startswith(("heaps.1", "heaps.3"))] == []


def test_a_sequence_goes_up_in_one_move(tmp_path: Path) -> None:
    path = tmp_path / "heaps.toml"
    more = 'laid = "one by one"'
    path.write_text(GAME.format(unit="a sequence down in suit", more=more), encoding="utf-8")
    deck = "4C 3C 2C AC 4D 3D 2D AD 4H 3H 2H AH 4S 3S 2S AS"
    position = cadogan.load(path).deal(deck=deck.split())
    assert up(position)[:3] == [f"heaps.1 > foundations.1 x{count}" for count in (2, 3, 4)]
    position = position.play("heaps.1 > foundations.1 x4")
    assert "".join(str(card) for card in position.piles["foundations.1"]) == "AC2C3C4C"
    for pile in (2, 3, 4):
        position = position.play(f"heaps.{pile} > foundations.{pile} x4")
    assert position.outcome == "won"


@pytest.mark.parametrize("unit", ["any card of the pile", "the bottom card"])
def test_the_checker_reads_these_units_alike(tmp_path: Path, unit: str) -> None:
    position = deal(tmp_path, unit)
    rules = load_rules(str(tmp_path / "heaps.toml"))
    play = Interpreter(read_tables(rules.program.data))
    checked = play.deal(bytes(card.code for card in position.deck))
    for _ in range(12):
        moves = position.moves()
        assert [move.code for move in play.moves(checked)] == [move.code for move in moves]
        if not moves:
            break
        checked = play.play(checked, play.moves(checked)[-1])
        position = position.play(moves[-1])


def test_a_full_pile_takes_no_more(tmp_path: Path) -> None:
    position = deal(tmp_path, "one card")
    position = position.play("heaps.2 > foundations.1")
    position = position.play("heaps.1 > heaps.4")
    assert len(position.piles["heaps.4"]) == 5
    with pytest.raises(cadogan.IllegalMoveError, match=r"heaps\.4 is full"):
        position.play("heaps.2 > heaps.4")
