"""``cadogan play``: a plain table, line by line.

The player types a move (its number or its text) or one of a dozen words. Every position is on disk
before it is drawn, so ``--resume`` continues the game whatever happens.
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
    str | None, Parameter(help="A game of the catalogue, or the path of a rules file.")
]
Script = Annotated[
    Source | None,
    Parameter(name="--moves", help="A file with the lines to type; then exit."),
]
Interactive = Annotated[
    bool, Parameter(name="--interactive", help="Continue interactively after --moves.")
]
Resume = Annotated[
    bool, Parameter(name="--resume", help="Resume the last game, or the last one of GAME.")
]
Load = Annotated[
    Source | None, Parameter(name="--load", help="Resume a game from a file written by 'save'.")
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
    """Play in the terminal.

    Type the number of a move or its text, or ? for help. Every move is saved at once; --resume
    continues the game, undo history included. Without a deal or a deck the deal is random.
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
    """The session that the options ask for, already on disk."""
    import cadogan
    from cadogan.cli.table import keeper
    from cadogan.table import Session

    dealt = [name for name, value in vars(deal).items() if value is not None]
    if (resume or load is not None) and dealt:
        raise output.UsageError("a resumed game is already dealt", f"leave out --{dealt[0]}")
    if resume and load is not None:
        raise output.UsageError(
            "--resume and --load both name a game to resume", "give one of them"
        )
    if load is not None:
        session = Session.from_json(read(load))
        if game is not None and session.game.name != _lasting(game):
            raise output.UsageError(f"{load} is a game of {session.game.name}, not of {game}")
        path = saves.begin(session.game.name)
    elif resume:
        return _resumed(saves, None if game is None else _lasting(game))
    elif game is None:
        raise output.UsageError(
            "no game given", "'cadogan games' lists them; --resume continues the last one"
        )
    else:
        session = Session(lay_out(cadogan.load(_lasting(game)), deal))
        path = saves.begin(session.game.name)
    session.kept_by(keeper(path))
    session.keep()
    return session


def _resumed(saves: "Saves", game: str | None) -> "Session":
    """The last saved game. Files that cannot be read are reported and put aside."""
    from cadogan import SavedGameError
    from cadogan.cli.table import keeper
    from cadogan.table import Session

    for path in saves.latest(game):
        try:
            session = Session.from_json(read(path))
        except (SavedGameError, TooLargeFileError, UnicodeDecodeError) as fault:
            aside = saves.set_aside(path)
            output.error(f"cannot resume the game in {path}: {fault}", f"it is now {aside}")
            continue
        session.kept_by(keeper(path))
        return session
    which = "" if game is None else f" of {game}"
    raise output.UsageError(f"no saved game{which}", "start one: 'cadogan play GAME'")


def _lasting(game: str) -> str:
    """The name of a game as it is saved: paths become absolute."""
    path, ending, variants = game.partition(".toml")
    return f"{Path(path + ending).resolve()}{variants}" if ending else game
