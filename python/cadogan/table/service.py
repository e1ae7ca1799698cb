"""All tables of a store: dealing, playing, going back, each change on disk before it is told.

Every change names the version of the table that the player saw. If the table has changed since, in
another tab or by another server, the change is refused and nothing happens.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy.exc import SQLAlchemyError

from cadogan.cards import CardError, format_cards
from cadogan.deals import DealError, DeckError
from cadogan.game import Position
from cadogan.i18n.text import Told, told
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

MOST_HELD: Final = 500
"""Tables held in memory; others are read again."""
MOST_NODES_HELD: Final = 100_000
"""Positions of all tables held in memory; each takes a few kilobytes."""
MOST_READINGS: Final = 3
"""How often a damaged record is read while other servers change it."""
MOST_FAULTS: Final = 100
"""Faults of a file that are told at once."""
MOST_NAME: Final = 200

Listener = Callable[[Record], None]
_log = logging.getLogger(__name__)


class NoTableError(LookupError):
    """There is no table of that name."""


class StaleError(Exception):
    """The table has changed since the player saw it.

    Attributes:
        record: How it stands.
    """

    def __init__(self, record: Record) -> None:
        super().__init__(f"the table is at version {record.version} by now")
        self.record = record


class NothingToDoError(ValueError):
    """There is nothing to take back, or to make again."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move that was made.

    Attributes:
        before: The position it was made in.
        move: The move.
        by: Who made it.
    """

    before: Position
    move: Move
    by: By


class _Loaded:
    """A table in memory, and who may change it."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.lock = threading.RLock()


