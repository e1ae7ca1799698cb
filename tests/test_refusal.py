"""One test for each reason; the texts are what a player reads."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cadogan import AmbiguousMoveError, Card, IllegalMoveError, Position, load
from cadogan.i18n.text import translate
from cadogan.move_text import MovePart, ParsedMove
from cadogan.refusal import Refusals, refusal
from cadogan.rules import catalogue
from tests.games import TINY, deal_with, play_all, walk, write_game


@pytest.fixture
def garden() -> Position:
    """Open fans whose upper cards are 2S AH 8D 5C 9H KS; the bouquet begins with 4S QC."""
    fans = (
        "AC KC JC TC 9C 2S AD KD QD JD TD AH KH QH JH TH 8H 8D "
        "QS JS TS 9S 8S 5C 7C 7D 7H 7S 6C 9H 6D 6H 6S 5D AS KS"
    )
    return deal_with(load("flower-garden"), f"{fans} 4S QC")


@pytest.fixture
def klondike() -> Position:
    """On the table lie AS, 2S, 4D, 5H, 6H, 7D, 7S."""
    return deal_with(load("klondike"), "AS")


def test_building(garden: Position) -> None:
    assert garden.why_not("garden.5 > garden.4") == "the garden builds down: 9H does not go on 5C"
    freecell = deal_with(load("freecell"), "")
    assert freecell.why_not("tableau.1 > tableau.2") == (
        "the tableau builds down in alternate colours: KC does not go on KD"
    )


def test_the_number_of_a_group_is_in_the_verb(garden: Position) -> None:
    castle = load("beleaguered-castle").deal("cadogan:1")
    told = [castle.why_not(f"rows.1 > rows.{n}") or "" for n in range(2, 9)]
    assert any(reason.startswith("the rows build down: ") for reason in told)
    assert garden.why_not("foundations > garden.1") == "the foundations are empty"


def test_one_card_at_a_time(garden: Position) -> None:
    assert garden.why_not("garden.5 > garden.3 x2") == "the garden is built one card at a time"
    assert (
        garden.why_not("garden.2 > foundations.1 x2") == "the foundations take one card at a time"
    )


def test_foundations(garden: Position) -> None:
    assert garden.why_not("garden.5 > foundations.1") == "foundations.1 begins with an ace, not 9H"
    played = garden.play("garden.2 > foundations.1")
    assert played.why_not("garden.5 > foundations.1") == "foundations.1 wants 2H next, not 9H"


def test_the_foundation_of_the_suit_is_named(garden: Position) -> None:
    played = garden.play("garden.2 > foundations.1")
    assert played.why_not("garden.5 > foundations") == "foundations.1 wants 2H next, not 9H"
    assert played.why_not("garden.4 > foundations") == "foundations.2 begins with an ace, not 5C"


def test_a_complete_foundation(tmp_path: Path) -> None:
    tiny = write_game(tmp_path, TINY.replace("piles = 2", "piles = 2\nworrying_back = true"))
    position = play_all(
        deal_with(tiny, "3S 2H AH 2S 3H AS"),
        "row.3 > foundations.1; row.1 > foundations.1; row.1 > foundations.1;row.3 > foundations.2",
    )
    assert position.why_not("row.2 > foundations.1") == "foundations.1 is complete"


def test_a_suit_that_begins_on_one_foundation_only(tmp_path: Path) -> None:
    text = TINY.replace("packs = 1", "packs = 2").replace("deal  = 2", "deal  = 4")
    text = text.replace("piles = 2", 'piles = 2\nsuits = "one each"')
    position = deal_with(write_game(tmp_path, text), "3S 3S 3H 3H 2S 2S 2H 2H AH AS AS AH")
    position = position.play("row.1 > foundations.1")
    assert position.next_cards("foundations.2") == (Card.parse("AH"),)
    assert position.why_not("row.2 > foundations.2") == "the spades have begun on foundations.1"


def test_a_base_that_is_dealt() -> None:
    position = load("canfield").deal("cadogan:1")
    rank = position.piles["foundations.1"][0].name.split(" of ")[0]
    card = position.piles["reserve"][-1]
    told = position.why_not("reserve > foundations.2") or ""
    assert told.startswith("foundations.2 begins with ")
    assert told.endswith(f" {rank}, not {card}")


def test_nothing_is_laid_on_the_base() -> None:
    # The base is the five of clubs; the tableau begins with 4H, 5D, 3S and 9C.
    reserve = "KC KD KH KS QC QD QH QS JC JD JH JS 2C"
    position = deal_with(load("canfield:closed-base"), f"{reserve} 5C 4H 5S 3S 9C")
    assert position.why_not("tableau.1 > tableau.2") == (
        "nothing is laid on the base rank (fives): 5S lies on tableau.2"
    )
    played = position.play("tableau.3 > tableau.1")
    whole = deal_with(load("canfield:whole-sequences"), f"{reserve} 5C 4H 5S 3S 4D")
    whole = whole.play("tableau.3 > tableau.1").play("tableau.1 > tableau.2 x2")
    assert played.why_not("tableau.1 > tableau.2 x2") is not None
    assert whole.why_not("tableau.2 > tableau.4 x1") == (
        "these cards may move only if they uncover nothing, not 4H"
    )


def test_a_vacancy_that_is_choosy(klondike: Position) -> None:
    vacant = klondike.play("tableau.1 > foundations.1")
    assert vacant.why_not("tableau.3 > tableau.1") == (
        "a vacant tableau pile takes only kings: 4D is not one"
    )


def test_a_vacancy_that_takes_nothing() -> None:
    amazons = deal_with(load("amazons"), "AS 7S 8D 9D")
    assert amazons.why_not("columns.2 > columns.1") == "the columns take no cards"
    classic = deal_with(load("amazons:classic"), "7S 7D 8D 9D")
    assert classic.why_not("columns.1 > foundations.1") == (
        "'aces go up' is for aces only: 7S is not one"
    )


def test_a_vacancy_that_fills_automatically() -> None:
    amazons = deal_with(load("amazons"), "7S 7D 8D 9D")
    assert amazons.why_not("columns.1 > foundations.1") == (
        "a vacant foundation takes no cards by hand (aces go up)"
    )


def test_a_pile_that_takes_no_cards(garden: Position) -> None:
    assert garden.why_not("garden.1 > bouquet.1") == "the bouquet takes no cards"
    besieged = load("besieged-city").deal("cadogan:1")
    assert besieged.why_not("ramparts.1 > reserve.1") == (
        "the reserve takes no cards by hand (the reserve is refilled)"
    )


def test_a_pile_that_gives_none(garden: Position) -> None:
    played = garden.play("garden.2 > foundations.1")
    assert played.why_not("foundations.1 > garden.1") == "nothing leaves the foundations"
    besieged = load("besieged-city").deal("cadogan:1")
    assert besieged.why_not("reserve.1 > foundations.1") == (
        "cards of the reserve go only to the ramparts"
    )
    amazons = load("amazons").deal("cadogan:1")
    assert amazons.why_not("stock > foundations.1") == "cards of the stock are moved only by 'deal'"
    assert amazons.why_not("stock > columns.1") == (
        "no single card goes from the stock to the columns: it is done by 'deal'"
    )


def test_what_happens_by_itself() -> None:
    besieged = load("besieged-city").deal("cadogan:1")
    assert besieged.why_not("stock > reserve.1") == (
        "it happens automatically when it is due (the reserve is refilled)"
    )
    assert besieged.why_not("the reserve is refilled") == (
        "it happens automatically when it is due (the reserve is refilled)"
    )
    assert load("the-queens").deal("cadogan:1").why_not("payment of the key") == (
        "it happens only while the table is laid out (payment of the key)"
    )


def test_an_empty_pile(garden: Position) -> None:
    assert garden.why_not("foundations.2 > garden.1") == "foundations.2 is empty"
    assert garden.why_not("foundations > garden.1") == "the foundations are empty"
    assert load("klondike").deal("cadogan:1").why_not("waste > tableau.1") == "waste is empty"


def test_numbers_that_cannot_be(garden: Position) -> None:
    assert garden.why_not("garden.1 > garden.2 x9") == "garden.1 holds 6 cards, not 9"
    assert garden.why_not("bouquet.1 > garden.2 x2") == "bouquet.1 holds one card, not 2"
    assert garden.why_not("bouquet.1 > garden.2 x0") == "bouquet.1 holds one card, not 0"


def test_the_same_pile(garden: Position) -> None:
    assert garden.why_not("garden.1 > garden.1") == "the cards of garden.1 lie there already"


def test_face_down_cards(klondike: Position) -> None:
    assert klondike.why_not("tableau.7 > tableau.6 x2") == (
        "not all of the top 2 cards of tableau.7 lie face up"
    )


@pytest.mark.parametrize("game", catalogue())
def test_the_stock_keeps_its_secret(game: str) -> None:
    position = load(game).deal("cadogan:1")
    visible = position.visible_piles()
    for source, cards in position.piles.items():
        if visible[source] and visible[source][-1] is None:
            for target in position.piles:
                told = position.why_not(f"{source} > {target}") or ""
                assert str(cards[-1]) not in told.split()


def test_what_is_no_sequence() -> None:
    position = next(
        position
        for position in walk(load("spider"), "cadogan:1", 60)
        if "sequence" in (position.why_not("tableau.1 > tableau.2 x2") or "")
    )
    first, second = position.piles["tableau.1"][-2:]
    assert position.why_not("tableau.1 > tableau.2 x2") == (
        f"{first} {second} is not a sequence down in suit"
    )


def test_the_length_of_a_sequence(tmp_path: Path) -> None:
    text = TINY.replace('build = "down in suit"', 'build = "nothing"')
    rule = """
