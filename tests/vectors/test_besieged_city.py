"""The Besieged City: the picture of the table, its lines, and the order of the foundations."""

from collections import Counter
from itertools import pairwise, product

import pytest

from cadogan import Game, Position, load
from cadogan.cards import Card
from tests.vectors.table import cards, deck_of, next_first, reached, texts

RANKS = "A23456789TJQK"
ORDER = "AK2Q3J4T5968778695T4J3Q2KA"
RESERVE = [f"reserve.{n}" for n in range(1, 13)]
RAMPARTS = [f"ramparts.{n}" for n in range(1, 15)]
T1, E1, B1, L1 = "ramparts.1", "ramparts.4", "ramparts.10", "ramparts.14"
"""The ramparts run clockwise: T1-T3, E1-E4, B3-B1, L4-L1."""


@pytest.fixture(scope="module", name="game")
def the_game() -> Game:
    return load("besieged-city")


def city(
    game: Game, reserve: dict[int, str], ramparts: dict[int, str], stock: str = ""
) -> Position:
    """A table with certain cards in places of the reserve and of the ramparts, by their numbers."""
    places = {number - 1: card for number, card in reserve.items()}
    places |= {number + 11: card for number, card in ramparts.items()}
    position = game.deal(deck=deck_of(game, {**places, 26: stock}))
    for group, told in (("reserve", reserve), ("ramparts", ramparts)):
        for number, card in told.items():
            assert position.piles[f"{group}.{number}"] == cards(card)
    return position


def line(rampart: str) -> list[str]:
    """The reserve of a rampart's line, worked out from the picture."""
    number = int(rampart.partition(".")[2])
    column = {1: 1, 2: 2, 3: 3, 8: 3, 9: 2, 10: 1}.get(number)
    if column is not None:
        return [f"reserve.{cell}" for cell in range(column, 13, 3)]
    row = {4: 1, 5: 2, 6: 3, 7: 4, 11: 4, 12: 3, 13: 2, 14: 1}[number]
    return [f"reserve.{cell}" for cell in range(3 * row - 2, 3 * row + 1)]


def fits(card: Card, under: Card, sums: tuple[int, ...] = (14, 15)) -> bool:
    x, y = (RANKS.index(str(one)[0]) + 1 for one in (card, under))
    return str(card)[1] == str(under)[1] and (abs(x - y) == 1 or x + y in sums)


# The pack, the deal, the picture.


def test_two_whole_packs(game: Game) -> None:
    assert len(game.pack) == 104 == 4 * 26
    assert set(Counter(game.pack).values()) == {2}


def test_the_reserve_is_dealt_first_then_the_ramparts(game: Game) -> None:
    position = game.deal("cadogan:1")
    assert [position.piles[name] for name in RESERVE] == [(card,) for card in position.deck[:12]]
    assert [position.piles[name] for name in RAMPARTS] == [(card,) for card in position.deck[12:26]]
    assert next_first(position) == position.deck[26:]
    assert len(position.piles["stock"]) == 78


def test_every_reserve_card_serves_the_four_ends_of_its_row_and_column() -> None:
    ends = Counter(cell for rampart in RAMPARTS for cell in line(rampart))
    assert ends == dict.fromkeys(RESERVE, 4)


COLUMN_1 = {1: "4C", 4: "7S", 7: "AC", 10: "6S"}
ROW_1 = {1: "4C", 2: "3C", 3: "AD"}


def test_the_note_to_the_tableau(game: Game) -> None:
    ends = {1: "9D", 4: "9H", 14: "9S", 10: "3C"}
    elsewhere = dict(enumerate(["5C", "5C"], start=2))
    elsewhere |= dict(enumerate(["TC", "TC", "JC", "JC", "KH"], start=5))
    position = city(game, {**COLUMN_1, **ROW_1}, {**ends, **elsewhere})
    assert {move.text for move in position.moves() if move.source == "reserve.1"} == {
        "reserve.1 > ramparts.10"
    }
    # The cards between do not block it, and 5C (T2, T3), TC and JC (E2-E4, B3) are not its ends.
    for rampart in (2, 3, 5, 6, 7, 8):
        assert fits(Card.parse("4C"), position.piles[f"ramparts.{rampart}"][-1])
        assert position.why_not(f"reserve.1 > ramparts.{rampart}") is not None


