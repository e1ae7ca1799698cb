"""Plays a program by its tables, in plain Python: the trusted part of the checker."""

from cadogan.certificates.interpreter.interpreter import ForcedLoopError, Interpreter
from cadogan.certificates.interpreter.position import (
    CARD,
    DOWN,
    Choice,
    Move,
    Position,
    piles_of,
)

__all__ = [
    "CARD",
    "DOWN",
    "Choice",
    "ForcedLoopError",
    "Interpreter",
    "Move",
    "Position",
    "piles_of",
]