[[rule]]
name  = "all three"
from  = "row"
to    = "vacant row"
cards = "a complete sequence down in suit"
"""
    position = deal_with(write_game(tmp_path, text + rule), "3S AH 2H 2S 3H AS")
    assert position.why_not("row.1 > row.2 x2") == (
        "only a sequence down in suit of 3 cards goes there"
    )


def test_conditions() -> None:
    amazons = load("amazons").deal("cadogan:1")
    assert amazons.why_not("gather") == "'gather' is allowed only when stock is empty"
    besieged = load("besieged-city").deal("cadogan:1")
    target = next(
        f"ramparts.{n}"
        for n in range(1, 15)
        if "in line" in (besieged.why_not(f"reserve.1 > ramparts.{n}") or "")
    )
    assert besieged.why_not(f"reserve.1 > {target} (reserve to any rampart)") == (
        "'reserve to any rampart' is allowed only when stock, hand and waste are empty"
    )


def test_conditions_on_numbers() -> None:
    position = load("hochzeitszug").deal("cadogan:1").play("gather").play("gather")
    assert position.why_not("gather") == (
        "'gather' is allowed only when relays < 2, and relays is 2 "
        "(times the piles have been gathered and laid out again)"
    )


def test_conditions_on_ranks(tmp_path: Path) -> None:
    text = TINY.replace('ranks = "A 2 3"\nsuits = "spades hearts"', "").replace(
        'base  = "ace"', 'base = "dealt"'
    )
    text = text.replace('build = "up in suit"', 'build = "up in suit, round the corner"')
    text += """
