"""What lies on a table, and what a move does to it."""

from typing import Literal

from pydantic import ConfigDict, Field

from cadogan.web.models.base import CardText, Message, Model, Outcome, PileName


class Transfer(Model):
    """Cards that go from one pile to another: top cards, or one from under others."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, serialize_by_alias=True)

    from_: PileName = Field(alias="from")
    count: int
    to: PileName
    depth: int | None = Field(
        None, description="How deep a single card lies that others lie on; the top card is 1."
    )


class Move(Model):
    """A legal move.

    ``kind`` is ``cards`` (cards from pile to pile), ``joint`` (several transfers at once), ``swap``
    (two cards change places) or ``word`` (a move without a choice, such as ``deal``).
    """

    text: str
    kind: Literal["cards", "joint", "swap", "word"]
    rule: str
    transfers: list[Transfer] = Field(description="Empty for a word.")
    piles: list[PileName] = Field(description="For a word: the piles to click for it.")


class Choice(Model):
    """A forced rule needs a choice; only its moves are legal."""

    rule: str
    message: Message


class Counter(Model):
    """A counter of the rules."""

    name: str
    value: int
    text: str = Field(description="The value for people: 'K' for a base rank.")
    why: str
    label: str = Field(description="What is counted, in a few words: 'base', 'cards laid'.")
    shown: bool = Field(
        description="Whether the player needs it: not if it is a switch of the rules, or if a "
        "limit says how many are left."
    )


class Limit(Model):
    """How often a move is still allowed, such as a redeal."""

    word: str
    rule: str
    left: int | None = Field(description="None: no limit.")


class Pile(Model):
    """The cards of a pile, bottom card first, as far as they are visible."""

    name: PileName
    cards: list[CardText]
    wanted: list[CardText] = Field(description="What a foundation takes next.")
    closed: bool = Field(description="Accepts no more dealt cards.")


class Position(Model):
    """The cards on the table and the legal moves."""

    piles: list[Pile]
    moves: list[Move]
    choice: Choice | None
    counters: list[Counter]
    limits: list[Limit]
    outcome: Outcome | None
    score: int | None = Field(description="The points, if the game is scored.")


class PileAfter(Model):
    """A pile after a step, bottom card first, as far as it is visible."""

    name: PileName
    cards: list[CardText]


class Step(Model):
    """One step of a move: the player's move, then each move that it forced.

    ``piles`` are the piles that changed, in their new state. A page that cannot animate the
    transfers shows these. Turning up a card is not a transfer.
    """

    text: str
    rule: str
    by: Literal["player", "rules", "autoplay"]
    transfers: list[Transfer]
    piles: list[PileAfter]
