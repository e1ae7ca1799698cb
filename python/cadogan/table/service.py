"""The service for all tables of a store. Every change is on disk before it is reported.

Every change names the version of the table that the player saw. If the table has changed meanwhile,
in another tab or by another server, the change is refused.
"""

import copy
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Self

from sqlalchemy.exc import SQLAlchemyError

from cadogan.cards import CardError, format_cards
from cadogan.deals import DealError, DeckError
from cadogan.game import Position
from cadogan.i18n.text import Translatable, gettext
from cadogan.moves import Move, MoveError
from cadogan.rules import RulesError, UnknownGameError
from cadogan.savefile import SavedGameError
from cadogan.table.game_file import GameFileError, GameText, TextFault, Written, read_game
from cadogan.table.intent import Intent, find_move, finishing_line, safe_moves
from cadogan.table.library import FaultyGameError, Library
from cadogan.table.record import (
    MOST_EVENTS,
    MOST_NODES,
    By,
    Draft,
    Event,
    Kind,
    Options,
    Record,
    TooLongError,
    VerdictMode,
)
from cadogan.table.store import Addition, Conflict, Store, TableRow, new_id, now
from cadogan.trouble import BUSY_SECONDS, BusyError, trouble

MOST_HELD: Final = 2_000
"""The largest number of tables in memory; others are read from the database."""
MOST_NODES_HELD: Final = 100_000
"""The largest number of positions in memory; each takes a few kilobytes."""
GROWTH: Final = 16
"""After so many changes of a table it is checked again how many positions are in memory."""
MOST_READINGS: Final = 3
"""How often to read a damaged record that other servers are changing."""
MOST_FAULTS: Final = 100
"""The largest number of faults of a file that are reported at once."""
MOST_NAME: Final = 200

Listener = Callable[[Record], None]
_log = logging.getLogger(__name__)


class NoTableError(LookupError):
    """There is no table with this key."""


class StaleError(Exception):
    """The table has changed since the player saw it.

    Attributes:
        record: The current record.
    """

    def __init__(self, record: Record) -> None:
        super().__init__(f"the table is at version {record.version} by now")
        self.record = record


class NothingToDoError(ValueError):
    """There is nothing to undo, redo or finish."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move that was played.

    Attributes:
        before: The position before it.
        move: The move.
        by: Who made it.
    """

    before: Position
    move: Move
    by: By


class _Loaded:
    """A table in memory, with its lock."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self._lock = threading.RLock()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Locks the table against other readers and writers.

        Raises:
            BusyError: If the lock is not free in time.
        """
        # Threads that wait for the same table must not add up their waiting times.
        if not self._lock.acquire(timeout=BUSY_SECONDS):
            raise BusyError
        try:
            yield
        finally:
            self._lock.release()


