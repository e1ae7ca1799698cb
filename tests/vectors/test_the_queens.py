"""The Queens: payments by the key and by the waste, the shutter and its refills."""

from collections import Counter

import pytest

from cadogan import Game, Position, _kernel, load
from cadogan.cards import Card
from cadogan.rules import load_rules
from tests.conftest import THOROUGH
from tests.vectors.table import cards, deck_of, next_first, texts

SHUTTER = [f"shutter.{n}" for n in range(1, 8)]
FOUNDATIONS = [f"foundations.{n}" for n in range(1, 9)]
KEY = 32
"""The number of cards in the key; the next seven in a deck are dealt to the shutter."""


@pytest.fixture(scope="module", name="game")
def the_game() -> Game:
    return load("the-queens")


def rejected(position: Position) -> Position:
    """Turns the next card and lays it off."""
    return position.play("turn").play("hand > waste")


def all_rejected(position: Position) -> Position:
    """Turns and lays off all but the last card of the stock, and turns that."""
    while len(position.piles["stock"]) > 1:
        position = rejected(position)
    return position.play("turn")


def queens(pile: tuple[Card, ...]) -> int:
    return sum(str(card)[0] == "Q" for card in pile)


# The layout.


def test_two_whole_packs_are_dealt_to_key_and_shutter(game: Game) -> None:
    assert len(game.pack) == 104 == 8 * 13
    assert set(Counter(game.pack).values()) == {2}
    deck = deck_of(game, {KEY - 1: "5C 2D 3D 4D 5D 6D 7D 8D"})
    position = game.deal(deck=deck)
    assert position.piles["key"] == tuple(deck[:KEY])
    assert [position.piles[name] for name in SHUTTER] == [(card,) for card in deck[KEY : KEY + 7]]
    assert next_first(position) == tuple(deck[KEY + 7 :])
    assert len(position.piles["stock"]) == 104 - 32 - 7 == 65


@pytest.mark.parametrize(("payments", "paid"), [(0, 0), (1, 14), (2, 28), (3, 32)])
def test_the_key_pays_for_the_queens_on_top_of_it(game: Game, payments: int, paid: int) -> None:
    tops = ["QS", "QH", "QD"][:payments] + ["9S", "9H", "9D"][payments:]
    places = dict(zip((31, 17, 3), tops, strict=True))
    deck = deck_of(game, {**places, KEY: "2C 3C 4C 5C 6C 7C 8C"})
    position = game.deal(deck=deck)
    assert position.piles["key"] == tuple(deck[: KEY - paid])
    # The first payment goes under the stock as a block, the next under that one; every block is
    # dealt from its lowest card, so that the queen is its last.
    blocks = [deck[18:32], deck[4:18], deck[:4]][:payments]
    assert sum(map(len, blocks)) == paid
    rest = tuple(deck[KEY + 7 :])
    assert next_first(position) == rest + tuple(card for block in blocks for card in block)
    if payments:
        assert str(position.piles["stock"][0])[0] == "Q"
    other = load("the-queens:reversed").deal(deck=deck)
    assert next_first(other) == (
        *deck[KEY + 7 :],
        *(card for block in blocks for card in block[::-1]),
    )


def test_how_often_the_key_pays() -> None:
    rules = load_rules("the-queens")
    program = _kernel.Program(rules.program.to_bytes())
    deck, key = rules.rulebook.deck, rules.rulebook.pile_names.index("key")
    deals = 100_000 if THOROUGH else 8_000
    sizes: Counter[int] = Counter()
    for number in range(deals):
        state = program.deal(bytes(deck[place] for place in _kernel.shuffle(number, 104)))
        sizes[len(state.piles()[key])] += 1
    assert sizes.keys() <= {32, 18, 4, 0}
    assert sizes[32] / deals == pytest.approx(0.92, abs=0.012)
    assert sizes[18] / deals == pytest.approx(0.074, abs=0.012)
    assert sizes[4] / deals == pytest.approx(0.005, abs=0.003)
    assert sizes[0] / deals == pytest.approx(0.0002, abs=0.0006)


def test_kings_go_up_while_the_shutter_is_dealt(game: Game) -> None:
    deck = deck_of(game, {KEY - 1: "5C KS 9C KH KS 8C 7C 6C 2C 3C 4C 5D"})
    position = game.deal(deck=deck)
    assert " ".join(str(position.piles[name][0]) for name in SHUTTER) == "9C 8C 7C 6C 2C 3C 4C"
    assert [" ".join(map(str, position.piles[name])) for name in FOUNDATIONS[:4]] == [
        "KS",
        "KH",
        "KS",
        "",
    ]
    assert next_first(position) == tuple(deck[KEY + 10 :])
    assert {move.rule for move in position.line} == {
        "kings of the shutter go up",
        "the shutter is dealt",
    }


def test_the_key_is_not_paid_for_a_queen_that_comes_up_in_play(game: Game) -> None:
    deck = deck_of(game, {KEY - 2: "QC KD", KEY: "2C 3C 4C 5C 6C 7C 8C"})
    position = game.deal(deck=deck).play("key > foundations.1")
    assert str(position.piles["key"][-1]) == "QC"
    assert len(position.piles["key"]) == 31
    running = load("the-queens:running-key").deal(deck=deck).play("key > foundations.1")
    assert len(running.piles["key"]) == 31 - 14