class Tables:
    """The tables.

    Args:
        store: Where they are kept.
        library: The games.
    """

    def __init__(self, store: Store, library: Library) -> None:
        self.store = store
        self.library = library
        self._held: OrderedDict[str, _Loaded] = OrderedDict()
        self._lock = threading.Lock()
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Has every change told to somebody, after it is on disk."""
        self._listeners.append(listener)

    # Sitting down.

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
        """Lays out a game at a new table.

        Args:
            game: The game, with variants.
            deal: The deal's name.
            deck: Instead of it, the cards.
            options: What is switched on.
            line: Moves to be made at once.
            closes: A table that is put away for it.

        Whatever it raises, nothing was kept then.

        Raises:
            UnknownGameError: If there is no such game.
            DealError, DeckError: If it cannot be dealt so.
            MoveError: If a move of the line is not allowed.
            NoTableError: If there is no table to be put away.
        """
        loaded = self.library.choose(game)
        first = loaded.deal(deal) if deal is not None else loaded.deal(deck=deck or ())
        record = Record.dealt(new_id(), first, now(), options or Options())
        events = record.moved([(each.move, each.by) for each in _line(first, line)], now())
        record = record.after(events)
        if closes is None:
            return self._begin(record, events)
        while True:
            # Another server may change that table meanwhile.
            with suppress(StaleError), self.changing(closes, None) as held:
                return self._begin(record, events, held)

    def read(self, text: str, options: Options | None = None) -> Record:
        """Takes up a game from its open text file, at a new table.

        Raises:
            GameFileError: If the text cannot be read, its game cannot be dealt, or a move in it
                cannot be made; all faults are named.
        """
        wanted = read_game(text)
        first = self._told_by(wanted)
        dealt = Record.dealt(new_id(), first, now(), options or Options())
        return self._begin(*_repeated(wanted, dealt))

    def _told_by(self, wanted: GameText) -> Position:
        """The deal that the file of a game is about."""
        facts = wanted.facts
        try:
            game = self.library.choose(wanted.game)
        except (UnknownGameError, RulesError, FaultyGameError) as fault:
            raise GameFileError(facts["game"].fault(_first(fault))) from None
        if wanted.digest is not None and wanted.digest != game.digest:
            changed = told(
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

    def _begin(
        self, record: Record, events: Sequence[Event], closing: _Loaded | None = None
    ) -> Record:
        """Keeps a table that begins, with its events, and puts another away: all or nothing."""
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
            self._tell(record)
        return record

    def get(self, key: str) -> Record:
        """A table as it stands.

        Raises:
            NoTableError: If there is none of that name.
            SavedGameError: If it cannot be taken up, because the rules have changed.
        """
        held = self._find(key)
        with held.lock:
            self._refresh(held)
            return held.record

    # Changing.

    def move(self, key: str, version: int, intent: Intent) -> tuple[Record, list[PlayedMove]]:
        """Makes the player's move, and what is made by itself after it.

        Raises:
            StaleError: If the table has changed.
            MoveError: If the move is not allowed; it tells why.
        """
        with self.changing(key, version) as held:
            move = find_move(held.record.position, intent)
            made = self._make(held, [move.text], follow=True)
            return held.record, made

    def finish(self, key: str, version: int) -> tuple[Record, list[PlayedMove]]:
        """Plays to the foundations as long as nothing else is worth doing.

        Raises:
            NothingToDoError: If there are moves left that need thought.
        """
        with self.changing(key, version) as held:
            line = finishing_line(held.record.position)
            if not line:
                raise NothingToDoError(told("the game cannot be finished by itself yet"))
            made = self._make(held, [move.text for move in line], by="autoplay")
            return held.record, made

    def _make(
        self, held: _Loaded, texts: Sequence[str], *, by: By = "player", follow: bool = False
    ) -> list[PlayedMove]:
        """Makes moves, and keeps them, all or none."""
        record = held.record
        made = _line(record.position, texts, by)
        position = made[-1].before.play(made[-1].move) if made else record.position
        if follow and record.options.autoplay:
            for move in safe_moves(position):
                made.append(PlayedMove(position, move, "autoplay"))
                position = position.play(move)
            for move in finishing_line(position):
                made.append(PlayedMove(position, move, "autoplay"))
                position = position.play(move)
        self._keep(held, record.moved([(each.move, each.by) for each in made], now()))
        return made

    def undo(self, key: str, version: int) -> Record:
        """Takes the last move back.

        Raises:
            NothingToDoError: If there is none.
        """
        with self.changing(key, version) as held:
            parent = held.record.here.parent
            if parent is None:
                raise NothingToDoError(told("there is no move to take back"))
            return self._go(held, parent, "undo")

    def redo(self, key: str, version: int) -> tuple[Record, list[PlayedMove]]:
        """Makes the move again that was taken back last.

        Raises:
            NothingToDoError: If there is none.
        """
        with self.changing(key, version) as held:
            ahead = held.record.next
            if ahead is None:
                raise NothingToDoError(told("there is no move to make again"))
            before = held.record.position
            self._go(held, ahead, "redo")
            move = held.record.here.move
            assert move is not None
            return held.record, [PlayedMove(before, move, "player")]

    def go(self, key: str, version: int, node: int) -> Record:
        """Goes to any position that was reached.

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

    def mark(self, key: str, version: int, node: int, name: str) -> Record:
        """Gives a position a name; the empty one takes it away."""
        with self.changing(key, version) as held:
            self._node(held.record, node)
            data = {"name": " ".join(name.split())[:MOST_NAME]}
            self._keep(held, [Event("mark", node, data, now())])
            return held.record

    def switch(
        self,
        key: str,
        version: int,
        *,
        verdict: VerdictMode | None = None,
        autoplay: bool | None = None,
    ) -> Record:
        """Switches options."""
        with self.changing(key, version) as held:
            options = held.record.options
            if verdict is not None:
                options = replace(options, verdict=verdict)
            if autoplay is not None:
                options = replace(options, autoplay=autoplay)
            data = {"verdict": options.verdict, "autoplay": options.autoplay}
            self._keep(held, [Event("options", held.record.node, data, now())])
            return held.record

    def put_away(self, key: str, version: int | None, closed: bool = True) -> Record:
        """Puts a table away, or takes it up again."""
        with self.changing(key, version) as held:
            if held.record.closed != closed:
                self._keep(held, [Event("close", held.record.node, {"closed": closed}, now())])
            return held.record

    @contextmanager
    def changing(self, key: str, version: int | None) -> Iterator[_Loaded]:
        """A table that nobody else changes meanwhile.

        Raises:
            StaleError: If it is not at that version, before or while it is changed.
        """
        held = self._find(key)
        with held.lock:
            self._refresh(held)
            if version is not None and version != held.record.version:
                raise StaleError(held.record)
            before = held.record.version
            try:
                yield held
            except Conflict:
                self._refresh(held)
                raise StaleError(held.record) from None
            changed = held.record.version != before
        if changed:
            with self._lock:
                self._let_go()
            self._tell(held.record)

    def _tell(self, record: Record) -> None:
        for listener in self._listeners:
            listener(record)

    def _go(self, held: _Loaded, node: int, how: str) -> Record:
        self._keep(held, [Event("goto", node, {"how": how}, now())])
        return held.record

    @staticmethod
    def _node(record: Record, node: int) -> None:
        if not 0 <= node < len(record.nodes):
            raise NoTableError(told("there is no position {number} at this table", number=node))

    def _keep(self, held: _Loaded, events: list[Event]) -> None:
        """Puts events on disk; only then the record has them.

        Raises:
            TooLongError: If there are too many already. A table can always be put away.
            Conflict: If another server has added to the record.
        """
        before = held.record
        after = before.after(events)
        if after.version > MOST_EVENTS and not (after.closed and not before.closed):
            raise TooLongError.events()
        self.store.append(before.key, before.version, events, after)
        held.record = after

    # What is held in memory.

    def _find(self, key: str) -> _Loaded:
        with self._lock:
            held = self._held.get(key)
            if held is not None:
                self._held.move_to_end(key)
                return held
        return self._hold(self._read(key))

    def _hold(self, record: Record) -> _Loaded:
        with self._lock:
            held = self._held.setdefault(record.key, _Loaded(record))
            self._held.move_to_end(record.key)
            self._let_go()
            return held

    def _let_go(self) -> None:
        """Forgets the tables that were asked for least lately, if there are too many."""
        nodes = sum(len(held.record.nodes) for held in self._held.values())
        while len(self._held) > 1 and (len(self._held) > MOST_HELD or nodes > MOST_NODES_HELD):
            nodes -= len(self._held.popitem(last=False)[1].record.nodes)

    def _refresh(self, held: _Loaded) -> None:
        """Takes in what another server has added."""
        record = held.record
        version = self.store.version(record.key)
        if version == record.version:
            return
        with suppress(SavedGameError):
            if version > record.version:
                record = record.after(self.store.events(record.key, record.version))
        # If events are damaged, or if an older copy of the database was brought back, all is read.
        added = record.version >= version > held.record.version
        held.record = record if added else self._read(record.key)

    def _read(self, key: str) -> Record:
        row = self.store.row(key)
        if row is None:
            raise NoTableError(told("there is no such table"))
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
        return self._repeat(Record.dealt(key, first, row.begun, options))

    def _repeat(self, first: Record) -> Record:
        """Repeats the record of a table. What cannot be repeated is set aside, not the table."""
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
            whole = failed is None and self.store.version(record.key) <= record.version
            if whole or self.store.strand(record, failed):
                break
            # Another server has added to it, or set it aside, meanwhile.
        if number := self.store.stranded(record.key):
            record = replace(record, stranded=number)
            with suppress(Conflict, SQLAlchemyError):
                # The lists do not know yet; if they cannot be told now, they will be.
                self.store.append(record.key, record.version, (), record)
        return record

    def known(self) -> list[tuple[TableRow, Any]]:
        """All tables, for statistics."""
        return list(self.store.tables())


