"""All tables of a store: dealing, playing, going back, each change on disk before it is told.

Every change names the version of the table that the player saw. If the table has changed since, in
another tab or by another server, the change is refused and nothing happens.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from cadogan.cards import CardError, format_cards
from cadogan.deals import DealError, DeckError
from cadogan.game import Position
from cadogan.i18n.text import Told, told
from cadogan.moves import Move, MoveError
from cadogan.rules import RulesError, UnknownGameError
from cadogan.savefile import SavedGameError
from cadogan.table.game_file import GameFileError, GameText, TextFault, Written, read_game
from cadogan.table.intent import Intent, find_move, finishing_line, safe_moves
from cadogan.table.library import Library
from cadogan.table.record import By, Event, Options, Record, TooLongError, VerdictMode
from cadogan.table.store import Conflict, Store, TableRow, new_id, now

MOST_HELD: Final = 500
"""Tables held in memory; others are read again."""
MOST_NAME: Final = 200

Listener = Callable[[Record], None]


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
    ) -> Record:
        """Lays out a game at a new table.

        Args:
            game: The game, with variants.
            deal: The deal's name.
            deck: Instead of it, the cards.
            options: What is switched on.
            line: Moves to be made at once.

        Raises:
            UnknownGameError: If there is no such game.
            DealError, DeckError: If it cannot be dealt so.
            MoveError: If a move of the line is not allowed; nothing was kept then.
        """
        loaded = self.library.load(game)
        first = loaded.deal(deal) if deal is not None else loaded.deal(deck=deck or ())
        record = self._new(first, options or Options())
        if line:
            with self.changing(record.key, 0) as held:
                self._make(held, line, by="brought")
        return record

    def read(self, text: str, options: Options | None = None) -> Record:
        """Takes up a game from its open text file, at a new table.

        Raises:
            GameFileError: If the text cannot be read, its game cannot be dealt, or a move in it
                cannot be made; all faults are named.
        """
        wanted = read_game(text)
        first = self._told_by(wanted)
        # Everything is tried before anything is kept.
        trial = Record("", first, now(), options or Options())
        events = _repeated(wanted, trial)
        record = self._new(first, options or Options())
        if events:
            with self.changing(record.key, 0) as held:
                self._keep(held, events)
        return self.get(record.key)

    def _told_by(self, wanted: GameText) -> Position:
        """The deal that the file of a game is about."""
        facts = wanted.facts
        try:
            game = self.library.load(wanted.game)
        except (UnknownGameError, RulesError) as fault:
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

    def _new(self, first: Position, options: Options) -> Record:
        record = Record(new_id(), first, now(), options)
        row = TableRow(
            id=record.key,
            game=first.game.name,
            digest=first.game.digest,
            deal=first.deal_name,
            deck=None if first.deal_name is not None else format_cards(first.deck),
            root=f"{first.hash:032x}",
            verdict=options.verdict,
            autoplay=options.autoplay,
            begun=record.begun,
        )
        self.store.begin(row, record)
        self._hold(record)
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
            return held.record, self._make(held, [move.text], follow=True)

    def finish(self, key: str, version: int) -> tuple[Record, list[PlayedMove]]:
        """Plays to the foundations as long as nothing else is worth doing.

        Raises:
            NothingToDoError: If there are moves left that need thought.
        """
        with self.changing(key, version) as held:
            line = finishing_line(held.record.position)
            if not line:
                raise NothingToDoError(told("the game cannot be finished by itself yet"))
            return held.record, self._make(held, [move.text for move in line], by="autoplay")

    def _make(
        self, held: _Loaded, texts: Sequence[str], *, by: By = "player", follow: bool = False
    ) -> list[PlayedMove]:
        """Makes moves, and keeps them, all or none."""
        record = held.record
        position, made = record.position, list[PlayedMove]()
        for text in texts:
            after = position.play(text)
            move = after.last_move
            assert move is not None
            made.append(PlayedMove(position, move, by))
            position = after
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
            ahead = held.record.here.ahead
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
            for listener in self._listeners:
                listener(held.record)

    def _go(self, held: _Loaded, node: int, how: str) -> Record:
        self._keep(held, [Event("goto", node, {"how": how}, now())])
        return held.record

    @staticmethod
    def _node(record: Record, node: int) -> None:
        if not 0 <= node < len(record.nodes):
            raise NoTableError(told("there is no position {number} at this table", number=node))

    def _keep(self, held: _Loaded, events: list[Event]) -> None:
        """Puts events on disk; the record has them too when this returns.

        If the disk refuses, the record in memory is forgotten and read again.
        """
        record = held.record
        before = record.version
        try:
            record.apply(events)
            self.store.append(record.key, before, events, record)
        except BaseException:
            held.record = self._read(record.key)
            raise

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
            while len(self._held) > MOST_HELD:
                self._held.popitem(last=False)
            return held

    def _refresh(self, held: _Loaded) -> None:
        """Takes in what another server has added."""
        record = held.record
        if self.store.version(record.key) > record.version:
            record.apply(self.store.events(record.key, record.version))

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
        record = Record(key, first, row.begun, options)
        record.apply(self.store.events(key))
        return record

    def known(self) -> list[tuple[TableRow, Any]]:
        """All tables, for statistics."""
        return list(self.store.tables())


def _first(fault: Exception) -> str:
    """What an exception says, as it was made: it may be told in another language."""
    said = fault.args[0] if fault.args else None
    return said if isinstance(said, Told) else str(fault)


def _repeated(wanted: GameText, record: Record) -> list[Event]:
    """The events that make the tree of a file, tried out on a record of its own."""
    events: list[Event] = []
    faults: list[TextFault] = []
    # The node of each position of the file; none if it is not reached because of a fault.
    nodes: list[int | None] = [0]

    def make(parent: int, move: Written) -> None:
        if parent >= len(nodes):
            unknown = told("there is no position {number} before this line", number=parent)
            faults.append(move.fault(unknown))
            nodes.append(None)
            return
        source = nodes[parent]
        if source is None:
            nodes.append(None)
            return
        steps: list[Event] = []
        if source != record.node:
            steps.append(Event("goto", source, {"how": "goto"}, now()))
            record.apply(steps)
        try:
            made = record.moved([(record.position.parse_move(move.text), "brought")], now())
        except (MoveError, TooLongError) as fault:
            reason = getattr(fault, "reason", None) or _first(fault)
            faults.append(
                move.fault(told("'{move}' cannot be made: {reason}", move=move.text, reason=reason))
            )
            nodes.append(None)
        else:
            record.apply(made)
            nodes.append(record.node)
        events.extend([*steps, *(made if nodes[-1] is not None else ())])

    for move in wanted.line:
        make(len(nodes) - 1, move)
    end = nodes[-1]
    for parent, move in wanted.branches:
        make(parent, move)
    for number, name in wanted.names:
        if number >= len(nodes):
            faults.append(
                name.fault(told("there is no position {number} to be named", number=number))
            )
        elif (node := nodes[number]) is not None:
            events.append(Event("mark", node, {"name": name.text[:MOST_NAME]}, now()))
    if faults:
        raise GameFileError(*faults)
    if end is not None and record.node != end:
        events.append(Event("goto", end, {"how": "goto"}, now()))
    return events
