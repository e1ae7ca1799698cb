"""One game in play as an append-only record: what happened, and the tree of positions it made.

Nothing is ever taken out of a record. A move makes a node, or goes to the one it made before; undo,
redo and restart go to nodes; so whatever was played can be gone back to.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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


class TooLongError(ValueError):
    """A record has grown to its limit."""


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


@dataclass(slots=True)
class Node:
    """A position that was reached.

    Attributes:
        number: Its number; the deal is 0.
        parent: The node before the move.
        position: The position.
        at: When it was reached first.
        ahead: The child that redo goes to: the one visited last.
        children: The nodes played from here, by the texts of their moves.
        name: The name of its bookmark.
        cards: What was seen of the cards that the move took, once somebody has asked.
    """

    number: int
    parent: int | None
    position: Position
    at: datetime
    ahead: int | None = None
    children: dict[str, int] = field(default_factory=dict)
    name: str | None = None
    cards: tuple[str, ...] | None = None

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


class Record:
    """The record of one game.

    Args:
        key: Its name in the store.
        first: The position after the deal.
        begun: When it was dealt.
        options: As they were at the beginning.

    Attributes:
        version: How many events there are.
        node: The number of the node the player is at.
        made: Moves made in all, those taken back too; none where moves were brought.
        brought: Whether moves came with a file or a link; what is reached then is not counted.
        won: Whether a won position was ever reached.
        closed: Whether the player has put it away.
        played: When something was last done.
        seconds: How long was played, without pauses.
    """

    def __init__(self, key: str, first: Position, begun: datetime, options: Options) -> None:
        self.key = key
        self.nodes = [Node(0, None, first, begun)]
        self.begun = self.played = begun
        self.options = options
        self.version = self.node = self.made = 0
        self.brought = False
        self.won = first.outcome == "won"
        self.closed = False
        self.seconds = 0.0
        self.ended: datetime | None = None

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
        found: list[int] = []
        number = self.here.ahead
        while number is not None:
            found.append(number)
            number = self.nodes[number].ahead
        return found

    # What is about to happen, as events. Nothing changes before they are applied.

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
            raise TooLongError(
                told("a table keeps {number} positions, and this one is full", number=MOST_NODES)
            )
        return events

    # What has happened.

    def apply(self, events: Iterable[Event]) -> None:
        """Takes in events, in order.

        Raises:
            SavedGameError: If they do not fit the rules; the record is damaged then.
        """
        for event in events:
            try:
                self._apply(event)
            except (LookupError, ValueError) as error:
                raise SavedGameError(
                    f"event {self.version + 1} of the record cannot be repeated: {error}"
                ) from error
            self.version += 1
            pause = (event.at - self.played).total_seconds()
            if not self.over:
                self.seconds += max(0.0, min(pause, LONGEST_PAUSE))
            self.played = max(self.played, event.at)
            if self.here.outcome == "won" and not self.won:
                self.won, self.ended = True, event.at
            if self.closed and self.ended is None:
                self.ended = event.at

    @property
    def over(self) -> bool:
        """Whether the clock has stopped: it was won once, or put away."""
        return self.won or self.closed

    def _apply(self, event: Event) -> None:
        match event.kind:
            case "move":
                self._grow(event)
            case "goto":
                if not 0 <= event.node < len(self.nodes):
                    raise LookupError(f"there is no node {event.node}")
                if event.data.get("how") == "move":
                    self._count(event)
                self._visit(event.node)
            case "mark":
                self.nodes[event.node].name = event.data["name"] or None
            case "options":
                self.options = Options(event.data["verdict"], event.data["autoplay"])
            case "close":
                self.closed = bool(event.data["closed"])

    def _grow(self, event: Event) -> None:
        parent = self.nodes[event.data["parent"]]
        text = event.data["move"]
        if event.node != len(self.nodes):
            raise LookupError(f"node {event.node} comes before node {len(self.nodes)}")
        position = parent.position.play(text)
        self.nodes.append(Node(event.node, parent.number, position, event.at))
        parent.children[text] = event.node
        self._count(event)
        self._visit(event.node)

    def _count(self, event: Event) -> None:
        self.brought = self.brought or event.data.get("by") == "brought"
        self.made += not self.brought

    def _visit(self, number: int) -> None:
        """Goes to a node; redo will lead along the way to it."""
        self.node = number
        child, parent = number, self.nodes[number].parent
        while parent is not None:
            self.nodes[parent].ahead = child
            child, parent = parent, self.nodes[parent].parent
