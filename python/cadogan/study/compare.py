"""Compares studies of the same deals, and finds verdicts that contradict each other."""

from dataclasses import dataclass
from typing import Final

from cadogan.study.errors import StudyError
from cadogan.study.plan import Plan, load_game
from cadogan.study.players import THOUGHTFUL
from cadogan.study.statistics import Paired
from cadogan.study.store import Store

_KIND: Final = (
    "case when verdict in ('winnable', 'won') then 'won' "
    "when verdict in ('unwinnable', 'lost') then 'lost' else 'undecided' end"
)
SHOWN: Final = 10
"""How many deals a message names one by one."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two verdicts that cannot both be true. Whichever is wrong, it is a bug.

    Attributes:
        won: Who says that the deals can be won, as ``GAME, PLAYER``.
        lost: Who says that they cannot.
        deals: The deals.
    """

    won: str
    lost: str
    deals: tuple[str, ...]

    def __str__(self) -> str:
        named = ", ".join(self.deals[:SHOWN])
        more = f" and {len(self.deals) - SHOWN} more" if len(self.deals) > SHOWN else ""
        return f"{named}{more}: can be won according to {self.won}, but not to {self.lost}"


def paired(store: Store, first: str, second: str, player: str = THOUGHTFUL) -> Paired:
    """Compares two games on the deals that were tried in both.

    Args:
        store: The store.
        first: The name of a game.
        second: The name of another.
        player: The player, with its options.

    Raises:
        StudyError: If no deal was tried in both.
    """
    return _paired(store, (first, player), (second, player))


def paired_players(store: Store, game: str, first: str, second: str) -> Paired:
    """Compares two players on the deals of a game that both tried.

    Raises:
        StudyError: If no deal was tried by both.
    """
    return _paired(store, (game, first), (game, second))


def _paired(store: Store, first: tuple[str, str], second: tuple[str, str]) -> Paired:
    with store.open() as connection:
        rows = connection.execute(
            f"with sorted as (select *, {_KIND} as kind from best) "
            "select a.kind, b.kind, count(*) from sorted a join sorted b using (scheme, number) "
            "where a.game = ? and a.digest = ? and a.player = ? "
            "and b.game = ? and b.digest = ? and b.player = ? group by all",
            [*_key(*first), *_key(*second)],
        ).fetchall()
    table = {(a, b): count for a, b, count in rows}
    if not table:
        raise StudyError(
            f"no deal was tried both in {', '.join(first)} and in {', '.join(second)}",
            "study the same deals in both",
        )
    return Paired(table)


def _key(game: str, player: str) -> tuple[str, str, str]:
    return game, load_game(game).digest, player


def contradictions(store: Store, plan: Plan) -> list[Contradiction]:
    """Finds verdicts of a store that cannot all be true.

    A deal that any player won cannot be unwinnable. Nor can a deal that was won under stricter
    rules.
    """
    pairs = [(each.strict, each.loose) for each in plan.looser]
    games = dict.fromkeys(
        [study.game for study in plan.studies] + [name for pair in pairs for name in pair]
    )
    found = []
    for strict, loose in [*((game, game) for game in games), *pairs]:
        with store.open() as connection:
            # Check all records, not only the best one of each deal: all of them must be true.
            rows = connection.execute(
                "select distinct a.player, a.scheme, a.number from records a join records b "
                "using (scheme, number) where a.game = ? and a.digest = ? and b.game = ? "
                "and b.digest = ? and a.verdict in ('winnable', 'won') "
                "and b.verdict = 'unwinnable' order by all",
                [strict, load_game(strict).digest, loose, load_game(loose).digest],
            ).fetchall()
        for player in dict.fromkeys(row[0] for row in rows):
            deals = tuple(f"{row[1]}:{row[2]}" for row in rows if row[0] == player)
            found.append(Contradiction(f"{strict}, {player}", f"{loose}, {THOUGHTFUL}", deals))
    return found
