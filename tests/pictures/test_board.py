"""Pictures of positions: everything lies inside, and nothing hidden is in them."""

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import cadogan
from cadogan.pictures.board import board, table
from cadogan.pictures.cards import HEIGHT, WIDTH
from cadogan.rules import catalogue

SVG = "{http://www.w3.org/2000/svg}"


def played(name: str, moves: int) -> cadogan.Position:
    position, chance = cadogan.load(name).deal("cadogan:1"), random.Random(name)
    for _ in range(moves):
        if position.outcome is not None:
            break
        position = position.play(chance.choice(position.moves()))
    return position


def sheets(picture: ElementTree.Element) -> list[tuple[float, float]]:
    """The upper left corners of cards and empty places."""
    size = f"{WIDTH:.0f}", f"{HEIGHT:.0f}"
    return [
        (float(each.get("x", "")), float(each.get("y", "")))
        for each in picture.iter(f"{SVG}rect")
        if (each.get("width"), each.get("height")) == size
    ]


@pytest.mark.parametrize("name", catalogue())
def test_everything_lies_inside(name: str) -> None:
    for moves in (0, 60):
        position = played(name, moves)
        picture = ElementTree.fromstring(board(position))
        width, height = map(float, picture.get("viewBox", "").split()[2:])
        corners = sheets(picture)
        assert len(corners) >= len(position.game.pile_names)
        for x, y in corners:
            assert 0 < x < width - WIDTH
            assert 0 < y < height - HEIGHT


@pytest.mark.parametrize("name", catalogue())
def test_the_empty_table_names_every_group(name: str) -> None:
    game = cadogan.load(name)
    picture = ElementTree.fromstring(table(game))
    assert len(sheets(picture)) == len(game.pile_names)
    texts = [each.text for each in picture.iter(f"{SVG}text")]
    assert {group.name for group in game.rulebook.groups} <= {*texts}


@pytest.mark.parametrize("name", ["klondike", "spider", "canfield", "besieged-city", "yukon"])
def test_no_hidden_card_is_in_a_picture(name: str) -> None:
    """Two deals that differ only in cards nobody sees have the same picture."""
    game = cadogan.load(name)
    position = game.deal("cadogan:1")
    places = [
        (pile, index)
        for pile, seen in position.visible_piles().items()
        for index, card in enumerate(seen)
        if card is None
    ]
    (pile, index), (other, place) = places[0], places[-1]
    hidden, instead = position.piles[pile][index], position.piles[other][place]
    assert hidden != instead
    deck = list(position.deck)
    # With two packs any of two equal cards will do if it is hidden, so try them all.
    swapped = [
        (a, b)
        for a, one in enumerate(deck)
        for b, two in enumerate(deck)
        if (one, two) == (hidden, instead)
    ]
    same = 0
    for a, b in swapped:
        mixed = list(deck)
        mixed[a], mixed[b] = mixed[b], mixed[a]
        changed = game.deal(deck=mixed)
        if changed.visible_piles() == position.visible_piles():
            same += 1
            assert changed != position
            assert board(changed) == board(game.deal(deck=deck))
    assert same > 0


def test_a_picture_shows_the_cards_that_are_seen() -> None:
    texts = re.findall(
        r"<text[^>]*>([^<]*)</text>", board(cadogan.load("klondike").deal("cadogan:1"))
    )
    # The number of cards in the stock, the aces that the foundations want, seven open cards.
    assert sorted(texts[:-1]) == sorted(["24", *"AAAA", "Q", "10", "9", "7", "6", "4", "3"])
    assert texts[-1] == "Klondike · cadogan:1 · 0 moves"


def test_notebooks_find_the_pictures() -> None:
    game = cadogan.load("flower-garden")
    position = game.deal("cadogan:1")
    assert position._repr_svg_() == board(position)
    shown = game._repr_html_()
    assert table(game) in shown
    assert "<td>worrying-back</td>" in shown
    verdict = cadogan.solve(position)
    shown = verdict._repr_html_()
    assert shown.count("<li>") == len(verdict.line)
    assert "garden.3 &gt; garden.2" in shown
    assert f"{verdict.nodes:,} of 1,000,000" in shown
    unknown = cadogan.solve(position, budget=10)._repr_html_()
    assert "unknown after 10 nodes" in unknown
    assert "<ol>" not in unknown


def test_a_title_cannot_break_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    rules = 'name = "</text><script>\\"&amp;"\npacks = 1\n[foundations]\npiles = 4\nbase = "ace"\n'
    rules += (
        'build = "up in suit"\n[beds]\nrole = "tableau"\npiles = 13\ndeal = 4\nbuild = "down"\n'
    )
    path.write_text(rules, encoding="utf-8")
    game = cadogan.load(path)
    for picture in (table(game), board(game.deal("cadogan:1"))):
        root = ElementTree.fromstring(picture)
        assert "<script>" not in picture
        assert root.get("aria-label", "").startswith('</text><script>"&amp;')
    assert "<script>" not in game._repr_html_()