@pytest.mark.parametrize(
    ("breach", "wanted"),
    [(T1, "4C 7S AC 6S"), (B1, "4C 7S AC 6S"), (L1, "4C 3C AD"), (E1, "4C 3C AD")],
)
def test_the_note_to_the_tableau_on_vacancies(game: Game, breach: str, wanted: str) -> None:
    number = int(breach.partition(".")[2])
    position = city(game, {**COLUMN_1, **ROW_1}, {number: "AH"}, stock="2D")
    after = position.play(f"{breach} > foundations.1")
    assert after.pending_choice == "a breach is filled from its line"
    assert {move.target for move in after.moves()} == {breach}
    chosen = [after.piles[str(move.source)][-1] for move in after.moves()]
    assert sorted(chosen) == sorted(cards(wanted))
    for move in after.moves():
        card = after.piles[str(move.source)]
        filled = after.play(move)
        assert filled.piles[breach] == card
        assert filled.piles[str(move.source)] == cards("2D")  # The next card of the pack.


@pytest.mark.parametrize("rampart", RAMPARTS)
def test_a_breach_is_filled_from_its_line_only(game: Game, rampart: str) -> None:
    number = int(rampart.partition(".")[2])
    position = city(game, {}, {number: "AH"}).play(f"{rampart} > foundations.1")
    assert {str(move.source) for move in position.moves()} == set(line(rampart))


# The order of the foundations and what lies on what.


