"""Records acknowledged changes, and checks that none is lost."""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cadogan.table.intent import Intent
from cadogan.table.record import Draft, Options, Record
from cadogan.table.service import StaleError, Tables


@dataclass
class Ledger:
    """Notes every change that was acknowledged.

    Attributes:
        refused: Changes that were not acknowledged.
    """

    refused: int = 0
    _noted: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, record: Record) -> None:
        """A change was acknowledged: this is how the table stands after it."""
        with self._lock:
            self._noted.setdefault(record.key, []).append((record.version, standing(record)))

    def refuse(self) -> None:
        """A change was refused."""
        with self._lock:
            self.refused += 1

    @property
    def acknowledged(self) -> int:
        """How many changes were acknowledged."""
        return sum(map(len, self._noted.values()))

    def check(self, tables: Tables) -> None:
        """Checks that every table opens with everything that was acknowledged."""
        for key, noted in self._noted.items():
            record = tables.get(key)
            assert record.stranded == 0
            draft = Draft(Record.dealt(key, record.nodes[0].position, record.begun, Options()))
            stood = {0: standing(draft.now)}
            for event in tables.store.events(key):
                draft.add(event)
                stood[draft.now.version] = standing(draft.now)
            lost = [version for version, known in noted if stood.get(version) != known]
            assert lost == [], f"{key} lost {lost}, and is at version {record.version}"
            assert standing(record) == standing(draft.now)
            tables.bookmark(key, record.version, 0, "it can be played on")


def standing(record: Record) -> Any:
    """What a player sees of a table."""
    marks = [node.name for node in record.nodes]
    return record.node, record.position.hash, len(record.nodes), marks, record.closed


def play(tables: Tables, key: str, seed: int, ledger: Ledger, ended: Callable[[], bool]) -> None:
    """Plays at a table at random, and continues after every refusal."""
    dice = random.Random(seed)
    while not ended():
        try:
            record = tables.get(key)
            moves = record.position.moves()
            what = dice.random()
            if what < 0.1 and record.node:
                record = tables.undo(key, record.version)
            elif what < 0.2:
                record = tables.bookmark(key, record.version, record.node, f"mark {record.version}")
            elif moves and len(record.nodes) < 400:
                text = dice.choice(moves).text
                record = tables.move(key, record.version, Intent(text))[0]
            else:
                record = tables.restart(key, record.version)
        except StaleError:
            continue
        except Exception:
            ledger.refuse()
            time.sleep(0.005)
        else:
            ledger.note(record)
