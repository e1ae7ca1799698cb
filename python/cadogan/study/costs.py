"""What trying deals has cost, beside the records.

A record says what came of a deal, and that is the same wherever and whenever it is tried; how long
it took is not, so it is no part of it. Each run keeps a file of its own in ``DIR/costs``, so that
the costs of stores are put together as their parts are: by copying, as often as one likes.
"""

import json
import uuid
from collections.abc import Iterator
from typing import Final, NamedTuple

from cadogan.storage import replace_file
from cadogan.study.store import Store

EVERY: Final = 10.0
"""Seconds between two times that the costs of a run are written: so much of them may be lost."""


class Asked(NamedTuple):
    """What is asked about deals: the part of a record that is the same for all of a study.

    Attributes:
        game: The name of the game.
        digest: The fingerprint of its compiled rules.
        player: The player, with its options.
        scheme: The scheme of the deals.
        budget: Nodes, or moves, that might be spent.
        solver: The fingerprint of the solver.
    """

    game: str
    digest: str
    player: str
    scheme: str
    budget: int
    solver: str


class Cost(NamedTuple):
    """So many deals in so many seconds of one processor."""

    deals: int
    seconds: float


class Costs:
    """The costs of one run.

    Args:
        store: Where they are kept.
    """

    def __init__(self, store: Store) -> None:
        self._folder = store.folder / "costs"
        self._path = self._folder / f"{uuid.uuid4().hex}.json"
        self._costs: dict[Asked, Cost] = {}
        self._written = 0.0

    def add(self, asked: Asked, deals: int, seconds: float) -> None:
        """Takes note of what a batch has cost."""
        known = self._costs.get(asked, Cost(0, 0.0))
        self._costs[asked] = Cost(known.deals + deals, known.seconds + seconds)

    def keep(self, now: float, *, must: bool = False) -> None:
        """Writes them, if they were not written a moment ago.

        Args:
            now: Seconds by any clock that does not go back.
            must: Whether to write them all the same.

        Raises:
            OSError: If they cannot be written. What was written before is kept.
        """
        if not self._costs or (not must and now - self._written < EVERY):
            return
        self._folder.mkdir(exist_ok=True)
        rows = [
            {**asked._asdict(), "deals": cost.deals, "seconds": round(cost.seconds, 3)}
            for asked, cost in sorted(self._costs.items())
        ]
        replace_file(self._path, json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
        self._written = now


def costs_of(store: Store) -> dict[Asked, Cost]:
    """What is known of the costs of all runs of a store.

    A file that is damaged counts for nothing.
    """
    costs: dict[Asked, Cost] = {}
    for asked, cost in _rows(store):
        known = costs.get(asked, Cost(0, 0.0))
        costs[asked] = Cost(known.deals + cost.deals, known.seconds + cost.seconds)
    return costs


def _rows(store: Store) -> Iterator[tuple[Asked, Cost]]:
    for path in sorted((store.folder / "costs").glob("*.json")):
        try:
            rows = json.loads(path.read_text(encoding="utf-8"))
            found = [
                (
                    Asked(*(row[name] for name in Asked._fields)),
                    Cost(int(row["deals"]), float(row["seconds"])),
                )
                for row in rows
            ]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        yield from found


def merge_costs(store: Store, other: Store) -> None:
    """Takes over the costs of another store. To do it again makes no difference.

    Raises:
        OSError: If they cannot be written.
    """
    for path in (other.folder / "costs").glob("*.json"):
        target = store.folder / "costs" / path.name
        target.parent.mkdir(exist_ok=True)
        # A run that was copied while it went on has more now.
        replace_file(target, path.read_text(encoding="utf-8"))
