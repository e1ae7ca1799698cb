"""The compiled kernel: positions of a program, in packed form (see ``crates/python``).

A move is packed into an int: ``rule << 24 | from << 16 | count << 8 | to``; a part that an action
does not use is 255 (a script has ``from = to = 255, count = 0``; a joint action has its first pile
in ``from`` and its second, or 255, in ``to``; a swap its two piles, the smaller in ``from``; a pile
that is turned up is ``from``; the count of all these is 0, and 255 for a whole pile of more cards).
A card is ``rank * 4 + suit`` (ace 0, clubs diamonds hearts spades), plus 64 when it lies face down.
"""

from collections.abc import Callable, Sequence
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Batch",
    "Checkpoint",
    "Program",
    "Report",
    "Spaces",
    "State",
    "benchmark",
    "best_score",
    "build_profile",
    "closed_set",
    "fingerprint",
    "first_share",
    "generate",
    "make_and_unmake",
    "perft",
    "play_fair",
    "play_out",
    "prunings",
    "shorten",
    "shuffle",
    "solve",
    "turn_names",
    "turns",
    "weight_names",
    "weights",
]

build_profile: str
"""``"release"`` or ``"debug"``."""

fingerprint: str
"""A hash of the sources of the kernel: two kernels with the same value search alike."""

first_share: int
"""The nodes of a turn of the first round whose strategy has one share."""

prunings: tuple[str, ...]
"""The names that ``solve(without=...)`` accepts."""

turn_names: tuple[str, ...]
"""The names of the turns that ``shares`` can refer to."""

weight_names: tuple[str, ...]
"""The names of the features that ``weights`` can refer to."""

@final
class Checkpoint:
    """The state of an undecided search, from which it can continue."""

@final
class Report:
    """The result of a search."""

    @property
    def status(self) -> str:
        """``"winnable"``, ``"unwinnable"`` or ``"unknown"``."""
    @property
    def line(self) -> list[int]:
        """The codes of the player's moves."""
    @property
    def nodes(self) -> int: ...
    @property
    def strategy(self) -> str: ...
    @property
    def proof(self) -> str:
        """What the verdict rests on, in words; empty if it is unknown."""
    @property
    def collision_bound(self) -> float:
        """An upper bound of the probability that the proof confused two positions."""
    @property
    def end(self) -> str:
        """Why the search ended.

        ``"decided"``, ``"budget"``, ``"memory"``, ``"helpless"``, ``"endless"`` or
        ``"interrupted"``.
        """
    @property
    def checkpoint(self) -> Checkpoint | None: ...

@final
class Program:
    """A game as tables (JSON bytes, see ``crates/kernel/src/program/format/``)."""

    def __new__(cls, data: bytes) -> Program: ...
    def to_bytes(self) -> bytes: ...
    def deal(self, deck: bytes) -> State:
        """Lays out a deck: card codes, first dealt first; ``ValueError`` if it is not the pack."""
    def is_dealt_again(self, deck: bytes) -> bool:
        """Whether the rules of the game ask for another deal after this deck."""
    def footprints(self) -> list[dict[str, frozenset[int]]]:
        """What each rule reads and writes: by name sets of piles and of counters.

        The names are those of ``Footprint`` in ``crates/kernel/src/program/footprint.rs``.
        """
    @property
    def state_bytes(self) -> int:
        """The size of one position in memory, in bytes."""

