"""Games, as the list and the table show them."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from cadogan.web.models.base import Message, Model, PileName, Role


class Chances(Model):
    """The win rates of a game, measured on deals of the scheme ``cadogan``."""

    deals: int = Field(description="Deals that the solver tried; it sees all cards.")
    won: int = Field(description="Deals that can be won.")
    undecided: int = Field(description="Undecided deals.")
    low: float = Field(description="Lower bound of the 95 % interval of the share that can be won.")
    high: float = Field(description="Upper bound of it; both bounds allow for undecided deals.")
    seen_deals: int = Field(description="Deals played by a fair player.")
    seen_won: int


class Exclusion(Model):
    """Why a variant cannot be combined with another."""

    variant: str
    message: Message


class Variant(Model):
    """A named change of a game's rules."""

    name: str
    label: str = Field(description="Its name in the language of the request.")
    why: str
    chances: Chances | None = Field(
        default=None, description="Of the game with only this variant, if measured."
    )
    difficulty: float | None = Field(default=None, description="Like that of the game.")
    excludes: list[Exclusion] = Field(
        default=[],
        description="Variants that cannot be combined with it; only present for a single game.",
    )


class Family(Model):
    """A family of games."""

    name: str = Field(description="Its name in rules files; empty if the game names none.")
    title: str = Field(description="Its title in the language of the request.")
    place: int = Field(description="Its place in the order of families.")


class GameSummary(Model):
    """A game in the list."""

    name: str = Field(description="The name by which it is loaded, without variants.")
    title: str = Field(description="Its title in the language of the request, if it has one.")
    names: dict[str, str] = Field(description="Its names by language; 'en' is always present.")
    aliases: list[str] = Field(
        description="Its other titles, in any language, and those of its variants."
    )
    family: Family
    source: str
    origin: Literal["catalogue", "upload"]
    packs: int
    cards: int = Field(description="The number of cards dealt.")
    piles: int
    open: bool = Field(description="Whether all cards can be seen from the beginning.")
    variants: list[Variant]
    favourite: bool
    last_played: datetime | None
    table: str | None = Field(description="The most recently played open table of this game.")
    played: int
    won: int
    difficulty: float | None = Field(
        description="How hard it is for a person, 0 to 1: the share of deals that a fair player "
        "did not win; if this was not measured and all cards are open, the share that cannot be "
        "won. Null if no study has measured it well enough."
    )
    chances: Chances | None = Field(description="Null if no study has measured it.")
    fault: Message | None = Field(
        description="Why it cannot be played: the player's own rules file has errors. Then only "
        "its name and title are known, and it can be removed.",
    )


class GroupInfo(Model):
    """Piles of one kind and name."""

    name: str
    role: Role
    piles: list[PileName]
    shown: Literal["all", "top", "none"]
    order: str | None = Field(description="Which cards a foundation takes, in words.")
    label: str = Field(
        description="The name of its piles in the language of the request, without the number."
    )


class Place(Model):
    """The place of a pile on the table."""

    pile: PileName
    group: str
    role: Role
    row: int = Field(description="From the top, 0-based.")
    column: float = Field(description="From the left, 0-based; halves centre a row.")
    fan: Literal["none", "down", "right"] = Field(description="How its cards overlap.")
    free_when: list[list[PileName]] = Field(
        description="Sets of piles that may cover its cards: they are covered until all piles of "
        "one set are vacant. None if they are never covered."
    )


class Layout(Model):
    """The table as a grid. ``pictured``: whether the rules file has a picture."""

    rows: int
    columns: int
    pictured: bool
    fixed: bool = Field(
        description="Whether the places must not be rearranged: the rules ask what lies beside."
    )
    overlapping: list[int] = Field(
        description="The rows whose cards lie partly on those of the row above."
    )
    places: list[Place]


class Word(Model):
    """A move that is one word, such as ``deal`` or ``gather``; the page shows a button."""

    word: str = Field(description="The text of the move.")
    rule: str
    label: str = Field(description="The name of the move in the language of the request.")
    piles: list[PileName] = Field(description="Piles to click for it.")


class Game(Model):
    """A game with the chosen variants."""

    name: str = Field(description="With the chosen variants.")
    base: str = Field(description="Without.")
    title: str
    names: dict[str, str]
    source: str
    origin: Literal["catalogue", "upload"]
    digest: str
    packs: int
    cards: int
    chosen: list[str]
    variants: list[Variant]
    groups: list[GroupInfo]
    layout: Layout
    words: list[Word]
    remarks: list[str]
    favourite: bool
