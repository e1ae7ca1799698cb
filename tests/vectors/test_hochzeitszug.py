"""Hochzeitszug: the deal in rounds, the fills, the gather and the sixteen foundations."""

from collections import Counter

import pytest

from cadogan import Position, load
from cadogan.cards import Card
from tests.vectors.table import cards, deck_of, in_rounds, next_first, reached, texts

UPPER = [f"upper.{n}" for n in range(1, 9)]
LOWER = [f"lower.{n}" for n in range(1, 9)]
QUEENS = [f"queens.{n}" for n in range(1, 9)]
KINGS = [f"kings.{n}" for n in range(1, 9)]

PROCESSION = [
    rank + suit
    for suit in "CDHS"
    for _ in range(2)
    for order in ("A3579JK", "2468TQ")
    for rank in order
]
"""All cards in an order in which they can go up."""


def deck_in_order() -> list[Card]:
    """A deck of which every card can go up in its turn.

    The first four come from upper.1 and so do the forty of the stock, which fill it ten times; the
    rest lie in the other fifteen piles.
    """
    order = [Card.parse(text) for text in PROCESSION]
    packets = [order[start : start + 4] for start in range(0, 104, 4)]
    piles = [packets[0], *packets[11:]]
    # The first to go up lies on top, that is, is dealt last; a fill is four such cards in a block.
    upper = [piles[pile][3 - turn] for turn in range(4) for pile in range(8)]
    lower = [piles[pile][3 - turn] for turn in range(4) for pile in range(8, 16)]
    stock = [card for packet in packets[1:11] for card in packet[::-1]]
    return upper + lower + stock


def up(position: Position) -> Position:
    """Plays one card up."""
    return position.play(
        next(move for move in position.moves() if move.rule in ("play to queens", "play to kings"))
    )


def up_from(position: Position, pile: str) -> Position:
    (move,) = [
        move for move in position.moves() if move.source == pile and move.rule.startswith("play to")
    ]
    return position.play(move)


def first_layout_spent() -> Position:
    """All forty cards of the stock have gone up through upper.1, which is vacant for good."""
    position = load("hochzeitszug").deal(deck=deck_in_order())
    for _ in range(44):
        position = up_from(position, "upper.1")
    return position


def test_two_whole_packs() -> None:
    pack = load("hochzeitszug").pack
    assert len(pack) == 104 == 16 * 4 + 40 == 8 * 6 + 8 * 7
    assert set(Counter(pack).values()) == {2}


def test_the_piles_are_dealt_in_rounds_the_upper_row_first() -> None:
    position = load("hochzeitszug").deal("cadogan:1")
    deck = position.deck
    assert [position.piles[name] for name in UPPER] == in_rounds(deck[:32], 8, 4)
    assert [position.piles[name] for name in LOWER] == in_rounds(deck[32:64], 8, 4)
    assert next_first(position) == deck[64:]
    assert position.piles["upper.1"] == (deck[0], deck[8], deck[16], deck[24])
    assert position.piles["lower.8"] == (deck[39], deck[47], deck[55], deck[63])


def test_in_packets_each_pile_gets_four_cards_at_once() -> None:
    position = load("hochzeitszug:packets").deal("cadogan:1")
    piles = [position.piles[name] for name in UPPER + LOWER]
    assert piles == [position.deck[start : start + 4] for start in range(0, 64, 4)]


def test_the_sixteen_foundations_take_their_cards_in_order() -> None:
    position = load("hochzeitszug").deal(deck=deck_in_order())
    for pile in ["upper.1"] * 40 + [name for name in UPPER + LOWER for _ in range(4)]:
        position = up_from(position, pile)
    assert position.outcome == "won"
    assert position.moves() == []
    queens = Counter(position.piles[name] for name in QUEENS)
    kings = Counter(position.piles[name] for name in KINGS)
    assert queens == {cards(" ".join(r + s for r in "2468TQ")): 2 for s in "CDHS"}
    assert kings == {cards(" ".join(r + s for r in "A3579JK")): 2 for s in "CDHS"}


