"""Pictures to share."""

import io
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image

import cadogan
from cadogan.pictures.card import HEIGHT, WIDTH, result_in, share_picture
from cadogan.pictures.png import as_png
from tests.games import TINY, write_game

GREEN = (44, 117, 82)


def drawn(svg: str) -> Image.Image:
    return Image.open(io.BytesIO(as_png(svg))).convert("RGB")


@pytest.mark.parametrize(
    "name", ["klondike:draw-three", "spider", "besieged-city", "golf", "pyramid", "clock"]
)
def test_the_board_and_the_texts_are_in_the_picture(name: str) -> None:
    position = cadogan.load(name).deal("cadogan:7")
    moves = position.moves()
    while moves and position.move_count < 25:
        position = position.play(moves[0])
        moves = position.moves()
    svg = share_picture(position, "de")
    ET.fromstring(svg)
    picture = drawn(svg)
    assert picture.size == (WIDTH, HEIGHT)
    colours = picture.crop((0, 0, WIDTH, HEIGHT - 118)).getcolors(1 << 20)
    assert colours is not None
    counts = {colour: number for number, colour in colours}
    assert counts[255, 255, 255] > 5_000  # cards
    assert counts[GREEN] > 20_000
    # Nothing reaches the edges.
    for x in range(WIDTH):
        assert picture.getpixel((x, 5)) == GREEN
    for y in range(HEIGHT - 120):
        assert picture.getpixel((5, y)) == picture.getpixel((WIDTH - 5, y)) == GREEN


def test_hidden_cards_are_not_in_it() -> None:
    position = cadogan.load("klondike").deal("cadogan:1")
    alike = position.game.deal(deck=_swapped(position))
    assert alike.deck != position.deck
    one, other = (share_picture(each, result=False) for each in (position, alike))
    assert one.replace("cadogan:1", "") == other


def _swapped(position: cadogan.Position) -> list[str]:
    """The deck with the two cards that come last from the stock exchanged."""
    first, second = position.piles["stock"][:2]
    swap = {first: second, second: first}
    return [str(swap.get(card, card)) for card in position.deck]


def test_the_result_is_told_in_both_languages(tmp_path: Path) -> None:
    position = write_game(tmp_path).deal(deck=["2H", "3S", "3H", "AS", "AH", "2S"])
    verdict = cadogan.solve(position)
    assert result_in(position, "en") == ""
    for move in verdict.line:
        position = position.play(move)
    moves = position.move_count
    assert result_in(position, "en") == f"won in {moves} moves"
    assert result_in(position, "de") == f"gewonnen in {moves} Zügen"
    assert f"won in {moves} moves" in share_picture(position)
    assert "won in" not in share_picture(position, result=False)
    scored = cadogan.load("klondike:vegas").deal("cadogan:1").play("deal")
    assert result_in(scored, "de", given_up=True) == "-52 Punkte, aufgegeben nach 1 Zug"
    assert result_in(scored, "en") == "-52 points, 1 move so far"


def test_a_long_title_is_made_to_fit(tmp_path: Path) -> None:
    text = TINY.replace('name  = "', 'name = "' + "W & <b> " * 8, 1)
    position = write_game(tmp_path, text).deal("cadogan:1")
    picture = drawn(share_picture(position))
    for y in range(HEIGHT):
        assert picture.getpixel((WIDTH - 3, y)) == picture.getpixel((WIDTH - 10, y))