def test_the_order_of_the_foundations(game: Game) -> None:
    assert len(ORDER) == 26
    assert ORDER[::2] == RANKS
    assert ORDER[1::2] == RANKS[::-1]
    (order,) = [
        group.build_order for group in game.rulebook.groups if group.build_order is not None
    ]
    assert "".join(RANKS[(mask & -mask).bit_length() // 4] for mask in order.wants) == ORDER
    assert all(mask.bit_count() == 4 for mask in order.wants)


def test_neighbours_in_the_order_add_up_to_fourteen_or_fifteen() -> None:
    neighbours = {frozenset(pair) for pair in pairwise(ORDER)}
    assert neighbours == {
        frozenset((x, y))
        for x, y in product(RANKS, repeat=2)
        if RANKS.index(x) + RANKS.index(y) + 2 in (14, 15)
    }


@pytest.mark.parametrize(
    ("name", "sums"), [("besieged-city", (14, 15)), ("besieged-city:fourteens-only", (14,))]
)
def test_what_lies_on_what(name: str, sums: tuple[int, ...]) -> None:
    game = load(name)
    for x, y in product(RANKS, repeat=2):
        card, under = f"{x}C", f"{y}C"
        expected = fits(Card.parse(card), Card.parse(under), sums)
        position = city(game, {1: card}, {10: under})
        assert ("reserve.1 > ramparts.10" in texts(position)) == expected, (x, y)
        position = city(game, {}, {2: card, 10: under})
        assert ("ramparts.2 > ramparts.10" in texts(position)) == expected, (x, y)
        other = city(game, {1: card}, {10: f"{y}D"})
        assert "reserve.1 > ramparts.10" not in texts(other)


@pytest.mark.parametrize(
    ("card", "under"), [("QC", "2C"), ("2C", "QC"), ("JC", "3C"), ("3C", "JC")]
)
def test_the_examples_of_the_rule(game: Game, card: str, under: str) -> None:
    assert "reserve.1 > ramparts.10" in texts(city(game, {1: card}, {10: under}))


def test_one_packet_may_go_up_and_down_and_in_the_order(game: Game) -> None:
    ramparts = {1: "7C", 2: "7C", 3: "8C", 4: "9C", 5: "5C", 6: "TC", 7: "4C"}
    position = city(game, {}, ramparts)
    for source in range(2, 8):  # 7 on 7, 8 on 7, 9 on 8, 5 on 9, T on 5, 4 on T
        position = position.play(f"ramparts.{source} > ramparts.1")
        while position.pending_choice:
            position = position.play(position.moves()[0])
    assert position.piles["ramparts.1"] == cards("7C 7C 8C 9C 5C TC 4C")


def test_a_suit_has_one_foundation_which_its_second_ace_ends(game: Game) -> None:
    position = city(game, {}, {1: "AC", 2: "AC", 3: "KC", 4: "2C"})
    position = position.play("ramparts.1 > foundations.1")
    while position.pending_choice:
        position = position.play(position.moves()[0])
    assert not any(
        move.source == "ramparts.2" and "foundations" in move.text for move in position.moves()
    )
    assert position.why_not("ramparts.2 > foundations.2") is not None
    assert [str(card) for card in position.next_cards("foundations.1")] == ["KC"]
    assert [str(card) for card in position.next_cards("foundations.2")] == ["AD", "AH", "AS"]
    assert "ramparts.3 > foundations.1" in texts(position)


# Stock, hand, waste.


def test_a_turned_card_is_played_or_laid_off_and_nothing_else(game: Game) -> None:
    position = city(game, {1: "9D", 2: "9H"}, {1: "2C", 2: "4C"}, stock="3C AS")
    position = position.play("turn")
    assert {m.text for m in position.moves() if m.source == "hand"} == {"hand > waste"}
    assert position.why_not("turn") is not None
    # Other moves may be made first.
    assert any(move.source != "hand" for move in position.moves())
    at_once = load("besieged-city:at-once").deal(deck=position.deck).play("turn")
    assert texts(at_once) == {"hand > waste"}
    position = position.play("hand > waste").play("turn")
    assert {m.text for m in position.moves() if m.source == "hand"} == {
        "hand > waste",
        "hand > foundations.1",
    }
    # What was laid off is not played.
    position = position.play("hand > waste")
    assert not any(move.source == "waste" for move in position.moves())


def test_reserve_and_waste_are_not_played(game: Game) -> None:
    position = city(game, {1: "AC"}, {}, stock="AD")
    assert position.why_not("reserve.1 > foundations.1") is not None
    position = position.play("turn").play("hand > waste")
    assert position.why_not("waste > foundations.1") is not None


def test_an_empty_place_of_the_reserve_takes_the_waste_then_the_hand_then_the_stock(
    game: Game,
) -> None:
    table = {1: "4C", 2: "5C"}, {10: "3C", 9: "4C"}
    position = city(game, *table, stock="9S 8H 7D")
    assert position.play("reserve.1 > ramparts.10").piles["reserve.1"] == cards("9S")
    turned = position.play("turn")
    after = turned.play("reserve.1 > ramparts.10")
    assert after.piles["reserve.1"] == cards("9S")
    assert after.piles["hand"] == ()
    waiting = turned.play("hand > waste").play("turn")
    after = waiting.play("reserve.1 > ramparts.10")
    assert after.piles["reserve.1"] == cards("9S")
    assert after.piles["hand"] == cards("8H")
    assert after.piles["waste"] == ()


def test_only_the_reserve_starts_a_rampart(game: Game) -> None:
    position = city(game, {}, {1: "AC", 2: "KC"}).play("ramparts.1 > foundations.1")
    assert position.why_not("ramparts.2 > ramparts.1") is not None
    assert all(str(move.source) in line("ramparts.1") for move in position.moves())


# The end phase.


def ended(position: Position) -> bool:
    return not any(position.piles[name] for name in ("stock", "hand", "waste"))


def draining(position: Position, text: str) -> float:
    """How likely a move is, if the waste is to run out while much still lies in the ramparts."""
    if "foundations" in text:
        return 3
    return 5 if text == "turn" else 1


def last_phase(game: Game, more: int = 0) -> Position:
    """A position of the end phase with at least so many vacant places in the reserve."""
    return reached(
        game,
        lambda p: (
            ended(p)
            and p.pending_choice is None
            and p.outcome is None
            and not p.counters.get("transpositions", 0)
            and sum(not p.piles[name] for name in RESERVE) >= more
            and any(p.piles[name] for name in RESERVE)
        ),
        draining,
        length=900,
    )


def test_at_the_end_every_reserve_card_serves_every_rampart(game: Game) -> None:
    position = last_phase(game)
    assert {move.text for move in position.moves() if str(move.source) in RESERVE} == {
        f"{cell} > {rampart}"
        for cell, rampart in product(RESERVE, RAMPARTS)
        if position.piles[cell]
        and position.piles[rampart]
        and fits(position.piles[cell][-1], position.piles[rampart][-1])
    }


def test_at_the_end_every_reserve_card_may_fill_a_breach(game: Game) -> None:
    position = reached(
        game,
        lambda p: ended(p) and p.pending_choice is not None,
        draining,
        length=900,
    )
    assert position.pending_choice == "a breach is filled"
    first = next(name for name in RAMPARTS if not position.piles[name])
    assert texts(position) == {f"{cell} > {first}" for cell in RESERVE if position.piles[cell]}


def test_at_the_end_an_empty_place_of_the_reserve_stays_empty(game: Game) -> None:
    position = last_phase(game, more=1)
    gap = next(name for name in RESERVE if not position.piles[name])
    assert not any(move.target == gap for move in position.moves())


def test_a_transposition_is_made_once_in_the_variant() -> None:
    game = load("besieged-city:one-transposition")
    position = last_phase(game, more=1)
    swaps = {move.text for move in position.moves() if move.rule.startswith("transpose")}
    full = [name for name in RESERVE if position.piles[name]]
    gaps = [name for name in RESERVE if not position.piles[name]]
    exchanges = {
        f"{one} <> {other}"
        for index, one in enumerate(full)
        for other in full[index + 1 :]
        if position.piles[one] != position.piles[other]
    }
    assert swaps == exchanges | {f"{name} > {gap}" for name in full for gap in gaps}
    move = next(iter(sorted(swaps)))
    after = position.play(move)
    assert not any(move.rule.startswith("transpose") for move in after.moves())
