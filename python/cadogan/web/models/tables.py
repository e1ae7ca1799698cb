"""Tables: games in play, and what can be done at them."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from cadogan.web.models.base import (
    MOST_NAME,
    CardText,
    Message,
    Model,
    Name,
    NodeNumber,
    Outcome,
    PileName,
    RequestBody,
    TableId,
    VerdictMode,
    Version,
    whole,
)
from cadogan.web.models.positions import Move, Position, Step


class Verdict(Model):
    """Whether the game can still be won.

    ``off``: not requested. ``since``: the first move after which the game could not be won;
    ``since_exact`` is false while earlier moves are still being examined. The search knows the
    hidden cards, so showing the verdict is a spoiler; ``mode`` ``none`` switches it off.
    """

    mode: VerdictMode
    status: Literal["off", "unknown", "winnable", "unwinnable"]
    searching: bool
    nodes: int
    since: int | None
    since_exact: bool
    message: Message


class Bookmark(Model):
    """A named position."""

    node: NodeNumber
    name: str
    turn: int


class Options(Model):
    """The options of a table."""

    verdict: VerdictMode
    autoplay: bool = Field(description="Safe moves and a winning finish are played automatically.")


class Table(Model):
    """A table in its current state."""

    id: TableId
    version: int = Field(description="Increases with every change; requests must name it.")
    game: str = Field(description="With variants.")
    title: str
    chosen: list[str]
    deal: str | None = Field(description="None if it was dealt from an explicit deck.")
    deck: str | None = Field(description="The cards, if the deal has no name and the game is over.")
    number: int | None = Field(description="The deal's number, if it is one of 'cadogan'.")
    begun: datetime
    seconds: float = Field(description="Time played, without pauses.")
    closed: bool = Field(description="Given up or closed.")
    won: bool = Field(description="Whether it was ever won; undo does not change that.")
    node: NodeNumber
    turn: int = Field(description="Moves from the deal to this position.")
    made: int = Field(
        description="All moves made, including undone ones; null if some were imported."
    )
    undo: bool
    redo: bool
    finish: bool = Field(description="Whether moves to the foundations alone win the game.")
    last: str | None = Field(description="The text of the last move.")
    bookmarks: list[Bookmark]
    options: Options
    stranded: Message | None = Field(
        default=None, description="Part of the record was damaged and was set aside."
    )
    position: Position
    verdict: Verdict


class TableSummary(Model):
    """A table in the list."""

    id: TableId
    game: str
    title: str
    deal: str | None
    begun: datetime
    played: datetime = Field(description="The time of the last event.")
    turn: int
    won: bool
    closed: bool
    outcome: Outcome | None


class Played(Model):
    """The result of a move: the steps to animate, and the new state of the table."""

    table: Table
    steps: list[Step]


class NewTable(RequestBody):
    """A deal for a new table. Without ``deal`` and ``deck`` it is random."""

    game: Name
    deal: str | None = Field(default=None, max_length=100, examples=["cadogan:1", "ms:617"])
    deck: str | None = Field(default=None, max_length=4000, examples=["AS TC 9H"])
    line: list[Annotated[str, Field(max_length=200)]] = Field(
        default=[],
        max_length=2_000,
        description="Moves to play at once, such as a shared line.",
    )
    like: TableId | None = Field(
        default=None, description="A table whose deal to use, instead of 'deal'."
    )
    closes: TableId | None = Field(default=None, description="A table to close for it.")
    verdict: VerdictMode | None = Field(
        default=None, description="Whether the verdict is shown; by default as in the settings."
    )


class MoveRequest(RequestBody):
    """A move request: ``from`` and ``to`` (and ``count``), or its ``text``."""

    model_config = ConfigDict(serialize_by_alias=True)

    version: Version
    from_: PileName | None = Field(default=None, alias="from")
    to: PileName | None = None
    count: Annotated[int, Field(ge=1, le=416), BeforeValidator(whole)] | None = Field(
        default=None, description="By default one card, or as many as the rule requires."
    )
    text: str | None = Field(default=None, max_length=1000)


class Versioned(RequestBody):
    """A request that changes a table of a known version."""

    version: Version


class GoTo(Versioned):
    """Goes to a position of the tree."""

    node: NodeNumber


class BookmarkRequest(Versioned):
    """Sets the bookmark of a position; an empty name removes it."""

    node: NodeNumber
    name: str = Field(max_length=MOST_NAME)


class OptionsRequest(Versioned):
    """Changes the options of a table."""

    verdict: VerdictMode | None = None
    autoplay: bool | None = None


class TreeNode(Model):
    """A position of the tree."""

    node: NodeNumber
    parent: NodeNumber | None
    move: str | None
    cards: list[CardText] = Field(description="The cards of the move, as they were visible.")
    turn: int
    outcome: Outcome | None
    bookmark: str | None
    at: datetime


class Tree(Model):
    """All positions of a table, with all branches; ``path`` leads from the deal to ``node``.

    ``ahead`` continues from ``node`` with the moves of redo.
    """

    nodes: list[TreeNode]
    node: NodeNumber
    path: list[NodeNumber]
    ahead: list[NodeNumber]


class View(Model):
    """A position of the tree, and the ``steps`` that led to it."""

    node: NodeNumber
    turn: int
    move: str | None
    position: Position
    steps: list[Step]


class Hint(Model):
    """A suggested move.

    ``proved``: the next move of a winning line with ``left`` moves.
    ``likely``: a rule of thumb. ``none``: there is no suggestion; the message says why.
    """

    kind: Literal["proved", "likely", "none"]
    move: Move | None
    left: int | None
    message: Message


class TableEvent(Model):
    """The table has changed, possibly in another tab."""

    type: Literal["table"] = "table"
    table: Table


class VerdictEvent(Model):
    """The verdict of the table has changed."""

    type: Literal["verdict"] = "verdict"
    version: int
    node: NodeNumber
    verdict: Verdict
