"""Searches for deals that can be won."""

from typing import Literal

from cadogan.web.models.base import Message, Model, Name, TableId, Wish


class SearchWish(Wish):
    """Looks for a deal that the solver wins."""

    game: Name


class Search(Model):
    """A search for a deal that can be won."""

    id: TableId
    game: str
    state: Literal["searching", "found", "not-found", "cancelled"]
    tried: int
    unwinnable: int
    unknown: int
    nodes: int
    deal: str | None
    message: Message
