"""The goldens of every game: the files with which tests compare it. ``make game-goldens``.

Each game has files of its own, so that nobody who adds a game touches what others touch. Run as a
program, it writes them: for the games named, or for those that lack some.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bench.signature import FOLDER as SIGNATURES
from cadogan.rules import catalogue

TESTS: Final = Path(__file__).parent
UPDATE: Final = os.environ.get("UPDATE_GOLDENS") == "1"

FOLDERS: Final[Mapping[str, tuple[Path, str]]] = {
    "symmetry": (TESTS / "rules" / "compile" / "symmetry", ".txt"),
    "explain": (TESTS / "rules" / "explain", ".md"),
    "perft": (TESTS / "perft", ".perft"),
    "playthroughs": (TESTS / "playthroughs", ".txt"),
    "corpus": (TESTS / "corpus", ".toml"),
    "safe-moves": (TESTS / "safe_moves", ".txt"),
    "signature": (SIGNATURES, ".txt"),
}
"""The folders of the goldens, and how their files end."""

WRITTEN_BY: Final = (
    "tests/rules/compile/test_symmetry.py",
    "tests/rules/explain/test_explain.py",
    "tests/test_perft.py",
    "tests/test_playthroughs.py",
    "tests/test_corpus.py",
    "tests/test_safe_moves.py",
    "tests/test_signature.py",
    "tests/test_book.py",
)
"""The tests that compare with them, and write them."""


def golden(kind: str, game: str) -> Path:
    """The file of a game.

    >>> golden("perft", "golf").name
    'golf.perft'
    """
    folder, ending = FOLDERS[kind]
    return folder / f"{game}{ending}"


def lacking() -> list[str]:
    """The games of the catalogue that lack some of their goldens."""
    return [
        game for game in catalogue() if not all(golden(kind, game).is_file() for kind in FOLDERS)
    ]


def main(arguments: list[str] | None = None) -> int:
    """Writes the goldens of some games.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code: that of the tests, which compare what they have written.
    """
    parser = argparse.ArgumentParser(
        prog="python -m tests.goldens", description="Write the goldens of games."
    )
    parser.add_argument(
        "games", nargs="*", help="the games, without variants (default: those that lack some)"
    )
    games = parser.parse_args(arguments).games or lacking()
    unknown = {*games} - {*catalogue()}
    if unknown:
        print(f"There is no {' and no '.join(sorted(unknown))} in the catalogue.", file=sys.stderr)
        return 2
    if not games:
        print("Every game has its goldens.")
        return 0
    print(f"Writing the goldens of {', '.join(games)} ...", flush=True)
    began = time.time()
    # Files of variants that are gone are removed, too.
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *WRITTEN_BY],
        check=False,
        cwd=TESTS.parent,
        env={**os.environ, "UPDATE_GOLDENS": "1", "CADOGAN_GAMES": " ".join(games)},
    )
    for module in (["tests.won_lines", *games], ["bench.shelf"]):
        subprocess.run([sys.executable, "-m", *module], check=False, cwd=TESTS.parent)
    for kind, (folder, ending) in FOLDERS.items():
        for path in sorted(folder.glob(f"*{ending}")):
            if path.stem.partition("+")[0] in games and path.stat().st_mtime >= began:
                print(f"{kind:<14}{path.relative_to(TESTS.parent)}")
    print("Read them, with 'git diff' if they are not new, and commit them with the games.")
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
