"""Writes lines of moves in the notations of other programs.

There are two notations, both for games of columns, cells and foundations:

- ``freecell-solver``: the sentences of Freecell Solver, such as "Move a card from stack 0 to
  freecell 1", counted from 0.
- ``standard``: the short form that most FreeCell programs read. ``1b`` moves the top card of
  column 1 to the second cell, ``3h`` plays to a foundation ("home"), ``25`` moves from column to
  column, and ``16v3`` moves three cards to an empty column.

Forced moves are written, too, since other programs may not make them automatically.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from cadogan.game import Game, Position
from cadogan.moves import Move


class NotationError(ValueError):
    """A line cannot be written in a notation."""


class _Pile(NamedTuple):
    """A pile as other programs count it: from 0 within its role."""

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
        position: The position before the first move.
        line: The player's moves.
        notation: One of :data:`NOTATIONS`.

    Returns:
        The text, with a line end.

    Raises:
        NotationError: If the notation cannot express a move or a pile of the game.
        ValueError: If the notation is unknown.
        MoveError: If a move is illegal.

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
        raise ValueError(f"unknown notation {notation!r}; choose one of {', '.join(NOTATIONS)}")
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
                        f"{step.move.text!r} cannot be written: {notation} only has columns, "
                        f"cells and foundations, and {name} is none of these"
                    )
                transfers.append(_Transfer(piles[source], count, piles[target], not sizes[target]))
                sizes[source] -= count
                sizes[target] += count
        position = position.play(move)
    return "".join(f"{text}\n" for text in NOTATIONS[notation](transfers))


def _piles(game: Game) -> dict[str, _Pile]:
    """The piles that the notations can express, by our names."""
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
            raise NotationError("freecell-solver cannot express moves from a foundation")
        cards = "a card" if count == 1 else f"{count} cards"
        to = "the foundations" if target.role == "foundation" else _WORDS[target.role]
        number = "" if target.role == "foundation" else f" {target.number}"
        yield f"Move {cards} from {_WORDS[source.role]} {source.number} to {to}{number}"


_WORDS: Final = {"tableau": "stack", "cell": "freecell"}


def _pairs(transfers: list[_Transfer]) -> Iterable[str]:
    """Ten moves per line."""
    words = [_pair(transfer) for transfer in transfers]
    for begin in range(0, len(words), 10):
        yield " ".join(words[begin : begin + 10])


def _pair(transfer: _Transfer) -> str:
    source, number, target, to_empty = transfer
    # On a non-empty column, only one number of cards fits, so it is not written.
    cards = f"v{number:x}" if number > 1 and to_empty else ""
    return _letter(source) + _letter(target) + cards


def _letter(pile: _Pile) -> str:
    if pile.role == "foundation":
        return "h"
    letters = "123456789" if pile.role == "tableau" else "abcdefg"
    if pile.number >= len(letters):
        kind = "columns" if pile.role == "tableau" else "cells"
        raise NotationError(
            f"standard has letters for only {len(letters)} {kind}; use freecell-solver"
        )
    return letters[pile.number]


_Writer = Callable[[list[_Transfer]], Iterable[str]]

NOTATIONS: "Final[dict[str, _Writer]]" = {"standard": _pairs, "freecell-solver": _sentences}
"""The writers of the notations, by name."""
