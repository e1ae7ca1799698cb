"""What the list of games tells of how often they come out, made from a store.

The table in the browser is to know it without the studies and what they need, so it is a small file
of the package: :mod:`cadogan.table.win_rates` reads it, and ``cadogan study rates`` writes it.
"""

import json
from pathlib import Path
from typing import Any

from cadogan.storage import replace_file
from cadogan.study.errors import StudyError
from cadogan.study.plan import load_game
from cadogan.study.store import Store
from cadogan.study.summary import Summary, summarize

FAIR = "fair"
"""The player that knows what a person sees."""
LEAST = 30
"""Fewer deals tell nothing that a player could count on."""


def chances(store: Store) -> dict[str, dict[str, Any]]:
    """What is known of each game of a store, by its name with variants.

    Of several studies of a game the one with the most deals counts, and of several fair players the
    one that wins most. Rules that have changed since a study have no part in it.

    Args:
        store: The store.

    Returns:
        ``rules``, the fingerprint of the rules; of the solver ``deals``, ``won``, ``undecided`` and
        the bounds ``low`` and ``high`` of the interval; ``seen``, deals and wins of a player who
        knows what a person sees.
    """
    solver: dict[str, Summary] = {}
    fair: dict[str, Summary] = {}
    for summary in summarize(store):
        game, player = summary.study.game, summary.study.player
        # Rules files that are not of the catalogue are not in the list.
        if summary.tally.deals < LEAST or ".toml" in game:
            continue
        if player.is_thoughtful:
            known = solver.get(game)
            if known is None or summary.tally.deals > known.tally.deals:
                solver[game] = summary
        elif player.name == FAIR:
            known = fair.get(game)
            if known is None or _share(summary) > _share(known):
                fair[game] = summary
    return {game: _entry(game, solver[game], fair.get(game)) for game in sorted(solver)}


def write(store: Store, to: Path) -> int:
    """Writes the file, one line a game.

    Returns:
        How many games it tells of.

    Raises:
        StudyError: If nothing is known, or the file cannot be written.
    """
    found = chances(store)
    if not found:
        raise StudyError(
            f"of no game {LEAST} deals were tried by the solver", "run the study first"
        )
    lines = [f"  {json.dumps(game)}: {json.dumps(entry)}" for game, entry in found.items()]
    try:
        replace_file(to, "{\n" + ",\n".join(lines) + "\n}\n")
    except OSError as error:
        raise StudyError(
            f"{to}: it could not be written: {error.strerror or error}", "choose another file"
        ) from None
    return len(found)


def _share(summary: Summary) -> float:
    return summary.tally.won / summary.tally.deals


def _entry(game: str, solver: Summary, fair: Summary | None) -> dict[str, Any]:
    tally, interval = solver.tally, solver.interval
    entry: dict[str, Any] = {
        "rules": load_game(game).digest[:12],
        "deals": tally.deals,
        "won": tally.won,
        "undecided": tally.undecided,
        "low": round(interval.low, 4),
        "high": round(interval.high, 4),
    }
    if fair is not None:
        entry["seen"] = {"deals": fair.tally.deals, "won": fair.tally.won}
    return entry
