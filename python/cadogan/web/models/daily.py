"""Deals of the day, and their results."""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field

from cadogan.web.models.base import Model, Name, RequestBody, TableId

MOST_PLAYER = 40

PlayerName = Annotated[str, Field(min_length=1, max_length=MOST_PLAYER, examples=["Adelaide"])]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$", examples=["2026-11-23"])]


class DailyResult(Model):
    """A result that counts: the server has replayed its moves."""

    day: date
    game: str
    player: str
    moves: int
    seconds: float | None = Field(description="None if it was not played at this server.")
    clean: bool = Field(description="It is known: no hint, no verdict, no undo.")
    late: bool = Field(description="Played on another day: without rank and streak.")
    at: datetime = Field(description="When it was counted.")


class DailyGame(Model):
    """The deal of a day for one game."""

    game: str
    title: str
    state: Literal["ready", "searching", "none"] = Field(
        description="``searching``: ask again soon. ``none``: no deal was found for this day."
    )
    deal: str | None
    table: TableId | None = Field(description="The table at which it was played last.")
    won: bool = Field(description="Whether it was won at that table.")
    result: DailyResult | None = Field(description="The player's own.")
    results: int = Field(description="How many results count.")


class DailyDay(Model):
    """The deals of a day (UTC). All servers of the same version have the same."""

    day: date
    today: date
    first: date = Field(description="The first day whose deals can still be played.")
    games: list[DailyGame]


class DailyCalendar(Model):
    """The results of a player in the last year, and how many days in a row were won."""

    results: list[DailyResult]
    streak: int
    best_streak: int


class DailyEntry(RequestBody):
    """A result to be counted: the ``moves``, or the ``table`` of this server with them.

    The server replays the moves. Times come from its own tables only.
    """

    day: Day
    game: Name
    player: PlayerName
    moves: list[Annotated[str, Field(max_length=200)]] | None = Field(
        default=None, max_length=2_000
    )
    table: TableId | None = None
