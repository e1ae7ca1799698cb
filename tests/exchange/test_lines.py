"""Lines of moves for other programs, read back by a FreeCell that knows nothing of ours."""

import re

import pytest

from cadogan import load, shorten, solve
from cadogan.exchange.lines import NOTATIONS, NotationError, write_line


class FreeCell:
    """A table as the notations see it."""

    def __init__(self, columns: list[list[str]]) -> None:
        self.columns = columns
        self.cells: list[str | None] = [None] * 4
        self.home = dict.fromkeys("CDHS", 0)

    def take(self, place: tuple[str, int]) -> str:
        kind, number = place
        if kind == "column":
            return self.columns[number].pop()
        card = self.cells[number]
        assert card is not None
        self.cells[number] = None
        return card

    def put(self, place: tuple[str, int], card: str) -> None:
        kind, number = place
        rank = "A23456789TJQK".index(card[0])
        if kind == "home":
            assert self.home[card[1]] == rank
            self.home[card[1]] += 1
        elif kind == "cell":
            assert self.cells[number] is None
            self.cells[number] = card
        else:
            if self.columns[number]:
                under = self.columns[number][-1]
                assert "A23456789TJQK".index(under[0]) == rank + 1
                assert (under[1] in "DH") != (card[1] in "DH")
            self.columns[number].append(card)

    def is_won(self) -> bool:
        return sum(self.home.values()) == 52


def standard(text: str) -> list[tuple[tuple[str, int], tuple[str, int]]]:
    def place(letter: str) -> tuple[str, int]:
        if letter == "h":
            return "home", 0
        return ("column", int(letter) - 1) if letter.isdigit() else ("cell", "abcd".index(letter))

    assert all(re.fullmatch(r"[1-8a-d][1-8a-dh]", word) for word in text.split())
    return [(place(word[0]), place(word[1])) for word in text.split()]


def sentences(text: str) -> list[tuple[tuple[str, int], tuple[str, int]]]:
    moves = []
    for line in text.splitlines():
        match = re.fullmatch(
            r"Move a card from (stack|freecell) (\d) to (?:(stack|freecell) (\d)|the foundations)",
            line,
        )
        assert match, line
        kinds = {"stack": "column", "freecell": "cell"}
        target = (kinds[match[3]], int(match[4])) if match[3] else ("home", 0)
        moves.append(((kinds[match[1]], int(match[2])), target))
    return moves


@pytest.mark.parametrize("deal", ["ms:1", "ms:617", "ms:24"])
@pytest.mark.parametrize("notation", NOTATIONS)
def test_another_program_wins_by_the_line(deal: str, notation: str) -> None:
    position = load("freecell").deal(deal)
    text = write_line(position, solve(position, 100_000).line, notation)
    table = FreeCell(
        [
            [str(card) for card in pile]
            for name, pile in position.piles.items()
            if name.startswith("tableau")
        ]
    )
    for source, target in (standard if notation == "standard" else sentences)(text):
        table.put(target, table.take(source))
    assert table.is_won()


def test_several_cards_to_an_empty_column_are_counted() -> None:
    position = load("yukon").deal("cadogan:1")
    verdict = solve(position, 100_000)
    line = shorten(position, verdict.line, 20_000).line
    text = write_line(position, line, "standard")
    several = [move for move in line if move.count > 1]
    assert several
    assert "v" in text
    told = write_line(position, line, "freecell-solver")
    assert f"Move {several[0].count} cards from stack" in told


def test_what_cannot_be_told_is_not_told() -> None:
    garden = load("flower-garden").deal("cadogan:1")
    with pytest.raises(NotationError, match=r"bouquet\.\d+ is none of these"):
        write_line(garden, solve(garden, 10_000).line, "standard")
    klondike = load("klondike").deal("cadogan:1")
    with pytest.raises(NotationError, match=r"stock"):
        write_line(klondike, ["deal"], "freecell-solver")
    with pytest.raises(ValueError, match="unknown notation 'morse'; choose one of standard"):
        write_line(klondike, [], "morse")
