"""Checks a certificate: replays its proof by the rules, in plain Python.

What is trusted: this package, the stages that make a program from a rules file
(:mod:`cadogan.rules`), the decks of named deals, and Python. Neither the search nor the kernel's
rules of play are used. ``docs/certificates.md`` explains the proof.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from cadogan.certificates.dead_ends import DeadEnds
from cadogan.certificates.file import (
    MAX_POSITIONS,
    Certificate,
    CertificateError,
    closed_set_digest,
    read,
)
from cadogan.certificates.game import Keys, easier_program, interpreter_of, with_equal_cards
from cadogan.certificates.interchange import verified
from cadogan.certificates.interpreter import ForcedLoopError, Interpreter, Position
from cadogan.certificates.locks import Locks
from cadogan.certificates.relaxations import equal_cards, suits_fault
from cadogan.certificates.safe_play import SafePlay
from cadogan.certificates.tables import read_tables
from cadogan.i18n.text import gettext
from cadogan.rules.compile.digest import digest

ALL_MOVES: Final = 0
"""Every legal move leads to a position of the set."""
LOCKED: Final = 1
"""Some pile can never be emptied."""
DEAD_END: Final = 2
"""Some card can never go up."""
SAFE_PLAY: Final = 128
"""The top card of a pile goes up at once; the number of the pile is added to this."""

_NAME: Final = 200
"""The longest name, and the most that a message quotes."""


@dataclass(frozen=True)
class Checked:
    """A certificate that was checked: the deal cannot be won.

    Attributes:
        certificate: The certificate.
        arguments: For each kind of argument the number of positions that use it: ``"moves"``,
            ``"safe play"``, ``"locked pile"``, ``"dead end"``.
        moves: The number of moves that were played.
        seconds: The time that the check took.
    """

    certificate: Certificate
    arguments: dict[str, int]
    moves: int
    seconds: float


def check(
    text: str,
    *,
    game: str | None = None,
    max_positions: int = MAX_POSITIONS,
    progress: Callable[[int, int], object] | None = None,
) -> Checked:
    """Checks a certificate.

    Args:
        text: The file that ``cadogan solve --certificate`` wrote.
        game: The name of the game or the path of its rules file, if the certificate is not to be
            believed about that. Certificates of games that are not in the catalogue need it.
        max_positions: The most positions that the certificate may have.
        progress: Is called regularly with the number of positions checked and of all positions.

    Returns:
        What was checked.

    Raises:
        CertificateError: If the certificate does not prove its claim.
        UnknownGameError, RulesError, OSError: If the rules of ``game`` cannot be read.
    """
    begun = time.perf_counter()
    certificate = read(text, max_positions)
    data = _program(certificate, game)
    start = _start(certificate, interpreter_of(data))
    play, start = _easier_game(certificate, data, start)
    counts, moves = _replay(certificate, play, start, progress)
    return Checked(certificate, counts, moves, time.perf_counter() - begun)


def _program(certificate: Certificate, game: str | None) -> dict[str, Any]:
    """The program of the game, compiled from its rules file."""
    from cadogan.rules import RulesError, UnknownGameError
    from cadogan.rules.pipeline import load_rules

    name = certificate.game if game is None else game
    if game is None and (len(name) > _NAME or any(char in name for char in "/\\.")):
        # The file may come from a stranger: it must not make us read other files.
        raise CertificateError(
            "game", gettext("the game is not in the catalogue; name its rules file with --game")
        )
    try:
        rules = load_rules(name)
    except (UnknownGameError, RulesError) as error:
        if game is not None:
            raise
        raise CertificateError("game", str(error)) from None
    data = rules.program.data
    if digest(data) != certificate.program:
        raise CertificateError(
            "program", gettext("the rules of {game} are not those of the certificate", game=name)
        )
    if not data["aim"]:
        raise CertificateError(
            "game", gettext("points decide this game, so it has no certificates of loss")
        )
    if certificate.deal is not None:
        from cadogan.cards import format_cards
        from cadogan.deals import DealError, deck_for

        try:
            again = Interpreter(read_tables(data)).is_dealt_again
            deck = format_cards(deck_for(certificate.deal, rules.rulebook, again=again))
        except DealError as error:
            raise CertificateError("deal", str(error)[:_NAME]) from None
        if deck != certificate.deck:
            raise CertificateError("deck", gettext("these are not the cards of the deal"))
    return data


def _start(certificate: Certificate, real: Interpreter) -> Position:
    """The position that the certificate is about, dealt and played by the real rules."""
    from cadogan.cards import CardError, parse_cards

    try:
        position = real.deal(bytes(card.code for card in parse_cards(certificate.deck)))
        for at, code in enumerate(certificate.line, 1):
            legal = {move.code: move for move in real.moves(position)}
            if code not in legal:
                raise CertificateError(f"line, move {at}", gettext("it is not legal"))
            position = real.play(position, legal[code])
    except (CardError, ValueError) as error:
        if isinstance(error, CertificateError):
            raise
        raise CertificateError("deck", gettext("it is not a shuffle of the pack")) from None
    except ForcedLoopError:
        raise CertificateError("line", gettext("the forced rules do not come to rest")) from None
    return position


def _easier_game(
    certificate: Certificate, data: dict[str, Any], start: Position
) -> tuple[Interpreter, Position]:
    """The game that the closed set is about, after the arguments for it were checked."""
    from cadogan.cards import Card, CardError

    tables = read_tables(data)
    numbers = {pile.name: number for number, pile in enumerate(tables.piles)}
    try:
        groups = [[numbers[name] for name in group] for group in certificate.interchange]
    except KeyError as error:
        raise CertificateError(
            "interchange", gettext("the game has no pile {pile}", pile=str(error)[:_NAME])
        ) from None
    fault = verified(tables, groups)
    if fault is not None:
        raise CertificateError("interchange", fault)
    suits_below = certificate.suits_below
    if suits_below is not None:
        fault = suits_fault(tables, start)
        if fault is not None or suits_below < 0:
            raise CertificateError("suits_below", fault or gettext("it is not a height"))
    try:
        equal = [[Card(card).code for card in group] for group in certificate.equal_cards]
    except CardError:
        raise CertificateError("equal_cards", gettext("a member is not a card")) from None
    easier = easier_program(data, groups, suits_below, [])
    allowed = [set(group) for group in equal_cards(read_tables(easier))]
    for group in equal:
        if not any(known.issuperset(group) for known in allowed):
            raise CertificateError("equal_cards", gettext("a rule distinguishes cards of a group"))
    easier = easier_program(data, groups, suits_below, equal)
    return interpreter_of(easier), with_equal_cards(start, equal)


def _replay(
    certificate: Certificate,
    play: Interpreter,
    start: Position,
    progress: Callable[[int, int], object] | None,
) -> tuple[dict[str, int], int]:
    """Builds the closed set position by position and checks the argument of each."""
    keys = Keys(play.tables, start.seed)
    locks, dead_ends = Locks(play.tables), DeadEnds(play.tables)
    safe = SafePlay(play.tables)
    order = [keys.key(start)]
    known = set(order)
    counts = Counter({"moves": 0, "safe play": 0, "locked pile": 0, "dead end": 0})
    made = 0
    for at, argument in enumerate(certificate.arguments):
        if progress is not None and at % 256 == 0:
            progress(at, certificate.positions)
        place = gettext("position {number}", number=at + 1)
        if at >= len(order):
            raise CertificateError(place, gettext("the set has no such position"))
        position = keys.position(order[at])
        if play.is_won(position):
            raise CertificateError(place, gettext("it is won"))
        if argument == LOCKED:
            if not locks.is_stuck(position):
                raise CertificateError(place, locks.fault or gettext("no pile is locked"))
            counts["locked pile"] += 1
            continue
        if argument == DEAD_END:
            if not dead_ends.is_dead(position):
                raise CertificateError(place, dead_ends.fault or gettext("every card may go up"))
            counts["dead end"] += 1
            continue
        moves = play.moves(position)
        if argument == ALL_MOVES:
            counts["moves"] += 1
        else:
            pile = argument - SAFE_PLAY
            moves = [
                move
                for move in moves
                if move.source == pile and play.rules[move.rule].action.build_order
            ][:1]
            if not moves or not safe.is_safe(position, pile):
                raise CertificateError(place, safe.fault or gettext("its argument is wrong"))
            counts["safe play"] += 1
        made += len(moves)
        try:
            reached = {keys.key(play.play(position, move)) for move in moves}
        except ForcedLoopError:
            raise CertificateError(place, gettext("the forced rules do not come to rest")) from None
        new = sorted(reached - known)
        if len(order) + len(new) > certificate.positions:
            raise CertificateError(place, gettext("a move leads to a position beyond the set"))
        order += new
        known.update(new)
    if len(order) != certificate.positions:
        raise CertificateError("positions", gettext("the set has fewer positions"))
    if closed_set_digest(certificate, order) != certificate.closed_set:
        raise CertificateError("closed_set", gettext("the set is another one"))
    return dict(counts), made