@final
class State:
    """One position. Immutable: :meth:`play` makes a new one."""

    def piles(self) -> list[bytes]: ...
    def counters(self) -> list[int]: ...
    def closed(self) -> list[int]:
        """The piles that take no more dealt cards."""
    def moves(self) -> list[int]: ...
    def safe_moves(self) -> list[int]:
        """The moves that bring one card to a foundation and are proved to lose no win.

        They depend on the rules and on visible cards only, so they reveal nothing about hidden
        cards. There are none if the proof does not hold for the rules (see
        ``crates/kernel/src/search/safe_moves.rs``).
        """
    def is_legal(self, move: int) -> bool: ...
    def play(self, move: int) -> tuple[State, list[int]]:
        """The position after a legal move, and the forced moves carried out after it.

        ``ValueError`` for a move that is not legal, ``RuntimeError`` when the forced rules do not
        come to rest; its second argument is a list of these rules.
        """
    def replay(self, moves: Sequence[int]) -> tuple[int, int]:
        """Plays a line of moves: how many could be played, and the outcome after these."""
    def layout_moves(self) -> list[int]:
        """The forced moves carried out during the layout (of a freshly dealt state)."""
    def choosing(self) -> int | None:
        """The forced rule that waits for the player's choice."""
    def transfers(self, move: int) -> list[tuple[int, int, int]]:
        """The transfers (from, number of cards, to) of a legal move, without forced moves."""
    def moves_with_transfers(self) -> list[tuple[int, list[tuple[int, int, int]]]]:
        """All legal moves, each with its transfers, in one pass."""
    def unfold(self, move: int) -> list[tuple[int, list[tuple[int, int, int]], list[bytes]]]:
        """A legal move, step by step: the move, then each move that it forces.

        Each step is (move, its transfers, the piles after it).
        """
    def refusals(self, source: int, count: int, target: int) -> list[tuple[int, str, int]]:
        """Why no rule allows that many top cards of one pile on another: (rule, reason, detail).

        One entry for each free ``Move`` rule (each option rule while a choice is open) that has
        both piles in its lists. Reasons: ``"when"`` (detail: index of the first condition that
        fails), ``"yields_to"``, ``"along"``, ``"from_holds"``, ``"to_holds"``, ``"face_down"``,
        ``"cards"``, ``"which"``, ``"space"``, ``"build"`` (detail: the target's top card),
        ``"build_order"``, ``"prefer"``, ``"capacity"``, ``"same_position"``,
        ``"equivalent_target"`` (an equal target comes first; detail: that target), ``"choice"``
        (another choice is open).
        The detail is 0 where none is named. A rule that allows the move has no entry.
        """
    def next_cards(self, pile: int) -> int:
        """The cards that a foundation takes next, as a mask; 0 if complete or not a foundation.

        ``ValueError`` if there is no such pile.
        """
    def failed_condition(self, rule: int) -> int | None:
        """The first condition of a rule that does not hold, by index."""
    def outcome(self) -> int:
        """0 open, 1 won, 2 lost, 3 over."""
    def score(self) -> int | None:
        """The points; ``None`` in games that are not scored."""
    def hash128(self) -> int: ...
    def hash_from_scratch(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_Arrays = tuple[
    NDArray[np.uint8],
    NDArray[np.int8],
    NDArray[np.float64],
    NDArray[np.bool_],
    NDArray[np.bool_],
    NDArray[np.bool_],
    NDArray[np.bool_],
    NDArray[np.uint64],
]

@final
class Spaces:
    """The numbered actions and the observations of a program.

    ``shown`` has a byte for each pile that the player knows of, as for :func:`play_fair`.
    ``ValueError`` if there are no actions or too many.
    """

    def __new__(cls, program: Program, shown: bytes) -> Spaces: ...
    def actions(self) -> list[tuple[int, int | None, int | None, int | None]]:
        """All actions by their numbers: (rule, source, number of cards, target)."""
    def parts(
        self,
    ) -> list[tuple[Literal["pile", "counter", "closed", "choice"], int, int, int]]:
        """The parts of an observation: (kind, index of the pile or counter, start, length).

        They are documented in ``crates/kernel/src/environment/observation.rs``.
        """
    def highest(self) -> bytes:
        """The largest value of each byte of an observation."""
    def observe(self, state: State) -> bytes:
        """The observation of a position of the program."""
    def legal(self, state: State) -> list[tuple[int, int]]:
        """The legal moves of a position of the program: (action, code of the move)."""

@final
class Batch:
    """Games that are stepped together, without Python's lock.

    ``arrays`` are the same arrays, unchanged, in all calls: observations (a row for each game),
    masks (likewise), rewards, terminated, truncated, won, illegal, deals (an element for each).
    """

    def __new__(
        cls,
        spaces: Spaces,
        games: int,
        *,
        max_moves: int,
        autoreset: bool,
        won: float,
        cards: float,
        kept: float,
        budget: int,
        deals: tuple[int, int],
        strict: bool,
        threads: int,
    ) -> Batch: ...
    def reset(self, chosen: Sequence[bool], seeds: Sequence[int | None], arrays: _Arrays) -> None:
        """Deals the chosen games: ``cadogan:seed``, or the next deal that follows from the seed."""
    def deal(self, game: int, deck: bytes, arrays: _Arrays) -> None:
        """Deals a deck to one game."""
    def step(self, actions: NDArray[np.int64], arrays: _Arrays) -> None:
        """Plays an action in each game.

        ``ValueError`` if an action does not exist or, if ``strict``, is illegal; ``RuntimeError``
        if a game is over and there is no ``autoreset``. In both cases no game has changed.
        """
    def sample(self, actions: NDArray[np.int64]) -> None:
        """Draws a legal action for each game."""
    def verdicts(self) -> list[bool | None]:
        """For each game whether the position is known to be winnable, if ``kept`` is not 0."""

def perft(state: State, depth: int) -> int:
    """Counts legal move paths of a given length; Ctrl-C interrupts."""

def solve(
    state: State,
    budget: int,
    *,
    memory: int,
    threads: int,
    without: Sequence[str],
    weights: Sequence[Sequence[tuple[str, int]]],
    shares: Sequence[tuple[str, int]],
    observer: Callable[[int, int, int, int, str], object] | None,
    checkpoint: Checkpoint | None,
) -> Report:
    """Searches up to ``budget`` nodes, from a checkpoint of the same problem if one is given.

    The observer is called regularly with (nodes, bytes, depth, round, strategy) and returns
    whether to continue. ``ValueError`` for an unknown pruning, ``KeyError`` for an unknown weight
    or turn.
    """

def turns(state: State) -> list[tuple[str, int]]:
    """The turns of a search from a position: their names and their shares of a round."""

def weights(state: State) -> list[list[tuple[str, int]]]:
    """The default sets of weights, by name."""

def shorten(
    state: State,
    line: Sequence[int],
    budget: int,
    *,
    memory: int,
    shortest: bool,
    observer: Callable[[int, int, int, int, str], object] | None,
) -> tuple[list[int], int, int]:
    """Shortens a winning line, or searches for a shortest one: (line, fewest moves, nodes).

    ``ValueError`` for a line that does not win. If the observer returns false, the result is the
    best line so far.
    """

def best_score(
    state: State,
    budget: int,
    *,
    memory: int,
    threads: int,
    observer: Callable[[int, int, int, int, str], object] | None,
) -> tuple[int, list[int], int | None, int, str] | None:
    """Searches for the best score: (score, line, bound, nodes, end).

    ``None`` if the game is not scored.
    """

def play_out(
    state: State, policy: str, seed: int, limit: int
) -> tuple[bool, list[int], int, int | None]:
    """Plays until the game is won or lost, or ``limit`` moves are made.

    The policy is ``"random"`` or ``"greedy"``: (won, moves, positions examined, points).
    """

def play_fair(
    program: Program,
    deck: bytes,
    shown: bytes,
    seed: int,
    *,
    budget: int,
    samples: int,
    playouts: int,
    solver: int,
    limit: int,
) -> tuple[bool, list[int], int, int | None]:
    """Plays a deal without knowledge of hidden cards: (won, moves, positions examined, points).

    ``shown`` has a byte for each pile: nothing of it can be seen (0), its top card (1), all (2).
    The others are documented in ``crates/kernel/src/player/fair.rs``.
    """

def benchmark(state: State, nodes: int) -> tuple[int, int, int]:
    """Makes and unmakes moves in a fixed order: (moves made, positions generated, checksum)."""

def make_and_unmake(state: State, moves: int) -> int:
    """Makes and unmakes at least this many moves of one game; returns the moves made."""

def generate(state: State, positions: int) -> tuple[int, int]:
    """Lists the moves of at least this many positions of one game: (moves listed, positions)."""

def closed_set(
    program: Program,
    start: bytes,
    arguments: tuple[tuple[Sequence[int], Sequence[int], int, bool] | None, bool, bool],
    limit: int,
    observe: Callable[[int, int], object] | None = None,
) -> tuple[str, bytes, bytes]:
    """Finds a closed set of positions without a win, for a certificate.

    The arguments are safe play (for each card those that may be put on it and those before it, all
    that can be safe, whether chains count), locked piles and dead ends.

    The result is ``"closed"``, ``"won"``, ``"too-large"``, ``"endless"`` or ``"interrupted"``, the
    positions one after the other, and for each the byte of its argument.
    """

def shuffle(number: int, length: int) -> Sequence[int]:
    """The permutation of deal ``cadogan:number`` (see ``docs/deals.md``)."""
