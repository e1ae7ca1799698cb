"""Move requests, and moves that are played automatically."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from cadogan.game import Game, Position
from cadogan.i18n.text import gettext, in_a_row
from cadogan.moves import AmbiguousMoveError, Move

MOST_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Intent:
    """A move request.

    Attributes:
        text: Its text; or else
        source: the pile that the cards come from,
        target: the pile they go to,
        count: how many, or ``None`` for as many as possible.
    """

    text: str | None = None
    source: str | None = None
    target: str | None = None
    count: int | None = None

    def __str__(self) -> str:
        if self.text is not None:
            return self.text
        many = f" x{self.count}" if self.count is not None else ""
        return f"{self.source} > {self.target}{many}"


def find_move(position: Position, intent: Intent) -> Move:
    """Finds the legal move that a request means.

    Raises:
        InvalidMoveError: If it cannot be read.
        IllegalMoveError: If it is not allowed; the message explains why.
        AmbiguousMoveError: If several moves match.
    """
    if intent.text is None:
        pairs = position.moves_with_transfers()
        known = {m: ways for m, ways in pairs if _fits(ways, depth_of(position.game, m), intent)}
        fitting = list(known)
        if intent.count is None and len(fitting) > 1:
            fitting = [move for move in fitting if move.count == 1] or fitting
        if len({tuple(known[move]) for move in fitting}) == 1:
            # If several rules allow the same transfer, take the first.
            return fitting[0]
        if fitting:
            moves = in_a_row(gettext("'{word}'", word=move.text) for move in fitting)
            reason = gettext("it may be {moves}", moves=moves)
            raise AmbiguousMoveError(str(intent), reason, position, fitting)
    # The notation handles equivalent vacancies, and explains why a move is illegal.
    text = str(intent)
    if intent.text is None and intent.count == 1:
        text = text.removesuffix(" x1")
    return position.parse_move(text)


def depth_of(game: Game, move: Move) -> int | None:
    """How deep the one card of a move lies that others lie on; ``None`` for top cards."""
    return game.rulebook.rules[move.rule_index].action.depth(move.count)


def _fits(ways: Iterable[tuple[str, int, str]], depth: int | None, intent: Intent) -> bool:
    return any(
        source == intent.source
        and target == intent.target
        and (intent.count is None or intent.count == (depth or count))
        for source, count, target in ways
    )


def foundation_move(position: Position) -> Move | None:
    """The first move that brings cards to foundations and takes none away."""
    roles = position.game.rulebook.roles
    for move, ways in position.moves_with_transfers():
        if ways and all(roles[b] == "foundation" != roles[a] for a, _, b in ways):
            return move
    return None


def safe_moves(position: Position) -> Iterator[Position]:
    """The positions after safe moves, as long as there are any."""
    for _ in range(MOST_AT_ONCE):
        safe = position.safe_moves()
        if not safe:
            return
        position = position.play(safe[0])
        yield position


def finishing_line(position: Position) -> list[Position]:
    """The positions after moves that finish a game: each goes to a foundation, the last wins.

    The list is empty if there are no such moves.

    >>> from cadogan import load
    >>> finishing_line(load("flower-garden").deal("cadogan:1"))
    []
    """
    line: list[Position] = []
    for _ in range(MOST_AT_ONCE):
        if position.outcome == "won":
            return line
        move = foundation_move(position)
        if move is None:
            return []
        position = position.play(move)
        line.append(position)
    return []
