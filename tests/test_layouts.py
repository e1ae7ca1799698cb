"""The tables of other programs: where each card of a deal goes."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan import Game, load
from cadogan.cards import Card
from cadogan.deals import (
    SCHEMES,
    DealError,
    shuffled,
)
from cadogan.layouts import UnsupportedLayoutError, deal_slots, match_piles, places
from tests.catalogue import GAMES


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
        plain = ("deal", "base", "settle")
        steps = book.rulebook.layout
        kinds = [step.kind for step in steps]
        assert (
            "deal" in kinds[kinds.index("settle") :]
            if "settle" in kinds
            else any(
                step.kind not in plain or (step.kind == "deal" and not step.is_plain)
                for step in steps
            )
        )
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


def every(*rows: Sequence[int]) -> list[int]:
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


KPAT = {
    "aces-up": every(range(1, 5)),
    "bakers-game": every(*[range(1, 9)] * 6, range(1, 5)),
    "beleaguered-castle": every(*[range(1, 9)] * 6),
    "eight-off": every(*[range(1, 9)] * 6),
    "forty-and-eight": every(*[range(1, 9)] * 4),
    "freecell": every(*[range(1, 9)] * 6, range(1, 5)),
    "golf": every(*[range(1, 8)] * 5),
    "grandfather": every(
        *(range(1, 8), range(7, 1, -1), range(2, 7), range(6, 2, -1), range(3, 6)),
        *([5, 4], [4], *[range(2, 8)] * 4),
    ),
    "grandfathers-clock": every(*[range(1, 9)] * 5),
    "gypsy": every(*[range(1, 9)] * 3),
    "klondike": every(*(range(first, 8) for first in range(1, 8))),
    "royal-parade": [],
    "seahaven-towers": every(*[range(1, 11)] * 5),
    "siegecraft": every(*[range(1, 9)] * 6),
    "simple-simon": every(*(range(1, last) for last in range(10, 3, -1)), range(1, 11)),
    "streets-and-alleys": every(*[range(1, 9)] * 6, range(1, 5)),
    "stronghold": every(*[range(1, 9)] * 6, range(1, 5)),
    "yukon": every(range(1, 8), *[range(2, 8)] * 5, *(range(first, 8) for first in range(3, 8))),
}
"""Row after row, the piles that KPatience deals to."""

CELLS = {"eight-off": 4, "seahaven-towers": 2}
"""The cards that it deals to cells first."""


@pytest.mark.parametrize("name", KPAT)
@pytest.mark.parametrize("number", [5, 1_000_000])
def test_its_games_are_dealt_as_kpatience_deals_them(name: str, number: int) -> None:
    game = load(name)
    position = game.deal(f"kpat:{number}")
    before = laid_out_before(game)
    plain = [
        card for card in shuffled(f"kpat:{number}", [*game.pack, *before]) if card not in before
    ]
    cells, plain = plain[: CELLS.get(name, 0)], plain[CELLS.get(name, 0) :]
    held = [pile for name, pile in position.piles.items() if name.startswith("cells.") and pile]
    assert held == [(card,) for card in cells]
    group = next(
        (g.name for g in game.rulebook.groups if g.role == "tableau" and g.name != "dial"), ""
    )
    piles: dict[int, list[Card]] = {}
    for pile, card in zip(KPAT[name], plain, strict=False):
        piles.setdefault(pile, []).append(card)
    for pile, cards in piles.items():
        assert position.piles[f"{group}.{pile}"] == tuple(cards)
    if name == "royal-parade":
        rows = [f"{row}.{place}" for row in ("twos", "threes", "fours") for place in range(1, 9)]
        assert [position.piles[pile][0] for pile in rows] == plain[:24]
    elif "stock" in position.piles:
        left = [*position.piles["stock"], *reversed(position.piles.get("waste", ()))]
        assert left[::-1] == plain[len(KPAT[name]) :]


def test_a_variant_has_an_order_of_its_own() -> None:
    plain = shuffled("pysol:5", load("rushdike").pack)
    laid = {name: load(name).deal("pysol:5") for name in ("rushdike", "rushdike:russian-point")}
    assert [position.piles["tableau.6"][0] for position in laid.values()] == [plain[1], plain[4]]


def test_piles_are_visited_in_turn() -> None:
    plain = shuffled("pysol:5", load("brisbane").pack)
    piles = load("brisbane").deal("pysol:5").piles
    assert [piles[f"tableau.{number}"][0] for number in range(2, 8)] == plain[:6]
    assert [piles[f"tableau.{number}"][1] for number in range(3, 8)] == plain[6:11]


def test_a_place_may_be_filled_in_two_parts() -> None:
    plain = shuffled("pysol:5", load("can-can").pack)
    piles = load("can-can").deal("pysol:5").piles
    assert [piles[f"reserve.{number}"][0] for number in (1, 2, 3)] == plain[39:42]
    assert [piles[f"tableau.{number}"][3] for number in range(1, 11)] == plain[42:]


def test_pysol_takes_the_cards_laid_out_before_from_the_first_pack() -> None:
    game = load("double-freecell")
    whole = sorted([*game.pack, *laid_out_before(game)])
    packs = SCHEMES["pysol"].packs
    assert packs is not None
    dealt = list(zip(shuffled("pysol:5", whole), packs(5, whole), strict=True))
    plain = [card for card, pack in dealt if pack or not str(card).startswith("A")]
    position = game.deal("pysol:5")
    assert [position.piles[f"tableau.{number}"][0] for number in range(1, 11)] == plain[:10]


def laid_out_before(game: Game) -> list[Card]:
    return [Card(code) for code, _ in game.rulebook.preset]


def test_tables_that_solvitaire_has_not_are_told() -> None:
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
