"""The Empress of India: the deal by colours, couples, pairs and fills."""

from collections import Counter

import pytest

from cadogan import Game, Position, _kernel, load
from cadogan.cards import Card
from cadogan.rules import load_rules
from tests.conftest import THOROUGH
from tests.vectors.table import cards, next_first, reached, texts

ARMY = [f"army.{n}" for n in range(1, 25)]
NAVY = [f"navy.{n}" for n in range(1, 25)]


@pytest.fixture(scope="module", name="game")
def the_game() -> Game:
    return load("empress-of-india")


def red(card: Card) -> bool:
    return str(card)[1] in "DH"


def dealt(game: Game, army: str, navy: str, stock: str = "") -> Position:
    """A table with some cards in the first places of army and navy, and some next in the stock.

    All others come in the order of the pack. Both wastes are empty.
    """
    rest = Counter(game.pack)
    first, last, told = cards(army), cards(navy), cards(stock)
    rest.subtract([*first, *last, *told])
    left = sorted(
        rest.elements(), key=lambda card: str(card)[0] in "2Q"
    )  # Those wait in the stock.
    reds = [card for card in left if red(card)]
    blacks = [card for card in left if not red(card)]
    reds, more_reds = reds[: 24 - len(first)], reds[24 - len(first) :]
    blacks, more_blacks = blacks[: 24 - len(last)], blacks[24 - len(last) :]
    deck = [*first, *reds, *last, *blacks, *told, *more_reds, *more_blacks]
    position = game.deal(deck=deck)
    assert position.piles["red-waste"] == position.piles["black-waste"] == ()
    assert next_first(position)[: len(told)] == told
    return position


# The pack and the deal.


def test_eighty_eight_red_cards_and_as_many_black_ones(game: Game) -> None:
    counts = Counter(map(str, game.pack))
    assert len(game.pack) == 176 == 16 * 11
    assert sum(map(red, game.pack)) == 88
    assert {name[0] for name in counts if name[1] in "DH"} == set("A23456789TQ")
    assert {name[0] for name in counts if name[1] in "CS"} == set("23456789TJK")
    assert set(counts.values()) == {4}
    # Withdrawn: eight aces and eight kings that lie as foundations, and sixteen for ornament.
    position = game.deal("cadogan:1")
    starts = Counter(
        str(position.piles[f"{row}.{n}"][0])
        for row in ("admirals", "generals")
        for n in range(1, 9)
    )
    assert starts == {"AC": 4, "AS": 4, "KD": 4, "KH": 4}
    assert 4 * 52 - 176 == 32 == 16 + 8 + 1 + 4 + 3


def test_each_card_is_dealt_to_its_colour_and_then_to_its_waste(game: Game) -> None:
    position = game.deal("cadogan:1")
    deck = position.deck
    number = 176 - len(position.piles["stock"])
    reds = tuple(card for card in deck[:number] if red(card))
    blacks = tuple(card for card in deck[:number] if not red(card))
    assert tuple(position.piles[name][0] for name in ARMY) == reds[:24]
    assert tuple(position.piles[name][0] for name in NAVY) == blacks[:24]
    assert position.piles["red-waste"] == reds[24:]
    assert position.piles["black-waste"] == blacks[24:]
    assert next_first(position) == deck[number:]
    # The deal stops as soon as both rows are full.
    assert min(len(reds), len(blacks)) == 24
    assert red(deck[number - 1]) == (len(reds) == 24)


def test_the_cards_on_the_wastes_after_the_deal() -> None:
    rules = load_rules("empress-of-india")
    program = _kernel.Program(rules.program.to_bytes())
    deck, names = rules.rulebook.deck, rules.rulebook.pile_names
    wastes = [names.index("red-waste"), names.index("black-waste")]
    deals = 20_000 if THOROUGH else 2_000
    sizes = []
    for number in range(deals):
        state = program.deal(bytes(deck[place] for place in _kernel.shuffle(number, 176)))
        piles = state.piles()
        sizes.append(sum(len(piles[waste]) for waste in wastes))
    # Measured: 4.4 on average and 23 at most in 2,000 deals.
    assert sum(sizes) / deals == pytest.approx(4.4, abs=0.35)
    assert max(sizes) <= 35


# Couples.


