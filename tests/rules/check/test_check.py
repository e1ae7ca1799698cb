"""Cards that are taken out of the pack: some or all of several copies."""

import pytest

from cadogan.cards import Card
from cadogan.rules.rulebook.rulebook import Rulebook
from cadogan.rules.rulebook.words import WordError, parse_selection
from tests.rules.reading import book_of

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
