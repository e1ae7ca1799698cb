"""Rules files and the rules in words."""

from typing import Literal

from pydantic import Field

from cadogan.web.models.base import MOST_NAME, MOST_TEXT, Model, RequestBody
from cadogan.web.models.games import GameSummary


class Fault(Model):
    """A fault of a rules file, as ``cadogan check`` reports it, or of a game file."""

    severity: Literal["error", "warning"]
    code: str
    title: str
    line: int
    column: int
    end: int
    hint: str | None


class RulesProse(Model):
    """The rules in words."""

    name: str
    title: str
    markdown: str
    language: str = Field(description="The language of the text; may differ from the request.")
    complete: bool = Field(description="Whether all of it is in the language of the request.")


class RulesFile(Model):
    """A rules file as text."""

    name: str
    text: str
    origin: Literal["catalogue", "upload"]


class Upload(RequestBody):
    """A rules file from the player. It is checked and stored; it contains no code."""

    text: str = Field(max_length=MOST_TEXT)
    file_name: str = Field(default="my-game.toml", max_length=MOST_NAME)
    replaces: str | None = Field(
        default=None,
        max_length=MOST_NAME,
        description="The player's rules file that this replaces.",
    )


class RulesCheck(RequestBody):
    """A rules file to check without storing it."""

    text: str = Field(max_length=MOST_TEXT)


class Checked(Model):
    """The result of ``cadogan check`` for a rules file."""

    ok: bool = Field(description="Whether it can be played.")
    faults: list[Fault] = Field(description="Errors and warnings, by line.")


class Uploaded(Model):
    """A rules file was stored; it can be played as ``game.name``."""

    game: GameSummary
    warnings: list[Fault]
