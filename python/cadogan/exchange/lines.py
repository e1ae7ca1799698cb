"""Lines of moves as other programs write them.

Two notations are known, both for games of columns, cells and foundations: ``freecell-solver``, the
sentences of Freecell Solver ("Move a card from stack 0 to freecell 1", counted from 0), and
``standard``, the short form that most FreeCell programs read (``1b``: the top card of column 1 to
the second cell; ``3h``: home to a foundation; ``25``: column to column; ``16v3``: three cards to
an empty column). Moves that happen by themselves here are written too, since they need not do so
elsewhere.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from cadogan.game import Game, Position
from cadogan.moves import Move


class NotationError(ValueError):
    """A line that cannot be told in a notation."""


class _Pile(NamedTuple):
    """A pile as other programs count it: from 0, role by role."""

    role: str
    number: int


class _Transfer(NamedTuple):
    source: _Pile
    cards: int
    target: _Pile
    to_empty: bool


def write_line(position: Position, line: Iterable[Move | str], notation: str) -> str:
    """Writes a line in the notation of other programs.

    Args:
        position: Where the line begins.
        line: The player's moves.
        notation: One of :data:`NOTATIONS`.

    Raises:
        NotationError: If the notation has no words for a move or for the piles of the game.
        ValueError: If there is no such notation.
        MoveError: If a move cannot be made.

    >>> from cadogan import load
    >>> position = load("freecell").deal("ms:1")
    >>> moves = ["tableau.1 > cells.1", "tableau.2 > cells.2"]
    >>> print(write_line(position, moves, "standard"))
    1a 2b
    <BLANKLINE>
    >>> print(write_line(position, moves, "freecell-solver"))
    Move a card from stack 0 to freecell 0
    Move a card from stack 1 to freecell 1
    <BLANKLINE>
    """
    if notation not in NOTATIONS:
        raise ValueError(f"there is no notation {notation!r}; there are {', '.join(NOTATIONS)}")
    piles = _piles(position.game)
    transfers: list[_Transfer] = []
    for text in line:
        move = position.parse_move(str(text))
        sizes = {name: len(pile) for name, pile in position.piles.items()}
        for step in position.steps(move):
            for source, count, target in step.transfers:
                places = [piles.get(name) for name in (source, target)]
                if None in places:
                    name = target if places[0] else source
                    raise NotationError(
                        f"{step.move.text!r} cannot be told: {notation} knows columns, cells and "
                        f"foundations, and {name} is none of these"
                    )
                transfers.append(_Transfer(piles[source], count, piles[target], not sizes[target]))
                sizes[source] -= count
                sizes[target] += count
        position = position.play(move)
    return "".join(f"{text}\n" for text in NOTATIONS[notation](transfers))


def _piles(game: Game) -> dict[str, _Pile]:
    """The piles that other programs know, by our names."""
    piles: dict[str, _Pile] = {}
    counts: dict[str, int] = {}
    for group in game.rulebook.groups:
        for index in range(group.count):
            if group.role in ("tableau", "cell", "foundation"):
                piles[group.pile_name(index)] = _Pile(group.role, counts.get(group.role, 0))
                counts[group.role] = counts.get(group.role, 0) + 1
    return piles


def _sentences(transfers: list[_Transfer]) -> Iterable[str]:
    for source, count, target, _ in transfers:
        if source.role == "foundation":
            raise NotationError("freecell-solver cannot tell of cards that leave a foundation")
        cards = "a card" if count == 1 else f"{count} cards"
        to = "the foundations" if target.role == "foundation" else _WORDS[target.role]
        number = "" if target.role == "foundation" else f" {target.number}"
        yield f"Move {cards} from {_WORDS[source.role]} {source.number} to {to}{number}"


_WORDS: Final = {"tableau": "stack", "cell": "freecell"}


def _pairs(transfers: list[_Transfer]) -> Iterable[str]:
    """Ten moves a line."""
    words = [_pair(transfer) for transfer in transfers]
    for begin in range(0, len(words), 10):
        yield " ".join(words[begin : begin + 10])


def _pair(transfer: _Transfer) -> str:
    source, number, target, to_empty = transfer
    # Onto a card there is but one number of cards that fits.
    cards = f"v{number:x}" if number > 1 and to_empty else ""
    return _letter(source) + _letter(target) + cards


def _letter(pile: _Pile) -> str:
    if pile.role == "foundation":
        return "h"
    letters = "123456789" if pile.role == "tableau" else "abcdefg"
    if pile.number >= len(letters):
        kind = "columns" if pile.role == "tableau" else "cells"
        raise NotationError(
            f"standard has letters for {len(letters)} {kind} only; freecell-solver tells more"
        )
    return letters[pile.number]


_Writer = Callable[[list[_Transfer]], Iterable[str]]

NOTATIONS: "Final[dict[str, _Writer]]" = {"standard": _pairs, "freecell-solver": _sentences}
"""The writers of the notations, by name."""
