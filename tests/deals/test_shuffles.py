"""Shuffles during a game follow from the deal, as docs/deals.md says, in the kernel, too."""

import re
from pathlib import Path

import pytest

import cadogan
from cadogan.cards import format_cards, parse_cards
from cadogan.certificates.interchange import verified
from cadogan.certificates.tables import read_tables
from cadogan.deals.own import reshuffled, seed_of_shuffles
from cadogan.rules.pipeline import load_rules
from cadogan.table.intent import Intent, find_move
from cadogan.web import serialize

DOCS = Path(__file__).parents[2] / "docs" / "deals.md"
VECTOR = re.compile(r"^shuffles of ([^\n]+)\n((?:    [^\n]+\n)+)", re.MULTILINE)

GAME = """
name = "A pile to shuffle"
aim  = "pile is empty"

[pile]
role  = "reserve"
deal  = 51
shown = "none"

[single]
role = "tableau"
deal = 1
build = "nothing"

[stock]

[[rule]]
name  = "shuffle the pile"
verb  = "shuffle"
steps = [{ gather = "single", to = "pile" }, { shuffle = "pile" }]
"""


def vectors() -> list[tuple[str, list[str]]]:
    text = DOCS.read_text(encoding="utf-8")
    return [(deck, shuffles.split("\n")[:-1]) for deck, shuffles in VECTOR.findall(text)]


@pytest.mark.parametrize(("deck", "shuffles"), vectors())
def test_documented_vectors_are_true(deck: str, shuffles: list[str]) -> None:
    codes = [card.code for card in parse_cards(deck)]
    seed = seed_of_shuffles(codes)
    for made, expected in enumerate(shuffles):
        wanted = [card.code for card in parse_cards(expected)]
        assert reshuffled(reversed(codes), seed, made) == wanted


def game(tmp_path: Path) -> cadogan.Game:
    path = tmp_path / "shuffles.toml"
    path.write_text(GAME, encoding="utf-8")
    return cadogan.load(path)


@pytest.mark.parametrize("deal", ["cadogan:1", "ms:617", "exact:5"])
def test_a_deal_and_its_deck_have_the_same_shuffles(tmp_path: Path, deal: str) -> None:
    named = game(tmp_path).deal(deal)
    listed = game(tmp_path).deal(deck=named.deck)
    seed = seed_of_shuffles(card.code for card in named.deck)
    for made in range(3):
        named, listed = named.play("shuffle"), listed.play("shuffle")
        cards = named.piles["pile"]
        expected = reshuffled((card.code for card in named.deck), seed, made)
        assert [card.code for card in reversed(cards)] == expected
        assert format_cards(listed.piles["pile"]) == format_cards(cards)
        assert dict(named.counters) == {"shuffles": made + 1}
        assert named.visible_piles()["pile"] == (None,) * 52


def test_positions_with_other_shuffles_to_come_differ(tmp_path: Path) -> None:
    first = game(tmp_path).deal("cadogan:1")
    once = first.play("shuffle")
    twice = once.play("shuffle")
    assert len({first, once, twice}) == 3
    assert twice.undo() == once
    assert once.undo().play("shuffle") == once


def test_the_checker_exchanges_fans_that_are_gathered_and_shuffled() -> None:
    rules = load_rules("la-belle-lucie")
    fans = next(group for group in rules.rulebook.groups if group.name == "fans")
    tables = read_tables(rules.program.data)
    assert verified(tables, [list(fans.piles)]) is None
    script = next(rule.action for rule in tables.rules if rule.action.kind == "script")
    # Without the shuffle, the order in which the fans are gathered would count.
    del script.steps[1]
    assert "not interchangeable" in (verified(tables, [list(fans.piles)]) or "")


def test_a_card_from_under_others_has_its_depth_on_the_page() -> None:
    position = cadogan.load("three-shuffles-and-a-draw").deal("cadogan:1")
    drawn = [move for move in position.moves() if "#" in move.text]
    for move in drawn:
        (transfer,) = serialize.move(position, move, position.transfers(move)).transfers
        assert (transfer.count, transfer.depth) == (1, move.count)
        assert serialize.taken(position, move) == [
            str(position.piles[move.source or ""][-move.count])
        ]
        intent = Intent(source=move.source, target=move.target, count=move.count)
        assert find_move(position, intent) == move
    assert drawn
