"""Options that name a position: a game, a deal or a deck, and moves."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from cadogan.cli.output import UsageError, note
from cadogan.reading import read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cadogan import Card, Game, Position

GameName = Annotated[str, Parameter(help="A game of the catalogue, or the path of a rules file.")]
# A bare hyphen, which is standard input, would otherwise be read as an option.
Source = Annotated[Path, Parameter(allow_leading_hyphen=True)]
Json = Annotated[bool, Parameter(name="--json", help="Print JSON.")]


@Parameter(name="*")
@dataclass(frozen=True)
class Deal:
    """The options that name a deal."""

    deal: str | None = None
    """The deal, such as cadogan:1."""
    deck: str | None = None
    """All cards in the order in which they are dealt, such as "AS TC 9H ..."."""
    deck_file: Source | None = None
    """A file with these cards, or a board of another program. - is standard input; # a comment."""


@Parameter(name="*")
@dataclass(frozen=True)
class Start(Deal):
    """The options that name a position."""

    moves: str | None = None
    """Moves to play first, such as "garden.3 > foundations.1; deal"."""
    moves_file: Source | None = None
    """A file with these moves, one per line. - is standard input; # a comment."""


def lay_out(game: "Game", deal: Deal, *, wanted: bool = False) -> "Position":
    """Deals a game.

    Args:
        game: The game.
        deal: The options given.
        wanted: Whether a deal is required.
    """
    options = {"--deal": deal.deal, "--deck": deal.deck, "--deck-file": deal.deck_file}
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} both name a deal", "give one of them")
    if deal.deck is not None:
        return game.deal(deck=cards_of(deal.deck))
    if deal.deck_file is not None:
        return game.deal(deck=_deck_in(read(deal.deck_file), game))
    if deal.deal is not None:
        return game.deal(deal.deal)
    if wanted:
        raise UsageError("no deal given", "add --deal cadogan:1, or --deck with the cards")
    from cadogan.deals import random_deal

    name = str(random_deal())
    note(f"dealing {name}")
    return game.deal(name)


def position_of(name: str, start: Start) -> "Position":
    """Plays to the position that a command line names."""
    import cadogan

    if start.moves is not None and start.moves_file is not None:
        raise UsageError("--moves and --moves-file both give moves", "give one of them")
    position = lay_out(cadogan.load(name), start)
    text = start.moves if start.moves_file is None else read(start.moves_file)
    for _, move in moves_of(text or ""):
        position = position.play(move)
    return position


def _deck_in(text: str, game: "Game") -> "Sequence[Card | str]":
    """The deck in a file: cards as they are dealt, or a board of another program."""
    from cadogan.exchange.boards import deck_of, is_board, read_board

    return deck_of(read_board(text), game) if is_board(text) else cards_of(text)


def cards_of(text: str) -> list[str]:
    """The words of a deck, whether they are cards or not."""
    plain = re.sub(r"#.*", "", text)
    return [word for word in re.split(r"[\s,;]+", plain) if word]


def moves_of(text: str) -> list[tuple[int, str]]:
    """The moves of a text, each with the number of its line.

    Newlines and semicolons separate moves; ``#`` starts a comment.
    """
    return [
        (number, part.strip())
        for number, line in enumerate(text.splitlines(), 1)
        for part in re.sub(r"(^|\s)#.*", "", line).split(";")
        if part.strip()
    ]


def read(path: Path) -> str:
    """The text of a file; of standard input for ``-``."""
    return read_text(path)
