"""Reviews: where a game was lost, and how that is proved."""

from typing import Literal

from pydantic import Field

from cadogan.web.models.base import CardText, Message, Model, NodeNumber, RequestBody

Known = Literal["unknown", "winnable", "unwinnable"]


class ReviewRequest(RequestBody):
    """Reviews a line of a table."""

    node: NodeNumber | None = Field(
        default=None, description="Where it ends; by default where redo would."
    )


class ReviewTurn(Model):
    """A position of the game. Of its ``legal`` moves ``kept`` keep the win and ``lost`` lose it.

    The others are not decided. ``why`` says how the ``status`` is known.
    """

    status: Known
    why: Message
    legal: int
    kept: int
    lost: int


class ReviewMove(Model):
    """A legal move of the position in which the game was lost."""

    text: str
    cards: list[CardText] = Field(description="The cards of the move, as they are visible.")
    status: Known
    why: Message
    played: bool


class ReviewLoss(Model):
    """One of the moves from ``first`` to ``last`` lost the game.

    ``first`` is 0 if the deal itself may be lost, and ``move`` is given if they are the same move.
    """

    first: int
    last: int
    move: int | None
    why: Message = Field(description="How the loss is proved.")
    moves: list[ReviewMove] = Field(description="The legal moves before it, if it is known.")


class Review(Model):
    """The review of a game, as far as it has come. Ask again while it is ``searching``."""

    node: NodeNumber = Field(description="Where the game ends.")
    message: Message
    searching: bool
    complete: bool = Field(description="Nothing is left to search, though not all may be decided.")
    nodes: int = Field(description="Positions searched so far.")
    turns: list[ReviewTurn] = Field(description="The deal, and the position after each move.")
    loss: ReviewLoss | None
