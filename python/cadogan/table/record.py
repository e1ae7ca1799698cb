"""One game in play as an append-only record: its events, and the tree of positions they create.

Nothing is ever removed from a record. A move adds a node, or goes to the node that it added before.
Undo, redo and restart go to existing nodes. So every position that was reached can be visited
again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Literal

from cadogan.game import Game, Outcome, Position
from cadogan.i18n.text import gettext
from cadogan.moves import Move
from cadogan.savefile import SavedGameError

Kind = Literal["move", "goto", "mark", "options", "close"]
By = Literal["player", "autoplay", "brought"]
"""Who made a move; ``brought`` means that it was imported from a file or a link."""
VerdictMode = Literal["thoughtful", "none"]

LONGEST_PAUSE: Final = 120.0
"""In seconds. If the player does nothing for longer, the clock stops."""
MOST_NODES: Final = 50_000
"""The largest number of positions of a table: ten times what a long game with many undos needs."""
MOST_EVENTS: Final = 3 * MOST_NODES
"""The largest number of events of a table: moving between positions must end somewhere."""


class TooLongError(ValueError):
    """A record has grown to its limit."""

    @classmethod
    def nodes(cls) -> "TooLongError":
        """The error for too many positions."""
        return cls(
            gettext("a table stores {number} positions, and this one is full", number=MOST_NODES)
        )

    @classmethod
    def events(cls) -> "TooLongError":
        """The error for too many events."""
        return cls(
            gettext("a table stores {number} changes, and this one is full", number=MOST_EVENTS)
        )


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a record.

    Attributes:
        kind: ``move`` (adds a node), ``goto`` (goes to a node), ``mark`` (sets a bookmark),
            ``options``, or ``close`` (also to open the table again).
        node: The node that it concerns.
        data: Its other data.
        at: When it happened, UTC.
    """

    kind: Kind
    node: int
    data: Mapping[str, Any]
    at: datetime


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A position of the tree. A visit or a bookmark replaces the node by a new object.

    Attributes:
        number: Its number; the deal is 0.
        parent: The node before the move.
        position: The position.
        at: When it was first reached.
        visited: The version of the record in which it was last visited.
        children: The nodes played from here, by the texts of their moves.
        name: The name of its bookmark.
        memo: A cache of what was visible of the cards of the move.
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
        """The move that led to this position."""
        return self.position.last_move

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game in this position, if it has ended."""
        return self.position.outcome


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a table.

    Attributes:
        verdict: Whether to search for the verdict; the search knows the hidden cards.
        autoplay: Whether safe moves are played automatically.
    """

    verdict: VerdictMode = "none"
    autoplay: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """The record of one game after one of its events. Immutable.

    So it can be read without a lock, and everything that is read belongs together.

    Attributes:
        key: Its key in the store.
        begun: When it was dealt.
        nodes: The positions that were reached, beginning with the deal.
        options: The options of the table.
        played: The time of the last event.
        version: The number of events.
        node: The number of the current node.
        made: The number of all moves made, including undone ones; none if moves were imported.
        brought: Whether moves were imported; then the game does not count in statistics.
        won: Whether a won position was ever reached.
        closed: Whether the player closed the table.
        seconds: The time played, without pauses.
        ended: When it was first won or closed.
        best: The best points of a position in which the game had ended.
        left: The points when the player closed the table last.
        stranded: How many events could not be replayed and were set aside.
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
    best: int | None = None
    left: int | None = None
    stranded: int = 0

    @classmethod
    def dealt(cls, key: str, first: Position, begun: datetime, options: Options) -> "Record":
        """A new record.

        Args:
            key: Its key in the store.
            first: The position after the deal.
            begun: When it was dealt.
            options: The options of the table.
        """
        nodes = (Node(0, None, first, begun),)
        won, best = first.outcome == "won", None if first.outcome is None else first.score
        return cls(key, begun, nodes, options, begun, won=won, best=best)

    def after(self, events: Iterable[Event]) -> "Record":
        """The record with more events.

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
        """The current node."""
        return self.nodes[self.node]

    @property
    def position(self) -> Position:
        """The current position."""
        return self.here.position

    @property
    def over(self) -> bool:
        """Whether the clock has stopped: the game was won once, or the table is closed."""
        return self.won or self.closed

    @property
    def points(self) -> int | None:
        """The points of the table, if its game is scored and has ended.

        The best end counts, whatever was undone afterwards. If the player closed the table before
        any end, the points at that time count.
        """
        if self.best is not None:
            return self.best
        return self.left if self.closed else None

    def path(self) -> list[int]:
        """The nodes from the deal to the current one."""
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
        """The nodes that redo would visit, the next one first."""
        return list(self._ahead())

    @property
    def next(self) -> int | None:
        """The node that redo goes to: of the children, the branch that was visited last."""
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
        """For each node, the last visit to it or to a node after it."""
        latest = [node.visited for node in self.nodes]
        for node in reversed(self.nodes):
            if node.parent is not None:
                latest[node.parent] = max(latest[node.parent], latest[node.number])
        return latest


