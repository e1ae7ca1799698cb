"""Writes certificates of lost deals: proofs that another program can check.

:func:`certify` looks for a closed set of positions, in the game itself and in easier games.
:func:`cadogan.certificates.check` checks the result without any of this.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from cadogan import _kernel
from cadogan.cards import Card, format_cards
from cadogan.certificates.dead_ends import DeadEnds
from cadogan.certificates.file import MAX_POSITIONS, Certificate, closed_set_digest, write
from cadogan.certificates.game import Keys, easier_program, with_equal_cards
from cadogan.certificates.interchange import may_be_exchanged
from cadogan.certificates.interpreter import Interpreter
from cadogan.certificates.interpreter import Position as Table
from cadogan.certificates.locks import Locks
from cadogan.certificates.relaxations import CARDS, equal_cards, is_regular, suits_fault
from cadogan.certificates.safe_play import SafePlay
from cadogan.certificates.tables import read_tables
from cadogan.i18n.text import gettext
from cadogan.rules.compile.digest import digest

if TYPE_CHECKING:
    from cadogan.game import Position

LEVELS: Final = (None, 1, 2, 3, 4, 6, 8, 10)
"""The heights from which foundations ignore suits in the easier games that are tried."""
_FIRST: Final = 1_000
"""The most positions of the closed sets that are tried first."""
_GROWTH: Final = 8
"""How many times larger the next ones may be."""

Observer = Callable[[int, int], object]
"""Is called with the number of positions expanded and found. A false value other than ``None``
ends the work."""


class NoCertificateError(Exception):
    """There is no certificate for a deal; the message says why.

    Attributes:
        reason: ``"won"`` if the deal can be won, ``"too-large"`` if every closed set has more
            positions than allowed, ``"endless"`` if forced rules do not come to rest,
            ``"points"`` if points decide the game, or
            ``"interrupted"``.
    """

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


@dataclass(frozen=True)
class _Way:
    """A game in which a closed set may exist, and the arguments that apply to it."""

    suits_below: int | None
    equal: list[list[int]]
    program: _kernel.Program
    start: bytes
    arguments: tuple[tuple[list[int], list[int], int, bool] | None, bool, bool]


def certify(
    position: "Position",
    *,
    max_positions: int = MAX_POSITIONS,
    progress: Observer | None = None,
) -> str:
    """Finds a certificate that a position cannot be won.

    It looks for small closed sets first, in the game itself and in the easier games in which
    foundations ignore suits from some height on.

    Args:
        position: The position.
        max_positions: The most positions of the closed set.
        progress: Is called some twenty times a second.

    Returns:
        The text of the certificate, for a file.

    Raises:
        NoCertificateError: If the position can be won, or if there is no closed set of this size.

    >>> from cadogan import load
    >>> from cadogan.certificates import check
    >>> certificate = certify(load("amazons").deal("cadogan:171"))
    >>> check(certificate).certificate.deal
    'cadogan:171'
    """
    game = position.game
    data: dict[str, Any] = json.loads(game._program.to_bytes())
    tables = read_tables(data)
    if not tables.aim:
        raise NoCertificateError(
            "points", gettext("points decide this game, so it has no certificates of loss")
        )
    line = [move.code for move in position.line if not move.forced]
    start = _replayed(Interpreter(tables), position.deck, line)
    groups = _exchangeable(tables)
    ways = [way for level in LEVELS if (way := _way(data, groups, start, level)) is not None]
    limit = min(_FIRST, max_positions)
    while True:
        found = _smallest(ways, limit, progress)
        if found is not None:
            way, positions, arguments = found
            break
        if limit == max_positions:
            raise NoCertificateError(
                "too-large", gettext("its proof has more than {most} positions", most=f"{limit:,}")
            )
        limit = min(limit * _GROWTH, max_positions)
    names = [pile.name for pile in tables.piles]
    certificate = Certificate(
        game=Path(game.name).name,
        program=digest(data),
        deal=position.deal_name,
        deck=format_cards(position.deck),
        line=tuple(line),
        interchange=tuple(tuple(names[pile] for pile in group) for group in groups),
        suits_below=way.suits_below,
        equal_cards=tuple(tuple(str(Card(code)) for code in group) for group in way.equal),
        positions=len(arguments),
        closed_set="",
        arguments=arguments,
    )
    size = len(positions) // len(arguments)
    each = (positions[at : at + size] for at in range(0, len(positions), size))
    return write(replace(certificate, closed_set=closed_set_digest(certificate, each)))


def _replayed(play: Interpreter, deck: tuple[Card, ...], line: list[int]) -> Table:
    """The position, as the checker finds it."""
    table = play.deal(bytes(card.code for card in deck))
    for code in line:
        table = play.play(table, next(m for m in play.moves(table) if m.code == code))
    return table


def _exchangeable(tables: SimpleNamespace) -> list[list[int]]:
    """The groups of piles for which the checker accepts exchanges."""
    groups: list[list[int]] = []
    for pile in range(len(tables.piles)):
        if groups and may_be_exchanged(tables, groups[-1][-1], pile):
            groups[-1].append(pile)
        else:
            groups.append([pile])
    return [group for group in groups if len(group) > 1]


def _way(
    data: dict[str, Any], groups: list[list[int]], start: Table, suits_below: int | None
) -> _Way | None:
    """One way to certify a loss; none if it is no better than another."""
    if suits_below is not None and suits_fault(read_tables(data), start) is not None:
        return None
    equal = equal_cards(read_tables(easier_program(data, groups, suits_below, [])))
    if suits_below is not None and not equal:
        return None
    program = easier_program(data, groups, suits_below, equal)
    tables = read_tables(program)
    safe = SafePlay(tables)
    return _Way(
        suits_below,
        equal,
        _kernel.Program(json.dumps(program).encode()),
        Keys(tables).key(with_equal_cards(start, equal)),
        (
            None if safe.fault is not None else _safe_cards(safe),
            Locks(tables).fault is None,
            DeadEnds(tables).fault is None and is_regular(tables, start),
        ),
    )


def _safe_cards(safe: SafePlay) -> tuple[list[int], list[int], int, bool]:
    """The cards that may go up at once, as the kernel wants them."""
    fits, before = [0] * CARDS, [0] * CARDS
    for card, others in safe.fits.items():
        fits[card] = others
        under = safe.before[card]
        before[card] = 0 if under is None else 1 << under
    return fits, before, sum(1 << card for card in safe.fits), safe.chains


def _smallest(
    ways: list[_Way], limit: int, progress: Observer | None
) -> tuple[_Way, bytes, bytes] | None:
    """The smallest closed set of at most a number of positions; forgets ways that lead nowhere."""
    best: tuple[_Way, bytes, bytes] | None = None
    for way in list(ways):
        most = limit if best is None else len(best[2]) - 1
        if most < 1:
            break
        how, positions, arguments = _kernel.closed_set(
            way.program, way.start, way.arguments, most, progress
        )
        if how == "closed":
            best = way, positions, arguments
        elif how == "won" and way.suits_below is not None:
            ways.remove(way)
        elif how == "won":
            raise NoCertificateError("won", gettext("the deal can be won"))
        elif how == "endless":
            raise NoCertificateError("endless", gettext("the forced rules do not come to rest"))
        elif how == "interrupted":
            raise NoCertificateError("interrupted", gettext("interrupted"))
    return best
