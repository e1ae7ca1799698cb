"""Cadogan: patience games as rules files: play them, prove them, measure them.

    >>> import cadogan
    >>> position = cadogan.load("flower-garden").deal("cadogan:1")
    >>> position.outcome is None
    True

:func:`load` reads a rules file and returns a :class:`Game`. :meth:`Game.deal` and
:meth:`Position.play` return a :class:`Position`. A :class:`Move` is one of
:meth:`Position.moves`; methods that take a move also take its text.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cadogan.cards import Card
    from cadogan.game import Game, Position, load, perft
    from cadogan.moves import (
        AmbiguousMoveError,
        IllegalMoveError,
        InvalidMoveError,
        Move,
        MoveError,
    )
    from cadogan.savefile import SavedGameError
    from cadogan.solver.score import BestScore, best_score
    from cadogan.solver.solve import (
        Analysis,
        Progress,
        Search,
        Shortened,
        Verdict,
        shorten,
        solve,
        solver_version,
    )

__all__ = [
    "AmbiguousMoveError",
    "Analysis",
    "BestScore",
    "Card",
    "Game",
    "IllegalMoveError",
    "InvalidMoveError",
    "Move",
    "MoveError",
    "Position",
    "Progress",
    "SavedGameError",
    "Search",
    "Shortened",
    "Verdict",
    "best_score",
    "load",
    "perft",
    "shorten",
    "solve",
    "solver_version",
]

_HOMES = {
    "cadogan.cards": ("Card",),
    "cadogan.game": ("Game", "Position", "load", "perft"),
    "cadogan.moves": (
        "AmbiguousMoveError",
        "IllegalMoveError",
        "InvalidMoveError",
        "Move",
        "MoveError",
    ),
    "cadogan.savefile": ("SavedGameError",),
    "cadogan.solver.score": ("BestScore", "best_score"),
    "cadogan.solver.solve": (
        "Analysis",
        "Progress",
        "Search",
        "Shortened",
        "Verdict",
        "shorten",
        "solve",
        "solver_version",
    ),
}


def __getattr__(name: str) -> object:
    """Imports a public name on first use: the command line must not wait for the kernel."""
    for module, names in _HOMES.items():
        if name in names:
            found: object = getattr(importlib.import_module(module), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