class Draft:
    """A record under construction, to which events are added one by one.

    Args:
        record: The record so far; it does not change.

    Attributes:
        now: The record with the new events. Its nodes still grow.
        events: The new events.
    """

    def __init__(self, record: Record) -> None:
        self._nodes = list(record.nodes)
        self.now = replace(record, nodes=self._nodes)
        self.events: list[Event] = []

    @property
    def position(self) -> Position:
        """The current position."""
        return self._nodes[self.now.node].position

    def record(self) -> Record:
        """The finished record."""
        return replace(self.now, nodes=tuple(self._nodes))

    def play(
        self, move: Move | str, by: By, at: datetime, *, after: Position | None = None
    ) -> Position:
        """Plays a move in the current position, unless its node exists already.

        Args:
            move: The move, or its text.
            by: Who made it.
            at: When.
            after: The position after it, if it is already known.

        Returns:
            The position after the move.

        Raises:
            MoveError: If it is not legal.
            TooLongError: If the record has too many positions.
        """
        here = self._nodes[self.now.node]
        child = here.children.get(str(move))
        if child is None:
            if after is None or after.undo() is not here.position:
                after = here.position.play(move)
            assert after.last_move is not None
            text = after.last_move.text
            child = here.children.get(text)
        if child is not None:
            self.add(Event("goto", child, {"how": "move", "by": by}, at))
            return self.position
        number = len(self._nodes)
        if number >= MOST_NODES:
            raise TooLongError.nodes()
        data = {"move": text, "parent": here.number, "by": by}
        self.add(Event("move", number, data, at), after)
        return self.position

    def add(self, event: Event, after: Position | None = None) -> None:
        """Adds an event.

        Args:
            event: The event.
            after: The position after its move, if it is already known.

        Raises:
            SavedGameError: If it does not fit the rules; nothing was added.
        """
        now = self.now
        try:
            changes = self._add(event, after)
        except (LookupError, TypeError, ValueError) as error:
            raise SavedGameError(
                f"event {now.version + 1} of the record cannot be replayed: {error}"
            ) from error
        closed, node = changes.get("closed", now.closed), changes.get("node", now.node)
        seconds, won, ended = now.seconds, now.won, now.ended
        if not (won or closed):
            # Tolerate a system clock that was set back or was ahead for a while.
            pause = (event.at - now.played).total_seconds()
            seconds += max(0.0, min(pause, LONGEST_PAUSE))
        if not won and self._nodes[node].outcome == "won":
            won, ended = True, event.at
        if closed and ended is None:
            ended = event.at
        position, left = self._nodes[node].position, now.left
        if closed and not now.closed:
            left = position.score
        self.now = replace(
            now,
            version=now.version + 1,
            played=event.at,
            seconds=seconds,
            won=won,
            ended=ended,
            best=_better(now.best, position),
            left=left,
            **changes,
        )
        self.events.append(event)

    def _add(self, event: Event, after: Position | None) -> dict[str, Any]:
        """Updates the nodes; returns the other fields that change."""
        match event.kind:
            case "move":
                return self._grow(event, after)
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
                raise LookupError(f"unknown kind of event {event.kind!r}")
        return {}

    def _grow(self, event: Event, position: Position | None) -> dict[str, Any]:
        parent, text, nodes = self._known(event.data["parent"]), event.data["move"], self._nodes
        if event.node != len(nodes):
            raise LookupError(f"node {event.node} comes before node {len(nodes)}")
        if position is None:
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


def _better(best: int | None, position: Position) -> int | None:
    """The best points of an end, when a position has been reached."""
    points = None if position.outcome is None else position.score
    if points is None or best is None:
        return best if points is None else points
    score = position.game.rulebook.score
    assert score is not None
    return max(best, points) if score.aim == "most" else min(best, points)
