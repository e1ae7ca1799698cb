"""``cadogan deal`` and ``cadogan moves``: a position and its legal moves."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import GameName, Json, Start, position_of

if TYPE_CHECKING:
    from cadogan import Position
    from cadogan.cli.draw import Glyphs

Ascii = Annotated[bool, Parameter(name="--ascii", help="Draw suits as letters.")]
Open = Annotated[bool, Parameter(name="--open", help="Show face-down cards too.")]

Board = Annotated[
    Literal["solvitaire", "lines"] | None,
    Parameter(
        name="--board",
        help="Print the board for another program: solvitaire (JSON), or lines (Freecell Solver, "
        "PySolFC).",
    ),
]

HERE = Start()


def deal(
    game: GameName,
    /,
    *,
    start: Start = HERE,
    ascii: Ascii = False,
    open: Open = False,
    board: Board = None,
    json: Json = False,
) -> None:
    """Deal a game and draw the table.

    Without a deal or a deck the deal is random, and its number is shown.
    """
    position = position_of(game, start)
    if board is not None:
        if json:
            raise output.UsageError("--board and --json both choose the output", "give one of them")
        from cadogan.exchange.boards import write_lines, write_solvitaire

        write = write_solvitaire if board == "solvitaire" else write_lines
        output.data(write(position).rstrip("\n"))
        return
    if json:
        output.data_json(facts(position, whole=open))
        return
    from cadogan.cli.draw import draw

    output.data_text(draw(position, width=output.width(), glyphs=glyphs(ascii), whole=open))


def moves(game: GameName, /, *, start: Start = HERE, json: Json = False) -> None:
    """List the legal moves.

    Each line has the number of a move and its text. Every command accepts that text.
    """
    position = position_of(game, start)
    legal = position.moves()
    if json:
        output.data_json(
            [
                {
                    "number": number,
                    "text": move.text,
                    "rule": move.rule,
                    "source": move.source,
                    "target": move.target,
                    "count": move.count,
                }
                for number, move in enumerate(legal, 1)
            ]
        )
        return
    from cadogan.cli.listing import numbered

    output.data_text(numbered(position, glyphs(False)))
    if position.outcome == "won":
        output.note("the game is won")
    elif position.outcome == "over":
        output.note("no legal moves: the game is over")
    elif not legal:
        output.note("no legal moves: the game is lost")
    elif position.pending_choice is not None:
        output.note(f"you must choose one of these: {position.pending_choice}")


def glyphs(ascii: bool) -> "Glyphs":
    """Symbols, or letters if the player or the terminal wants them."""
    from cadogan.cli.draw import LETTERS, SYMBOLS

    return LETTERS if ascii or output.letters_only() else SYMBOLS


def facts(position: "Position", *, whole: bool) -> dict[str, Any]:
    """A position as data: what the player sees (hidden cards are null), or everything."""
    piles = position.piles if whole else position.visible_piles()
    known = {
        name: [None if card is None else str(card) for card in pile] for name, pile in piles.items()
    }
    return {
        "game": position.game.name,
        "deal": position.deal_name,
        "deck": [str(card) for card in position.deck] if whole else None,
        "moves": [move.text for move in position.line if not move.forced],
        "piles": known,
        "counters": dict(position.counters),
        "closed": sorted(position.closed_piles),
        "choosing": position.pending_choice,
        "outcome": position.outcome,
        "score": position.score,
    }