class Tables:
    """The tables.

    Args:
        store: Where they are stored.
        library: The games.
    """

    def __init__(self, store: Store, library: Library) -> None:
        self.store = store
        self.library = library
        self._held: OrderedDict[tuple[int, str], _Loaded] = OrderedDict()
        self._lock = threading.Lock()
        self._listeners: list[Listener] = []

    def of(self, player: int) -> Self:
        """The tables of another player; memory, locks and listeners are shared."""
        if player == self.store.player:
            return self
        view = copy.copy(self)
        view.store = self.store.of(player)
        view.library = self.library.of(player)
        return view

    def of_owner(self, key: str) -> Self:
        """The tables of the player to whom a table belongs, for the server's own work.

        Raises:
            NoTableError: If there is no table with this key.
        """
        player = self.store.owner(key)
        if player is None:
            raise NoTableError(gettext("there is no such table"))
        return self.of(player)

    def listen(self, listener: Listener) -> None:
        """Registers a listener, which is called after each change is on disk."""
        self._listeners.append(listener)

    # New tables.

    def deal(
        self,
        game: str,
        deal: str | None = None,
        deck: Sequence[str] | None = None,
        *,
        options: Options | None = None,
        line: Sequence[str] = (),
        closes: str | None = None,
    ) -> Record:
        """Deals a game at a new table.

        Args:
            game: The game, with variants.
            deal: The name of the deal.
            deck: Instead of a name, the cards.
            options: The options of the table.
            line: Moves to play immediately.
            closes: A table to close in the same transaction.

        After an exception nothing is stored.

        Raises:
            UnknownGameError: If there is no such game.
            DealError, DeckError: If the game cannot be dealt like this.
            MoveError: If a move of the line is not allowed.
            NoTableError: If there is no table to close.
        """
        loaded = self.library.choose(game)
        first = loaded.deal(deal) if deal is not None else loaded.deal(deck=deck or ())
        return self.begin(first, options=options, line=line, closes=closes)

    def begin(
        self,
        first: Position,
        *,
        options: Options | None = None,
        line: Sequence[str] = (),
        closes: str | None = None,
    ) -> Record:
        """Begins a table with a dealt position; see :meth:`deal`.

        Args:
            first: The position after the deal, of a game of the library.
            options: The options of the table.
            line: Moves to play immediately.
            closes: A table to close in the same transaction.

        Raises:
            MoveError: If a move of the line is not allowed.
            NoTableError: If there is no table to close.
        """
        draft = Draft(Record.dealt(new_id(), first, now(), options or Options()))
        for text in line:
            draft.play(text, "brought", now())
        if closes is None:
            return self._begin(draft)
        while True:
            # Another server may be changing that table.
            with suppress(StaleError), self.changing(closes, None) as held:
                return self._begin(draft, held)

    def options(self) -> Options:
        """The player's settings for new tables; defaults for unreadable ones."""
        saved = self.store.setting("settings")
        saved = saved if isinstance(saved, dict) else {}
        verdict: VerdictMode = "none" if saved.get("verdict") == "none" else "thoughtful"
        return Options(verdict, saved.get("autoplay") is True)

    def read(self, text: str, options: Options | None = None) -> Record:
        """Continues a game from a game file, at a new table.

        Raises:
            GameFileError: If the text cannot be read, its game cannot be dealt, or a move in it is
                illegal; it has all faults.
        """
        wanted = read_game(text)
        first = self._deal_of(wanted)
        dealt = Record.dealt(new_id(), first, now(), options or Options())
        return self._begin(_replayed(wanted, dealt))

    def take_over(self, draft: Draft) -> bool:
        """Stores a table that was imported from elsewhere, with its key.

        Returns:
            Whether it was new; if not, nothing changes.
        """
        with suppress(Conflict):
            self._begin(draft)
            return True
        return False

    def _deal_of(self, wanted: GameText) -> Position:
        """Deals the game of a game file."""
        facts = wanted.facts
        try:
            game = self.library.choose(wanted.game)
        except (UnknownGameError, RulesError, FaultyGameError) as fault:
            raise GameFileError(facts["game"].fault(_first(fault))) from None
        if wanted.digest is not None and wanted.digest != game.digest:
            changed = gettext(
                "the rules of {game} have changed since: their digest was {old} and is {new}",
                game=wanted.game, old=wanted.digest[:16], new=game.digest[:16],
            )  # fmt: skip
            raise GameFileError(facts["digest"].fault(changed))
        try:
            if wanted.deal is not None:
                return game.deal(wanted.deal)
            return game.deal(deck=(wanted.deck or "").split())
        except (DealError, DeckError, CardError) as fault:
            which = "deal" if wanted.deal is not None else "deck"
            raise GameFileError(facts[which].fault(_first(fault))) from None

    def _begin(self, draft: Draft, closing: _Loaded | None = None) -> Record:
        """Stores a new table with its events and closes another one: both or neither."""
        record, events = draft.record(), draft.events
        first = record.nodes[0].position
        row = TableRow(
            id=record.key,
            game=first.game.name,
            digest=first.game.digest,
            deal=first.deal_name,
            deck=None if first.deal_name is not None else format_cards(first.deck),
            root=f"{first.hash:032x}",
            verdict=record.options.verdict,
            autoplay=record.options.autoplay,
            begun=record.begun,
        )
        if closing is None or closing.record.closed:
            self.store.begin(row, record, events)
        else:
            old = closing.record
            close = [Event("close", old.node, {"closed": True}, now())]
            closed = old.after(close)
            self.store.begin(row, record, events, Addition(old.key, old.version, close, closed))
            closing.record = closed
        self._hold(record)
        if events:
            self._notify(record)
        return record

    def get(self, key: str) -> Record:
        """The current record of a table.

        Raises:
            NoTableError: If there is no table with this key.
            SavedGameError: If it cannot be replayed because the rules have changed.
        """
        held = self._find(key)
        with held.locked():
            self._refresh(held)
            return held.record

    # Changes.

    def move(self, key: str, version: int, intent: Intent) -> tuple[Record, list[PlayedMove]]:
        """Plays the player's move, and the automatic moves after it.

        Raises:
            StaleError: If the table has changed.
            MoveError: If the move is not allowed; the message explains why.
        """
        with self.changing(key, version) as held:
            draft, at = Draft(held.record), now()
            made = [_play(draft, find_move(draft.position, intent), "player", at)]
            if held.record.options.autoplay:
                made += _follow(draft, safe_moves(draft.position), at)
                made += _follow(draft, finishing_line(draft.position), at)
            self._store_draft(held, draft)
            return held.record, made

    def finish(self, key: str, version: int) -> tuple[Record, list[PlayedMove]]:
        """Finishes the game with moves to the foundations.

        Raises:
            NothingToDoError: If such moves do not win the game.
        """
        with self.changing(key, version) as held:
            line = finishing_line(held.record.position)
            if not line:
                raise NothingToDoError(gettext("the game cannot be finished automatically yet"))
            draft = Draft(held.record)
            made = _follow(draft, line, now())
            self._store_draft(held, draft)
            return held.record, made

    def undo(self, key: str, version: int) -> Record:
        """Undoes the last move.

        Raises:
            NothingToDoError: If there is none.
        """
        with self.changing(key, version) as held:
            parent = held.record.here.parent
            if parent is None:
                raise NothingToDoError(gettext("there is no move to undo"))
            return self._go(held, parent, "undo")

    def redo(self, key: str, version: int) -> tuple[Record, list[PlayedMove]]:
        """Plays the move again that was undone last.

        Raises:
            NothingToDoError: If there is none.
        """
        with self.changing(key, version) as held:
            ahead = held.record.next
            if ahead is None:
                raise NothingToDoError(gettext("there is no move to redo"))
            before = held.record.position
            self._go(held, ahead, "redo")
            move = held.record.here.move
            assert move is not None
            return held.record, [PlayedMove(before, move, "player")]

    def go(self, key: str, version: int, node: int) -> Record:
        """Goes to any position of the tree.

        Raises:
            NoTableError: If there is no such position.
        """
        with self.changing(key, version) as held:
            self._node(held.record, node)
            return self._go(held, node, "goto")

    def restart(self, key: str, version: int) -> Record:
        """Goes back to the deal."""
        with self.changing(key, version) as held:
            return self._go(held, 0, "restart")

    def bookmark(self, key: str, version: int, node: int, name: str) -> Record:
        """Sets the bookmark of a position; an empty name removes it."""
        with self.changing(key, version) as held:
            self._node(held.record, node)
            data = {"name": " ".join(name.split())[:MOST_NAME]}
            self._store_events(held, [Event("mark", node, data, now())])
            return held.record

    def switch(
        self,
        key: str,
        version: int,
        *,
        verdict: VerdictMode | None = None,
        autoplay: bool | None = None,
    ) -> Record:
        """Changes the options of a table."""
        with self.changing(key, version) as held:
            options = held.record.options
            if verdict is not None:
                options = replace(options, verdict=verdict)
            if autoplay is not None:
                options = replace(options, autoplay=autoplay)
            data = {"verdict": options.verdict, "autoplay": options.autoplay}
            self._store_events(held, [Event("options", held.record.node, data, now())])
            return held.record

    def put_away(self, key: str, version: int | None, closed: bool = True) -> Record:
        """Closes a table, or opens it again."""
        with self.changing(key, version) as held:
            if held.record.closed != closed:
                self._store_events(
                    held, [Event("close", held.record.node, {"closed": closed}, now())]
                )
            return held.record

    @contextmanager
    def changing(self, key: str, version: int | None) -> Iterator[_Loaded]:
        """Locks a table for a change.

        Raises:
            StaleError: If it has another version, before or during the change.
        """
        held = self._find(key)
        with held.locked():
            # A record that is not the newest is found out when the change is stored: then the
            # database refuses it. So the usual move asks the database only once.
            if version != held.record.version or held.record.stranded:
                self._refresh(held, to_change=True)
            if version is not None and version != held.record.version:
                raise StaleError(held.record)
            before = held.record.version
            try:
                yield held
            except Conflict:
                # The loaded table may have changes that were never stored, so its version proves
                # nothing.
                held.record = self._read(key)
                raise StaleError(held.record) from None
            after = held.record.version
        if after // GROWTH != before // GROWTH:
            with self._lock:
                self._evict()
        if after != before:
            self._notify(held.record)

    def _notify(self, record: Record) -> None:
        for listener in self._listeners:
            try:
                listener(record)
            except Exception:
                # The change is on disk, so the player must not get an error.
                _log.exception("a change of table %s was not reported to all listeners", record.key)

    def _go(self, held: _Loaded, node: int, how: str) -> Record:
        self._store_events(held, [Event("goto", node, {"how": how}, now())])
        return held.record

    @staticmethod
    def _node(record: Record, node: int) -> None:
        if not 0 <= node < len(record.nodes):
            raise NoTableError(gettext("there is no position {number} at this table", number=node))

    def _store_events(self, held: _Loaded, events: list[Event]) -> None:
        """Stores events, and only then adds them to the record.

        Raises:
            TooLongError: If there are too many. A table can always be closed.
            Conflict: If another server has added to the record.
        """
        draft = Draft(held.record)
        for each in events:
            draft.add(each)
        self._store_draft(held, draft)

    def _store_draft(self, held: _Loaded, draft: Draft) -> None:
        """Stores the events of a draft, and then its record."""
        before, after = held.record, draft.record()
        if after.version > MOST_EVENTS and not (after.closed and not before.closed):
            raise TooLongError.events()
        self.store.append(before.key, before.version, draft.events, after)
        held.record = after

    # Tables in memory.

    def _find(self, key: str) -> _Loaded:
        # Who asks is part of the key: what another player has loaded is not found.
        own = self.store.player, key
        with self._lock:
            held = self._held.get(own)
            if held is not None:
                self._held.move_to_end(own)
                return held
        return self._hold(self._read(key))

    def _hold(self, record: Record) -> _Loaded:
        with self._lock:
            own = self.store.player, record.key
            held = self._held.setdefault(own, _Loaded(record))
            self._held.move_to_end(own)
            self._evict()
            return held

    def _evict(self) -> None:
        """Removes the least recently used tables from memory if there are too many."""
        nodes = sum(len(held.record.nodes) for held in self._held.values())
        while len(self._held) > 1 and (len(self._held) > MOST_HELD or nodes > MOST_NODES_HELD):
            nodes -= len(self._held.popitem(last=False)[1].record.nodes)

    def _refresh(self, held: _Loaded, to_change: bool = False) -> None:
        """Reads the events that another server has added.

        Raises:
            SQLAlchemyError: If the table is about to be changed and the database is not writable.
        """
        record = held.record
        version = self.store.version(record.key)
        if version == record.version:
            return
        with suppress(SavedGameError):
            if version > record.version:
                record = record.after(self.store.events(record.key, record.version))
        # If events are damaged, or an older copy of the database was restored, read everything.
        added = record.version >= version > held.record.version
        held.record = record if added else self._read(record.key, to_change)

    def _read(self, key: str, to_change: bool = False) -> Record:
        row = self.store.row(key)
        if row is None:
            raise NoTableError(gettext("there is no such table"))
        game = self.library.load(row.game)
        if game.digest != row.digest:
            raise SavedGameError(
                f"the rules of {row.game} have changed since this table was begun: their digest "
                f"was {row.digest[:16]} and is {game.digest[:16]}"
            )
        if row.deal is not None:
            first = game.deal(row.deal)
        else:
            first = game.deal(deck=(row.deck or "").split())
        options = Options("thoughtful" if row.verdict == "thoughtful" else "none", row.autoplay)
        return self._replay(Record.dealt(key, first, row.begun, options), to_change)

    def _replay(self, first: Record, to_change: bool) -> Record:
        """Replays the record of a table. Events that cannot be replayed are set aside.

        If the database is not writable, they are only left out: the table can be read, not changed.
        """
        record = first
        for _ in range(MOST_READINGS):
            draft, failed = Draft(first), None
            for event in self.store.events(first.key):
                try:
                    draft.add(event)
                except SavedGameError as fault:
                    _log.error("table %s: %s; it is set aside", first.key, fault)
                    failed = event
                    break
            record = draft.record()
            behind = max(0, self.store.version(record.key) - record.version)
            if failed is None and not behind:
                break
            try:
                if self.store.strand(record, failed):
                    break
            except SQLAlchemyError as fault:
                if to_change or (known := trouble(fault)) is None:
                    raise
                _log.error("table %s: no event can be set aside: %s", first.key, known.text)
                return replace(record, stranded=self.store.stranded(record.key) + behind)
            # Another server has added or set aside events meanwhile.
        if number := self.store.stranded(record.key):
            record = replace(record, stranded=number)
            with suppress(Conflict, SQLAlchemyError):
                # Update the summary; if this fails now, a later change does it.
                self.store.append(record.key, record.version, (), record)
        return record

    def known(self) -> list[tuple[TableRow, Any]]:
        """All tables, for statistics."""
        return list(self.store.tables())


