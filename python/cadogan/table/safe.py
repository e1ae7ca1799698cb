"""Moves that are proved safe: whoever could win before such a move can win after it."""

from cadogan.game import Position
from cadogan.notation import Move


def safe_move(position: Position) -> Move | None:
    """A move that is proved safe, or ``None``."""
    return None
