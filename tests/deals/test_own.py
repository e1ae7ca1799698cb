"""The shuffle of our own: of its generator, of chance, and of the kernel."""

import importlib
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.cards import pack
from cadogan.deals import (
    DealName,
    shuffled,
)
from cadogan.deals.own import _below, _permutation, _split_mix

NUMBERS = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize(
    ("state", "numbers"),
    [
        # Published outputs of SplitMix64.
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]),
        (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423]),
    ],
)
def test_generator_is_split_mix(state: int, numbers: list[int]) -> None:
    assert list(islice(_split_mix(state), len(numbers))) == numbers


@given(st.integers(1, 1000), NUMBERS)
def test_drawn_number_is_below_the_bound(bound: int, state: int) -> None:
    assert 0 <= _below(bound, _split_mix(state)) < bound


def test_draws_that_tip_the_scales_are_thrown_away() -> None:
    # 2**64 is 16 more than a multiple of 52: a product with a low half below 16 does not count.
    assert (2**64 - 52) % 52 == 16
    half = 2**63
    assert half * 52 % 2**64 == 0
    assert _below(52, iter([0, half, 1])) == 0
    assert _below(52, iter([0, 2**64 - 1])) == 51
    # A power of two divides 2**64, so every draw counts.
    assert _below(64, iter([0])) == 0


@given(NUMBERS, st.integers(0, 208))
def test_shuffle_is_a_permutation(number: int, length: int) -> None:
    assert sorted(_permutation(number, length)) == list(range(length))


@given(NUMBERS, st.integers(0, 208))
def test_kernel_shuffles_likewise(number: int, length: int) -> None:
    kernel = importlib.import_module("cadogan._kernel")
    assert list(kernel.shuffle(number, length)) == _permutation(number, length)


@given(NUMBERS, st.integers(1, 4), st.data())
def test_order_of_the_deck_does_not_matter(number: int, packs: int, data: st.DataObject) -> None:
    deck = data.draw(st.permutations(pack(packs)))
    dealt = shuffled(DealName("cadogan", number), deck)
    assert dealt == shuffled(f"cadogan:{number}", pack(packs))
    assert sorted(dealt) == pack(packs)


def test_every_card_comes_first_about_as_often() -> None:
    first = [_permutation(number, 4)[0] for number in range(4000)]
    # Four standard deviations of a binomial are 110.
    assert all(abs(first.count(card) - 1000) < 110 for card in range(4))
