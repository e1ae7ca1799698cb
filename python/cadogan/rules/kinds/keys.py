"""The keys of a rule in a rules file: what each is for and what its value must be."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a rule.

    Attributes:
        name: The key.
        takes: The type of its value, as an annotation in the names of
            :mod:`cadogan.rules.validate.schema`: ``"Phrases"``. It is text because that module is
            slow to import, and only files that are validated need it.
        about: What the key is for.
        expects: What its value must be, to follow "must be".
        description: What editors show; if it is empty, it is made of the two above.
        only_forced: What is reported if a rule has the key and is not forced; empty if free rules
            may have it.
    """

    name: str
    takes: str
    about: str
    expects: str
    description: str = ""
    only_forced: str = ""


TO = Key("to", "Phrases", 'where the cards go; "vacant", "occupied" before a name', "piles")
"""The key ``to``, which several kinds of rule have."""

MATCH = Key(
    "match",
    "Phrases",
    "which cards belong together",
    'a rule of building such as "adding to 13" or "same rank", or cards: "a jack and a queen"',
)
"""The key ``match``, which says which cards belong together."""

ONLY = Key(
    "only",
    'Literal["if blocked", "if both belong there"]',
    "when it may be used: cards that go up together, or that change places",
    '"if blocked" or "if both belong there"',
)
"""The key ``only``, with a value for each of two kinds of rule."""

ALONG = Key(
    "along",
    "Phrase",
    "which source serves which target",
    '"same place" (the first the first, ...), "lines", or places such as "the left neighbour"',
)
"""The key ``along``, which links the piles of a rule."""

NUMBERS = "int | list[int] | Phrase"
"""The type of a number of cards."""

HOW_MANY = 'a number, "at least 2", "at most 3" or [fewest, most]'
"""What a number of cards must be."""

WORTH = Key(
    "worth",
    "dict[str, int]",
    "what cards count that do not count their rank",
    "a table of classes of cards and numbers",
)
"""The key ``worth`` of cards that are added up."""

NUMBER = Key("number", NUMBERS, "how many cards leave together", HOW_MANY)
"""The key ``number`` of cards that leave together."""
