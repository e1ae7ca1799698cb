"""A store for one player at a terminal, whose game continues when it cannot be stored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cadogan.table.record import Event, Record
from cadogan.table.store import Addition, Conflict, Store, TableRow
from cadogan.trouble import Trouble, trouble


@dataclass(frozen=True, slots=True)
class _Waiting:
    """The part of a table that could not be stored yet.

    Attributes:
        row: The table, if it is not stored itself.
        after: The version that is stored.
        events: The events after it.
        record: The record with them.
    """

    row: TableRow | None
    after: int
    events: tuple[Event, ...]
    record: Record


class LenientStore(Store):
    """A store that holds in memory what it cannot write, and writes it with the next change.

    So a full disk or a locked database does not end a game. It is for one player, who sees the
    reports; a server answers with the fault instead, and the change is not made.

    Args:
        url: The address of the database, as for :class:`Store`.
        folder: The data folder; by default the user's.
        report: Called with the problem each time that something could not be stored, and with
            ``None`` when it was stored later.

    Raises:
        StoreError: If the database cannot be opened.
    """

    def __init__(
        self,
        url: str | None = None,
        folder: Path | None = None,
        *,
        report: Callable[[Trouble | None], None],
    ) -> None:
        self._report = report
        self._waiting: dict[str, _Waiting] = {}
        super().__init__(url, folder)

    @property
    def is_behind(self) -> bool:
        """Whether something is not stored yet."""
        return bool(self._waiting)

    def flush(self) -> None:
        """Tries again to store what could not be stored."""
        for key in list(self._waiting):
            self._write(key, self._waiting[key])

    def begin(
        self,
        row: TableRow,
        record: Record,
        events: Sequence[Event] = (),
        closing: Addition | None = None,
    ) -> None:
        """As :meth:`Store.begin`; what cannot be stored is held in memory."""
        if closing is not None:
            super().begin(row, record, events, closing)
        else:
            self._write(row.id, _Waiting(row, 0, tuple(events), record))

    def append(self, key: str, after: int, events: Sequence[Event], record: Record) -> None:
        """As :meth:`Store.append`; what cannot be stored is held in memory."""
        held = self._waiting.get(key)
        if held is None:
            self._write(key, _Waiting(None, after, tuple(events), record))
        else:
            self._write(key, _Waiting(held.row, held.after, (*held.events, *events), record))

    def version(self, key: str) -> int:
        """The number of events of a record, including those in memory."""
        held = self._waiting.get(key)
        return super().version(key) if held is None else held.after + len(held.events)

    def _write(self, key: str, wanted: _Waiting) -> None:
        was_behind = self._waiting.pop(key, None) is not None
        try:
            if wanted.row is not None:
                super().begin(wanted.row, wanted.record, wanted.events)
            else:
                super().append(key, wanted.after, wanted.events, wanted.record)
        except Conflict:
            raise
        except Exception as fault:
            if (known := trouble(fault)) is None:
                raise
            self._waiting[key] = wanted
            self._report(known)
        else:
            if was_behind and not self._waiting:
                self._report(None)
