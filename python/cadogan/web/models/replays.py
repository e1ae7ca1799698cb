"""Games as lines of moves: replays, files and links."""

from typing import Annotated

from pydantic import Field

from cadogan.web.models.base import (
    MOST_TEXT,
    CardText,
    Model,
    Name,
    NodeNumber,
    Outcome,
    RequestBody,
)
from cadogan.web.models.positions import Pile, Step


class ReplayMove(Model):
    """A move of a replay, with what it forced."""

    text: str
    node: NodeNumber | None = Field(description="The position of the tree that it led to.")
    bookmark: str | None
    cards: list[CardText] = Field(description="The cards of the move, as they were visible.")
    outcome: Outcome | None
    steps: list[Step]


class Replay(Model):
    """A line of moves from the deal. ``piles`` is the table before the first move."""

    game: str
    title: str
    deal: str | None
    deck: str | None = Field(description="The cards, if the deal has no name.")
    piles: list[Pile]
    moves: list[ReplayMove]
    at: int = Field(description="How many of the moves lead to the current position of the table.")


class Line(RequestBody):
    """A line of moves from a link. It is not stored."""

    game: Name
    deal: str | None = Field(default=None, max_length=100, examples=["cadogan:1", "ms:617"])
    deck: str | None = Field(default=None, max_length=4000, examples=["AS TC 9H"])
    line: list[Annotated[str, Field(max_length=200)]] = Field(max_length=2_000)


class GameFile(Model):
    """A game as a text file, which ``cadogan replay`` also reads."""

    file_name: str
    text: str


class Import(RequestBody):
    """The text of a game file."""

    text: str = Field(max_length=MOST_TEXT)


class Share(Model):
    """A link to a deal or position. ``query`` is the part after ``?``."""

    game: str
    deal: str | None
    line: list[str]
    query: str
    portable: bool = Field(description="False for a game from the player's own rules file.")