# Playing and marrying.


def test_foundations_go_from_king_and_ace_to_queen(game: Game) -> None:
    run = "KC AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC"
    deck = deck_of(game, {KEY - 1: "5H 2D 3D 4D 5D 6D 7D 8D", KEY + 7: run})
    position = game.deal(deck=deck)
    for _ in range(13):
        position = position.play("turn").play("hand > foundations.1")
    assert position.piles["foundations.1"] == cards(run)
    assert position.next_cards("foundations.1") == ()


def test_cards_marry_in_suit_downwards_and_kings_never(game: Game) -> None:
    deck = deck_of(game, {KEY - 1: "2C 3C 2C 4C 2D QS JS AS", KEY + 7: "TS KS AD QS"})
    position = game.deal(deck=deck)
    married = {"shutter.2 > shutter.1", "shutter.1 > shutter.3", "shutter.6 > shutter.5"}
    assert texts(position) == {*married, "turn"}
    # The top of the key would fit shutter.1, but it goes to foundations only.
    assert position.why_not("key > shutter.1") is not None
    position = position.play("turn")
    assert texts(position) == {*married, "hand > shutter.6", "hand > waste"}
    position = position.play("hand > waste").play("turn")
    assert texts(position) == {
        *married,
        "waste > shutter.6",
        "hand > foundations.1",
        "hand > waste",
    }
    position = position.play("hand > waste").play("turn")
    assert "hand > shutter.4" in texts(position)
    assert not any("waste > shutter" in text for text in texts(position))


def test_a_card_of_the_waste_marries_and_is_played(game: Game) -> None:
    deck = deck_of(game, {KEY - 1: "5H 3C 2D 4D 6D 8D TD QD", KEY + 7: "2C KC"})
    position = rejected(game.deal(deck=deck))
    assert "waste > shutter.1" in texts(position)
    position = rejected(position)
    assert "waste > foundations.1" in texts(position)


# Refills of the shutter.


REFILLS: dict[int, str] = {KEY - 1: "5H 3C 2C 9D 7D 5D 3D AD", KEY + 7: "KS 9S 8H JH"}


def test_a_vacant_shutter_is_refilled_from_the_pack_while_the_waste_is_empty(game: Game) -> None:
    position = game.deal(deck=deck_of(game, REFILLS)).play("shutter.2 > shutter.1")
    assert position.pending_choice is None
    assert position.piles["shutter.2"] == cards("KS")
    assert str(position.line[-1]) == "stock > shutter.2"
    assert position.line[-1].forced
    # A king in the shutter: nothing marries with it there, but it may be played.
    assert not any(move.target == "shutter.2" for move in position.moves())
    assert "shutter.2 > foundations.1" in texts(position)


def test_the_player_chooses_between_waste_and_pack(game: Game) -> None:
    position = rejected(rejected(game.deal(deck=deck_of(game, REFILLS))))
    position = position.play("shutter.2 > shutter.1")
    assert position.pending_choice == "the shutter is refilled"
    assert texts(position) == {"waste > shutter.2", "stock > shutter.2"}
    assert position.why_not("turn") is not None
    assert position.play("waste > shutter.2").piles["shutter.2"] == cards("9S")
    assert position.play("stock > shutter.2").piles["shutter.2"] == cards("8H")
    first = load("the-queens:waste-first").deal(deck=position.deck)
    first = rejected(rejected(first)).play("shutter.2 > shutter.1")
    assert first.pending_choice is None
    assert first.piles["shutter.2"] == cards("9S")


def test_a_card_in_the_hand_is_the_next_of_the_pack(game: Game) -> None:
    position = rejected(game.deal(deck=deck_of(game, REFILLS))).play("turn")
    choice = position.play("shutter.2 > shutter.1")
    assert texts(choice) == {"waste > shutter.2", "hand > shutter.2"}
    after = choice.play("hand > shutter.2")
    assert after.piles["shutter.2"] == cards("9S")
    assert after.piles["hand"] == ()
    alone = game.deal(deck=deck_of(game, REFILLS)).play("turn").play("shutter.2 > shutter.1")
    assert alone.piles["shutter.2"] == cards("KS")
    assert alone.piles["hand"] == ()


def test_a_king_of_the_waste_may_be_chosen_for_the_shutter(game: Game) -> None:
    position = rejected(game.deal(deck=deck_of(game, REFILLS))).play("shutter.2 > shutter.1")
    assert "waste > shutter.2" in texts(position)
    assert position.play("waste > shutter.2").piles["shutter.2"] == cards("KS")


# Payments of the waste.


def with_six_queens(game: Game) -> Position:
    """Sixty-five cards in the stock, six queens among them; two lie in the key."""
    deck = deck_of(
        game,
        {
            10: "QS QH",
            KEY - 1: "5H 3C 2D 4D 6D 8D TD",
            KEY + 6: "TS",
            KEY + 10: "QC QC QD",
            KEY + 40: "QD QH",
            KEY + 60: "QS",
        },
    )
    position = game.deal(deck=deck)
    assert len(position.piles["stock"]) == 65
    assert queens(position.piles["stock"]) == 6
    return position


