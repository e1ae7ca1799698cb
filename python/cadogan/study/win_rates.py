"""Exports the win rates that the list of games shows.

The table in the browser must work without the studies and their dependencies. So the rates are a
small file of the package: ``cadogan study rates`` writes it, and :mod:`cadogan.table.win_rates`
reads it.
"""

import json
from pathlib import Path
from typing import Any, Final

from cadogan.reading import read_text
from cadogan.storage import replace_file
from cadogan.study.errors import StudyError
from cadogan.study.plan import load_game
from cadogan.study.statistics import Tally
from cadogan.study.store import Store
from cadogan.study.summary import Summary, summarize

FAIR: Final = frozenset({"fair", "greedy"})
"""The players that know only what a person sees."""
LEAST = 30
"""Games with fewer deals are left out: their rates would be too uncertain."""


def chances(store: Store) -> dict[str, dict[str, Any]]:
    """Collects the win rates of each game of a store, by its name with variants.

    If a game was studied several times, the study with the most deals counts. Of several fair
    players, the one whose interval begins highest counts. Results of outdated rules are ignored.

    Args:
        store: The store.

    Returns:
        For each game: ``rules``, the fingerprint of its rules; ``deals``, ``won``, ``undecided``
        and the interval's bounds ``low`` and ``high``, all of the solver, if it was studied; and
        ``seen``, the deals and wins of a player who knows only what a person sees.
    """
    solver: dict[str, Summary] = {}
    fair: dict[str, Summary] = {}
    for summary in summarize(store):
        game, player = summary.study.game, summary.study.player
        # The list shows only games of the catalogue.
        if summary.tally.deals < LEAST or ".toml" in game:
            continue
        if player.is_thoughtful:
            known = solver.get(game)
            if known is None or summary.tally.deals > known.tally.deals:
                solver[game] = summary
        elif player.name in FAIR:
            known = fair.get(game)
            if known is None or _strength_of(summary) > _strength_of(known):
                fair[game] = summary
    return {
        game: _entry(game, solver.get(game), fair.get(game))
        for game in sorted(solver.keys() | fair.keys())
    }


def write(store: Store, to: Path) -> int:
    """Writes the file, one line per game.

    Figures that the file has already stay if they belong to the rules of today, and their interval
    is narrower than that of the store. Games that the solver has not tried are left out.

    Args:
        store: The store.
        to: The file.

    Returns:
        How many games the file covers.

    Raises:
        StudyError: If no game has enough deals, or the file cannot be written.
    """
    found = chances(store)
    if not found:
        raise StudyError(
            f"the solver has tried {LEAST} deals of no game yet", "run the study first"
        )
    for game, entry in _known(to).items():
        found[game] = _better(entry, found.get(game))
    found = {game: entry for game, entry in found.items() if "deals" in entry}
    lines = [f"  {json.dumps(game)}: {json.dumps(entry)}" for game, entry in sorted(found.items())]
    try:
        replace_file(to, "{\n" + ",\n".join(lines) + "\n}\n")
    except OSError as error:
        raise StudyError(
            f"{to} cannot be written: {error.strerror or error}", "choose another file"
        ) from None
    return len(found)


def _known(path: Path) -> dict[str, dict[str, Any]]:
    """The entries of the file as it is that belong to the rules of today."""
    if not path.exists():
        return {}
    try:
        known: dict[str, dict[str, Any]] = json.loads(read_text(path))
        return {game: entry for game, entry in known.items() if _is_current(game, entry["rules"])}
    except (OSError, ValueError, LookupError, AttributeError, TypeError):
        raise StudyError(f"{path} is not a file of win rates", "choose another file") from None


def _is_current(game: str, rules: str) -> bool:
    try:
        return load_game(game).digest.startswith(rules)
    except StudyError:
        return False


def _better(one: dict[str, Any], other: dict[str, Any] | None) -> dict[str, Any]:
    """The better figures of two studies of the same rules, each player for itself.

    A narrower interval is better: it counts the deals and those that are undecided.
    """
    if other is None:
        return one
    better = min((other, one), key=lambda each: each.get("high", 2) - each.get("low", 0)).copy()
    seen = [each["seen"] for each in (one, other) if "seen" in each]
    if seen:
        better["seen"] = max(seen, key=lambda each: _strength(each["won"], each["deals"]))
    return better


def _strength_of(summary: Summary) -> tuple[float, int]:
    return _strength(summary.tally.won, summary.tally.deals)


def _strength(won: int, deals: int) -> tuple[float, int]:
    """What a player wins at least, by its interval of 95 %; and the number of deals."""
    return Tally(won=won, lost=deals - won).interval().low, deals


def _entry(game: str, solver: Summary | None, fair: Summary | None) -> dict[str, Any]:
    entry: dict[str, Any] = {"rules": load_game(game).digest[:12]}
    if solver is not None:
        tally, interval = solver.tally, solver.interval
        entry |= {
            "deals": tally.deals,
            "won": tally.won,
            "undecided": tally.undecided,
            "low": round(interval.low, 4),
            "high": round(interval.high, 4),
        }
    if fair is not None:
        entry["seen"] = {"deals": fair.tally.deals, "won": fair.tally.won}
    return entry
