"""Moves from pile to pile, the kind of rule that most rules are of."""

from cadogan.rules.kinds.move.move import Move

__all__ = ["Move"]
