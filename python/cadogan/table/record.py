"""One game in play as an append-only record: what happened, and the tree of positions it made.

Nothing is ever taken out of a record. A move makes a node, or goes to the one it made before; undo,
redo and restart go to nodes; so whatever was played can be gone back to.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Literal

from cadogan.game import Game, Outcome, Position
from cadogan.i18n.text import told
from cadogan.moves import Move
from cadogan.savefile import SavedGameError

Kind = Literal["move", "goto", "mark", "options", "close"]
By = Literal["player", "autoplay", "brought"]
"""Who makes a move; ``brought`` are those that came with a file or a link."""
VerdictMode = Literal["thoughtful", "none"]

LONGEST_PAUSE: Final = 120.0
"""Seconds; who does nothing for longer is not at the table."""
MOST_NODES: Final = 50_000
"""Positions of one table. No game of patience takes a tenth of it, with all that is taken back."""
MOST_EVENTS: Final = 3 * MOST_NODES
"""Events of one table: whoever goes to and fro for ever must stop somewhere."""


class TooLongError(ValueError):
    """A record has grown to its limit."""

    @classmethod
    def nodes(cls) -> "TooLongError":
        """There are as many positions as may be."""
        return cls(
            told("a table keeps {number} positions, and this one is full", number=MOST_NODES)
        )

    @classmethod
    def events(cls) -> "TooLongError":
        """There are as many events as may be."""
        return cls(told("a table keeps {number} changes, and this one is full", number=MOST_EVENTS))


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    Attributes:
        kind: ``move`` (a new node), ``goto`` (a node that is there), ``mark`` (a name for a node),
            ``options`` or ``close`` (and opening again).
        node: The node it is about.
        data: What else there is to it.
        at: When it happened, UTC.
    """

    kind: Kind
    node: int
    data: Mapping[str, Any]
    at: datetime


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A position that was reached. A visit or a name replaces the node.

    Attributes:
        number: Its number; the deal is 0.
        parent: The node before the move.
        position: The position.
        at: When it was reached first.
        visited: The version of the record in which it was visited last.
        children: The nodes played from here, by the texts of their moves.
        name: The name of its bookmark.
        memo: What was seen of the cards that the move took, once somebody has asked.
    """

    number: int
    parent: int | None
    position: Position
    at: datetime
    visited: int = 0
    children: Mapping[str, int] = field(default_factory=dict)
    name: str | None = None
    memo: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def move(self) -> Move | None:
        """The move that led here."""
        return self.position.last_move

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended here, if it has."""
        return self.position.outcome


@dataclass(frozen=True, slots=True)
class Options:
    """What can be switched at a table.

    Attributes:
        verdict: Whether the verdict is looked for; it knows the hidden cards.
        autoplay: Whether moves that are proved safe are made by themselves.
    """

    verdict: VerdictMode = "none"
    autoplay: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """The record of one game, as it stood after one of its events. It never changes.

    So whoever has one may read it without a lock, and all that he reads belongs together.

    Attributes:
        key: Its name in the store.
        begun: When it was dealt.
        nodes: The positions that were reached, the deal first.
        options: What is switched on.
        played: When something was last done.
        version: How many events there are.
        node: The number of the node the player is at.
        made: Moves made in all, those taken back too; none where moves were brought.
        brought: Whether moves came with a file or a link; what is reached then is not counted.
        won: Whether a won position was ever reached.
        closed: Whether the player has put it away.
        seconds: How long was played, without pauses.
        ended: When it was won or put away first.
        stranded: How many events could not be repeated and were set aside.
    """

    key: str
    begun: datetime
    nodes: Sequence[Node]
    options: Options
    played: datetime
    version: int = 0
    node: int = 0
    made: int = 0
    brought: bool = False
    won: bool = False
    closed: bool = False
    seconds: float = 0.0
    ended: datetime | None = None
    stranded: int = 0

    @classmethod
    def dealt(cls, key: str, first: Position, begun: datetime, options: Options) -> "Record":
        """A record that begins.

        Args:
            key: Its name in the store.
            first: The position after the deal.
            begun: When it was dealt.
            options: What is switched on.
        """
        nodes = (Node(0, None, first, begun),)
        return cls(key, begun, nodes, options, begun, won=first.outcome == "won")

    def after(self, events: Iterable[Event]) -> "Record":
        """The record with more events in it.

        Raises:
            SavedGameError: If they do not fit the rules.
        """
        draft = Draft(self)
        for event in events:
            draft.add(event)
        return draft.record()

    @property
    def game(self) -> Game:
        """The game."""
        return self.nodes[0].position.game

    @property
    def here(self) -> Node:
        """The node the player is at."""
        return self.nodes[self.node]

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.here.position

    @property
    def over(self) -> bool:
        """Whether the clock has stopped: it was won once, or put away."""
        return self.won or self.closed

    def path(self) -> list[int]:
        """The nodes from the deal to here."""
        return self.path_to(self.node)

    def path_to(self, number: int) -> list[int]:
        """The nodes from the deal to a node."""
        path = [number]
        parent = self.nodes[number].parent
        while parent is not None:
            path.append(parent)
            parent = self.nodes[parent].parent
        return path[::-1]

    def ahead(self) -> list[int]:
        """The nodes that redoing goes through, the next first."""
        return list(self._ahead())

    @property
    def next(self) -> int | None:
        """The node that redo goes to: of those played from here, the way visited last."""
        return next(self._ahead(), None)

    def _ahead(self) -> Iterator[int]:
        node, latest = self.here, list[int]()
        while node.children:
            ways = list(node.children.values())
            if len(ways) > 1 and not latest:
                latest = self._latest()
            number = max(ways, key=latest.__getitem__) if len(ways) > 1 else ways[0]
            yield number
            node = self.nodes[number]

    def _latest(self) -> list[int]:
        """For each node, when it or one that comes after it was visited last."""
        latest = [node.visited for node in self.nodes]
        for node in reversed(self.nodes):
            if node.parent is not None:
                latest[node.parent] = max(latest[node.parent], latest[node.number])
        return latest

    # What is about to happen, as events. Nothing changes before they are added.

    def moved(self, moves: Iterable[tuple[Move, By]], at: datetime) -> list[Event]:
        """The events of some moves, one after the other, from here.

        Args:
            moves: The moves, and who makes them.
            at: When.

        Raises:
            MoveError: If one of them cannot be made.
            TooLongError: If there are too many positions already.
        """
        events: list[Event] = []
        node: int | None = self.node
        position, new = self.position, len(self.nodes)
        for move, by in moves:
            position = position.play(move)
            child = None if node is None else self.nodes[node].children.get(move.text)
            if child is not None:
                data = {"how": "move", "by": by}
                events.append(Event("goto", child, data, at))
            else:
                parent = new - 1 if node is None else node
                grown: dict[str, Any] = {"move": move.text, "parent": parent, "by": by}
                events.append(Event("move", new, grown, at))
                new += 1
            node = child
        if new > MOST_NODES:
            raise TooLongError.nodes()
        return events


