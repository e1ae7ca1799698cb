"""``cadogan play``: play in the terminal, line by line.

The player types a move (its number or its text) or one of a dozen words. Every position is on disk
before it is drawn, so ``--resume`` continues the game whatever happens. The games are those of the
browser.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import Deal, Source, lay_out, moves_of, read
from cadogan.cli.deal import Ascii, Open, glyphs

if TYPE_CHECKING:
    from cadogan.cli.table import Seat
    from cadogan.table.library import Library
    from cadogan.table.old_games import Problem
    from cadogan.table.record import Record
    from cadogan.table.service import Tables
    from cadogan.trouble import Trouble

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
    bool,
    Parameter(
        name="--resume",
        help="Resume the last game, from here or the browser, or the last one of GAME.",
    ),
]
Load = Annotated[
    Source | None, Parameter(name="--load", help="Resume a game from a file written by 'save'.")
]
Database = Annotated[
    str | None,
    Parameter(help="Where games are stored, as for 'cadogan serve'; by default a file."),
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
    database: Database = None,
    ascii: Ascii = False,
    open: Open = False,
) -> int:
    """Play in the terminal.

    Type the number of a move or its text, or ? for help. Every move is saved at once; --resume
    continues the game, undo history included, and so does the browser. Without a deal or a deck
    the deal is random.
    """
    _check(game, deal, resume, load)
    from cadogan.cli.table import Table

    with _seat(database, resume) as seat:
        record = _record(seat.tables, game, deal, resume, load)
        table = Table(seat, record, glyphs(ascii), whole=open)
        if moves is not None:
            table.draw(brief=True)
            lines = [text for _, text in moves_of(read(moves))]
            followed = table.follow(lines)
            if not followed or not interactive:
                table.leave()
                return int(not followed)
        return table.sit_down()


def report_problems(problems: "Iterable[Problem]") -> None:
    """Reports games of older versions that could not be moved into the store."""
    for problem in problems:
        moved = None if problem.aside is None else f"the file is now {problem.aside}"
        output.error(str(problem), moved)


def _check(game: str | None, deal: Deal, resume: bool, load: Path | None) -> None:
    """Checks that the options are consistent."""
    dealt = [name for name, value in vars(deal).items() if value is not None]
    if (resume or load is not None) and dealt:
        raise output.UsageError("a resumed game is already dealt", f"leave out --{dealt[0]}")
    if resume and load is not None:
        raise output.UsageError(
            "--resume and --load both name a game to resume", "give one of them"
        )
    if game is None and not resume and load is None:
        raise output.UsageError(
            "no game given", "'cadogan games' lists them; --resume continues the last one"
        )


@contextmanager
def _seat(database: str | None, resume: bool) -> "Iterator[Seat]":
    """Opens the store. If that fails, the game is played without being stored."""
    from cadogan.cli.table import Seat
    from cadogan.table.engines import StoreError
    from cadogan.table.lenient import LenientStore
    from cadogan.table.library import Library
    from cadogan.table.old_games import take_over
    from cadogan.table.service import Tables

    with ExitStack() as stack:
        lasting = True
        try:
            store = LenientStore(database, report=_report)
        except StoreError as fault:
            if database is not None or resume:
                raise output.UsageError(str(fault), fault.hint) from None
            output.warning(f"{fault}; the game is not saved")
            if fault.hint:
                output.note(f"hint: {fault.hint}")
            folder = TemporaryDirectory(prefix="cadogan-", ignore_cleanup_errors=True)
            store = LenientStore(folder=Path(stack.enter_context(folder)), report=_report)
            lasting = False
        stack.callback(store.close)
        library = Library(store)
        stack.callback(library.close)
        tables = Tables(store, library)
        if lasting and database is None:
            report_problems(take_over(tables))
        yield Seat(tables, store, lasting)


def _report(trouble: "Trouble | None") -> None:
    """Reports that a change is not stored, or that everything is stored again."""
    if trouble is None:
        output.note("all moves are saved now")
    else:
        output.warning(f"the last move is not saved: {trouble.text}")
        output.note(
            "hint: play on; each further move tries to save everything; "
            "'save FILE' writes the game to a file"
        )


def _record(
    tables: "Tables", game: str | None, deal: Deal, resume: bool, load: Path | None
) -> "Record":
    """The table that the options name, already on disk."""
    from cadogan.table.game_file import GameFileError
    from cadogan.table.library import FaultyGameError, LibraryFullError
    from cadogan.table.trials import TooManyTrialsError

    library = tables.library
    try:
        name = None if game is None else _named(library, game)
        if load is not None:
            return _loaded(tables, load, name, game)
        if resume:
            return _resumed(tables, name, game)
        assert name is not None
        return tables.begin(lay_out(library.choose(name), deal), options=tables.options())
    except (FaultyGameError, LibraryFullError, TooManyTrialsError) as fault:
        raise output.UsageError(str(fault)) from None
    except GameFileError as fault:
        raise output.UsageError(f"{load}: {fault}", "give a file that 'save' wrote") from None


def _named(library: "Library", game: str) -> str:
    """The name of a game in the store; a rules file becomes one of the player's own games."""
    return library.choose(library.named(game)).name


def _loaded(tables: "Tables", path: Path, name: str | None, game: str | None) -> "Record":
    """A new table with the game of a file."""
    from cadogan.table.game_file import read_game
    from cadogan.table.old_games import is_old, load_old, read_old

    text = read(path)
    old = is_old(text)
    if name is not None:
        its = read_old(text, tables.library).position.game.name if old else read_game(text).game
        if its != name:
            raise output.UsageError(f"{path} is a game of {its}, not of {game}")
    return load_old(text, tables) if old else tables.read(text, tables.options())


def _resumed(tables: "Tables", name: str | None, game: str | None) -> "Record":
    """The table played last. Tables that cannot be continued are reported and do not change."""
    from cadogan import SavedGameError
    from cadogan.rules import RulesError, UnknownGameError
    from cadogan.table.library import FaultyGameError

    for row, _ in tables.store.tables(game=name, opened=True):
        try:
            return tables.get(row.id)
        except (SavedGameError, UnknownGameError, RulesError, FaultyGameError) as fault:
            begun = row.begun.astimezone()
            output.error(f"cannot resume {row.game}, begun {begun:%Y-%m-%d %H:%M}: {fault}")
    which = "" if game is None else f" of {game}"
    raise output.UsageError(f"no saved game{which}", "start one: 'cadogan play GAME'")
