"""Moves as values, and the errors for moves that cannot be played."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

NO_PILE: Final = 255
"""Stands in a move code for a pile that the move does not have."""


class MoveError(ValueError):
    """A move that cannot be played. The message names the move, the reason and the position.

    Attributes:
        move: The move as it was given.
        reason: What is wrong with it, in words.
        position: The :class:`cadogan.Position` in which it was tried; ``None`` until
            :meth:`at` sets it.
    """

    fault = "move"

    def __init__(self, move: str, reason: str, position: Any = None) -> None:
        super().__init__(move, reason, position)
        self.move = move
        self.reason = reason
        self.position = position

    def at(self, position: object) -> Self:
        """The same error with the position in which the move was tried."""
        return type(self)(self.move, self.reason, position)

    def __str__(self) -> str:
        where = "" if self.position is None else f" (in {self.position})"
        return f"{self.fault} {self.move!r}: {self.reason}{where}"


class InvalidMoveError(MoveError):
    """A text that cannot be read as a move of this game, in any position."""

    fault = "not a move:"


class IllegalMoveError(MoveError):
    """A move that is not allowed in this position."""

    fault = "illegal move"


class AmbiguousMoveError(MoveError):
    """A text that matches several moves.

    Attributes:
        moves: The matching moves; empty if the name of a pile is already ambiguous.
    """

    fault = "ambiguous move"

    def __init__(
        self, move: str, reason: str, position: Any = None, moves: "Sequence[Move]" = ()
    ) -> None:
        super().__init__(move, reason, position)
        self.args = (move, reason, position, tuple(moves))
        self.moves = tuple(moves)

    def at(self, position: object) -> Self:
        """The same error with the position in which the move was tried."""
        return type(self)(self.move, self.reason, position, self.moves)


@dataclass(frozen=True, slots=True)
class Move:
    """One move. ``str(move)`` is its text, which :meth:`cadogan.Position.play` reads.

    Attributes:
        text: The text.
        rule: The name of the rule that allows it.
        forced: Whether it was carried out automatically. A choice of the player under a forced
            rule is not forced.
        source: The pile that the cards come from, or ``None`` if the script of the rule decides.
        target: The pile they go to; ``None`` for scripts and joint moves.
        count: The number of cards, 0 if the script of the rule decides.
        code: The move as the kernel packs it.
        rule_index: The index of its rule in ``game.rulebook.rules``.
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

    @property
    def rule_index(self) -> int:
        """The index of its rule in ``game.rulebook.rules``.

        >>> from cadogan import load
        >>> game = load("klondike")
        >>> deal = game.deal("cadogan:1").moves()[-1]
        >>> game.rulebook.rules[deal.rule_index].name == deal.rule
        True
        """
        return MoveCode.of(self.code).rule


@dataclass(frozen=True, slots=True)
class MoveCode:
    """A move code of the kernel, unpacked: rule, source, number of cards, target."""

    rule: int
    source: int
    count: int
    target: int

    @classmethod
    def of(cls, code: int) -> "MoveCode":
        """Unpacks :attr:`Move.code`."""
        return cls(code >> 24, code >> 16 & 255, code >> 8 & 255, code & 255)
