"""The player: statistics and settings; and the server."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from cadogan.web.models.base import Model, RequestBody, TableId, VerdictMode

Scoring = Annotated[
    Literal["none", "most", "fewest"],
    Field(description="Whether a game has no points, or many points are good, or few."),
]


class ByVerdict(Model):
    """Numbers of games by the verdict of their deal."""

    played: int
    won: int


class Statistic(Model):
    """The player's results at a game with certain variants. Times are in seconds."""

    game: str
    title: str
    played: int = Field(description="Finished tables with at least one move.")
    won: int
    lost: int
    over: int = Field(description="Tables of a game that has only points: neither won nor lost.")
    open: int
    streak: int = Field(description="Current wins in a row; negative for losses in a row.")
    best_streak: int
    worst_streak: int
    best_time: float | None
    mean_time: float | None
    best_moves: int | None
    mean_moves: float | None
    scoring: Scoring
    scored: int = Field(description="Finished tables with points.")
    best_points: int | None
    mean_points: float | None
    winnable: ByVerdict
    unwinnable: ByVerdict
    unknown: ByVerdict


class Result(Model):
    """One table in the statistics, for plots."""

    table: TableId
    game: str
    begun: datetime
    ended: datetime
    result: Literal["won", "lost", "over", "open"]
    seconds: float
    moves: int
    deal: str | None
    deal_verdict: Literal["winnable", "unwinnable", "unknown"]
    scoring: Scoring
    points: int | None = Field(description="Of a scored game that has ended.")


class Statistics(Model):
    """All statistics."""

    games: list[Statistic]
    results: list[Result]


class Settings(RequestBody):
    """The player's settings. The server stores them, so that all tabs agree."""

    language: Literal["auto", "en", "de"] = "auto"
    theme: Annotated[str, Field(max_length=40)] = "auto"
    felt: Annotated[str, Field(max_length=40)] = "green"
    deck: Annotated[str, Field(max_length=40)] = "two-colour"
    speed: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = Field(
        default=1.0, description="Of animations; 0 switches them off, 1 is normal."
    )
    left_handed: bool = False
    hide_clock: bool = False
    hide_score: bool = False
    autoplay: bool = Field(default=False, description="For new tables.")
    verdict: VerdictMode = Field(default="thoughtful", description="For new tables.")
    winnable_only: bool = Field(default=False, description="Deal only winnable games.")
    page: dict[Annotated[str, Field(max_length=40)], Any] = Field(
        default={}, max_length=100, description="Settings of the page itself, up to 8 kB as JSON."
    )


class About(Model):
    """Information about the server."""

    version: str
    languages: list[str]
    games: int
    workers: int = Field(description="Processes that search for verdicts.")
    schemes: list[str] = Field(description="The known schemes of deals: 'cadogan', 'ms', ...")
