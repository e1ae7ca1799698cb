"""Why a request was not done."""

from typing import Literal

from pydantic import Field

from cadogan.web.models.base import Message, Model
from cadogan.web.models.rules import Fault
from cadogan.web.models.tables import Table


class Problem(Model):
    """Why a request was not done. Every answer of status 400 and above is one.

    ``stale``: the table has changed since; ``table`` is how it stands. ``refused``: the move is not
    allowed, ``message`` says why. ``ambiguous``: several moves fit, ``moves`` are their texts.
    ``rules``: a rules file has ``faults``. ``unreadable``: the file of a game has ``faults``.
    ``unavailable``: the database or the disk cannot be used; ``hint`` says what helps.
    """

    code: Literal[
        "ambiguous", "forbidden", "internal", "invalid", "not-found", "refused", "rules", "stale",
        "too-large", "unavailable", "unreadable",
    ]  # fmt: skip
    message: Message
    hint: str | None = None
    moves: list[str] = Field(default=[])
    faults: list[Fault] = Field(default=[])
    table: Table | None = None
