"""The move of cards from pile to pile; piles and units are read in ``check/``."""

from pathlib import Path

import pytest

from cadogan import IllegalMoveError, load
from cadogan.rules.check.extent import most_moves
from cadogan.rules.explain import explain
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.rulebook import Rulebook
from tests.games import TINY, deal_with, play_all, walk, write_game
from tests.rules.reading import BASE, book_of, rule_codes, rule_of

MOVE = 'from = "garden"\nto = "foundations"'


def test_reading() -> None:
    action = rule_of(MOVE).action
    assert isinstance(action, Move)
    assert (action.build_order, action.cards.kind, action.face) == (True, "top", "keep")
    assert action.sources == tuple(range(4, 10))


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ('from = "garden"', ["missing-key"]),
        (f'{MOVE}\nchoose = "card"', ["not-forced"]),
        (f'{MOVE}\nonly = "if blocked"', ["key-does-not-fit"]),
        (f"{MOVE}\nfrom_holds = [3, 2]", ["out-of-range"]),
        (f"{MOVE}\ntotal = [3, 2]", ["out-of-range"]),
        (
            'from = "garden"\nto = "waste"\ncards = "a packet"\ntotal = 10',
            ["key-does-not-fit"],
        ),
        (f'{MOVE}\nwild = "tens"', ["key-does-not-fit"]),
    ],
)
def test_faults(keys: str, codes: list[str]) -> None:
    assert rule_codes(keys) == codes


@pytest.mark.parametrize(
    ("keys", "most"),
    [
        ('from = "waste"\nto = "garden"', 6),
        ('from = "garden"\nto = "garden"', 30),
        ('from = "garden"\nto = "garden"\nforced = true', 0),
        ('from = "waste"\nto = "garden"\nforced = true\nchoose = "place"', 6),
    ],
)
def test_moves_are_bounded(keys: str, most: int) -> None:
    book = book_of(f'{BASE}\n[[rule]]\nname = "x"\n{keys}\n')
    assert most_moves(book)[-1] == most


def test_a_unit_tells_its_number() -> None:
    position = load("klondike").deal("cadogan:1")
    found = [m for p in walk(position.game, "cadogan:1", 60) for m in p.moves() if m.count > 1]
    assert found
    assert all(str(move) == f"{move.source} > {move.target} x{move.count}" for move in found)


def test_a_fixed_number_is_not_told(tmp_path: Path) -> None:
    rule = '[[rule]]\nname = "two"\nfrom = "row.1"\nto = "row.2"\ncards = "up to 2 cards"'
    position = write_game(tmp_path, TINY + rule).deal("cadogan:1")
    (move,) = (move for move in position.moves() if move.rule == "two")
    assert (str(move), move.count) == ("row.1 > row.2", 2)
    assert position.play("row.1 > row.2 x2").last_move == move


def test_a_forced_move_says_how_many_cards_its_target_holds() -> None:
    keys = 'from = "stock"\nto = "garden"\nto_holds = [0, 3]\nforced = true'
    told = [" ".join(explain(rulebook_with(keys), language).split()) for language in ("en", "de")]
    assert "goes on the first pile of the garden that holds at most three cards" in told[0]
    assert "mit höchstens drei Karten" in told[1]


def test_a_forced_move_says_which_source_comes_first() -> None:
    keys = 'from = ["waste", "stock"]\nto = "vacant garden"\nforced = true'
    told = [" ".join(explain(rulebook_with(keys), language).split()) for language in ("en", "de")]
    assert "filled with the card in the waste, or else the top card of the stock" in told[0]
    assert "der Karte des Abwurfs, sonst der obersten Karte des Talons" in told[1]


def rulebook_with(keys: str) -> Rulebook:
    return book_of(f'{BASE}\n[[rule]]\nname = "x"\n{keys}\n')


def test_nothing_is_built_where_nothing_may_be() -> None:
    """The words are refused, rather than played as if they were not there."""
    assert rule_codes('from = "garden"\nto = "waste"\nbuild = "nothing"') == ["unknown-build"]
    text = BASE.replace("[waste]", '[waste]\nbuild = "nothing"')
    assert [rule.name for rule in book_of(text).rules] == ["play to foundations"]


@pytest.mark.parametrize(
    ("phrase", "bounds"),
    [
        ("at least 2", (2, 65535)),
        ("at most three cards", (1, 3)),
        ("exactly  4", (4, 4)),
        ("at least one card", (1, 65535)),
    ],
)
def test_how_many_cards_a_pile_holds_in_words(phrase: str, bounds: tuple[int, int]) -> None:
    rule = rule_of(f'from = "garden"\nto = "waste"\nfrom_holds = "{phrase}"')
    assert isinstance(rule.action, Move)
    assert rule.action.from_holds == bounds


@pytest.mark.parametrize("phrase", ["many", "at least", "at least many", "at most 0", "2", "-1"])
def test_how_many_cards_is_not_understood(phrase: str) -> None:
    codes = rule_codes(f'from = "garden"\nto = "waste"\nfrom_holds = "{phrase}"')
    assert codes == ["out-of-range"]


def test_a_base_that_the_player_chooses_allows_every_card(tmp_path: Path) -> None:
    text = """
        name = "Chosen"
        foundations = { piles = 4, base = "chosen", build = "up in suit, round the corner" }
        tableau = { piles = 13, deal = 4, build = "nothing" }
    """
    # Conditions on single piles keep the kernel from leaving out places that are alike.
    text += "".join(
        f'[[rule]]\nname = "r{n}"\nfrom = "tableau.{n}"\nto = "foundations.{1 + n % 4}"\n'
        f'when = "foundations.{1 + n % 4} is not empty"\n'
        for n in range(1, 14)
    )
    game = write_game(tmp_path, text)
    moves = game.deal("cadogan:1").moves()
    assert len(moves) > 4 * 4
    assert len(moves) <= sum(most_moves(game.rulebook))


def test_what_the_cards_of_a_pile_count() -> None:
    """Four cards come to ten, fewer to no more; tens count what is missing, court cards nothing."""
    position = deal_with(load("ladybug"), "4H 9H TH KH 6H AH 2H QH 7S 6S 5S 5C 3S")
    assert [str(move) for move in position.moves()] == [
        f"waste > tableau.{pile}" for pile in (1, 3, 4, 6, 7)
    ]
    assert position.why_not("waste > tableau.5") == (
        "with 6S, the cards of tableau.5 would not count at most 10"
    )
    three = play_all(position, "waste > tableau.4; waste > tableau.6; waste > tableau.4; deal")
    assert three.why_not("waste > tableau.4") == (
        "with 3S, the cards of tableau.4 would not count 10"
    )


def test_a_card_that_is_turned_up_counts(tmp_path: Path) -> None:
    game = write_game(
        tmp_path,
        """
name  = "Tiny total"
packs = 1
ranks = "A 2 3"
suits = "spades hearts"
aim   = "row holds exactly 3 cards"

[row]
role  = "tableau"
deal  = 1
build = "nothing"

[stock]

[[rule]]
name  = "add"
from  = "stock"
to    = "row"
face  = "up"
total = "at most 5"
""",
    )
    position = deal_with(game, "2s 3s")
    assert [str(move) for move in position.moves()] == ["stock > row"]
    assert not deal_with(game, "3s 3h").moves()
    with pytest.raises(IllegalMoveError, match="at most 5"):
        deal_with(game, "3s 3h").play("stock > row")
