"""Deals: names, shuffles against test vectors, also those of docs/deals.md, explicit decks."""

import importlib
import re
from itertools import islice, permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan import Game, load
from cadogan.cards import Card, format_cards, pack, parse_cards
from cadogan.deals import (
    SCHEMES,
    DealError,
    DealName,
    DeckError,
    _below,
    _in_buckets,
    _permutation,
    _split_mix,
    _twister,
    arrangements,
    check_deck,
    exact,
    parse_deal,
    shuffled,
)
from cadogan.layouts import UnsupportedLayoutError, deal_slots, match_piles, places
from tests.catalogue import GAMES

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
        (
            "617",
            (
                "'617' does not say which shuffle: write cadogan:617, ms:617, pysol:617, "
                "kpat:617, solvitaire:617 or exact:617"
            ),
        ),
        ("cadogen:1", "unknown scheme of deals 'cadogen': did you mean 'cadogan'?"),
        ("mss:1", "unknown scheme of deals 'mss': did you mean 'ms'?"),
        (
            "tarot:1",
            (
                "unknown scheme of deals 'tarot': "
                "choose one of cadogan, ms, pysol, kpat, solvitaire, exact"
            ),
        ),
        ("pysol:0", "unknown deal 'pysol:0': the numbers of pysol go from 1 to 1" + "0" * 20),
        (
            "exact:-1",
            (
                "unknown deal 'exact:-1': "
                "the numbers of exact go from 0 to as many as the deck has arrangements"
            ),
        ),
        ("ms:", "'' is not the number of a deal: write digits only, as in ms:1"),
        ("ms:1_0", "'1_0' is not the number of a deal: write digits only, as in ms:1"),
        ("ms:1.5", "'1.5' is not the number of a deal: write digits only, as in ms:1"),
        ("ms:1:2", "'1:2' is not the number of a deal: write digits only, as in ms:1"),
        ("ms:0", "unknown deal 'ms:0': the numbers of ms go from 1 to 8589934591"),
        ("ms:-4", "unknown deal 'ms:-4': the numbers of ms go from 1 to 8589934591"),
        (
            "ms:8589934592",
            "unknown deal 'ms:8589934592': the numbers of ms go from 1 to 8589934591",
        ),
        (
            "cadogan:18446744073709551616",
            (
                "unknown deal 'cadogan:18446744073709551616': "
                "the numbers of cadogan go from 0 to 18446744073709551615"
            ),
        ),
    ],
)
def test_what_is_no_deal_is_reported(text: str, message: str) -> None:
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
    with pytest.raises(DealError, match="unknown deal 'ms:0'"):
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
    with pytest.raises(DealError, match="ms:5 deals one full pack .* use cadogan:5"):
        shuffled("ms:5", deck)


# ---- The shuffles of other programs --------------------------------------------------------------

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


# ---- Every arrangement has a number --------------------------------------------------------------


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


# ---- The tables of other programs ----------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("scheme", sorted(SCHEMES))
def test_every_game_is_dealt_or_a_reason_given(game: str, scheme: str) -> None:
    book = load(game)
    try:
        position = book.deal(f"{scheme}:617")
    except DealError as error:
        assert "use cadogan:617" in str(error)
        assert scheme not in ("cadogan", "exact")
        return
    assert sorted(position.deck) == list(book.pack)
    assert position.deal_name == f"{scheme}:617"
    assert book.deal(deck=position.deck) == position


@pytest.mark.parametrize("game", GAMES)
def test_seats_are_where_the_cards_go(game: str) -> None:
    book = load(game)
    slots = deal_slots(book.rulebook)
    if slots is None:
        assert any(step.kind not in ("deal", "base", "settle") for step in book.rulebook.layout)
        return
    position = book.deal("cadogan:3")
    if len(position.line) > 0:
        return  # Forced rules have moved cards.
    piles = list(position.piles.values())
    for card, slot in zip(position.deck, slots, strict=True):
        if slot.pile < len(piles):
            assert piles[slot.pile][slot.depth] is card


def test_spider_of_kpatience_deals_its_heaps_from_the_top() -> None:
    game = load("spider")
    deck = game.deal("kpat:1").deck
    plain = shuffled("kpat:1", game.pack)
    assert list(deck[:54]) == plain[:54]
    assert list(deck[54:64]) == plain[54:64][::-1]
    assert list(deck[94:]) == plain[94:][::-1]


def test_spider_of_pysol_has_its_long_columns_apart() -> None:
    game = load("spider")
    position, plain = game.deal("pysol:1"), shuffled("pysol:1", game.pack)
    first = [position.piles[f"tableau.{pile}"][0] for pile in (1, 5, 6, 2, 7, 8, 3, 9, 10, 4)]
    assert first == plain[:10]
    assert [position.piles[f"tableau.{pile}"][4] for pile in (1, 2, 3, 4)] == plain[40:44]
    assert list(position.deck[54:]) == plain[54:]


def every(*rows: range) -> list[int]:
    """The piles, counted from 1, that get a card each, row after row."""
    return [pile for row in rows for pile in row]


