"""Processor time of studies, stored beside the records.

A record is the same wherever and whenever its deal is tried. Its time is not, so it is stored
separately. Each run writes its own file in ``DIR/costs``. So costs are merged like the parts of a
store: by copying files, any number of times.
"""

import json
import uuid
from collections.abc import Iterator
from typing import Final, NamedTuple

from cadogan.storage import replace_file
from cadogan.study.store import Store

EVERY: Final = 10.0
"""Seconds between two writes of the costs. At most so much is lost if a run is killed."""


class Asked(NamedTuple):
    """A question about deals: the part of a record that is the same for all deals of a study.

    Attributes:
        game: The name of the game.
        digest: The fingerprint of its compiled rules.
        player: The player, with its options.
        scheme: The scheme of the deals.
        budget: The largest number of nodes, or moves.
        solver: The fingerprint of the solver.
    """

    game: str
    digest: str
    player: str
    scheme: str
    budget: int
    solver: str


class Cost(NamedTuple):
    """How many deals took how many seconds of one processor."""

    deals: int
    seconds: float


class Costs:
    """The costs of one run.

    Args:
        store: The store in whose folder they are written.
    """

    def __init__(self, store: Store) -> None:
        self._folder = store.folder / "costs"
        self._path = self._folder / f"{uuid.uuid4().hex}.json"
        self._costs: dict[Asked, Cost] = {}
        self._written = 0.0

    def add(self, asked: Asked, deals: int, seconds: float) -> None:
        """Adds the cost of a batch."""
        known = self._costs.get(asked, Cost(0, 0.0))
        self._costs[asked] = Cost(known.deals + deals, known.seconds + seconds)

    def save(self, now: float, *, must: bool = False) -> None:
        """Writes the costs, unless they were written less than :data:`EVERY` seconds ago.

        Args:
            now: Seconds of any clock that never goes back.
            must: Whether to write them in any case.

        Raises:
            OSError: If they cannot be written. The old file is still there then.
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
    """Sums the costs of all runs of a store. Damaged files are ignored."""
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
    """Copies the costs of another store into this one. Repeating it changes nothing.

    Raises:
        OSError: If they cannot be written.
    """
    for path in (other.folder / "costs").glob("*.json"):
        target = store.folder / "costs" / path.name
        target.parent.mkdir(exist_ok=True)
        # If the run was still active when its file was copied before, the file has grown since.
        replace_file(target, path.read_text(encoding="utf-8"))
