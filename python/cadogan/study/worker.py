"""The work of a worker: it tries the deals of a batch, one after the other.

A batch and its result are plain data, so any executor can transport them. This module needs only
the base installation.
"""

import functools
import hashlib
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from cadogan.cards import quoted
from cadogan.solver.solve import solver_version
from cadogan.study.errors import StudyError
from cadogan.study.players import Player, play
from cadogan.study.record import FAILED, pack_line

if TYPE_CHECKING:
    from cadogan.game import Game


@dataclass(frozen=True, slots=True)
class Batch:
    """Deals to try.

    Attributes:
        game: The name of the game.
        text: The text of the rules file, if the game is not in the catalogue: a worker on another
            machine does not have the file.
        digest: The fingerprint that the compiled rules must have.
        player: The player, with its options.
        scheme: The scheme of the deals.
        numbers: Their numbers.
        budget: The node budget of a thoughtful player for each deal.
        version: The version of Cadogan that the worker must have.
        solver: The fingerprint that its solver must have.
    """

    game: str
    text: str | None
    digest: str
    player: str
    scheme: str
    numbers: tuple[int, ...]
    budget: int
    version: str
    solver: str


@dataclass(frozen=True, slots=True)
class Row:
    """The result of one deal: the part of its record that is not in the batch."""

    number: int
    verdict: str
    nodes: int
    line: bytes
    note: str


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a batch.

    Attributes:
        rows: One row for each deal.
        seconds: The processor time used. It determines the size of later batches, and is part of
            the costs of a run.
    """

    rows: tuple[Row, ...]
    seconds: float


Work = Callable[[Batch], Done]


@functools.cache
def version() -> str:
    """Returns the version of Cadogan."""
    return metadata.version("cadogan")


def work(batch: Batch) -> Done:
    """Tries the deals of a batch.

    Raises:
        StudyError: If this worker has different rules, or another version or solver of Cadogan.
    """
    if batch.version != version():
        raise StudyError(
            f"a worker has version {version()} of Cadogan, and the study runs {batch.version}",
            "install the same version everywhere",
        )
    if batch.solver != solver_version():
        raise StudyError(
            f"a worker has the solver {solver_version()}, and the study runs {batch.solver}",
            "install the same build of Cadogan everywhere",
        )
    game = _load(batch.game, batch.text)
    if game.digest != batch.digest:
        raise StudyError(
            f"the rules of {batch.game} on a worker differ from those of the study",
            "install the same version of Cadogan everywhere",
        )
    player = Player.parse(batch.player)
    before = time.thread_time()
    rows = tuple(_try(game, f"{batch.scheme}:{n}", n, player, batch.budget) for n in batch.numbers)
    return Done(rows, time.thread_time() - before)


def _try(game: "Game", deal: str, number: int, player: Player, budget: int) -> Row:
    try:
        played = play(game, deal, player, budget)
    except (MemoryError, KeyboardInterrupt):
        raise
    except Exception as error:
        # One deal that cannot be played must not stop a million others.
        return Row(number, FAILED, 0, b"", _plain(f"{type(error).__name__}: {error}"))
    return Row(number, played.verdict, played.nodes, pack_line(played.line), _plain(played.proof))


def _plain(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)[:500]


@functools.lru_cache(maxsize=64)
def _load(name: str, text: str | None) -> "Game":
    from cadogan.game import load

    if text is None:
        return load(name)
    path, ending, variants = name.partition(".toml")
    if not ending:
        raise StudyError(f"{quoted(name)} is not a rules file")
    mark = hashlib.sha256(text.encode()).hexdigest()[:16]
    with tempfile.TemporaryDirectory(prefix="cadogan-") as folder:
        copy = Path(folder) / f"{Path(path).name}-{mark}.toml"
        copy.write_text(text, encoding="utf-8")
        return load(f"{copy}{variants}")
