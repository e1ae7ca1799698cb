"""Cards that are taken out of the pack: some or all of several copies; the number of rules."""

from pathlib import Path

import pytest

from cadogan.cards import Card
from cadogan.game import load
from cadogan.rl import PatienceEnv
from cadogan.rules.check.check import MAX_RULES
from cadogan.rules.rulebook.rulebook import Rulebook
from cadogan.rules.rulebook.words import WordError, parse_selection
from cadogan.solver.solve import solve
from tests.rules.reading import book_of, codes_of

GAME = """
name  = "Some copies"
packs = 2
aim   = "stock is empty"
{head}

[places]
role  = "reserve"
piles = {piles}
start = {start}

[stock]
"""


def game(start: str, piles: int = 4, head: str = "") -> Rulebook:
    return book_of(GAME.format(start=start, piles=piles, head=head))


def laid(book: Rulebook) -> list[str]:
    return [str(Card(card)) for card, _ in book.preset]


@pytest.mark.parametrize(
    ("start", "piles", "cards"),
    [
        ('"one ace of each suit"', 4, "AC AD AH AS"),
        ('"one red ace of each suit"', 2, "AD AH"),
        ('"two aces of each suit"', 8, "AC AC AD AD AH AH AS AS"),
        ('"aces"', 8, "AC AC AD AD AH AH AS AS"),
        ('"one king of hearts"', 1, "KH"),
        ('"one king of hearts"', 3, "KH"),
        ('"two kings of hearts"', 4, "KH KH"),
        ('"two of hearts"', 2, "2H 2H"),
        ('["one queen of diamonds", "one ten of clubs"]', 4, "QD TC"),
        ('["kings of clubs", "one king of hearts"]', 3, "KC KC KH"),
    ],
)
def test_some_copies_are_laid_out(start: str, piles: int, cards: str) -> None:
    book = game(start, piles)
    assert laid(book) == cards.split()
    assert len(book.deck) == 104 - len(cards.split())
    both = sorted([*book.deck, *(card for card, _ in book.preset)])
    assert both == sorted(2 * list(range(52)))
    assert [pile for _, pile in book.preset] == list(range(len(cards.split())))


def test_some_copies_take_no_part() -> None:
    book = game('"one ace of each suit"', head='without = ["one king of spades", "black twos"]')
    assert len(book.deck) == 104 - 5 - 4
    assert [book.deck.count(card) for card in (51, 50)] == [1, 2]


def test_a_second_group_gets_the_other_copies() -> None:
    text = GAME.format(start='"one ace of each suit"', piles=4, head="")
    book = book_of(text + '[others]\nrole = "reserve"\npiles = 4\nstart = "aces"\n')
    assert laid(book) == 2 * ["AC", "AD", "AH", "AS"]


def test_a_rank_is_no_number() -> None:
    assert parse_selection("two of clubs").number is None
    assert parse_selection("two and three of clubs").number is None
    assert parse_selection("two twos of clubs").number == 2
    with pytest.raises(WordError):
        parse_selection("one of each suit")


def many_rules(switches: int) -> str:
    """A game with many free rules, and a forced one behind them."""
    text = """
        name = "Many rules"
        suits = "hearts spades"
        aim = "row.3 is not empty"
        counters = { way = { cap = 999 } }
        row = { role = "reserve", piles = 3, deal = [13, 13, 0] }
    """
    text += "".join(
        f'[[rule]]\nname = "switch {number}"\nset = {{ way = {number} }}\n'
        for number in range(1, switches + 1)
    )
    rule = f'forced = true\nfrom = "row.1"\nto = "vacant row.3"\nwhen = "way = {switches}"'
    return f'{text}[[rule]]\nname = "last"\n{rule}\n'


def test_many_rules(tmp_path: Path) -> None:
    assert codes_of(many_rules(MAX_RULES)) == ["too-many"]
    path = tmp_path / "many.toml"
    path.write_text(many_rules(MAX_RULES - 1), encoding="utf-8")
    position = load(path).deal("cadogan:1")
    assert [move.rule for move in position.moves()] == [
        f"switch {number}" for number in range(1, MAX_RULES)
    ]
    position = position.play("switch 7")
    assert "switch 7" not in {move.rule for move in position.moves()}
    won = position.play(f"switch {MAX_RULES - 1}")
    assert (won.outcome, [move.rule for move in won.line][-1]) == ("won", "last")
    assert solve(position).status == "winnable"
    env = PatienceEnv(path)
    env.reset(seed=1)
    assert env.action_masks().sum() == MAX_RULES - 1
