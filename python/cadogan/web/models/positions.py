"""What lies on a table, and what a move does to it."""

from typing import Literal

from pydantic import ConfigDict, Field

from cadogan.web.models.base import CardText, Message, Model, Outcome, PileName


class Transfer(Model):
    """Cards that go from the top of one pile to another."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, serialize_by_alias=True)

    from_: PileName = Field(alias="from")
    count: int
    to: PileName


class Move(Model):
    """A legal move.

    ``kind`` is ``cards`` (some cards from pile to pile), ``joint`` (several transfers at once),
    ``swap`` (two cards change places) or ``word`` (nothing to choose in it: ``deal``).
    """

    text: str
    kind: Literal["cards", "joint", "swap", "word"]
    rule: str
    transfers: list[Transfer] = Field(description="Empty for a word.")
    piles: list[PileName] = Field(description="For a word: piles that may be clicked for it.")


class Choice(Model):
    """A forced rule waits for the player; only its moves are legal."""

    rule: str
    message: Message


class Counter(Model):
    """A number that the rules keep."""

    name: str
    value: int
    text: str = Field(description="The value as a person reads it, for a base rank 'K'.")
    why: str


class Limit(Model):
    """How often a move may still be made: redeals left."""

    word: str
    rule: str
    left: int | None = Field(description="None: without limit.")


class Pile(Model):
    """The cards of a pile, bottom card first, as far as they may be seen."""

    name: PileName
    cards: list[CardText]
    wanted: list[CardText] = Field(description="What a foundation takes next.")
    closed: bool = Field(description="Takes no more dealt cards.")


class Position(Model):
    """What lies on the table, and what may happen."""

    piles: list[Pile]
    moves: list[Move]
    choice: Choice | None
    counters: list[Counter]
    limits: list[Limit]
    outcome: Outcome | None


class Heap(Model):
    """A pile after a step, bottom card first, as far as it may be seen."""

    name: PileName
    cards: list[CardText]


class Step(Model):
    """One thing that happened, in order: the player's move, then what it forced.

    ``piles`` are the piles it changed, as they were after it: a page that cannot show the
    transfers shows these. A card that is turned up is no transfer.
    """

    text: str
    rule: str
    by: Literal["player", "rules", "autoplay"]
    transfers: list[Transfer]
    piles: list[Heap]
