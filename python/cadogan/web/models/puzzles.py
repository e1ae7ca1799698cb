"""Puzzles: positions with exactly one move that keeps the win."""

from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field

from cadogan.web.models.base import CardText, Message, Model, PileName, RequestBody, whole
from cadogan.web.models.positions import Position, Step
from cadogan.web.models.replays import ReplayMove

PuzzleKey = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$", examples=["0f3c9a1b2d4e5f60"])]


class Standing(Model):
    """A rating after Glicko-2, and what it comes from."""

    rating: int
    deviation: int = Field(description="How unsure it is.")
    tried: int = Field(description="First tries; only these count.")
    solved: int


class Hidden(Model):
    """The cards of a pile that lie face down. A proof sees them, so a puzzle shows them."""

    name: PileName
    cards: list[CardText] = Field(description="The one that comes first is first.")


class PuzzleGame(Model):
    """A game that has puzzles."""

    name: str
    title: str
    puzzles: int


class Puzzle(Model):
    """A puzzle: exactly one of the legal moves keeps the win, all others are proved to lose."""

    key: PuzzleKey
    game: str
    title: str
    deal: str
    left: int = Field(description="Moves of the line that wins, the answer among them.")
    counts: bool = Field(description="Whether the next try is the first one, which counts.")
    position: Position
    hidden: list[Hidden]
    standing: Standing
    player: Standing
    games: list[PuzzleGame] = Field(description="All games that have puzzles.")


class PuzzleTry(RequestBody):
    """A try: ``from`` and ``to`` (and ``count``), or the ``text`` of the move, or ``gives_up``."""

    model_config = ConfigDict(serialize_by_alias=True)

    from_: PileName | None = Field(default=None, alias="from")
    to: PileName | None = None
    count: Annotated[int, Field(ge=1, le=416), BeforeValidator(whole)] | None = None
    text: str | None = Field(default=None, max_length=1000)
    gives_up: bool = Field(default=False, description="Show the solution. Counts as a wrong try.")


class PuzzleTried(Model):
    """What came of a try."""

    right: bool
    counted: bool = Field(description="Whether it changed the ratings.")
    message: Message
    move: str | None = Field(description="The text of the move, if one was made.")
    steps: list[Step] = Field(description="What the move does.")
    position: Position | None = Field(description="After the move.")
    line: list[ReplayMove] = Field(
        description="The line that wins, the answer first; empty after a move that loses."
    )
    standing: Standing
    player: Standing
