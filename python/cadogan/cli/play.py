"""``cadogan play``: a plain table, line by line.

What is typed is a move (its number or its text) or one of a dozen words. Every position is on disk
before it is drawn, so that whatever happens ``--resume`` goes on with it.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import Deal, Source, lay_out, moves_of, read
from cadogan.cli.deal import Ascii, Open, glyphs
from cadogan.reading import TooLargeFileError

if TYPE_CHECKING:
    from cadogan.table import Saves, Session

ANY = Deal()
PlayedGame = Annotated[
    str | None, Parameter(help="A game, as 'cadogan games' names it, or a rules file.")
]
Script = Annotated[
    Source | None,
    Parameter(name="--moves", help="A file with what would be typed, one a line; then end."),
]
Interactive = Annotated[
    bool, Parameter(name="--interactive", help="Go on at the table after the script.")
]
Resume = Annotated[
    bool, Parameter(name="--resume", help="Take up the game played last, of GAME if it is named.")
]
Load = Annotated[
    Source | None, Parameter(name="--load", help="Take up a game from a file written by 'save'.")
]


def play(
    game: PlayedGame = None,
    /,
    *,
    deal: Deal = ANY,
    moves: Script = None,
    interactive: Interactive = False,
    resume: Resume = False,
    load: Load = None,
    ascii: Ascii = False,
    open: Open = False,
) -> int:
    """Play a game.

    Type the number of a move or its text, or ? for help. The game is kept on disk at every move;
    --resume takes it up again, with all that can be undone. Without a deal or a deck one is taken
    at random.
    """
    from cadogan.cli.table import Table
    from cadogan.table import Saves

    saves = Saves()
    session = _session(saves, game, deal, resume, load)
    table = Table(session, glyphs(ascii), whole=open, fresh=saves.begin)
    if moves is not None:
        table.draw(brief=True)
        lines = [text for _, text in moves_of(read(moves))]
        if not table.follow(lines):
            return 1
        if not interactive:
            return 0
    return table.sit_down()


def _session(
    saves: "Saves", game: str | None, deal: Deal, resume: bool, load: Path | None
) -> "Session":
    """The session that is asked for, already on disk."""
    import cadogan
    from cadogan.cli.table import keeper
    from cadogan.table import Session

    dealt = [name for name, value in vars(deal).items() if value is not None]
    if (resume or load is not None) and dealt:
        raise output.UsageError(
            "a game that is taken up has been dealt already", f"leave out --{dealt[0]}"
        )
    if resume and load is not None:
        raise output.UsageError(
            "--resume and --load both name a game to take up", "give one of them"
        )
    if load is not None:
        session = Session.from_json(read(load))
        if game is not None and session.game.name != _lasting(game):
            raise output.UsageError(f"{load} holds a game of {session.game.name}, not of {game}")
        path = saves.begin(session.game.name)
    elif resume:
        return _resumed(saves, None if game is None else _lasting(game))
    elif game is None:
        raise output.UsageError(
            "which game is not told", "'cadogan games' lists them; --resume takes up the last"
        )
    else:
        session = Session(lay_out(cadogan.load(_lasting(game)), deal))
        path = saves.begin(session.game.name)
    session.kept_by(keeper(path))
    session.keep()
    return session


def _resumed(saves: "Saves", game: str | None) -> "Session":
    """The game kept last; files that cannot be read are put aside and told."""
    from cadogan import SavedGameError
    from cadogan.cli.table import keeper
    from cadogan.table import Session

    for path in saves.latest(game):
        try:
            session = Session.from_json(read(path))
        except (SavedGameError, TooLargeFileError, UnicodeDecodeError) as fault:
            aside = saves.set_aside(path)
            output.error(
                f"the game in {path} cannot be taken up: {fault}", f"it is kept as {aside}"
            )
            continue
        session.kept_by(keeper(path))
        return session
    which = "" if game is None else f" of {game}"
    raise output.UsageError(f"there is no kept game{which}", "begin one: 'cadogan play GAME'")


def _lasting(game: str) -> str:
    """The name of a game as it can be kept: paths hold from wherever it is taken up."""
    path, ending, variants = game.partition(".toml")
    return f"{Path(path + ending).resolve()}{variants}" if ending else game
