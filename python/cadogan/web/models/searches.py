"""Searches for deals that can be won."""

from typing import Literal

from pydantic import Field

from cadogan.web.models.base import Message, Model, Name, RequestBody, TableId

Level = Literal["easy", "middling", "hard"]


class SearchRequest(RequestBody):
    """Searches for a winnable deal."""

    game: Name
    difficulty: Level | None = Field(
        default=None,
        description="If given: the easiest, the middle or the hardest of some winnable deals.",
    )


class Search(Model):
    """The state of a search for a winnable deal."""

    id: TableId
    game: str
    state: Literal["searching", "found", "not-found", "cancelled"]
    tried: int
    unwinnable: int
    unknown: int
    nodes: int
    deal: str | None
    difficulty: Level | None
    rated: int = Field(description="How many winnable deals were rated.")
    most_rated: int
    figure: int | None = Field(description="How hard the deal is, from 0 to 100.")
    message: Message
