"""Words of the card books: ranks, suits and classes of cards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.cards import Card
from cadogan.rules.rulebook.words import (
    ALL_CARDS,
    RANK_NAMES,
    SUIT_NAMES,
    SUITED,
    WordError,
    parse_class,
    plural,
    rank_mask,
    rank_of,
    suit_of,
)


def cards(text: str) -> set[str]:
    mask = parse_class(text).mask
    return {str(Card(code)) for code in range(52) if mask >> code & 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("aces", "AC AD AH AS"),
        ("an ace", "AC AD AH AS"),
        ("red knaves", "JD JH"),
        ("Red Jacks", "JD JH"),
        ("the queen of spades", "QS"),
        ("queens of spades", "QS"),
        ("10 of hearts", "TH"),
        ("red kings and the queen of spades", "KD KH QS"),
        ("red kings, and deuces", "KD KH 2C 2D 2H 2S"),
        ("aces, deuces and kings of hearts", "AC AD AH AS 2C 2D 2H 2S KH"),
        ("aces, or kings of hearts", "AC AD AH AS KH"),
        ("no card", ""),
        ("nothing", ""),
        ("aces of clubs or black twos", "AC 2C 2S"),
    ],
)
def test_classes(text: str, expected: str) -> None:
    assert cards(text) == set(expected.split())


def test_classes_of_many() -> None:
    assert parse_class("any card").mask == parse_class("every card").mask == ALL_CARDS
    assert parse_class("cards").mask == ALL_CARDS
    assert parse_class("red cards").mask.bit_count() == 26
    assert parse_class("spades").mask.bit_count() == 13
    assert parse_class("all but kings").mask == ALL_CARDS ^ rank_mask([12])
    assert parse_class("all but red kings and aces").mask.bit_count() == 47
    assert parse_class("black cards and jokers").mask.bit_count() == 27
    assert parse_class("all but jokers").mask == SUITED


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("jesters", "jesters"),
        ("red jokers", "jokers"),
        ("yellow queens", "yellow"),
        ("", ""),
        ("and", "and"),
        ("aces and", "and"),
        ("all but", ""),
        ("all but pigs", "pigs"),
        ("the", "the"),
        ("aces, kinsg", "kinsg"),
        ("red hearts and black hearts", "hearts"),
        ("kings queens", "queens"),
        ("no red cards", "red"),
        ("aces,, kings", ","),
        ("3 cards", "3"),
        ("red 3 cards", "3"),
    ],
)
def test_what_is_no_class(text: str, word: str) -> None:
    with pytest.raises(WordError) as caught:
        parse_class(text)
    if word and word != "and":
        assert text[caught.value.start :].startswith(word)


@given(st.text(max_size=60))
def test_any_text_is_a_class_or_an_error(text: str) -> None:
    try:
        found = parse_class(text)
    except WordError as error:
        assert 0 <= error.start <= len(text)
    else:
        assert 0 <= found.mask <= ALL_CARDS
        assert parse_class(found.text).mask == found.mask


def test_ranks_and_suits() -> None:
    for rank, name in enumerate(RANK_NAMES):
        assert rank_of(name) == rank_of(plural(rank)) == rank_of(name.upper()) == rank
    for suit, name in enumerate(SUIT_NAMES):
        assert suit_of(name) == suit_of(name[:-1]) == suit_of(name[0]) == suit
    assert rank_of("1") is None
    assert rank_of("11") is None
    assert suit_of("red") is None