PYSOL = {
    "bakers-game": every(*[range(1, 9)] * 6, range(1, 5)),
    "black-hole": every(*[range(1, 18)] * 3),
    "east-haven": every(*[range(1, 8)] * 3),
    "eight-off": every(*[range(1, 9)] * 6),
    "fan": every(*[range(1, 18)] * 2, range(1, 19)),
    "fore-cell": every(*[range(1, 9)] * 6),
    "fortunes-favor": every(range(1, 13)),
    "forty-thieves": every(*[range(1, 11)] * 4),
    "king-albert": every(*(range(pile, 10) for pile in range(2, 10)), range(1, 10)),
    "northwest-territory": every(*(range(pile, 9) for pile in range(2, 9)), range(1, 9)),
    "raglan": every(*(range(pile, 10) for pile in range(1, 7)), range(7, 10)),
    "seahaven-towers": every(*[range(1, 11)] * 5),
    "simple-simon": every(*(range(1, last) for last in range(10, 3, -1)), range(1, 11)),
    "somerset": every(*(range(pile, 11) for pile in range(1, 7)), range(7, 11), range(8, 11)),
    "spiderette": every(*(range(pile, 8) for pile in range(2, 8)), range(1, 8)),
    "streets-and-alleys": every(*[range(1, 9)] * 6, range(1, 5)),
}
"""Row after row, the piles that PySolFC deals to; what is left goes to cells, reserve or stock."""

BEFORE = {"raglan": "A", "fortunes-favor": "A", "black-hole": "AS"}
"""The cards that it takes out before."""


@pytest.mark.parametrize("name", PYSOL)
@pytest.mark.parametrize("number", [5, 100_000_000])
def test_classics_are_dealt_as_pysol_deals_them(name: str, number: int) -> None:
    game = load(name)
    position = game.deal(f"pysol:{number}")
    plain = [
        card
        for card in shuffled(f"pysol:{number}", [*game.pack, *laid_out_before(game)])
        if not str(card).startswith(BEFORE.get(name, "-"))
    ]
    group = next(group for group in game.rulebook.groups if group.role == "tableau")
    piles: dict[int, list[Card]] = {}
    for pile, card in zip(PYSOL[name], plain, strict=False):
        piles.setdefault(pile, []).append(card)
    for pile, cards in piles.items():
        assert position.piles[f"{group.name}.{pile}"] == tuple(cards)
    left = [
        card
        for other in game.rulebook.groups
        if other.role in ("cell", "reserve")
        for pile in range(other.count)
        for card in position.piles[other.pile_name(pile)]
    ]
    if not left and "stock" in position.piles:
        left = list(position.piles["stock"])[::-1]
    assert left == plain[len(PYSOL[name]) :]


def laid_out_before(game: Game) -> list[Card]:
    return [Card(code) for code, _ in game.rulebook.preset]


def test_tables_that_solvitaire_has_not_are_reported() -> None:
    with pytest.raises(DealError, match="here they hold 1, 6, 7, 8, 9, 10, 11 cards"):
        load("yukon").deal("solvitaire:1")
    with pytest.raises(UnsupportedLayoutError, match="a table that depends on the cards"):
        places("solvitaire", load("empress-of-india").rulebook)


@given(st.lists(st.integers(0, 5), max_size=8), st.data())
def test_piles_are_fitted_by_their_lengths(ours: list[int], data: st.DataObject) -> None:
    theirs = data.draw(st.permutations(ours))
    order = match_piles(ours, theirs)
    assert order is not None
    assert sorted(order) == list(range(len(ours)))
    assert [ours[place] for place in order] == theirs
    assert match_piles([*ours, 1], theirs) is None


# ---- The documentation ---------------------------------------------------------------------------

_VECTOR = re.compile(
    r"^(\w+:\d+)(?:, (?:(\d) packs|([\w:-]+)))?\n((?:    [A-KQTJ2-9CDHS ]+\n)+)", re.MULTILINE
)


def documented() -> list[tuple[str, int, str, str]]:
    """The vectors of the documentation: deal, packs, game (if its table is meant), cards."""
    return [
        (deal, int(packs or 1), game, " ".join(cards.split()))
        for deal, packs, game, cards in _VECTOR.findall(DOCS.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(("deal", "packs", "game", "cards"), documented())
def test_documented_vectors_are_true(deal: str, packs: int, game: str, cards: str) -> None:
    if game:
        assert format_cards(load(game).deal(deal).deck) == cards
    else:
        assert format_cards(shuffled(deal, pack(packs))) == cards


def test_every_scheme_is_documented() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert {parse_deal(deal).scheme for deal, _, _, _ in documented()} == set(SCHEMES)
    for scheme in SCHEMES.values():
        assert f"\n## {scheme.name}\n" in text
        numbers = scheme.highest or "the number of arrangements"
        assert f"| `{scheme.name}` | {scheme.lowest} to {numbers} " in text


def test_documented_draws_are_true() -> None:
    draws = re.findall(r"(\d+) for number (\d+)", DOCS.read_text(encoding="utf-8"))
    assert len(draws) == 2
    for draw, number in draws:
        assert next(_twister(int(number))) == int(draw)


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