[spare]
role = "reserve"
[stock]
deals = "1 to each of row"
[[rule]]
name = "queens rest"
from = "row"
to = "spare"
when = "base is a queen"
"""
    position = deal_with(write_game(tmp_path, text), "AS")
    assert position.why_not("row.1 > spare") == (
        "'queens rest' is allowed only when base is a queen, and base is an ace "
        "(the rank on which the foundations begin)"
    )


def test_conditions_on_other_moves() -> None:
    game = load("hochzeitszug:strict")
    deals = (game.deal(f"cadogan:{deal}") for deal in range(20))
    position = next(
        deal for deal in deals if any(move.rule.startswith("play to") for move in deal.moves())
    )
    told = position.why_not("gather")
    assert told is not None
    assert told.startswith("'gather' is allowed only when no 'play to ")


def test_a_card_in_the_hand() -> None:
    position = load("the-queens").deal("cadogan:1").play("turn")
    (card,) = position.piles["hand"]
    assert position.why_not("turn") == f"a card is waiting in the hand: {card}"
    guarded = load("besieged-city:at-once").deal("cadogan:1").play("turn")
    (card,) = guarded.piles["hand"]
    told = {guarded.why_not(f"ramparts.1 > ramparts.{n}") for n in range(2, 15)}
    assert f"a card is waiting in the hand: {card}" in told


def test_an_open_choice() -> None:
    position = next(
        position
        for deal in range(20)
        for position in walk(load("besieged-city"), f"cadogan:{deal}", 40)
        if position.pending_choice
    )
    target = position.moves()[0].target
    sources = [move.source for move in position.moves()]
    told = position.why_not("foundations.1 > foundations.2")
    assert told is not None
    assert told.startswith(f"first {target} must be filled (a breach is filled from its line): ")
    assert all(source in told for source in sources if source)
    assert position.why_not("turn") == told


def test_a_choice_of_place() -> None:
    position = deal_with(load("amazons:any-place"), "7S 7D 8D 9D AH").play("deal")
    assert position.pending_choice == "aces go up"
    assert position.why_not("gather") == (
        "first columns.1 must be played (aces go up): choose foundations.1, foundations.2, "
        "foundations.3 or foundations.4"
    )


def test_a_choice_of_the_base() -> None:
    position = load("duchess").deal("cadogan:3")
    told = "first choose the base: a card of reserve.1, reserve.2, reserve.3 or reserve.4"
    assert position.why_not("tableau.1 > tableau.2") == told
    assert translate(position.explain_choice() or "", "de") == (
        "zuerst den Grundwert wählen: eine Karte von Reserve 1, Reserve 2, Reserve 3 oder Reserve 4"
    )


PLACES = """
name = "Places"
suits = "hearts"
aim = "grid is empty"

