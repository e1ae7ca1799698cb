"""The kinds of rule: one module for each, with all that Python knows of it.

:mod:`cadogan.rules.kinds.kind` says what a kind must have. To add one, write its module and enter
it here.
"""

from cadogan.rules.kinds.beat import Beat
from cadogan.rules.kinds.joint import Joint
from cadogan.rules.kinds.kind import Action
from cadogan.rules.kinds.move import Move
from cadogan.rules.kinds.pair import Pair
from cadogan.rules.kinds.script import Script
from cadogan.rules.kinds.stretch import Stretch
from cadogan.rules.kinds.swap import Swap
from cadogan.rules.kinds.turn_up import TurnUp

KINDS: tuple[type[Action], ...] = (Move, Script, Pair, Beat, Stretch, Joint, Swap, TurnUp)
"""All kinds of rule. A rule is a move if it has the key of no other kind."""

__all__ = [
    "KINDS", "Action", "Beat", "Joint", "Move", "Pair", "Script", "Stretch", "Swap", "TurnUp",
]  # fmt: skip
