"""Games, as the list and the table show them."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from cadogan.web.models.base import Message, Model, PileName, Role


class Chances(Model):
    """How often a game comes out, measured on deals of the scheme ``cadogan``."""

    deals: int = Field(description="Deals that the solver tried; it knows all cards.")
    won: int = Field(description="Deals that can be won.")
    undecided: int = Field(description="Deals left undecided.")
    low: float = Field(description="Lower bound of the share that can be won, 95 per cent.")
    high: float = Field(description="Upper bound; undecided deals are counted both ways.")
    seen_deals: int = Field(description="Deals played by a player who knows what a person sees.")
    seen_won: int


class Exclusion(Model):
    """Why a variant cannot be chosen together with another."""

    variant: str
    message: Message


class Variant(Model):
    """A named reading of a game's rules."""

    name: str
    label: str = Field(description="What it is called in the language asked for.")
    why: str
    chances: Chances | None = Field(
        default=None, description="Of the game with this variant alone, where it was measured."
    )
    difficulty: float | None = Field(default=None, description="As that of the game.")
    excludes: list[Exclusion] = Field(
        default=[], description="Variants that do not go with it; told of a single game only."
    )


class GameSummary(Model):
    """A game in the list."""

    name: str = Field(description="What it is loaded by, without variants.")
    title: str = Field(description="Its name in the language asked for, if it has one.")
    names: dict[str, str] = Field(description="Its names by language; 'en' is always there.")
    source: str
    origin: Literal["catalogue", "upload"]
    packs: int
    cards: int = Field(description="How many cards are dealt.")
    piles: int
    open: bool = Field(description="Whether all cards can be seen from the beginning.")
    variants: list[Variant]
    favourite: bool
    last_played: datetime | None
    table: str | None = Field(description="The table of this game that was played last, if open.")
    played: int
    won: int
    difficulty: float | None = Field(
        description="How hard it is for who sees what a person sees, 0 to 1: the share of deals "
        "that such a player did not win, or if none was tried and all cards are open, the share "
        "that cannot be won. Null where no study has measured it well enough."
    )
    chances: Chances | None = Field(description="Null where no study has measured it.")
    fault: Message | None = Field(
        description="Why it cannot be played: a rules file of the player's that is faulty. Nothing "
        "else is known of it then but its name and its title; it can be removed.",
    )


class GroupInfo(Model):
    """Piles of one kind and name."""

    name: str
    role: Role
    piles: list[PileName]
    shown: Literal["all", "top", "none"]
    order: str | None = Field(description="What a foundation takes, in words.")
    label: str = Field(
        description="What a pile of it is called in the language asked for, before its number."
    )


class Place(Model):
    """Where a pile stands on the table."""

    pile: PileName
    group: str
    role: Role
    row: int = Field(description="From the top, 0-based.")
    column: float = Field(description="From the left, 0-based; halves centre a row.")
    fan: Literal["none", "down", "right"] = Field(description="How its cards lie.")


class Layout(Model):
    """The table as a grid. ``pictured`` tells whether the rules file shows it."""

    rows: int
    columns: int
    pictured: bool
    places: list[Place]


class Word(Model):
    """A move that is one word, such as ``deal`` or ``gather``: a button."""

    word: str = Field(description="The text of the move.")
    rule: str
    label: str = Field(description="What the move is called in the language asked for.")
    piles: list[PileName] = Field(description="Piles that may be clicked for it.")


class Game(Model):
    """A game, with variants chosen."""

    name: str = Field(description="With the variants chosen.")
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
