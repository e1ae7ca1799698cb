"""The players that a study can use.

- *thoughtful* is the solver's verdict: it knows all cards.
- *fair* sees what a person sees, and forgets nothing. It samples the cards that it cannot see; the
  kernel's ``player/fair.rs`` explains how.
- *greedy* takes the move that looks best at a glance.
- *random* takes any legal move.

Only the thoughtful player knows hidden cards. The others never return to a position that they have
met in the same game. Random choices depend only on the player's ``seed`` and the deal, so every
game can be repeated.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from cadogan import _kernel
from cadogan.solver.fair import OPTIONS as FAIR_OPTIONS
from cadogan.solver.fair import play_fair
from cadogan.study.errors import StudyError

if TYPE_CHECKING:
    from cadogan.game import Game, Position

THOUGHTFUL: Final = "thoughtful"
WON: Final = frozenset({"winnable", "won"})
LOST: Final = frozenset({"unwinnable", "lost"})

_OPTIONS: Final[Mapping[str, Mapping[str, int]]] = MappingProxyType(
    {
        THOUGHTFUL: {"memory": 2_048},
        "fair": dict(sorted({**FAIR_OPTIONS, "seed": 0}.items())),
        "greedy": {"moves": 5_000, "seed": 0},
        "random": {"moves": 5_000, "seed": 0},
    }
)
PLAYERS: Final = tuple(_OPTIONS)
"""The names of the players; the one that knows most comes first."""
_LARGEST: Final = {"memory": 1 << 24, "samples": 1_000, "playouts": 1_000, "moves": 1_000_000}


@dataclass(frozen=True, slots=True)
class Player:
    """A player with its options.

    Attributes:
        name: One of :data:`PLAYERS`.
        options: The value of every option that the player has.
    """

    name: str
    options: tuple[tuple[str, int], ...]

    @classmethod
    def parse(cls, text: str) -> "Player":
        """Reads the name of a player, followed by options such as ``samples=32``.

        Raises:
            StudyError: If the player, an option or its value is unknown.

        >>> str(Player.parse("fair  seed=3 samples=16"))
        'fair seed=3'
        """
        name, *words = text.split() or [""]
        if name not in _OPTIONS:
            raise StudyError(f"unknown player {name!r}", f"choose one of {', '.join(PLAYERS)}")
        options = dict(_OPTIONS[name])
        for word in words:
            option, equals, number = word.partition("=")
            if option not in options:
                known = ", ".join(options) or "none"
                raise StudyError(f"{name} has no option {option!r}", f"its options are: {known}")
            plain = number.replace("_", "")
            largest = _LARGEST.get(option, 2**63)
            if not (equals and plain.isascii() and plain.isdigit() and int(plain) <= largest):
                raise StudyError(
                    f"{option} of {name} is a number up to {largest:,}, not {number!r}",
                    f"write {option}={_OPTIONS[name][option]}",
                )
            options[option] = int(plain)
        return cls(name, tuple(sorted(options.items())))

    @property
    def is_thoughtful(self) -> bool:
        """Whether this is the solver, which can leave a deal undecided."""
        return self.name == THOUGHTFUL

    def __str__(self) -> str:
        usual = _OPTIONS[self.name]
        changed = [f"{name}={value}" for name, value in self.options if value != usual[name]]
        return " ".join([self.name, *changed])

    def budget(self, nodes: int) -> int:
        """The budget that a record states: nodes of the solver or the fair player, or moves."""
        options = dict(self.options)
        return options.get("budget", options.get("moves", nodes))


SCORED: Final = "score "
"""How a note with the points of a game begins."""


@dataclass(frozen=True, slots=True)
class Played:
    """The result of playing a deal.

    Attributes:
        verdict: ``"winnable"``, ``"unwinnable"`` or ``"unknown"`` of the solver; ``"won"`` or
            ``"lost"`` of the other players.
        nodes: How many nodes were used.
        line: The codes of the moves of a winning line.
        proof: What a verdict of the solver rests on; of other players in scored games, the points.
    """

    verdict: str
    nodes: int
    line: tuple[int, ...]
    proof: str = ""


def play(game: "Game", deal: str, player: Player, budget: int) -> Played:
    """Lets a player play a deal.

    Args:
        game: The game.
        deal: The name of the deal.
        player: The player.
        budget: The node budget of a thoughtful player.

    Returns:
        The result.

    Raises:
        DealError: If the game has no such deal.
        RestlessError: If forced rules never come to an end.
        RuntimeError: If a verdict contradicts itself.

    >>> from cadogan import load
    >>> play(load("flower-garden"), "cadogan:1", Player.parse("random"), 0).verdict
    'lost'
    """
    position = game.deal(deal)
    if player.is_thoughtful:
        from cadogan.solver.solve import solve

        memory = dict(player.options)["memory"]
        found = solve(position, budget=budget, memory=memory << 20)
        line = tuple(move.code for move in found.line)
        return Played(found.status, found.nodes, line, found.proof)
    options = dict(player.options)
    seed = seed_of(options["seed"], deal)
    won, codes, nodes, points = _played(position, player.name, options, seed)
    note = "" if points is None else f"{SCORED}{points}"
    return Played("won" if won else "lost", nodes, tuple(codes) if won else (), note)


def _played(
    position: "Position", name: str, options: Mapping[str, int], seed: int
) -> tuple[bool, list[int], int, int | None]:
    """Lets a player of the kernel play: won, the codes of its moves, nodes, points."""
    if name == "fair":
        played = play_fair(position, seed, options)
        return played.won, list(played.codes), played.nodes, played.score
    try:
        return _kernel.play_out(position._state, name, seed, options["moves"])
    except RuntimeError as error:
        raise position.game._restless(error) from None


def seed_of(seed: int, deal: str) -> int:
    """Derives the seed of the random generator for a deal."""
    text = f"{seed} {deal}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
