"""Deals that are dealt again, as docs/deals.md says, in the kernel and in the checker, too."""

import re
from itertools import islice
from pathlib import Path

import pytest

import cadogan
from cadogan.cards import Card, format_cards, parse_cards
from cadogan.certificates.interpreter import Interpreter
from cadogan.certificates.tables import read_tables
from cadogan.deals import DealError
from cadogan.deals.own import shuffles
from cadogan.rules.pipeline import load_rules

DOCS = Path(__file__).parents[2] / "docs" / "deals.md"
VECTOR = re.compile(
    r"^deals with an ace among the first two of ([^\n]+)\n((?:    [^\n]+\n)+)", re.MULTILINE
)


def test_documented_vectors_are_true() -> None:
    ((pack, decks),) = VECTOR.findall(DOCS.read_text(encoding="utf-8"))
    cards = sorted(parse_cards(pack))
    for number, expected in enumerate(decks.split("\n")[:-1], 1):
        tried = islice(shuffles(number, cards), 100)
        first = next(deck for deck in tried if Card.parse("AC") in deck[:2])
        assert format_cards(first) == expected.strip()


def test_a_deal_goes_on_until_the_rules_accept_it() -> None:
    game = cadogan.load("tournament")
    interpreter = Interpreter(read_tables(load_rules("tournament").program.data))
    again = 0
    for number in range(1, 30):
        position = game.deal(f"cadogan:{number}")
        first = next(shuffles(number, sorted(game.pack)))
        refused = not any(str(card)[0] in "AK" for card in first[:8])
        assert interpreter.is_dealt_again(bytes(card.code for card in first)) == refused
        assert not interpreter.is_dealt_again(bytes(card.code for card in position.deck))
        assert (list(position.deck) == first) != refused
        # A deck that is given is dealt as it is.
        assert list(game.deal(deck=first).deck) == first
        again += refused
    assert 3 < again < 20


def test_a_deal_that_never_suits_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "never.toml"
    path.write_text(
        'name = "Never"\naim = "row is empty"\ndeal_again = "row.1 is not empty"\n'
        '[row]\nrole = "reserve"\npiles = 52\ndeal = 1\n',
        encoding="utf-8",
    )
    game = cadogan.load(path)
    with pytest.raises(DealError, match="none of the first 1000 shuffles of cadogan:7"):
        game.deal("cadogan:7")