def _first(fault: Exception) -> str:
    """What an exception says, as it was made: it may be told in another language."""
    said = fault.args[0] if fault.args else None
    return said if isinstance(said, Told) else str(fault)


def _line(position: Position, texts: Iterable[str], by: By = "brought") -> list[PlayedMove]:
    """Makes moves, one after the other, from a position.

    Raises:
        MoveError: If one of them cannot be made.
    """
    made = []
    for text in texts:
        after = position.play(text)
        assert after.last_move is not None
        made.append(PlayedMove(position, after.last_move, by))
        position = after
    return made


def _repeated(wanted: GameText, record: Record) -> tuple[Record, list[Event]]:
    """Makes the tree of a file, from the deal on: the record then, and the events that made it."""
    draft, events = Draft(record), list[Event]()
    faults: list[TextFault] = []
    # The node of each position of the file; none if it is not reached because of a fault.
    nodes: list[int | None] = [0]

    def add(kind: Kind, node: int, **data: Any) -> None:
        events.append(Event(kind, node, data, record.begun))
        draft.add(events[-1])

    def make(parent: int, written: Written) -> int | None:
        if parent >= len(nodes):
            unknown = told("there is no position {number} before this line", number=parent)
            faults.append(written.fault(unknown))
            return None
        source = nodes[parent]
        if source is None:
            return None
        node = draft.now.nodes[source]
        new = len(draft.now.nodes)
        try:
            move = node.position.parse_move(written.text)
            # A file may say the same twice.
            if (child := node.children.get(move.text)) is not None:
                return child
            if new >= MOST_NODES:
                raise TooLongError.nodes()
        except (MoveError, TooLongError) as fault:
            reason = getattr(fault, "reason", None) or _first(fault)
            why = told("'{move}' cannot be made: {reason}", move=written.text, reason=reason)
            faults.append(written.fault(why))
            return None
        add("move", new, move=move.text, parent=source, by="brought")
        return new

    line = [(number, move) for number, move in enumerate(wanted.line)]
    for parent, move in [*line, *wanted.branches]:
        nodes.append(make(parent, move))
        if len(faults) >= MOST_FAULTS:
            raise GameFileError(*faults)
    names: dict[int, str] = {}
    for number, name in wanted.names:
        if number >= len(nodes):
            unknown = told("there is no position {number} to be named", number=number)
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
    return draft.record(), events
