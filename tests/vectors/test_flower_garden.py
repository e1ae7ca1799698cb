"""The Flower Garden: six fans and a bouquet, and the example of the book."""

from collections import Counter

from cadogan import Game, Position, load
from cadogan.cards import Card
from tests.vectors.table import cards, deck_of, reached, texts

GARDEN = [f"garden.{n}" for n in range(1, 7)]
BOUQUET = [f"bouquet.{n}" for n in range(1, 17)]
RANKS = "A23456789TJQK"


def planted(game: Game, tops: dict[int, str], bouquet: str = "") -> Position:
    """A garden with certain cards on top of its fans, the uppermost last."""
    places = {}
    for fan, text in tops.items():
        told = cards(text)
        places[6 * fan - len(told)] = text
    return game.deal(deck=deck_of(game, {**places, 36: bouquet}))


def test_one_whole_pack_in_six_fans_and_a_bouquet() -> None:
    game = load("flower-garden")
    assert Counter(game.pack) == Counter(map(Card, range(52)))
    position = game.deal("cadogan:1")
    deck = position.deck
    # Six at a time, the last card uppermost; the other sixteen are the bouquet.
    assert [position.piles[name] for name in GARDEN] == [
        deck[start : start + 6] for start in range(0, 36, 6)
    ]
    assert [position.piles[name] for name in BOUQUET] == [(card,) for card in deck[36:]]
    assert all(card is not None for pile in position.visible_piles().values() for card in pile)


def test_the_example_of_the_book() -> None:
    game = load("flower-garden")
    position = planted(game, {1: "5C", 2: "JD", 3: "2D AD 9C 4D"}, bouquet="KS QS TH KH")
    position = position.play("garden.3 > garden.1")  # the four of diamonds on the five of clubs
    position = position.play("bouquet.3 > garden.2")  # the ten of hearts on the knave of diamonds
    position = position.play("garden.3 > garden.2")  # the nine of clubs can now be transferred
    assert position.piles["garden.1"][-2:] == cards("5C 4D")
    assert position.piles["garden.2"][-3:] == cards("JD TH 9C")
    assert position.piles["bouquet.3"] == ()
    # The ace and deuce of diamonds are released.
    position = position.play("garden.3 > foundations.1").play("garden.3 > foundations.1")
    assert position.piles["foundations.1"] == cards("AD 2D")


def test_any_card_goes_on_any_card_one_higher() -> None:
    position = load("flower-garden").deal("cadogan:1")
    heads = {name: position.piles[name][-1] for name in (*GARDEN, *BOUQUET)}

    def rank(name: str) -> int:
        return RANKS.index(str(heads[name])[0])

    assert texts(position) == {
        f"{source} > {target}"
        for source in heads
        for target in GARDEN
        if rank(source) + 1 == rank(target)
    } | {f"{name} > foundations.1" for name in heads if rank(name) == 0}


def test_a_king_goes_on_no_card_and_not_on_an_ace() -> None:
    position = planted(load("flower-garden"), {1: "AC", 2: "KD", 3: "QS"})
    assert position.why_not("garden.2 > garden.1") is not None
    assert position.why_not("garden.2 > garden.3") is not None
    assert not any(move.source == "garden.2" for move in position.moves())


def emptied() -> Position:
    return reached(
        load("flower-garden"),
        lambda p: (
            any(not p.piles[name] for name in GARDEN)
            and any(p.piles[name][-1:] and str(p.piles[name][-1])[0] == "K" for name in BOUQUET)
        ),
        tries=400,
    )


def test_an_empty_bed_takes_any_available_card() -> None:
    position = emptied()
    bed = next(name for name in GARDEN if not position.piles[name])
    sources = {str(move.source) for move in position.moves() if move.target == bed}
    # A fan of one card is left out: it would only change its place.
    assert sources == {
        name for name in (*GARDEN, *BOUQUET) if len(position.piles[name]) > (name in GARDEN)
    }
    # It may be left empty.
    assert any(move.target != bed for move in position.moves())


def test_nothing_goes_into_the_bouquet_and_nothing_is_forced() -> None:
    position = emptied()
    free = next(name for name in BOUQUET if not position.piles[name])
    fan = next(name for name in GARDEN if position.piles[name])
    assert position.why_not(f"{fan} > {free}") is not None
    assert not any(move.forced for move in position.line)


def test_an_ace_may_be_left_where_it_is() -> None:
    position = planted(load("flower-garden"), {1: "AC", 2: "2D"})
    assert {"garden.1 > garden.2", "garden.1 > foundations.1"} <= texts(position)


def test_only_the_uppermost_card_is_moved_unless_sequences_are() -> None:
    tops = {1: "6S", 2: "5C 4D 3H"}
    single = planted(load("flower-garden"), tops)
    assert single.why_not("garden.2 > garden.1 x3") is not None
    assert single.why_not("garden.2 > garden.1") is not None
    whole = planted(load("flower-garden:sequences"), tops).play("garden.2 > garden.1 x3")
    assert whole.piles["garden.1"][-4:] == cards("6S 5C 4D 3H")


def test_cards_return_from_the_foundations_in_the_variant_only() -> None:
    tops = {1: "AC", 2: "2D"}
    usual = planted(load("flower-garden"), tops).play("garden.1 > foundations.1")
    assert usual.why_not("foundations.1 > garden.2") is not None
    variant = planted(load("flower-garden:worrying-back"), tops).play("garden.1 > foundations.1")
    assert variant.play("foundations.1 > garden.2").piles["garden.2"][-2:] == cards("2D AC")
