"""Why a request was not done."""

from typing import Literal

from pydantic import Field

from cadogan.web.models.base import Message, Model
from cadogan.web.models.rules import Fault
from cadogan.web.models.tables import Table


class Problem(Model):
    """Why a request failed. Every answer with a status of 400 or more is one.

    ``stale``: the table has changed meanwhile; ``table`` is its current state. ``refused``: the
    move is illegal; ``message`` says why. ``ambiguous``: several moves match; ``moves`` are their
    texts.
    ``rules``: a rules file has ``faults``. ``unreadable``: a game file has ``faults``.
    ``login``: nobody is logged in.
    ``unavailable``: the database or the disk cannot be used; ``hint`` says what to do.
    """

    code: Literal[
        "ambiguous", "forbidden", "internal", "invalid", "login", "not-found", "refused",
        "rules", "stale", "too-large", "unavailable", "unreadable",
    ]  # fmt: skip
    message: Message
    hint: str | None = None
    moves: list[str] = Field(default=[])
    faults: list[Fault] = Field(default=[])
    table: Table | None = None