def test_a_foundation_wants_the_card_after_next_of_its_suit() -> None:
    position = load("hochzeitszug").deal(deck=deck_in_order())
    assert [str(card) for card in position.next_cards("kings.1")] == ["AC", "AD", "AH", "AS"]
    assert [str(card) for card in position.next_cards("queens.1")] == ["2C", "2D", "2H", "2S"]
    wanted = []
    for _ in range(7):
        position = up_from(position, "upper.1")
        wanted.append(" ".join(map(str, position.next_cards("kings.1"))))
    assert wanted == ["3C", "5C", "7C", "9C", "JC", "KC", ""]


def test_a_vacancy_of_the_first_layout_is_filled_at_once_with_four_cards() -> None:
    position = load("hochzeitszug").deal(deck=deck_in_order())
    stock = next_first(position)
    for turn in range(1, 45):
        position = up_from(position, "upper.1")
        fills = turn // 4
        assert next_first(position) == stock[4 * fills :]
        if turn % 4 == 0 and turn < 44:
            assert position.piles["upper.1"] == stock[4 * (fills - 1) : 4 * fills]
            assert str(position.line[-1]) == "stock > upper.1"
            assert position.line[-1].forced
    assert sum(move.forced for move in position.line) == 10 == 40 // 4


def test_a_vacancy_after_the_stock_is_spent_stays_until_the_cards_are_laid_again() -> None:
    position = first_layout_spent()
    assert position.piles["stock"] == position.piles["upper.1"] == ()
    assert not any(move.target == "upper.1" for move in position.moves())
    assert position.why_not("upper.2 > upper.1") is not None
    assert "gather" in texts(position)


def test_cards_go_across_in_suit_and_exactly_one_lower() -> None:
    game = load("hochzeitszug")
    tops = {24: "8C 7C 7S 6D AD 2D KC AC", 56: "QC KD AS 9C 8C 9D TD KH"}
    position = game.deal(deck=deck_of(game, tops))
    assert texts(position, "build across") == {
        "upper.1 > lower.4",  # 8C on 9C
        "lower.5 > lower.4",
        "upper.2 > upper.1",  # 7C on 8C
        "upper.2 > lower.5",
        "upper.5 > upper.6",  # AD on 2D
        "lower.1 > upper.7",  # QC on KC
        "lower.6 > lower.7",  # 9D on TD
    }
    moved = position.play("upper.5 > upper.6")
    assert not any(move.target == "upper.6" for move in moved.moves())  # Nothing goes on an ace.
    by_twos = load("hochzeitszug:by-twos").deal(deck=position.deck)
    assert texts(by_twos, "build across") == {"upper.2 > lower.4"}  # 7C on 9C


@pytest.mark.parametrize("copy", ["play to queens", "play to kings"])
def test_nothing_leaves_a_foundation(copy: str) -> None:
    position = load("hochzeitszug").deal(deck=deck_in_order())
    while not any(move.rule == copy for move in position.line):
        position = up(position)
    sources = {move.source for move in position.moves()}
    assert sources.isdisjoint({*QUEENS, *KINGS})


PATHS = {
    "hochzeitszug": [*UPPER[::-1], *LOWER[::-1]],
    "hochzeitszug:packets": [*UPPER[::-1], *LOWER[::-1]],
    "hochzeitszug:columns": [
        name for pair in zip(UPPER[::-1], LOWER[::-1], strict=True) for name in pair
    ],
    "hochzeitszug:boustrophedon": [*UPPER[::-1], *LOWER],
}


@pytest.mark.parametrize("name", PATHS)
@pytest.mark.parametrize("played", [0, 1, 7, 40])
def test_the_piles_are_pushed_under_the_stock_and_laid_again(name: str, played: int) -> None:
    position = load(name).deal("cadogan:5")
    for _ in range(played):
        moves = [move for move in position.moves() if move.rule != "gather"]
        if not moves:
            break
        position = position.play(moves[0])
    heap = [*next_first(position)]
    for pile in PATHS[name]:
        heap += position.piles[pile]
    after = position.play("gather")
    if name == "hochzeitszug:packets":
        upper = [tuple(heap[start : start + 4]) for start in range(0, 32, 4)]
        lower = [tuple(heap[start : start + 4]) for start in range(32, 64, 4)]
    else:
        upper, lower = in_rounds(heap[:32], 8, 4), in_rounds(heap[32:64], 8, 4)
    assert [after.piles[pile] for pile in UPPER] == upper
    assert [after.piles[pile] for pile in LOWER] == lower
    assert next_first(after) == tuple(heap[64:])
    assert after.counters["relays"] == 1


