"""Deals: names, shuffles against the vectors of others and of docs/deals.md, explicit decks."""

import importlib
import re
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.cards import Card, format_cards, pack, parse_cards
from cadogan.deals import (
    SCHEMES,
    DealError,
    DealName,
    DeckError,
    _below,
    _permutation,
    _split_mix,
    check_deck,
    parse_deal,
    shuffled,
)

DOCS = Path(__file__).parent.parent / "docs" / "deals.md"
NUMBERS = st.integers(0, 2**64 - 1)

# ---- Names ---------------------------------------------------------------------------------------


@given(st.sampled_from(sorted(SCHEMES)), st.data())
def test_names_are_read_back(name: str, data: st.DataObject) -> None:
    scheme = SCHEMES[name]
    deal = DealName(name, data.draw(st.integers(scheme.lowest, scheme.highest)))
    assert parse_deal(str(deal)) == deal


def test_names_are_read_leniently() -> None:
    assert parse_deal(" MS : 0617 ") == DealName("ms", 617)
    assert str(parse_deal("cadogan:18446744073709551615")) == "cadogan:18446744073709551615"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not the name of a deal: write scheme:number, as in cadogan:1"),
        ("cadogan", "'cadogan' is not the name of a deal: write scheme:number, as in cadogan:1"),
        ("617", "'617' does not say which shuffle: write cadogan:617 or ms:617"),
        ("cadogen:1", "no deals are called 'cadogen': did you mean 'cadogan'?"),
        ("mss:1", "no deals are called 'mss': did you mean 'ms'?"),
        ("tarot:1", "no deals are called 'tarot': there are cadogan, ms"),
        ("ms:", "'' is not the number of a deal: write digits only, as in ms:1"),
        ("ms:1_0", "'1_0' is not the number of a deal: write digits only, as in ms:1"),
        ("ms:1.5", "'1.5' is not the number of a deal: write digits only, as in ms:1"),
        ("ms:1:2", "'1:2' is not the number of a deal: write digits only, as in ms:1"),
        ("ms:0", "there is no deal 'ms:0': the numbers of ms go from 1 to 8589934591"),
        ("ms:-4", "there is no deal 'ms:-4': the numbers of ms go from 1 to 8589934591"),
        (
            "ms:8589934592",
            "there is no deal 'ms:8589934592': the numbers of ms go from 1 to 8589934591",
        ),
        (
            "cadogan:18446744073709551616",
            (
                "there is no deal 'cadogan:18446744073709551616': "
                "the numbers of cadogan go from 0 to 18446744073709551615"
            ),
        ),
    ],
)
def test_what_is_no_deal_is_told(text: str, message: str) -> None:
    with pytest.raises(DealError) as caught:
        parse_deal(text)
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["9" * 10_000, "ms:" + "9" * 10_000, "x" * 10_000 + ":1"])
def test_error_about_a_long_text_is_short(text: str) -> None:
    with pytest.raises(DealError) as caught:
        parse_deal(text)
    assert len(str(caught.value)) < 150


@given(st.text() | st.text("0123456789:-ms "))
def test_reading_a_name_never_fails_otherwise(text: str) -> None:
    try:
        deal = parse_deal(text)
    except DealError:
        return
    assert parse_deal(str(deal)) == deal


def test_a_wrong_name_cannot_be_made() -> None:
    with pytest.raises(DealError, match="there is no deal 'ms:0'"):
        DealName("ms", 0)
    with pytest.raises(DealError, match="did you mean 'cadogan'"):
        DealName("Cadogan", 1)


# ---- The shuffle of our own ----------------------------------------------------------------------


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


# ---- Microsoft's shuffle -------------------------------------------------------------------------

MS = {
    # KPatience's test holds 1 and 24 whole, Rosetta Code 1 and 617.
    1: """
        JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S AD QC KH 3H 2S KS 9D QD JS AS AH 3C 4C 5C
        TS QH 4H AC 4D 7S 3S TD 4S TH 8H 2C JH 7D 6D 8S 8D QS 6C 3D 8C TC 6S 9C 2H 6H
    """,
    24: """
        4C 5H QC 5D 2D 7H AH 7S 2C QH 9S 2S KD JS 5S 6C 9C 3C 6H JC TH KH 6S 7D 8C AC
        9H 5C TC TS AD 4D QS 3H 3S JH TD KC 8H 8S 4S 4H KS 6D 8D 7C JD 9D 2H QD 3D AS
    """,
    617: """
        7D AD 5C 3S 5S 8C 2D AH TD 7S QD AC 6D 8H AS KH TH QC 3H 9D 6S 8D 3D TC KD 5H
        9S 3C 8S 7H 4D JS 4C QS 9C 9H 7C 6H 2C 2S 4S TS 2H 5D JC 6C JH QH JD KS KC 4H
    """,
    11982: "AH AS 4H AC 2D 6S TS JS",
    # Freecell Solver, numbers of FreeCell Pro.
    3000000000: "8D 4D 9H 9D 6H 9C 6C 8C",
    6000000000: "2D 3D 4D KH TD QH 5C 6D",
}


@pytest.mark.parametrize("number", MS)
def test_ms_deals_as_others_do(number: int) -> None:
    wanted = parse_cards(MS[number])
    assert shuffled(f"ms:{number}", pack())[: len(wanted)] == wanted


@given(st.integers(1, 2**33 - 1))
def test_ms_deals_every_card(number: int) -> None:
    assert sorted(shuffled(DealName("ms", number), pack())) == pack()


@pytest.mark.parametrize("deck", [pack(2), pack(ranks="789TJQKA"), pack(4, suits="S"), []])
def test_ms_deals_one_full_pack_only(deck: list[Card]) -> None:
    with pytest.raises(DealError, match="ms:5 deals one full pack .* take cadogan:5"):
        shuffled("ms:5", deck)


# ---- The documentation ---------------------------------------------------------------------------

_VECTOR = re.compile(r"^(\w+:\d+)(?:, (\d) packs)?\n((?:    [A-KQTJ2-9CDHS ]+\n)+)", re.MULTILINE)


def documented() -> list[tuple[str, int, str]]:
    """The vectors of the documentation: deal, packs, cards."""
    return [
        (deal, int(packs or 1), " ".join(cards.split()))
        for deal, packs, cards in _VECTOR.findall(DOCS.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(("deal", "packs", "cards"), documented())
def test_documented_vectors_are_true(deal: str, packs: int, cards: str) -> None:
    assert format_cards(shuffled(deal, pack(packs))) == cards


def test_every_scheme_is_documented() -> None:
    assert {parse_deal(deal).scheme for deal, _, _ in documented()} == set(SCHEMES)


def test_worked_example_is_true() -> None:
    rows = re.findall(
        r"^\| (\d) \| (\d) \| `([0-9a-f]{16})` \| (\d) \| ([\d ]+) \|$",
        DOCS.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert [int(row[0]) for row in rows] == [4, 3, 2, 1]
    places = list(range(5))
    for (last, bound, drawn, other, after), draw in zip(rows, _split_mix(1), strict=False):
        assert int(bound) == int(last) + 1
        assert int(drawn, 16) == draw
        assert _below(int(bound), iter([draw])) == int(other)
        places[int(last)], places[int(other)] = places[int(other)], places[int(last)]
        assert after == " ".join(map(str, places))
    assert places == _permutation(1, 5)


# ---- Explicit decks ------------------------------------------------------------------------------


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