def test_the_first_couple_is_a_black_two_with_a_red_queen(game: Game) -> None:
    seen = 0
    for number in range(20):
        position = game.deal(f"cadogan:{number}")
        for move in position.moves():
            if move.rule != "couple":
                continue
            ways = position.transfers(move)
            ranks = {str(position.piles[source][-1])[0] for source, _, _ in ways}
            colours = {red(position.piles[source][-1]) for source, _, _ in ways}
            assert ranks == {"2", "Q"}
            assert colours == {True, False}
            seen += 1
        queens = sum(str(position.piles[name][0])[0] == "Q" for name in ARMY)
        twos = sum(str(position.piles[name][0])[0] == "2" for name in NAVY)
        assert len(texts(position, "couple")) == queens * twos
        assert not texts(position, "paired cards")
    assert seen > 50


def test_a_couple_goes_up_together_and_both_places_are_filled(game: Game) -> None:
    position = dealt(game, "QH 9D", "2S 9C", "5D 6C 7H 8S")
    assert texts(position, "couple") == {"army.1 > generals.5 + navy.1 > admirals.5"}
    assert position.why_not("army.1 > generals.5") is not None
    after = position.play("army.1 > generals.5 + navy.1 > admirals.5")
    assert after.piles["generals.5"] == cards("KH QH")
    assert after.piles["admirals.5"] == cards("AS 2S")
    assert after.piles["army.1"] == cards("5D")
    assert after.piles["navy.1"] == cards("6C")
    assert next_first(after)[:2] == cards("7H 8S")


