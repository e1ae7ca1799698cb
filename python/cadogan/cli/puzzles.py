"""``cadogan puzzles``: positions with exactly one move that keeps the win."""

from itertools import islice
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import GameName, Json, Source
from cadogan.cli.output import UsageError

LARGEST: Final = 1_000
Count = Annotated[int, Parameter(name="--count", help="How many puzzles to make of each game.")]
First = Annotated[int, Parameter(name="--first", help="The number of the first deal to look at.")]
Deals = Annotated[int, Parameter(name="--deals", help="The most deals to look at, of each game.")]
To = Annotated[
    Path, Parameter(name="--to", help="The folder to write the files to, GAME.json for each game.")
]
PuzzleFile = Annotated[Source, Parameter(help="A file that 'make' wrote. - is standard input.")]
Budget = Annotated[
    int, Parameter(name="--budget", help="The most nodes to search for each alternative.")
]


def make(
    game: GameName,
    /,
    *more: GameName,
    count: Count = 20,
    first: First = 1,
    deals: Deals = 2_000,
    to: To = Path(),
) -> int:
    """Make puzzles of a game.

    In a puzzle exactly one move keeps the win, which lies on a line that wins; every other legal
    move is proved to lose. There is at most one for each deal. The exit status is 1 if a game has
    fewer puzzles in these deals.
    """
    import cadogan
    from cadogan.solver.puzzle_file import PuzzleSet, make_puzzles, write_puzzles
    from cadogan.storage import replace_file

    if not 1 <= count <= LARGEST:
        raise UsageError(f"{count} puzzles are not possible", f"give 1 to {LARGEST}")
    if not to.is_dir():
        raise UsageError(f"{to} is no folder")
    status = 0
    for name in (game, *more):
        loaded = cadogan.load(name)
        tried = islice(make_puzzles(loaded, first), deals)
        found = list(islice((each for each in tried if each is not None), count))
        found.sort(key=lambda each: each.depth)
        file = to / (Path(loaded.name).stem.replace(":", "-") + ".json")
        text = write_puzzles(PuzzleSet(loaded.name, loaded.digest, tuple(found)))
        replace_file(file, text)
        output.data(f"{loaded.title}: {len(found)} puzzles, saved as {file}")
        status |= len(found) < count
    return int(status)


def check(file: PuzzleFile, /, *, budget: Budget = 200_000, json: Json = False) -> int:
    """Check a file of puzzles: solve every alternative again.

    The line of each puzzle must win, and each other legal move must be proved to lose. The exit
    status is 1 if a puzzle is wrong.
    """
    import cadogan
    from cadogan.reading import read_text
    from cadogan.solver.puzzle_file import MOST_BYTES, PuzzleFileError, check_puzzle, read_puzzles

    if budget < 1:
        raise UsageError(f"a budget of {budget} nodes is not possible")
    try:
        found = read_puzzles(read_text(file, MOST_BYTES))
    except PuzzleFileError as fault:
        raise UsageError(f"{file}: {fault}") from None
    game = cadogan.load(found.game)
    if game.digest != found.digest:
        raise UsageError(f"the rules of {found.game} have changed since {file} was made")
    faults = {}
    for number, puzzle in enumerate(found.puzzles, 1):
        if (wrong := check_puzzle(game, puzzle, budget)) is not None:
            faults[number] = wrong
    alternatives = sum(len(each.wrong) for each in found.puzzles)
    if json:
        output.data_json(
            {
                "ok": not faults,
                "game": found.game,
                "puzzles": len(found.puzzles),
                "alternatives": alternatives,
                "faults": faults,
            }
        )
        return int(bool(faults))
    for number, wrong in faults.items():
        output.data(f"puzzle {number}, {found.puzzles[number - 1].deal}: {wrong}")
    right = len(found.puzzles) - len(faults)
    output.data(
        f"{game.title}: {right} of {len(found.puzzles)} puzzles are right; "
        f"{alternatives:,} alternatives solved again"
    )
    return int(bool(faults))
