"""The puzzles of the table: which one comes next, what a try is worth, and the ratings.

The first try at a puzzle counts: it changes the rating of the player and that of the puzzle. The
result and both ratings are on disk, in one transaction, before the answer is sent.
"""

import copy
import hashlib
import threading
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Final, Self

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from cadogan.game import Game, Position
from cadogan.i18n.text import Translatable, gettext, ngettext
from cadogan.moves import Move
from cadogan.solver.puzzle_file import PuzzleSet, SavedPuzzle, position_of, read_puzzles
from cadogan.solver.review import Finding
from cadogan.table import schema
from cadogan.table.intent import Intent, find_move
from cadogan.table.library import Library
from cadogan.table.rating import Rating
from cadogan.table.service import NoTableError
from cadogan.table.store import Conflict, Store, now

PLAYER: Final = "player"
PUZZLE_DEVIATION: Final = 200.0
"""How unsure the grade of a puzzle is that nobody has tried."""
NEAREST: Final = 8
"""The next puzzle is one of so many whose ratings are closest to the player's."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A rating, and what it comes from.

    Attributes:
        rating: The rating.
        tried: The number of first tries.
        solved: How many of them were right.
    """

    rating: Rating
    tried: int = 0
    solved: int = 0

    def after(self, other: Rating, score: float, solved: bool) -> "Standing":
        """The standing after one more first try."""
        return Standing(
            self.rating.after([(other, score)]), self.tried + 1, self.solved + int(solved)
        )


@dataclass(frozen=True)
class ServedPuzzle:
    """A puzzle that can be played.

    Attributes:
        key: Its key: a digest of the rules, the deal and the moves.
        game: Its game.
        saved: The puzzle.
    """

    key: str
    game: Game
    saved: SavedPuzzle

    @cached_property
    def position(self) -> Position:
        """Its position."""
        return position_of(self.game, self.saved)

    @cached_property
    def line(self) -> list[Position]:
        """The positions after the answer and after each move that follows it, to the win."""
        found = [self.position]
        for text in self.saved.line:
            found.append(found[-1].play(text))
        return found[1:]


@dataclass(frozen=True, slots=True)
class Tried:
    """A try at a puzzle.

    Attributes:
        puzzle: The puzzle.
        move: The move; ``None`` if the player gave up.
        is_right: Whether it is the answer.
        counted: Whether it was the first try, so that it changed the ratings.
        text: What is to be said about it.
    """

    puzzle: ServedPuzzle
    move: Move | None
    is_right: bool
    counted: bool
    text: Translatable


