"""How many cards each pile of the tableau gets."""

from dataclasses import dataclass

from cadogan.i18n.text import gettext
from cadogan.rules.writing.answers import Answers
from cadogan.rules.writing.choice import Misfit


@dataclass(frozen=True, slots=True)
class TableauDeal:
    """The cards of each pile, face down and then face up.

    >>> deal = TableauDeal.of(
    ...     Answers({"stock": "waste", "piles": "7", "shape": "triangle", "face-down": "6"})
    ... )
    >>> deal.down, deal.up
    ([0, 1, 2, 3, 4, 5, 6], [1, 1, 1, 1, 1, 1, 1])
    """

    down: list[int]
    up: list[int]

    @classmethod
    def of(cls, answers: Answers) -> "TableauDeal":
        """The deal of some answers that fit together (see :func:`misfits`), without the rest."""
        piles = answers.number("piles")
        down, up = answers.numbers("face-down"), answers.numbers("face-up")
        if len(down) > 1 or len(up) > 1:
            return cls(down if len(down) > 1 else down * piles, up if len(up) > 1 else up * piles)
        rows = _rows(answers["shape"], piles, down[0] + up[0])
        if most := answers.number("most"):
            rows = _cut(rows, piles, most)
        heights = [sum(pile in row for row in rows) for pile in range(piles)]
        covered = [min(down[0], max(0, height - (up[0] > 0))) for height in heights]
        return cls(
            covered, [height - below for height, below in zip(heights, covered, strict=True)]
        )

    @property
    def cards(self) -> int:
        """How many cards are dealt."""
        return sum(self.down) + sum(self.up)

    def with_rest(self, left: int) -> "TableauDeal":
        """The same deal, and then as many cards more, one to each pile in turn."""
        piles = len(self.up)
        return TableauDeal(
            self.down,
            [up + (left + piles - 1 - pile) // piles for pile, up in enumerate(self.up)],
        )


def misfits(answers: Answers) -> list[Misfit]:
    """What is wrong with the numbers for each pile."""
    found = []
    listed = [key for key in ("face-down", "face-up") if len(answers.numbers(key)) > 1]
    for key, piles in [*((key, "piles") for key in listed), ("reserve-deal", "reserves")]:
        numbers, many = answers.numbers(key), answers.number(piles)
        if len(numbers) > 1 and len(numbers) != many:
            text = gettext(
                "{numbers} gives {given} numbers, but {piles} needs {many}",
                numbers=answers.says(key),
                given=len(numbers),
                piles=answers.says(piles),
                many=many,
            )
            found.append(Misfit((key, piles), text))
    for key in listed:
        for other, free in (("shape", "rectangle"), ("most", "0")):
            if answers[other] != free:
                text = gettext(
                    "{numbers} says already how many cards each pile gets, so {other} does not fit",
                    numbers=answers.says(key),
                    other=answers.says(other),
                )
                found.append(Misfit((key, other), text))
    if found:
        return found
    deal = TableauDeal.of(answers)
    if any(down and not up for down, up in zip(deal.down, deal.up, strict=True)):
        text = gettext(
            "{down} and {up} leave piles without a face-up card",
            down=answers.says("face-down"),
            up=answers.says("face-up"),
        )
        found.append(Misfit(("face-down", "face-up"), text))
    return found


def _rows(shape: str, piles: int, height: int) -> list[range]:
    """The piles that get a card in each round; the last round goes to all of them."""
    if height == 0:
        return []
    every = range(piles)
    match shape:
        case "triangle":
            rows = [every[row:] for row in range(1, height)]
        case "pyramid":
            rows = [every[row : max(row, piles - row)] for row in range(1, height)]
        case _:
            rows = [every] * (height - 1)
    return [*rows, every]


def _cut(rows: list[range], piles: int, most: int) -> list[range]:
    """The same rounds with fewer cards. The last round is dealt in any case."""
    left = max(0, most - piles)
    cut = []
    for row in rows[:-1]:
        cut.append(row[:left])
        left -= len(cut[-1])
    return [*cut, *(row[:most] for row in rows[-1:])]
