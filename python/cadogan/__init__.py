"""Cadogan: patience games written down as rules, to be played, proved and measured.

    >>> import cadogan
    >>> position = cadogan.load("flower-garden").deal("cadogan:1")
    >>> position.outcome is None
    True

A :class:`Game` is made of a rules file by :func:`load`, a :class:`Position` by :meth:`Game.deal`
and :meth:`Position.play`, and a :class:`Move` is one of :meth:`Position.moves`, or its text.
"""

from cadogan.cards import Card
from cadogan.game import Game, Position, load, perft
from cadogan.notation import (
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    MoveError,
)
from cadogan.saved import SavedGameError
from cadogan.solve import Verdict, solve

__all__ = [
    "AmbiguousMoveError",
    "Card",
    "Game",
    "IllegalMoveError",
    "InvalidMoveError",
    "Move",
    "MoveError",
    "Position",
    "SavedGameError",
    "Verdict",
    "load",
    "perft",
    "solve",
]
