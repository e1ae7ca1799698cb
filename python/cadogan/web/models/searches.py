"""Searches for deals that can be won."""

from typing import Literal

from cadogan.web.models.base import Message, Model, Name, RequestBody, TableId


class SearchRequest(RequestBody):
    """Searches for a winnable deal."""

    game: Name


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
    message: Message
