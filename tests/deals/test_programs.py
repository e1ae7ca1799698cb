"""Other programs' deals, against vectors that these programs made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.cards import Card, pack, parse_cards
from cadogan.deals import (
    SCHEMES,
    DealError,
    DealName,
    shuffled,
)
from cadogan.deals.programs import _in_buckets

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
    with pytest.raises(DealError, match="ms:5 deals one full pack .* use cadogan:5"):
        shuffled("ms:5", deck)


OTHERS = [
    # PySolFC: the program and the package it deals with.
    ("pysol:1", 1, "JD 2D 9H JC 5D 7H 7C 5H"),
    ("pysol:24", 1, "4C 5H QC 5D 2D 7H AH 7S 2C QH 9S 2S"),
    ("pysol:1", 2, "3D 5H JC KH 5S 5H KC KC"),
    ("pysol:32000", 1, "7S 4D JS 8D"),
    ("pysol:100000000", 1, "5H TH 6H 9D 9C 5D TS 9S"),
    # More than 32 bits, and more than 64.
    ("pysol:4294967296", 1, "6C 9S AC 4H KH 3S KS 8S 7C TH 2D 6D AS"),
    ("pysol:12345678901234567890", 1, "AH 9D 7H 3D 4S JC 9S 6C 8C 3C 7S AC KD"),
    ("pysol:100000000000000000000", 1, "AC 2H 4H 9H QH 8H JH KH TD 9C QC 7H 4S"),
    ("pysol:32000", 2, "KH 9H TD 6D 3D 9C TH JS JS 6C 3C KD 4H"),
    ("pysol:12345678901234567890", 2, "2C 5D AS 9H TH TS 8D KC 4S 6C 4D AC JC"),
    # KPatience.
    ("kpat:1", 1, "JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S AD QC KH 3H"),
    ("kpat:24", 1, "4C 5H QC 5D 2D 7H AH 7S 2C QH 9S 2S KD JS 5S 6C"),
    ("kpat:1", 2, "JD 8H 3H TH 5D 8H 4C 4C"),
]


@pytest.mark.parametrize(("deal", "packs", "cards"), OTHERS)
def test_others_are_dealt_like(deal: str, packs: int, cards: str) -> None:
    wanted = parse_cards(cards)
    assert shuffled(deal, pack(packs))[: len(wanted)] == wanted


@pytest.mark.parametrize("scheme", ["pysol", "kpat", "solvitaire"])
@pytest.mark.parametrize("packs", [1, 2])
@given(data=st.data())
def test_others_deal_every_card(scheme: str, packs: int, data: st.DataObject) -> None:
    found = SCHEMES[scheme]
    number = data.draw(st.integers(found.lowest, found.highest))
    assert sorted(shuffled(DealName(scheme, number), pack(packs))) == pack(packs)


@given(st.integers(1, 31999))
def test_one_pack_is_dealt_alike_by_three(number: int) -> None:
    dealt = shuffled(f"ms:{number}", pack())
    assert dealt == shuffled(f"kpat:{number}", pack()) == shuffled(f"pysol:{number}", pack())


def test_suits_that_a_game_lacks_are_made_up_for() -> None:
    # Two packs in which hearts and spades stand for all: the ranks are as with four suits.
    for deal, four in (("kpat:7", "CDHS"), ("pysol:7", "CSHD")):
        for suits in ("S", "HS"):
            ours = shuffled(deal, pack(8 // len(suits), suits=suits))
            assert [card.rank for card in ours] == [c.rank for c in shuffled(deal, pack(2))]
        stands = dict(zip(four, "HSHS" if deal[0] == "k" else "SSHH", strict=True))
        both = shuffled(deal, pack(2))
        assert [str(card)[1] for card in ours] == [stands[str(card)[1]] for card in both]


def test_a_stripped_pack_is_dealt_by_pysol() -> None:
    deck = pack(ranks="A789TJQ")
    assert sorted(shuffled("pysol:5", deck)) == deck
    with pytest.raises(DealError, match="kpat:5 deals full packs, .* use cadogan:5"):
        shuffled("kpat:5", deck)
    with pytest.raises(DealError, match="solvitaire:5 deals one or two packs"):
        shuffled("solvitaire:5", deck)


@pytest.mark.parametrize("scheme", ["pysol", "kpat", "solvitaire"])
@pytest.mark.parametrize("deck", [[], parse_cards("AS AS 2S 3H")])
def test_others_deal_no_odd_packs(scheme: str, deck: list[Card]) -> None:
    with pytest.raises(DealError, match=f"{scheme}:5 deals packs in which every suit"):
        shuffled(f"{scheme}:5", deck)


def test_draws_beyond_the_buckets_are_thrown_away() -> None:
    assert _in_buckets(3, iter([2**32 - 1, 0])) == 0
    assert _in_buckets(3, iter([2**32 - 2])) == 2
    assert _in_buckets(2, iter([2**32 - 1])) == 1
