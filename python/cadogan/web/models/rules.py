"""Rules files and the rules in words."""

from typing import Literal

from pydantic import Field

from cadogan.web.models.base import MOST_NAME, MOST_TEXT, Model, Wish
from cadogan.web.models.games import GameSummary


class Fault(Model):
    """A fault of a rules file, as ``cadogan check`` tells it, or of the file of a game."""

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
    language: str = Field(description="The language of the text, which may not be the one asked.")
    complete: bool = Field(description="Whether all of it is in the language asked for.")


class RulesFile(Model):
    """A rules file as text."""

    name: str
    text: str
    origin: Literal["catalogue", "upload"]


class Upload(Wish):
    """A rules file from the player. It is checked, kept in the data folder, and never run."""

    text: str = Field(max_length=MOST_TEXT)
    file_name: str = Field(default="my-game.toml", max_length=MOST_NAME)
    replaces: str | None = Field(
        default=None,
        max_length=MOST_NAME,
        description="A rules file of the player's of which this is a new version.",
    )


class RulesCheck(Wish):
    """A rules file that is only to be checked."""

    text: str = Field(max_length=MOST_TEXT)


class Checked(Model):
    """What ``cadogan check`` says of a rules file."""

    ok: bool = Field(description="Whether it can be played.")
    faults: list[Fault] = Field(description="Errors and warnings, in the order of the lines.")


class Uploaded(Model):
    """A rules file was taken in; it is playable under ``game.name``."""

    game: GameSummary
    warnings: list[Fault]