def test_of_fewer_than_sixty_four_cards_as_many_are_laid_as_there_are() -> None:
    position = first_layout_spent()
    heap = [card for pile in PATHS["hochzeitszug"] for card in position.piles[pile]]
    assert len(heap) == 60
    after = position.play("gather")
    assert after.piles["stock"] == ()
    assert [after.piles[name] for name in UPPER] == in_rounds(heap[:32], 8, 4)
    assert [after.piles[name] for name in LOWER] == in_rounds(heap[32:], 8, 4)
    assert [len(after.piles[name]) for name in LOWER] == [4, 4, 4, 4, 3, 3, 3, 3]


def test_the_cards_are_laid_again_twice_and_not_a_third_time() -> None:
    position = load("hochzeitszug").deal("cadogan:1")
    for relays in (0, 1):
        assert position.counters["relays"] == relays
        position = position.play("gather")
    assert position.why_not("gather") is not None
    assert "gather" not in texts(position)
    once = load("hochzeitszug:one-relay").deal("cadogan:1").play("gather")
    assert once.why_not("gather") is not None


def in_second_layout(position: Position, text: str) -> float:
    if text == "gather":
        return 0.05 if position.counters["relays"] == 0 else 0
    return 20 if " > queens" in text or " > kings" in text else 1


def vacancies(position: Position) -> list[str]:
    return [name for name in UPPER + LOWER if not position.piles[name]]


def test_a_vacancy_of_a_later_layout_is_filled_as_the_player_likes() -> None:
    position = reached(
        load("hochzeitszug"),
        lambda p: p.counters["relays"] > 0 and len(p.piles["stock"]) >= 4 and len(vacancies(p)) > 1,
        in_second_layout,
    )
    stock, gaps = next_first(position), vacancies(position)
    filled = [name for name in UPPER + LOWER if position.piles[name]]
    # The places matter when the piles are gathered, so every vacancy counts.
    assert texts(position, "fill a vacancy from the stock") == {f"stock > {gap}" for gap in gaps}
    assert texts(position, "fill a vacancy with a card") == {
        f"{pile} > {gap}" for pile in filled for gap in gaps
    }
    after = position.play(f"stock > {gaps[0]}")
    assert after.piles[gaps[0]] == stock[:4]
    assert next_first(after) == stock[4:]
    other = position.play(f"{filled[0]} > {gaps[1]}")
    assert other.piles[gaps[1]] == position.piles[filled[0]][-1:]
    assert other.piles["stock"] == position.piles["stock"]


def test_the_last_fill_takes_what_is_left() -> None:
    position = reached(
        load("hochzeitszug"),
        lambda p: (
            p.counters["relays"] > 0 and 1 <= len(p.piles["stock"]) <= 3 and bool(vacancies(p))
        ),
        in_second_layout,
    )
    gap = vacancies(position)[0]
    after = position.play(f"stock > {gap}")
    assert after.piles[gap] == next_first(position)
    assert after.piles["stock"] == ()


def test_the_only_card_of_a_pile_may_change_its_place() -> None:
    position = reached(
        load("hochzeitszug"),
        lambda p: (
            p.counters["relays"] > 0
            and bool(vacancies(p))
            and any(len(p.piles[name]) == 1 for name in UPPER + LOWER)
        ),
        in_second_layout,
    )
    single = next(name for name in UPPER + LOWER if len(position.piles[name]) == 1)
    gap = vacancies(position)[0]
    assert f"{single} > {gap}" in texts(position)
    assert position.play(f"{single} > {gap}") != position


def test_strict_readings_ask_for_up_moves_first() -> None:
    for number in range(20):
        deal = f"cadogan:{number}"
        usual = load("hochzeitszug").deal(deal)
        ups = {move.text for move in usual.moves() if move.rule.startswith("play to")}
        strict, strict_up = (load(f"hochzeitszug:{v}").deal(deal) for v in ("strict", "strict-up"))
        assert texts(strict) == texts(usual) - ({"gather"} if ups else set())
        assert texts(strict_up) == (ups | {"gather"} if ups else texts(usual))
