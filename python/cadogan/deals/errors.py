"""What can be wrong with a deal."""

from collections.abc import Sequence

from cadogan.cards import Card
from cadogan.i18n.names import rule_label
from cadogan.i18n.text import gettext, listed


class DealError(ValueError):
    """A deal cannot be read or does not fit the game; the message is for people."""


class RestlessError(DealError, RuntimeError):
    """The forced rules of the game never end: a fault of its rules file.

    Attributes:
        rules: The names of the rules that trigger each other.
    """

    def __init__(self, rules: Sequence[str]) -> None:
        self.rules = tuple(rules)
        super().__init__(
            gettext("the forced rules of the game do not come to rest: {fault}", fault=self.fault)
        )

    def __reduce__(self) -> tuple[type["RestlessError"], tuple[tuple[str, ...]]]:
        return type(self), (self.rules,)

    @property
    def fault(self) -> str:
        """What the rules do: ``"'there' and 'back' trigger each other endlessly"``."""
        names = [f"'{rule_label(name)}'" for name in self.rules]
        if len(names) == 1:
            return gettext("{rule} never ends", rule=names[0])
        return gettext("{rules} trigger each other endlessly", rules=listed(names, "and"))

    @classmethod
    def of_kernel(cls, error: RuntimeError, rules: Sequence[str]) -> RuntimeError:
        """The error that an error of the kernel stands for.

        Args:
            error: The error of the kernel.
            rules: The names of all rules.

        Returns:
            The error, unchanged if it is about something else.
        """
        if len(error.args) != 2:
            return error
        return cls([rules[index] for index in error.args[1]])


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
