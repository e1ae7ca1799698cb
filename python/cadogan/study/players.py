"""Who plays the deals of a study.

- *thoughtful* is the solver's verdict: it knows all cards.
- *random* takes any legal move, *greedy* the one that looks best at a glance.
- *fair* knows what a person knows who forgets nothing; it imagines what it cannot see (the kernel's
  ``player/fair.rs`` tells how).

None but the first knows hidden cards, and none of them goes back to a position that it has met in
the same game. What chance decides hangs on the player's ``seed`` and the deal, so every game can be
repeated.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from cadogan import _kernel
from cadogan.study.errors import StudyError

if TYPE_CHECKING:
    from cadogan.game import Game

THOUGHTFUL: Final = "thoughtful"
WON: Final = frozenset({"winnable", "won"})
LOST: Final = frozenset({"unwinnable", "lost"})

_OPTIONS: Final[Mapping[str, Mapping[str, int]]] = MappingProxyType(
    {
        THOUGHTFUL: {"memory": 2_048},
        "fair": {
            "budget": 200_000,
            "moves": 2_000,
            "playouts": 1,
            "samples": 8,
            "seed": 0,
            "solver": 0,
        },
        "greedy": {"moves": 5_000, "seed": 0},
        "random": {"moves": 5_000, "seed": 0},
    }
)
PLAYERS: Final = tuple(_OPTIONS)
"""The players by name, the one that knows most first."""
_LARGEST: Final = {"memory": 1 << 24, "samples": 1_000, "playouts": 1_000, "moves": 1_000_000}
_SHOWN: Final = MappingProxyType({"none": 0, "top": 1, "all": 2})


@dataclass(frozen=True, slots=True)
class Player:
    """A player with its options.

    Attributes:
        name: One of :data:`PLAYERS`.
        options: Every option that the player has.
    """

    name: str
    options: tuple[tuple[str, int], ...]

    @classmethod
    def parse(cls, text: str) -> "Player":
        """Reads a player's name and, after it, options such as ``samples=16``.

        Raises:
            StudyError: If there is no such player or option.

        >>> str(Player.parse("fair  seed=3 samples=8"))
        'fair seed=3'
        """
        name, *words = text.split() or [""]
        if name not in _OPTIONS:
            raise StudyError(f"there is no player {name!r}", f"there are {', '.join(PLAYERS)}")
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
        """Whether it is the solver, which can leave a deal undecided."""
        return self.name == THOUGHTFUL

    def __str__(self) -> str:
        usual = _OPTIONS[self.name]
        told = [f"{name}={value}" for name, value in self.options if value != usual[name]]
        return " ".join([self.name, *told])

    def budget(self, nodes: int) -> int:
        """What a record gives as budget: nodes of the solver or of thought, or moves."""
        options = dict(self.options)
        return options.get("budget", options.get("moves", nodes))


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a deal.

    Attributes:
        verdict: ``"winnable"``, ``"unwinnable"`` or ``"unknown"`` by the solver, ``"won"`` or
            ``"lost"`` by the others.
        nodes: Positions looked at.
        line: The codes of the moves that won.
        proof: What a verdict of the solver rests on.
    """

    verdict: str
    nodes: int
    line: tuple[int, ...]
    proof: str = ""


def play(game: "Game", deal: str, player: Player, budget: int) -> Played:
    """Has a deal played.

    Args:
        game: The game.
        deal: The name of the deal.
        player: Who plays.
        budget: Nodes that a thoughtful player may search.

    Raises:
        DealError: If the game has no such deal.
        RuntimeError: If the rules do not come to rest, or a verdict contradicts itself.

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
    if player.name == "fair":
        # Piles that the rules need, but no rules file names, are seen by nobody.
        shown = bytes(_SHOWN[how] for how in game._shown).ljust(len(position._state.piles()), b"\0")
        won, codes, nodes = _kernel.play_fair(
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
    else:
        state = position._state
        won, codes, nodes = _kernel.play_out(state, player.name, seed, options["moves"])
    return Played("won" if won else "lost", nodes, tuple(codes) if won else ())


def seed_of(seed: int, deal: str) -> int:
    """The number that chance begins with in a deal."""
    text = f"{seed} {deal}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
