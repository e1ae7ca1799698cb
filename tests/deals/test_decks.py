"""Explicit decks, and all that is wrong with them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.cards import Card, pack, parse_cards
from cadogan.deals import (
    DeckError,
    check_deck,
)


def test_deck_of_texts_and_cards_is_read() -> None:
    deck: list[Card | str] = ["10h", Card.parse("AS"), "a♠"]
    assert check_deck(deck, parse_cards("AS AS TH")) == parse_cards("TH AS AS")


def test_every_fault_of_a_deck_is_named() -> None:
    with pytest.raises(DeckError) as caught:
        check_deck(
            ["AS", "AS", "AS", "KD", "2C", "joker", "", "3H"],
            parse_cards("AS 3H 4H KD KD TC TC"),
        )
    assert str(caught.value) == (
        "this deck is not the pack of the game: missing 4H, TC (2 times), KD; "
        "too many AS (3 instead of 1); not in this game 2C; not cards 'joker', ''"
    )
    assert caught.value.missing == tuple(parse_cards("4H TC TC KD"))
    assert caught.value.surplus == tuple(parse_cards("AS AS 2C"))
    assert caught.value.unknown == ("joker", "")


@given(st.integers(1, 3), st.data())
def test_faults_of_a_deck_make_up_the_difference(packs: int, data: st.DataObject) -> None:
    expected = pack(packs, ranks="A23")
    deck = data.draw(st.lists(st.sampled_from(pack(ranks="A234")), max_size=40))
    try:
        assert check_deck(deck, expected) == deck
    except DeckError as error:
        assert sorted([*deck, *error.missing]) == sorted([*expected, *error.surplus])
        assert not set(error.missing) & set(error.surplus)
        assert error.missing or error.surplus
        assert all(str(card) in str(error) for card in (*error.missing, *error.surplus))
    else:
        assert sorted(deck) == expected