def _first(fault: Exception) -> str:
    """The message of an exception, still translatable."""
    said = fault.args[0] if fault.args else None
    return said if isinstance(said, Translatable) else str(fault)


def _play(
    draft: Draft, move: Move, by: By, at: datetime, after: Position | None = None
) -> PlayedMove:
    """Plays a move in a draft."""
    before = draft.position
    draft.play(move, by, at, after=after)
    return PlayedMove(before, move, by)


def _follow(draft: Draft, positions: Iterable[Position], at: datetime) -> list[PlayedMove]:
    """Plays automatic moves, given the positions after them, each played from the one before."""
    made = []
    for position in positions:
        assert position.last_move is not None
        made.append(_play(draft, position.last_move, "autoplay", at, position))
    return made


def _replayed(wanted: GameText, record: Record) -> Draft:
    """Replays the tree of a game file."""
    draft = Draft(record)
    faults: list[TextFault] = []
    # The node of each position of the file; ``None`` if a fault prevents it.
    nodes: list[int | None] = [0]

    def add(kind: Kind, node: int, after: Position | None = None, **data: Any) -> None:
        draft.add(Event(kind, node, data, record.begun), after)

    def make(parent: int, written: Written) -> int | None:
        if parent >= len(nodes):
            unknown = gettext("there is no position {number} before this line", number=parent)
            faults.append(written.fault(unknown))
            return None
        source = nodes[parent]
        if source is None:
            return None
        node = draft.now.nodes[source]
        new = len(draft.now.nodes)
        try:
            move = node.position.parse_move(written.text)
            # A file may repeat a move.
            if (child := node.children.get(move.text)) is not None:
                return child
            if new >= MOST_NODES:
                raise TooLongError.nodes()
            after = node.position.play(move)
        except (MoveError, TooLongError) as fault:
            reason = getattr(fault, "reason", None) or _first(fault)
            why = gettext("'{move}' is illegal: {reason}", move=written.text, reason=reason)
            faults.append(written.fault(why))
            return None
        add("move", new, after, move=move.text, parent=source, by="brought")
        return new

    line = [(number, move) for number, move in enumerate(wanted.line)]
    for parent, move in [*line, *wanted.branches]:
        nodes.append(make(parent, move))
        if len(faults) >= MOST_FAULTS:
            raise GameFileError(*faults)
    names: dict[int, str] = {}
    for number, name in wanted.names:
        if number >= len(nodes):
            unknown = gettext("there is no position {number} to name", number=number)
            faults.append(name.fault(unknown))
        elif (node := nodes[number]) is not None:
            names[node] = name.text[:MOST_NAME]
    if faults:
        raise GameFileError(*faults[:MOST_FAULTS])
    for node, text in names.items():
        add("mark", node, name=text)
    end = nodes[len(wanted.line)]
    if end is not None and draft.now.node != end:
        add("goto", end, how="goto")
    return draft