def test_foundations_run_up_without_queens_and_down_without_knaves(game: Game) -> None:
    position = game.deal("cadogan:1")
    orders = {
        group.name: group.build_order
        for group in game.rulebook.groups
        if group.build_order is not None
    }
    ranks = "A23456789TJQK"
    assert {
        name: "".join(ranks[(mask & -mask).bit_length() // 4] for mask in order.wants)
        for name, order in orders.items()
    } == {"admirals": "A23456789TJK", "generals": "KQT98765432A"}
    assert [str(card) for card in position.next_cards("admirals.1")] == ["2C"]
    assert [str(card) for card in position.next_cards("generals.8")] == ["QH"]


# Pairs.


def test_a_card_is_paired_for_good_on_the_place_of_the_lower_one(game: Game) -> None:
    position = dealt(game, "QH 9D", "2S 9C", "5D 6C")
    paired = position.play("army.2 > navy.2")
    assert paired.piles["navy.2"] == cards("9C 9D")
    # The place of the upper card is filled in its own colour, that of the lower one is not vacated.
    assert paired.piles["army.2"] == cards("5D")
    assert next_first(paired)[0] == Card.parse("6C")
    # The other way round, with whatever ranks.
    other = position.play("navy.1 > army.2")
    assert other.piles["army.2"] == cards("9D 2S")
    assert other.piles["navy.1"] == cards("6C")
    # Nothing is done with one of them, and no third card is put there.
    for text in ("navy.2 > army.1", "army.1 > navy.2", "navy.1 > navy.2"):
        assert paired.why_not(text) is not None
    assert not any("navy.2" in text.split() for text in texts(paired))


def test_every_card_pairs_with_every_card_of_the_other_row(game: Game) -> None:
    position = game.deal("cadogan:2")
    assert texts(position, "pair the army with the navy") == {
        f"{a} > {b}" for a in ARMY for b in NAVY
    }
    assert texts(position, "pair the navy with the army") == {
        f"{b} > {a}" for a in ARMY for b in NAVY
    }


def test_both_cards_of_a_pair_go_up_at_once(game: Game) -> None:
    position = dealt(game, "QH 9D", "2S 9C", "5D 6C 7H").play("army.1 > navy.1")
    assert texts(position, "paired cards") == {"navy.1 > generals.5 + navy.1 > admirals.5"}
    assert not texts(position, "couple")  # Neither card is coupled with a third.
    (move,) = texts(position, "paired cards")
    after = position.play(move)
    assert after.piles["generals.5"] == cards("KH QH")
    assert after.piles["admirals.5"] == cards("AS 2S")
    assert after.piles["army.1"] == cards("5D")
    assert after.piles["navy.1"] == cards("6C")


def test_of_a_pair_no_card_goes_up_while_the_other_waits(game: Game) -> None:
    position = dealt(game, "QH 9D", "2S 9C").play("army.1 > navy.2")
    assert not texts(position, "paired cards")
    assert not texts(position, "couple")


def blocked_pairs(game: Game) -> Position:
    """QH lies on 3S, and TH on 2S: either pair waits for the other."""
    return dealt(game, "QH TH", "3S 2S").play("army.1 > navy.1").play("army.2 > navy.2")


def test_pairs_that_block_each_other_stay(game: Game) -> None:
    position = blocked_pairs(game)
    assert not any("generals" in text for text in texts(position))


def test_pairs_that_block_each_other_go_up_in_double_play() -> None:
    position = blocked_pairs(load("empress-of-india:double-play"))
    (move,) = texts(position, "two pairs at the same time")
    after = position.play(move)
    assert after.piles["generals.5"] == cards("KH QH TH")
    assert after.piles["admirals.5"] == cards("AS 2S 3S")
    assert len(after.piles["navy.1"]) == len(after.piles["navy.2"]) == 1


# Turning and filling.


def test_turning_puts_a_card_on_the_waste_of_its_colour(game: Game) -> None:
    position = dealt(game, "QH", "2S", "5D 6C 7H")
    for red_waste, black_waste in (("5D", ""), ("5D", "6C"), ("5D 7H", "6C")):
        position = position.play("turn")
        assert position.piles["red-waste"] == cards(red_waste)
        assert position.piles["black-waste"] == cards(black_waste)


def test_no_card_of_a_waste_is_played(game: Game) -> None:
    position = dealt(game, "9D", "2S", "QH").play("turn")
    assert position.piles["red-waste"] == cards("QH")
    assert not texts(position, "couple")
    assert not any("waste" in text for text in texts(position))


def test_a_place_is_filled_from_the_top_of_its_waste_first(game: Game) -> None:
    position = dealt(game, "QH 9D", "2S 9C", "5D 8D 6C 7H").play("turn").play("turn")
    after = position.play("army.2 > navy.2")
    assert after.piles["army.2"] == cards("8D")
    assert after.piles["red-waste"] == cards("5D")
    assert next_first(after)[0] == Card.parse("6C")


def test_cards_are_turned_until_one_of_the_colour_comes(game: Game) -> None:
    position = dealt(game, "QH 9D", "2S 9C", "6C 7C 8S 7H 5D")
    after = position.play("army.2 > navy.2")
    assert after.piles["army.2"] == cards("7H")
    assert after.piles["black-waste"] == cards("6C 7C 8S")
    assert next_first(after)[0] == Card.parse("5D")
    # E2c: with both places vacant, each card turned goes to the vacancy of its own colour.
    couple = position.play("army.1 > generals.5 + navy.1 > admirals.5")
    assert couple.piles["army.1"] == cards("7H")
    assert couple.piles["navy.1"] == cards("6C")
    assert couple.piles["black-waste"] == cards("7C 8S")
    assert next_first(couple)[0] == Card.parse("5D")


def test_both_rows_are_served_from_their_wastes_before_cards_are_turned(game: Game) -> None:
    # E2c: the red waste is empty, the black one holds the 6C.
    position = dealt(game, "QH 9D", "2S 9C", "6C 7C 8S 7H 5D").play("turn")
    after = position.play("army.1 > generals.5 + navy.1 > admirals.5")
    assert after.piles["navy.1"] == cards("6C")
    assert after.piles["army.1"] == cards("7H")
    assert after.piles["black-waste"] == cards("7C 8S")
    assert next_first(after)[0] == Card.parse("5D")


def without_red_stock(game: Game) -> Position:
    """Neither stock nor waste holds a red card, but the stock holds black ones."""

    def weight(position: Position, text: str) -> float:
        if text == "turn":
            return 0.2
        return 30 if " + " in text else 0 if text.startswith("navy") else 0.02

    return reached(
        game,
        lambda p: (
            not any(red(card) for card in p.piles["stock"] + p.piles["red-waste"])
            and any(len(p.piles[name]) == 1 for name in ARMY)
            and any(len(p.piles[name]) == 1 for name in NAVY)
            and len(p.piles["stock"]) > 1
        ),
        weight,
        # Such a position is rare; none of the deals before leads to one by chance.
        first=254,
    )


def test_without_a_card_of_the_colour_the_place_stays_vacant(game: Game) -> None:
    position = without_red_stock(game)
    stock, waste = position.piles["stock"], position.piles["black-waste"]
    soldier = next(name for name in ARMY if len(position.piles[name]) == 1)
    ship = next(name for name in NAVY if len(position.piles[name]) == 1)
    # Pairing is allowed even when its vacancy can no longer be filled.
    after = position.play(f"{soldier} > {ship}")
    assert after.piles[soldier] == ()
    assert (after.piles["stock"], after.piles["black-waste"]) == (stock, waste)
    literal = load("empress-of-india:literal-run").deal(deck=position.deck)
    for move in (*(m for m in position.line if not m.forced), f"{soldier} > {ship}"):
        literal = literal.play(str(move))
    assert literal.piles["stock"] == ()
    assert literal.piles["black-waste"] == waste + stock[::-1]