[grid]
role = "reserve"
piles = 13
deal = 1

[bin]
role = "discard"

[[rule]]
name = "beside the first"
from = "grid.1"
to = "occupied grid.2 and grid.5"

[[rule]]
name = "beside the third"
from = "grid.2"
to = "occupied grid.3"
when = "grid.4 is empty"

[[rule]]
name = "into the gap"
from = "grid.2"
to = "vacant grid.3"
which = "aces"

[[rule]]
name = "away"
from = "grid.3"
to = "bin"
"""


def test_piles_of_a_group_that_rules_tell_apart(tmp_path: Path) -> None:
    position = deal_with(write_game(tmp_path, PLACES), "2H 3H 4H 5H")
    why = "cards of grid.1 go only to grid.2 or grid.5"
    assert position.why_not("grid.1 > grid.3") == why
    assert position.why_not("grid.2 > grid.3") == (
        "'beside the third' is allowed only when grid.4 is empty"
    )
    # A rule for occupied piles says nothing of a vacancy, whatever its conditions.
    position = position.play("grid.3 > bin")
    assert position.why_not("grid.2 > grid.3") == ("'into the gap' is for aces only: 3H is not one")


def test_links() -> None:
    amazons = deal_with(load("amazons"), "AS 7S 8D 9D")
    assert amazons.why_not("columns.2 > foundations.1") == "columns.2 goes only to foundations.2"
    besieged = load("besieged-city").deal("cadogan:1")
    told = [besieged.why_not(f"reserve.1 > ramparts.{n}") or "" for n in range(1, 15)]
    assert any(
        t.startswith("reserve.1 is not in line with ramparts.") and ", but with ramparts.1" in t
        for t in told
    )


def test_lanes(tmp_path: Path) -> None:
    rule = '[[rule]]\nname = "shift"\nfrom = "row.1 or row.2"\nto = "row.3"'
    text = TINY.replace('build = "down in suit"', 'build = "nothing"') + rule
    position = write_game(tmp_path, text).deal("cadogan:1")
    assert position.why_not("row.2 > row.3") == "row.1 must be used before row.2 (shift)"


def test_sizes() -> None:
    position = load("empress-of-india").deal("cadogan:1").play("army.1 > navy.1")
    assert position.why_not("army.2 > navy.1") == (
        "'pair the army with the navy' puts cards only on piles of one card: navy.1 holds 2"
    )
    assert position.why_not("navy.1 > army.2") == (
        "'pair the navy with the army' takes only from piles of one card: navy.1 holds 2"
    )


def test_an_occupied_pile() -> None:
    position = load("freecell").deal("cadogan:1").play("tableau.1 > cells.1")
    assert position.why_not("tableau.2 > cells.1") == "cells.1 is occupied"


def test_a_preferred_pile() -> None:
    game = load("the-queens:key-first")
    low = list(game.pack[:38])
    king = game.pack[-1]
    position = deal_with(game, [*low[:31], king, *low[31:], king]).play("turn")
    assert position.piles["key"][-1] == position.piles["hand"][0] == king
    assert position.why_not("hand > foundations") == "KS must be taken from key first"


def test_nothing_would_change(tmp_path: Path) -> None:
    position = play_all(
        deal_with(write_game(tmp_path), "3S 3H 2S 2H AS AH"),
        "row.2 > foundations.1; row.3 > foundations.2; row.3 > foundations.1",
    )
    position = position.play("row.1 > foundations.2")
    moved = position.play("row.2 > foundations.2")
    assert moved.why_not("row.1 > row.2") == "nothing would change: row.2 is as good a place"


def test_a_rule_that_has_nothing_to_do() -> None:
    game = load("besieged-city")
    deals = (game.deal(f"cadogan:{number}") for number in range(100))
    position = next(
        deal for deal in deals if not any(m.rule.startswith("reserve") for m in deal.moves())
    )
    assert position.why_not("reserve to its line") == (
        "there is nothing that 'reserve to its line' could move"
    )


@pytest.mark.parametrize(
    ("demand", "told"),
    [
        ("capacity", "garden.2 is full"),
        ("equivalent_target", "garden.2 is the same as garden.1"),
        ("choice", "another choice is open"),
    ],
)
def test_demands_that_are_met_elsewhere(garden: Position, demand: str, told: str) -> None:
    reasons = Refusals(garden.game.rulebook, garden._state, garden.moves())
    (rule,) = (i for i, rule in enumerate(reasons.book.rules) if rule.name == "build on garden")
    garden_1, garden_2 = (reasons.names.index(name) for name in ("garden.1", "garden.2"))
    assert reasons.explain(rule, demand, garden_1, garden_1 + 2, 1, garden_2) == told


def _pairs(position: Position) -> Iterator[str]:
    for source in position.piles:
        for target in position.piles:
            yield f"{source} > {target}"


@pytest.mark.costly
@pytest.mark.parametrize("name", catalogue())
def test_there_is_a_reason_for_whatever_is_illegal(name: str) -> None:
    for position in walk(load(name), "cadogan:9", 12)[::4]:
        texts = list(_pairs(position))[:: 1 + len(position.piles) ** 2 // 150]
        texts += [rule.verb or rule.name for rule in position.game.rulebook.rules]
        for text in texts:
            try:
                told = position.why_not(text)
            except AmbiguousMoveError as error:
                assert len(error.moves) > 1
                continue
            if told is None:
                position.play(text)
            else:
                assert not told.endswith(".")
                with pytest.raises(IllegalMoveError):
                    position.play(text)


def test_reasons_can_be_asked_for_directly(garden: Position) -> None:
    wish = ParsedMove("", None, (MovePart((4,), (10,)),))
    book, legal = garden.game.rulebook, garden.moves()
    assert refusal(wish, book, garden._state, legal) == "the bouquet takes no cards"
