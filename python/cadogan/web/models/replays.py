"""Games as lines of moves: replays, files and links."""

from typing import Annotated

from pydantic import Field

from cadogan.web.models.base import MOST_TEXT, CardText, Model, Name, NodeNumber, Outcome, Wish
from cadogan.web.models.positions import Pile, Step


class ReplayMove(Model):
    """A move of a replay, with what it forced."""

    text: str
    node: NodeNumber | None = Field(description="The position at the table that it led to.")
    bookmark: str | None
    cards: list[CardText] = Field(description="The cards that it took, as they were seen.")
    outcome: Outcome | None
    steps: list[Step]


class Replay(Model):
    """A line of moves from the deal on. ``piles`` are the table before the first of them."""

    game: str
    title: str
    deal: str | None
    deck: str | None = Field(description="The cards, if the deal has no name.")
    piles: list[Pile]
    moves: list[ReplayMove]
    at: int = Field(description="How many of the moves have been made where the table stands.")


class Line(Wish):
    """A line of moves, as a link tells it. Nothing of it is kept."""

    game: Name
    deal: str | None = Field(default=None, max_length=100, examples=["cadogan:1", "ms:617"])
    deck: str | None = Field(default=None, max_length=4000, examples=["AS TC 9H"])
    line: list[Annotated[str, Field(max_length=200)]] = Field(max_length=2_000)


class GameFile(Model):
    """A game as an open text file, which ``cadogan replay`` reads too."""

    file_name: str
    text: str


class Import(Wish):
    """The text of such a file."""

    text: str = Field(max_length=MOST_TEXT)


class Share(Model):
    """What to put into a link. ``query`` is the part after ``?``."""

    game: str
    deal: str | None
    line: list[str]
    query: str
    portable: bool = Field(description="False for a game of the player's own rules file.")
