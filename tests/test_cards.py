"""Cards: codes, spellings, packs."""

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.cards import (
    RANKS,
    SUIT_SYMBOLS,
    SUITS,
    Card,
    CardError,
    format_cards,
    pack,
    parse_cards,
)

CARDS = st.integers(0, 51).map(Card)


@given(CARDS)
def test_code_is_rank_times_four_plus_suit(card: Card) -> None:
    assert card.code == card.rank * 4 + card.suit
    assert str(card) == RANKS[card.rank] + SUITS[card.suit]
    assert card.symbol == RANKS[card.rank] + SUIT_SYMBOLS[card.suit]


def test_some_cards() -> None:
    assert [str(Card(code)) for code in (0, 1, 2, 3, 4, 36, 51)] == [
        *("AC", "AD", "AH", "AS", "2C", "TC", "KS")
    ]
    assert Card.parse("JH").name == "knave of hearts"
    assert [Card.parse(text).colour for text in ("2C", "2D", "2H", "2S")] == [
        *("black", "red", "red", "black")
    ]
    assert Card.parse("QH").is_red
    assert not Card.parse("QS").is_red


def test_jokers_have_no_suit() -> None:
    joker = Card(52)
    assert (str(joker), joker.symbol, joker.name, joker.colour) == ("JO", "J★", "joker", "")
    assert joker.is_joker
    assert not joker.is_red
    assert not any(card.is_joker for card in pack(8))
    assert Card.parse("JO") is Card.parse("j★") is joker
    assert joker > Card.parse("KS")


@given(CARDS)
def test_there_is_one_object_a_card(card: Card) -> None:
    assert Card(card.code) is card
    assert Card.parse(str(card)) is card
    assert copy.copy(card) is card
    assert copy.deepcopy([card])[0] is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert eval(repr(card), {"Card": Card.parse}) is card


@given(CARDS, CARDS)
def test_order_is_that_of_codes(one: Card, other: Card) -> None:
    assert (one < other) == (one.code < other.code)
    assert (one <= other) == (one.code <= other.code)
    assert (one > other) == (one.code > other.code)
    assert (one >= other) == (one.code >= other.code)
    assert (one == other) == (one.code == other.code)
    assert len({one, other}) == len({one.code, other.code})


def test_card_is_no_number() -> None:
    card: Any = Card(3)
    assert card != 3
    with pytest.raises(TypeError):
        _ = card < 3


@pytest.mark.parametrize("name", ["code", "rank", "colour", "anything"])
def test_card_cannot_be_changed(name: str) -> None:
    card = Card(7)
    with pytest.raises(AttributeError, match="cannot be changed"):
        setattr(card, name, 1)
    with pytest.raises(AttributeError, match="cannot be changed"):
        delattr(card, name)
    assert str(card) == "2S"


@pytest.mark.parametrize("code", [-1, 53, 64])
def test_other_codes_are_refused(code: int) -> None:
    with pytest.raises(CardError, match=f"{code} is not the code of a card"):
        Card(code)


@pytest.mark.parametrize(
    "text", ["TC", "tc", " Tc\n", "10C", "10c", "T♣", "10♣", "t♧", "T♣\N{VARIATION SELECTOR-16}"]
)
def test_spellings_of_the_ten_of_clubs(text: str) -> None:
    assert Card.parse(text) is Card(36)


@pytest.mark.parametrize(
    "text", ["", "T", "C", "CT", "1C", "11C", "TCC", "T C", "10", "010C", "XX"]
)
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(CardError) as caught:
        Card.parse(text)
    assert str(caught.value).startswith(f"{text!r} is not a card: write a rank")


def test_error_about_a_long_text_is_short() -> None:
    with pytest.raises(CardError) as caught:
        Card.parse("x" * 10_000)
    assert len(str(caught.value)) < 150


@given(st.lists(CARDS), st.sampled_from([" ", ", ", ",", "\n", " \t "]))
def test_cards_written_are_read_back(cards: list[Card], between: str) -> None:
    assert parse_cards(format_cards(cards)) == cards
    assert parse_cards(between.join(map(str, cards))) == cards
    assert parse_cards(between.join(card.symbol for card in cards)) == cards


def test_all_words_that_are_no_cards_are_named() -> None:
    with pytest.raises(CardError, match="'XX', '1C' are not cards") as caught:
        parse_cards("AS XX 2H, 1C XX")
    assert str(caught.value).count("XX") == 1
    with pytest.raises(CardError, match="'joker' is not a card"):
        parse_cards("AS joker")


@given(st.text())
def test_reading_never_fails_otherwise(text: str) -> None:
    try:
        cards = parse_cards(text)
    except CardError:
        return
    assert parse_cards(format_cards(cards)) == cards


@given(st.integers(1, 8), st.sets(st.sampled_from(RANKS)), st.sets(st.sampled_from(SUITS)))
def test_pack_holds_each_card_as_often_as_there_are_packs(
    packs: int, ranks: set[str], suits: set[str]
) -> None:
    cards = pack(packs, "".join(ranks), "".join(suits))
    assert cards == sorted(cards)
    assert len(cards) == packs * len(ranks) * len(suits)
    assert all(cards.count(card) == packs for card in cards)
    assert {str(card) for card in cards} == {rank + suit for rank in ranks for suit in suits}


def test_packs_that_cannot_be() -> None:
    with pytest.raises(CardError, match="0 packs hold no cards"):
        pack(0)
    with pytest.raises(CardError, match="'AXE' are not ranks"):
        pack(ranks="AXE")
    with pytest.raises(CardError, match="'SS' are not suits"):
        pack(suits="SS")


def test_a_card_can_be_made_of_its_repr() -> None:
    for code in range(52):
        assert eval(repr(Card(code)), {"Card": Card}) is Card(code)