class Draft:
    """A record to which events are added one by one, before anybody else sees it.

    Args:
        record: The record so far; it stays as it is.

    Attributes:
        now: The record with what was added. Its nodes still grow.
    """

    def __init__(self, record: Record) -> None:
        self._nodes = list(record.nodes)
        self.now = replace(record, nodes=self._nodes)

    def record(self) -> Record:
        """The record as it is now."""
        return replace(self.now, nodes=tuple(self._nodes))

    def add(self, event: Event) -> None:
        """Adds an event.

        Raises:
            SavedGameError: If it does not fit the rules; nothing was added.
        """
        now = self.now
        try:
            changes = self._add(event)
        except (LookupError, TypeError, ValueError) as error:
            raise SavedGameError(
                f"event {now.version + 1} of the record cannot be repeated: {error}"
            ) from error
        closed, node = changes.get("closed", now.closed), changes.get("node", now.node)
        seconds, won, ended = now.seconds, now.won, now.ended
        if not (won or closed):
            # A clock that was set back, or stood ahead for a while, stops nothing.
            pause = (event.at - now.played).total_seconds()
            seconds += max(0.0, min(pause, LONGEST_PAUSE))
        if not won and self._nodes[node].outcome == "won":
            won, ended = True, event.at
        if closed and ended is None:
            ended = event.at
        self.now = replace(
            now,
            version=now.version + 1,
            played=event.at,
            seconds=seconds,
            won=won,
            ended=ended,
            **changes,
        )

    def _add(self, event: Event) -> dict[str, Any]:
        """Adds to the nodes: what else is different then."""
        match event.kind:
            case "move":
                return self._grow(event)
            case "goto":
                node = self._known(event.node)
                self._nodes[event.node] = replace(node, visited=self.now.version + 1)
                counted = self._counted(event) if event.data.get("how") == "move" else {}
                return {**counted, "node": event.node}
            case "mark":
                node = self._known(event.node)
                self._nodes[event.node] = replace(node, name=event.data["name"] or None)
            case "options":
                return {"options": Options(event.data["verdict"], event.data["autoplay"])}
            case "close":
                return {"closed": bool(event.data["closed"])}
            case _:
                raise LookupError(f"there are no events of the kind {event.kind!r}")
        return {}

    def _grow(self, event: Event) -> dict[str, Any]:
        parent, text, nodes = self._known(event.data["parent"]), event.data["move"], self._nodes
        if event.node != len(nodes):
            raise LookupError(f"node {event.node} comes before node {len(nodes)}")
        position = parent.position.play(text)
        children = {**parent.children, text: event.node}
        nodes[parent.number] = replace(parent, children=children)
        visited = self.now.version + 1
        nodes.append(Node(event.node, parent.number, position, event.at, visited))
        return {**self._counted(event), "node": event.node}

    def _known(self, number: int) -> Node:
        if not 0 <= number < len(self._nodes):
            raise LookupError(f"there is no node {number}")
        return self._nodes[number]

    def _counted(self, event: Event) -> dict[str, Any]:
        brought = self.now.brought or event.data.get("by") == "brought"
        return {"brought": brought, "made": self.now.made + (not brought)}