def test_six_queens_are_paid_for_with_eighteen_cards(game: Game) -> None:
    before = all_rejected(with_six_queens(game))
    waste = before.piles["waste"] + before.piles["hand"]
    assert before.counters["queens"] == 6
    after = before.play("hand > waste")
    assert [move.forced for move in after.line[-2:]] == [False, True]
    assert after.line[-1].rule == "payment of the queens"
    # Turned over as a block: what was laid off first is dealt first.
    assert next_first(after) == waste[:18]
    assert after.piles["waste"] == waste[18:]
    assert after.counters["queens"] == 0


def test_paid_cards_counted_off_singly_come_in_the_other_order(game: Game) -> None:
    start = with_six_queens(game)
    before = all_rejected(load("the-queens:reversed").deal(deck=start.deck))
    waste = before.piles["waste"] + before.piles["hand"]
    after = before.play("hand > waste")
    assert next_first(after) == waste[:18][::-1]


def test_queens_that_are_met_ride_along_in_the_variant(game: Game) -> None:
    start = with_six_queens(game)
    before = all_rejected(load("the-queens:queens-ride-along").deal(deck=start.deck))
    waste = before.piles["waste"] + before.piles["hand"]
    after = before.play("hand > waste")
    paid = waste[: len(after.piles["stock"])]
    assert next_first(after) == paid
    assert len(paid) - queens(paid) == 18
    assert str(paid[-1])[0] != "Q"
    assert queens(paid) == 3


def test_the_queens_of_the_next_pass_only_are_paid_for_next(game: Game) -> None:
    position = all_rejected(with_six_queens(game)).play("hand > waste")
    paid = queens(position.piles["stock"])
    assert paid == 3
    rest = position.piles["waste"]
    position = all_rejected(position)
    waste = position.piles["waste"] + position.piles["hand"]
    assert waste[: len(rest)] == rest
    position = position.play("hand > waste")
    assert next_first(position) == waste[: 3 * paid]
    # In the third pass of nine cards there is no queen, and the game is played out.
    assert queens(position.piles["stock"]) == 0
    position = all_rejected(position).play("hand > waste")
    assert position.piles["stock"] == ()
    assert "turn" not in texts(position)


def test_fewer_cards_than_are_owed(game: Game) -> None:
    rejects = "QC QC QD QD QH QH QS QS 9H 9S 8H 8S 7H 7S 6H 6S 5S"
    plays = " ".join(rank + suit for suit in "CD" for _ in range(2) for rank in "KA23456789TJ")
    deck = deck_of(game, {KEY - 1: "5H AH 3H AH 3H AS 3S 3S", KEY + 7: f"{rejects} {plays}"})
    position = game.deal(deck=deck)
    assert len(position.piles["stock"]) == 65
    for _ in range(17):
        position = rejected(position)
    assert position.counters["queens"] == 8
    waste = position.piles["waste"]
    for _ in range(48):
        assert position.piles["waste"] == waste
        position = position.play("turn")
        position = position.play(
            next(m for m in position.moves() if m.text.startswith("hand > foundations"))
        )
    # Eight queens are owed twenty-four cards, and there are seventeen.
    assert next_first(position) == waste
    assert position.piles["waste"] == ()
    assert position.counters["queens"] == 0


def test_a_queen_that_leaves_the_waste_again_still_counts(game: Game) -> None:
    run = "KC AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC"
    deck = deck_of(
        game,
        {
            10: "QC QD QD QH QH QS QS",
            KEY - 1: "5H 2D 4D 6D 8D TD 2H 4H",
            KEY + 7: "2S 4S 6S 8S TS",
            KEY + 12: f"{run} QC",
        },
    )
    position = game.deal(deck=deck)
    for _ in range(5):
        position = rejected(position)
    for _ in range(12):
        position = position.play("turn").play("hand > foundations.1")
    position = rejected(position).play("waste > foundations.1")
    assert position.counters["queens"] == 1
    position = all_rejected(position)
    waste = position.piles["waste"] + position.piles["hand"]
    assert queens(waste) == 0
    assert next_first(position.play("hand > waste")) == waste[:3]


def test_without_queens_nothing_is_paid(game: Game) -> None:
    deck = deck_of(game, {10: "QC QC QD QD QH QH QS QS", KEY - 1: "5H 2D 4D 6D 8D TD 2H 4H"})
    position = all_rejected(game.deal(deck=deck)).play("hand > waste")
    assert position.piles["stock"] == ()
    assert len(position.piles["waste"]) == 65
    assert "turn" not in texts(position)
    contained = load("the-queens:contained").deal(deck=with_six_queens(game).deck)
    contained = all_rejected(contained).play("hand > waste")
    assert len(contained.piles["stock"]) == 18


def test_the_hand_holds_one_card(game: Game) -> None:
    position = game.deal("cadogan:1").play("turn")
    assert position.why_not("turn") is not None
    assert "hand > waste" in texts(position)
