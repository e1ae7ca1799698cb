"""Checks that the results in a store are true.

Every winning line is replayed, move by move. The kernel's legality test of one move shares no code
with the move lists that searches use. Of the other verdicts, a sample is solved again. No two
verdicts may contradict each other.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cadogan.solver.solve import solver_version
from cadogan.study.compare import contradictions
from cadogan.study.errors import StudyError
from cadogan.study.plan import Plan, load_game
from cadogan.study.players import LOST, WON, Player, play
from cadogan.study.record import CRASHED, FAILED, Record, unpack_line
from cadogan.study.store import Store

if TYPE_CHECKING:
    from cadogan.game import Game, Position

SAMPLE = 20
"""How many verdicts without a line are tried again, for each game and player."""


@dataclass
class Verified:
    """What was checked, and what is wrong.

    Attributes:
        parts: How many parts match their names.
        lines: How many lines were replayed.
        asked: How many verdicts were tried again.
        skipped: How many records were skipped because the rules have changed.
        faults: What is wrong.
    """

    parts: int = 0
    lines: int = 0
    asked: int = 0
    skipped: int = 0
    faults: list[str] = field(default_factory=list)


def verify(
    store: Store,
    plan: Plan,
    *,
    sample: int = SAMPLE,
    seed: int = 0,
    progress: Callable[[Verified], None] | None = None,
) -> Verified:
    """Checks that the records of a store are true.

    Args:
        store: The store.
        plan: The plan; it names pairs of stricter and looser games.
        sample: How many verdicts without a line are tried again, for each game and player.
        seed: The seed of the sample.
        progress: Called regularly with what was checked so far.

    Returns:
        What was checked, and what is wrong.

    Raises:
        StudyError: If a part is damaged.
    """
    seen = Verified()
    for part in store.parts():
        store.checked(part)
        seen.parts += 1
    rest: dict[tuple[str, str], list[Record]] = {}
    chance = random.Random(f"verify {seed}")
    counts: dict[tuple[str, str], int] = {}
    for record in store.records():
        game = load_game(record.game)
        if game.digest != record.digest:
            seen.skipped += 1
        elif record.verdict in WON:
            seen.lines += 1
            if fault := wrong_line(game, record):
                seen.faults.append(f"{_named(record)}: {fault}")
            if progress is not None and not seen.lines % 1000:
                progress(seen)
        elif record.verdict not in (CRASHED, FAILED):
            # Reservoir sampling: each record is equally likely to be chosen.
            key = (record.game, record.player)
            counts[key] = counts.get(key, 0) + 1
            taken = rest.setdefault(key, [])
            if len(taken) < sample:
                taken.append(record)
            elif (place := chance.randrange(counts[key])) < sample:
                taken[place] = record
    for record in (record for taken in rest.values() for record in taken):
        seen.asked += 1
        if fault := wrong_verdict(record):
            seen.faults.append(f"{_named(record)}: {fault}")
        if progress is not None:
            progress(seen)
    seen.faults += [f"contradiction: {each}" for each in contradictions(store, plan)]
    return seen


def wrong_line(game: "Game", record: Record) -> str | None:
    """Returns what is wrong with the line of a record; ``None`` if it wins."""
    state = game.deal(record.deal)._state
    codes = unpack_line(record.line)
    if len(codes) != record.length:
        return f"the line has {len(codes)} moves, not {record.length}"
    for number, code in enumerate(codes, 1):
        if not state.is_legal(code):
            return f"move {number} of the line is not legal"
        state, _ = state.play(code)
    return None if state.outcome() == 1 else "the line does not win"


def wrong_verdict(record: Record) -> str | None:
    """Tries the deal of a record again; returns what differs, or ``None``."""
    player = Player.parse(record.player)
    played = play(load_game(record.game), record.deal, player, record.budget)
    is_new = record.solver != solver_version()
    if player.is_thoughtful:
        # Another solver may decide more deals, but must not contradict this verdict.
        if record.verdict in LOST:
            wrong = played.verdict in WON or (not is_new and played.verdict != record.verdict)
        else:
            wrong = not is_new and played.verdict != record.verdict
    else:
        wrong = not is_new and played.verdict != record.verdict
    if wrong:
        return f"{record.verdict} in the store, {played.verdict} when tried again"
    if not is_new and played.nodes != record.nodes:
        return f"{record.nodes} nodes in the store, {played.nodes} when tried again"
    return None


def _named(record: Record) -> str:
    return f"{record.game} {record.deal}, {record.player}"


def text_lines(store: Store) -> Iterator[tuple[Record, str]]:
    """Yields the winning records, each with its line in the notation of moves.

    Raises:
        StudyError: If the rules of a game have changed.
    """
    for record in store.records():
        if record.verdict in WON:
            position = load_game(record.game).deal(record.deal)
            yield record, "; ".join(line_text(position, record))


def line_text(position: "Position", record: Record) -> list[str]:
    """The moves of a line in the notation of moves.

    Args:
        position: The deal.
        record: Its record.

    Raises:
        StudyError: If a move of the line is not legal.
    """
    moves = []
    for code in unpack_line(record.line):
        move = next((each for each in position.moves() if each.code == code), None)
        if move is None:
            raise StudyError(
                f"the line of {_named(record)} cannot be played",
                "the rules have changed since then; use the version of Cadogan that ran the study",
            )
        moves.append(move.text)
        position = position.play(move)
    return moves