class Puzzles:
    """The puzzles that come with the package, and how the player does.

    Args:
        store: The database.
        library: The games.
    """

    def __init__(self, store: Store, library: Library) -> None:
        self._store = store
        self._library = library
        self._lock = threading.Lock()
        self._found: dict[str, tuple[str, str, SavedPuzzle]] = {}

    def of(self, player: int) -> Self:
        """The same puzzles, tried by another player."""
        if player == self._store.player:
            return self
        view = copy.copy(self)
        view._store = self._store.of(player)
        return view

    def games(self) -> dict[str, int]:
        """The games that have puzzles, and how many."""
        found: dict[str, int] = {}
        for game, _, _ in self._known().values():
            found[game] = found.get(game, 0) + 1
        return found

    def player(self) -> Standing:
        """The rating of the player."""
        return self._standing(PLAYER, Rating())

    def standing(self, puzzle: ServedPuzzle) -> Standing:
        """The rating of a puzzle: at first from its depth, then from how players do."""
        return self._standing(puzzle.key, _grade(puzzle.saved))

    def is_new(self, puzzle: ServedPuzzle) -> bool:
        """Whether the player has not tried a puzzle yet."""
        return puzzle.key not in self._tried()

    def next(self, game: str | None = None, skip: Collection[str] = ()) -> ServedPuzzle:
        """The next puzzle fit for the player; if all were tried, the one tried longest ago.

        The same puzzle comes again until it was tried or skipped.

        Args:
            game: Only puzzles of this game.
            skip: The keys of puzzles that the player does not want now.

        Raises:
            NoTableError: If there is none.
        """
        known = {
            key: saved
            for key, (name, _, saved) in self._known().items()
            if game in (None, name) and key not in skip
        }
        tried = self._tried()
        strength, number = self.player().rating.rating, len(tried)
        rated = self._ratings()

        def distance(key: str) -> float:
            return abs((rated.get(key) or _grade(known[key])).rating - strength)

        fresh = sorted((key for key in known if key not in tried), key=lambda k: (distance(k), k))
        # Several are near. Which of them comes depends on nothing that looks like an order.
        near = sorted(fresh[:NEAREST], key=lambda key: _mixed(f"{number} {key}"))
        again = [key for key in tried if key in known]
        for key in (*near, *fresh[NEAREST:], *again):
            if (found := self._load(key)) is not None:
                return found
        raise NoTableError(gettext("there is no puzzle like that"))

    def get(self, key: str) -> ServedPuzzle:
        """A puzzle.

        Raises:
            NoTableError: If there is no puzzle with this key, or its rules have changed since.
        """
        if (found := self._load(key)) is None:
            raise NoTableError(gettext("there is no such puzzle"))
        return found

    def tried(self, key: str, wanted: Intent | None) -> Tried:
        """Tries a move; the first try counts.

        Args:
            key: The puzzle.
            wanted: The move; ``None`` if the player gives up.

        Raises:
            NoTableError: If there is no such puzzle.
            MoveError: If the move is not legal. That is no try.
        """
        puzzle = self.get(key)
        answer = puzzle.line[0].last_move
        move = None if wanted is None else find_move(puzzle.position, wanted)
        right = move is not None and move == answer
        counted = self._count(puzzle, right)
        return Tried(puzzle, move, right, counted, _said(puzzle, move, is_right=right))

    def _count(self, puzzle: ServedPuzzle, solved: bool) -> bool:
        """Stores a first try with both ratings; returns whether it was the first."""
        with self._lock:
            if not self.is_new(puzzle):
                return False
            player, other = self.player(), self.standing(puzzle)
            after = {
                PLAYER: player.after(other.rating, float(solved), solved),
                puzzle.key: other.after(player.rating, float(not solved), solved),
            }

            def change(connection: Connection) -> None:
                values = {
                    "puzzle": puzzle.key,
                    "game": puzzle.game.name,
                    "solved": solved,
                    "rating": after[PLAYER].rating.rating,
                    "at": now(),
                }
                mine = self._store.player
                connection.execute(insert(schema.first_tries).values({**values, "player_id": mine}))
                for key, standing in after.items():
                    table = schema.ratings
                    connection.execute(delete(table).where(*self._rated(key)))
                    row = {"key": key, "player_id": self._whose(key), **_columns(standing)}
                    connection.execute(insert(table).values(row))

            try:
                self._store.change(change, 5)
            except Conflict:
                return False  # Another server has counted it.
            return True

    # What is known.

    def _known(self) -> dict[str, tuple[str, str, SavedPuzzle]]:
        """All puzzles, by key: game, digest of the rules, puzzle. Read once."""
        with self._lock:
            if not self._found:
                for each in _shipped():
                    for saved in each.puzzles:
                        key = _mixed(f"{each.digest} {saved.deal} {'; '.join(saved.moves)}")
                        self._found[key] = each.game, each.digest, saved
            return self._found

    def _load(self, key: str) -> ServedPuzzle | None:
        """A puzzle, unless its rules have changed since it was made."""
        if (known := self._known().get(key)) is None:
            return None
        name, digest, saved = known
        game = self._library.choose(name)
        return ServedPuzzle(key, game, saved) if game.digest == digest else None

    def _tried(self) -> list[str]:
        """The puzzles that were tried, the first one first."""
        table = schema.first_tries
        with self._store.engine.connect() as connection:
            query = select(table.c.puzzle).where(self._store.mine(table))
            query = query.order_by(table.c.at, table.c.puzzle)
            return list(connection.execute(query).scalars())

    def _ratings(self) -> dict[str, Rating]:
        """The ratings of the puzzles."""
        table = schema.ratings
        with self._store.engine.connect() as connection:
            query = select(table).where(table.c.player_id == schema.SHARED)
            rows = connection.execute(query).all()
        return {row.key: Rating(row.rating, row.deviation, row.volatility) for row in rows}

    def _whose(self, key: str) -> int:
        """Whose a rating is: that of a puzzle comes from all players."""
        return self._store.player if key == PLAYER else schema.SHARED

    def _rated(self, key: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
        table = schema.ratings
        return table.c.key == key, table.c.player_id == self._whose(key)

    def _standing(self, key: str, otherwise: Rating) -> Standing:
        table = schema.ratings
        with self._store.engine.connect() as connection:
            row = connection.execute(select(table).where(*self._rated(key))).first()
        if row is None:
            return Standing(otherwise)
        rating = Rating(row.rating, row.deviation, row.volatility)
        return Standing(rating, row.tried, row.solved)


def _columns(standing: Standing) -> dict[str, float]:
    rating = standing.rating
    return {
        "rating": rating.rating,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
        "tried": standing.tried,
        "solved": standing.solved,
    }


def _shipped() -> list[PuzzleSet]:
    """The sets that come with the package."""
    folder = files("cadogan").joinpath("puzzles")
    found = sorted(folder.iterdir(), key=lambda each: each.name)
    return [
        read_puzzles(each.read_text(encoding="utf-8"))
        for each in found
        if each.name.endswith(".json")
    ]


def _mixed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _grade(saved: SavedPuzzle) -> Rating:
    """The rating of a puzzle that nobody has tried."""
    return Rating(saved.rating, PUZZLE_DEVIATION)


def _said(puzzle: ServedPuzzle, move: Move | None, *, is_right: bool) -> Translatable:
    """What is to be said about a try."""
    wrong = {each.move: each for each in puzzle.saved.wrong}
    if is_right:
        return ngettext(
            "right: it is the only move that keeps the win; the other one is proved to lose",
            "right: it is the only move that keeps the win; the {number} others are proved to lose",
            number=len(wrong),
        )
    if move is None:
        return gettext("this is the only move that keeps the win")
    lost = wrong[move.text]
    why = Finding.searched("unwinnable", lost.proof, lost.nodes, 0).text()
    if lost.depth == 0:
        return gettext("this move loses: {why}; no move is left after it", why=why)
    return ngettext(
        "this move loses: {why}; at most one more move can follow",
        "this move loses: {why}; at most {number} more moves can follow",
        number=lost.depth,
        why=why,
    )
