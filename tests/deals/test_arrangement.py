"""Every arrangement has a number."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.cards import pack, parse_cards
from cadogan.deals import (
    DealError,
    DealName,
    arrangements,
    exact,
    shuffled,
)


@given(st.data())
def test_exact_numbers_lead_back_to_the_deck(data: st.DataObject) -> None:
    pool = data.draw(st.lists(st.sampled_from(pack()), max_size=60))
    name = exact(pool)
    assert shuffled(name, sorted(pool)) == pool
    assert 0 <= name.number < arrangements(pool)


@given(st.integers(0, 104), st.data())
def test_exact_decks_lead_back_to_the_number(cards: int, data: st.DataObject) -> None:
    deck = pack(2)[:cards]
    number = data.draw(st.integers(0, arrangements(deck) - 1))
    assert exact(shuffled(DealName("exact", number), deck)).number == number


def test_exact_is_the_order_of_a_dictionary() -> None:
    deck = parse_cards("AC AC AD 2S 2S")
    every = sorted(set(permutations(deck)))
    assert [tuple(shuffled(f"exact:{number}", deck)) for number in range(len(every))] == every
    assert len(every) == arrangements(deck) == 30


def test_exact_numbers_end() -> None:
    last = arrangements(pack()) - 1
    assert shuffled(f"exact:{last}", pack()) == pack()[::-1]
    with pytest.raises(DealError, match=f"here the numbers of exact go from 0 to {last}$"):
        shuffled(f"exact:{last + 1}", pack())
    with pytest.raises(DealError, match="go from 0 to a number of 151 digits$"):
        shuffled("exact:" + "9" * 160, pack(2))
