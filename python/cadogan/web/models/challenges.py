"""Challenges: the same deal for a friend, with a result to beat."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from cadogan.web.models.base import Model, RequestBody, TableId
from cadogan.web.models.daily import PlayerName


class ChallengeResult(Model):
    """A result that counts: the server has replayed its moves."""

    player: str
    won: bool
    points: int | None = Field(description="None if the game is not scored.")
    moves: int
    seconds: float | None = Field(description="None if it was not played at this server.")
    clean: bool = Field(description="It is known: no hint, no verdict, no undo.")
    first: bool = Field(description="Whether it is that of the challenger.")
    at: datetime = Field(description="When it was counted.")


class Challenge(Model):
    """A challenge. Its results are hidden until one's own is among them."""

    key: TableId
    game: str
    title: str
    deal: str | None = Field(description="None if it was dealt card by card.")
    deck: str | None = Field(description="The cards, if the deal has no name.")
    player: str = Field(description="Who made it.")
    made: datetime
    number: int = Field(description="How many results count.")
    results: list[ChallengeResult] | None = Field(
        description="The best first; None as long as they are hidden."
    )


class NewChallenge(RequestBody):
    """A game that is over, to challenge others with."""

    table: TableId
    player: PlayerName


class ChallengeEntry(RequestBody):
    """A result to be counted: the ``moves``, or the ``table`` of this server with them."""

    player: PlayerName
    moves: list[Annotated[str, Field(max_length=200)]] | None = Field(
        default=None, max_length=2_000
    )
    table: TableId | None = None
