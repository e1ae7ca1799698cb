"""``cadogan replay``: checks whether a line of moves is legal, and where it ends."""

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import Deal, GameName, Json, Source, lay_out, moves_of, read
from cadogan.cli.deal import Ascii, Open, glyphs
from cadogan.cli.output import UsageError

NOWHERE = Deal()
OptionalLineFile = Annotated[
    Source | None,
    Parameter(help="The moves, one per line. - is standard input; # starts a comment."),
]
Won = Annotated[bool, Parameter(name="--won", help="Fail if the line does not win.")]
Draw = Annotated[bool, Parameter(name="--draw", help="Draw the final position.")]


def replay(
    game: GameName,
    file: OptionalLineFile = None,
    /,
    *,
    deal: Deal = NOWHERE,
    won: Won = False,
    draw: Draw = False,
    ascii: Ascii = False,
    open: Open = False,
    json: Json = False,
) -> int:
    """Check a line of moves, move by move.

    Reports the first illegal move and why it is illegal, or how the game ends. The exit status is
    1 if a move is illegal. A file saved in the browser names its game and deal, so give only the
    file.
    """
    import cadogan

    game, file, deal = _named(game, file, deal)
    position = lay_out(cadogan.load(game), deal, wanted=True)
    made = 0
    wrong: dict[str, Any] | None = None
    for number, move in moves_of(read(file)):
        try:
            position = position.play(move)
        except cadogan.MoveError as error:
            wrong = {"move": move, "line": number, "fault": error.fault, "reason": error.reason}
            break
        made += 1
    good = wrong is None and (position.outcome == "won" or not won)
    if json:
        output.data_json({"ok": good, "moves": made, "outcome": position.outcome, "wrong": wrong})
        return int(not good)
    if draw:
        from cadogan.cli.draw import draw as drawn

        picture = drawn(position, width=output.width(), glyphs=glyphs(ascii), whole=open)
        output.data_text(picture)
        output.data()
    count = "1 move" if made == 1 else f"{made} moves"
    if wrong is not None:
        output.data(
            f"move {made + 1}, line {wrong['line']} of {file}: "
            f"{wrong['fault']} {wrong['move']!r}: {wrong['reason']}"
        )
    else:
        ending = position.outcome or "the game is not over"
        output.data(f"{count}, all legal: {ending}")
    return int(not good)


def _named(game: str, file: Path | None, deal: Deal) -> tuple[str, Path, Deal]:
    """The game, the file and the deal; a file may name the other two."""
    if file is not None:
        return game, file, deal
    from cadogan.table.game_file import GameFileError, read_game

    path = Path(game)
    try:
        game_text = read_game(read(path))
    except (GameFileError, FileNotFoundError) as fault:
        reason = fault if isinstance(fault, GameFileError) else "no such file"
        raise UsageError(
            f"{game} does not name its game: {reason}",
            "name the game first: 'cadogan replay GAME FILE --deal DEAL'",
        ) from None
    given = [name for name, value in vars(deal).items() if value is not None]
    return game_text.game, path, deal if given else Deal(deal=game_text.deal, deck=game_text.deck)
