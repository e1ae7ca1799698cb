"""Rules files and the rules in words."""

from typing import Literal

from pydantic import Field

from cadogan.web.models.base import MOST_NAME, MOST_TEXT, Model, RequestBody, TableId
from cadogan.web.models.games import GameSummary

MOST_DEAL = 1_000_000


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
    deal: int | None = Field(
        default=None,
        ge=1,
        le=MOST_DEAL,
        description="If given, a file without errors is drawn with the deal of that number.",
    )


class Rate(Model):
    """How often a rules file comes out that is being written, as far as it is known."""

    id: TableId
    deals: int
    most_deals: int
    won: int
    lost: int
    undecided: int
    nodes: int
    low: float = Field(description="The lower bound of the share of deals that can be won.")
    high: float = Field(description="The upper bound, at a confidence of 95 per cent.")
    complete: bool = Field(description="Whether no further deal is searched.")


class Draft(Model):
    """What a rules file without errors gives; nothing is stored."""

    title: str
    digest: str
    deal: str
    picture: str = Field(description="The table after the deal, as SVG.")
    markdown: str = Field(description="The rules in words.")
    language: str = Field(description="The language of these words.")
    complete: bool = Field(description="Whether all of it is in that language.")
    rate: Rate | None = Field(description="Nothing if the game cannot be won or nobody searches.")


class Checked(Model):
    """The result of ``cadogan check`` for a rules file."""

    ok: bool = Field(description="Whether it can be played.")
    faults: list[Fault] = Field(description="Errors and warnings, by line.")
    draft: Draft | None = Field(default=None, description="If a deal was given and all is well.")


class Uploaded(Model):
    """A rules file was stored; it can be played as ``game.name``."""

    game: GameSummary
    warnings: list[Fault]
