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
    TableId,
    VerdictMode,
    Version,
    Wish,
    whole,
)
from cadogan.web.models.positions import Move, Position, Step


class Verdict(Model):
    """Whether the game can still be won.

    ``off``: not asked for. ``unwinnable`` since a move: the first after which it could not be won
    any more; ``since_exact`` is false while earlier moves are still looked at. The search knows
    the hidden cards: showing it is a spoiler, and ``mode`` ``none`` switches it off.
    """

    mode: VerdictMode
    status: Literal["off", "unknown", "winnable", "unwinnable"]
    searching: bool
    nodes: int
    since: int | None
    since_exact: bool
    message: Message


class Bookmark(Model):
    """A position with a name."""

    node: NodeNumber
    name: str
    turn: int


class Options(Model):
    """What can be switched at a table."""

    verdict: VerdictMode
    autoplay: bool = Field(
        description="Moves proved safe are made by themselves, and so is a finish that wins."
    )


class Table(Model):
    """A game in play, as it stands."""

    id: TableId
    version: int = Field(description="Grows with every change; a request must name the newest.")
    game: str = Field(description="With variants.")
    title: str
    chosen: list[str]
    deal: str | None = Field(description="None if it was given card by card.")
    deck: str | None = Field(description="The cards, if the deal has no name and is over.")
    number: int | None = Field(description="The deal's number, if it is one of 'cadogan'.")
    begun: datetime
    seconds: float = Field(description="Time played, without pauses.")
    closed: bool = Field(description="Given up, or put away.")
    won: bool = Field(description="Whether it was won at any time; undo does not unmake that.")
    node: NodeNumber
    turn: int = Field(description="Moves from the deal to here.")
    made: int = Field(
        description="Moves made in all, those taken back too; none if some came with a file."
    )
    undo: bool
    redo: bool
    finish: bool = Field(description="Whether moves to the foundations alone lead to a win.")
    last: str | None = Field(description="The text of the move that led here.")
    bookmarks: list[Bookmark]
    options: Options
    stranded: Message | None = Field(
        default=None, description="Some of the record was damaged and was set aside."
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
    played: datetime = Field(description="When something was last done at it.")
    turn: int
    won: bool
    closed: bool
    outcome: Outcome | None


class Played(Model):
    """What came of a move: the steps to animate, and the table after them."""

    table: Table
    steps: list[Step]


class NewTable(Wish):
    """A deal to be laid out. Without ``deal`` and ``deck`` one is taken at random."""

    game: Name
    deal: str | None = Field(default=None, max_length=100, examples=["cadogan:1", "ms:617"])
    deck: str | None = Field(default=None, max_length=4000, examples=["AS TC 9H"])
    line: list[Annotated[str, Field(max_length=200)]] = Field(
        default=[], max_length=2_000, description="Moves made at once: a shared line."
    )
    like: TableId | None = Field(
        default=None, description="A table whose deal is to be played again, instead of 'deal'."
    )
    closes: TableId | None = Field(default=None, description="A table that is put away for it.")


class MoveWish(Wish):
    """A move that the player wants: ``from`` and ``to`` (and ``count``), or its ``text``."""

    model_config = ConfigDict(serialize_by_alias=True)

    version: Version
    from_: PileName | None = Field(default=None, alias="from")
    to: PileName | None = None
    count: Annotated[int, Field(ge=1, le=416), BeforeValidator(whole)] | None = Field(
        default=None, description="Without it one card, or as many as must go."
    )
    text: str | None = Field(default=None, max_length=1000)


class Stamped(Wish):
    """A request that changes a table and needs nothing else."""

    version: Version


class GoTo(Stamped):
    """Goes to any position of the tree."""

    node: NodeNumber


class Mark(Stamped):
    """Gives a position a name; an empty one takes it away."""

    node: NodeNumber
    name: str = Field(max_length=MOST_NAME)


class OptionsWish(Stamped):
    """Switches something at a table."""

    verdict: VerdictMode | None = None
    autoplay: bool | None = None


class TreeNode(Model):
    """A position that was reached once."""

    node: NodeNumber
    parent: NodeNumber | None
    move: str | None
    cards: list[CardText] = Field(description="The cards that the move took, as they were seen.")
    turn: int
    outcome: Outcome | None
    bookmark: str | None
    at: datetime


class Tree(Model):
    """All positions of a table, branches and all; ``path`` leads from the deal to ``node``.

    ``ahead`` goes on from ``node`` as redo would.
    """

    nodes: list[TreeNode]
    node: NodeNumber
    path: list[NodeNumber]
    ahead: list[NodeNumber]


class View(Model):
    """A position of the tree, looked at without going there; ``steps`` led to it."""

    node: NodeNumber
    turn: int
    move: str | None
    position: Position
    steps: list[Step]


class Hint(Model):
    """A move that is advised.

    ``proved``: the next move of a line that was played to a win, ``left`` moves from here.
    ``likely``: a rule of thumb. ``none``: there is nothing to advise; the message says why.
    """

    kind: Literal["proved", "likely", "none"]
    move: Move | None
    left: int | None
    message: Message


class TableEvent(Model):
    """The table has changed, perhaps in another tab."""

    type: Literal["table"] = "table"
    table: Table


class VerdictEvent(Model):
    """Something new about whether the game can be won."""

    type: Literal["verdict"] = "verdict"
    version: int
    node: NodeNumber
    verdict: Verdict
