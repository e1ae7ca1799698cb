"""What can be wrong with a deal."""

from collections.abc import Sequence

from cadogan.cards import Card


class DealError(ValueError):
    """A deal cannot be read or does not fit the game; the message is for people."""


class RestlessError(DealError, RuntimeError):
    """With these cards, the forced rules of the game never end."""


class DeckError(ValueError):
    """An explicit deck does not have the cards of the game.

    The message names every fault; the same faults are in the attributes.

    Attributes:
        missing: The missing cards, sorted; a card that is missing twice is listed twice.
        surplus: The cards that are too many or do not belong to the game, sorted.
        unknown: The texts that are not cards, in the order of the deck.
    """

    def __init__(
        self,
        message: str,
        *,
        missing: Sequence[Card] = (),
        surplus: Sequence[Card] = (),
        unknown: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.missing = tuple(missing)
        self.surplus = tuple(surplus)
        self.unknown = tuple(unknown)
