"""Moves as values, and the errors of moves that cannot be made."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

NO_PILE: Final = 255
"""Stands in a move code for a pile that the move does not have."""


class MoveError(ValueError):
    """A move that cannot be made. The message holds the move, the reason and the position.

    Attributes:
        move: The move as it was given.
        reason: What is wrong with it, in words.
        position: The :class:`cadogan.Position` it was meant for; ``None`` as long as the notation
            knows only the table.
    """

    fault = "move"

    def __init__(self, move: str, reason: str, position: Any = None) -> None:
        super().__init__(move, reason, position)
        self.move = move
        self.reason = reason
        self.position = position

    def at(self, position: object) -> Self:
        """The same error with the position for which the move was meant."""
        return type(self)(self.move, self.reason, position)

    def __str__(self) -> str:
        where = "" if self.position is None else f" (in {self.position})"
        return f"{self.fault} {self.move!r}: {self.reason}{where}"


class InvalidMoveError(MoveError):
    """A text that cannot be read as a move of this game, whatever the position."""

    fault = "not a move:"


class IllegalMoveError(MoveError):
    """A move that is not allowed in this position."""

    fault = "illegal move"


class AmbiguousMoveError(MoveError):
    """A text that several moves fit.

    Attributes:
        moves: The moves that fit, or none when already the name of a pile fits several.
    """

    fault = "ambiguous move"

    def __init__(
        self, move: str, reason: str, position: Any = None, moves: "Sequence[Move]" = ()
    ) -> None:
        super().__init__(move, reason, position)
        self.args = (move, reason, position, tuple(moves))
        self.moves = tuple(moves)

    def at(self, position: object) -> Self:
        """The same error with the position for which the move was meant."""
        return type(self)(self.move, self.reason, position, self.moves)


@dataclass(frozen=True, slots=True)
class Move:
    """One move. ``str(move)`` is its text, which :meth:`cadogan.Position.play` reads.

    Attributes:
        text: The text.
        rule: The name of the rule that allows it.
        forced: Whether it happened by itself. What a player chose under a forced rule did not.
        source: The pile the cards come from, or ``None`` if the rule's script says it.
        target: The pile they go to; ``None`` for scripts and for cards that go up together.
        count: How many cards go, 0 if the rule's script says it.
        code: The move as the kernel packs it.
    """

    text: str
    rule: str
    forced: bool
    source: str | None
    target: str | None
    count: int
    code: int = field(repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class MoveCode:
    """The parts of a move as the kernel packs it: rule, source, number of cards, target."""

    rule: int
    source: int
    count: int
    target: int

    @classmethod
    def of(cls, code: int) -> "MoveCode":
        """Unpacks :attr:`Move.code`."""
        return cls(code >> 24, code >> 16 & 255, code >> 8 & 255, code & 255)
