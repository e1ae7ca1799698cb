"""The fair player: it plays a deal to its end without knowledge of hidden cards."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from cadogan import _kernel
from cadogan.game import Position

OPTIONS: Final[Mapping[str, int]] = MappingProxyType(
    {"budget": 1_000_000, "moves": 5_000, "playouts": 1, "samples": 16, "solver": 1_000}
)
"""The options of a fair player, with their usual values."""
_SHOWN: Final = MappingProxyType({"none": 0, "top": 1, "all": 2})


@dataclass(frozen=True, slots=True)
class FairGame:
    """A game of the fair player.

    Attributes:
        won: Whether it was won.
        codes: The codes of the moves.
        nodes: The number of positions examined, most of them imagined.
        score: The points at the end; ``None`` if the game is not played for points.
    """

    won: bool
    codes: tuple[int, ...]
    nodes: int
    score: int | None


def play_fair(position: Position, seed: int = 0, options: Mapping[str, int] = OPTIONS) -> FairGame:
    """Lets the fair player play a deal from its beginning.

    Args:
        position: A position of the deal.
        seed: What the player's random choices follow from. The same seed gives the same game.
        options: A value for each of :data:`OPTIONS`.

    Raises:
        RestlessError: If forced rules never come to an end.

    >>> from cadogan import load
    >>> quick = dict(OPTIONS, budget=20_000)
    >>> play_fair(load("flower-garden").deal("cadogan:1"), options=quick).won
    True
    """
    game = position.game
    # Players do not see piles that the compiler added.
    shown = bytes(_SHOWN[how] for how in game._shown).ljust(len(position._state.piles()), b"\0")
    try:
        won, codes, nodes, points = _kernel.play_fair(
            game._program,
            bytes(card.code for card in position.deck),
            shown,
            seed,
            budget=options["budget"],
            samples=options["samples"],
            playouts=options["playouts"],
            solver=options["solver"],
            limit=options["moves"],
        )
    except RuntimeError as error:
        raise game._restless(error) from None
    return FairGame(won, tuple(codes), nodes, points)
