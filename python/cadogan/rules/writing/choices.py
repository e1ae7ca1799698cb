"""All choices of the form, in the order in which they are asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cadogan.i18n.text import Told, told
from cadogan.rules.writing.choice import NO, Choice, Option

MOST_PILES: Final = 20
_MOST_DEALT: Final = 104


@dataclass(frozen=True, slots=True)
class Section:
    """Choices that belong together.

    Attributes:
        key: Its name.
        label: Its heading.
        choices: The choices.
    """

    key: str
    label: Told
    choices: tuple[Choice, ...]


_SUITS: Final = (
    Option("suit", told("of the same suit")),
    Option("alternate", told("of the other colour")),
    Option("colour", told("of the same colour")),
    Option("another", told("of another suit")),
    Option("any", told("of any suit")),
)
_ALL_STOCKS: Final = ("none", "waste", "tableau", "occupied", "full", "first", "reserve")


def _stock_but(*stocks: str) -> tuple[str, ...]:
    return tuple(stock for stock in _ALL_STOCKS if stock not in stocks)


SECTIONS: Final = (
    Section(
        "game",
        told("The game"),
        (
            Choice(
                key="name",
                label=told("Name"),
                help=told("The name of the game."),
                default=told("A game of my own"),
                kind="text",
            ),
            Choice(
                key="packs",
                label=told("Packs"),
                help=told("The number of packs of 52 cards."),
                default="1",
                kind="number",
                least=1,
                most=4,
            ),
        ),
    ),
    Section(
        "stock",
        told("Stock"),
        (
            Choice(
                key="stock",
                label=told("The stock is dealt"),
                help=told(
                    "Where the cards go that are not dealt at the beginning. If it is not dealt at"
                    " all, there is no stock: all cards are dealt at the beginning."
                ),
                default="none",
                kind="option",
                options=(
                    Option("none", told("not at all")),
                    Option("waste", told("to a waste")),
                    Option("tableau", told("to all piles of the tableau")),
                    Option("occupied", told("to the piles of the tableau that hold cards")),
                    Option("full", told("to all piles of the tableau, if none is vacant")),
                    Option("first", told("to the first pile of the tableau")),
                    Option("reserve", told("to all piles of the reserve")),
                ),
            ),
            Choice(
                key="at-a-time",
                label=told("Cards at a time"),
                help=told("How many cards are turned over to the waste at a time."),
                default="1",
                kind="number",
                least=1,
                most=5,
                unless={"stock": _stock_but("waste")},
            ),
            Choice(
                key="empty-waste",
                label=told("Deal only while the waste is empty"),
                help=told("The cards on the waste must be played before more are turned over."),
                default=NO,
                kind="switch",
                unless={"stock": _stock_but("waste")},
            ),
            Choice(
                key="redeals",
                label=told("Redeals"),
                help=told(
                    "How often the cards dealt become the stock again when it is empty. A waste is"
                    " turned over; other piles are gathered, and a card is dealt to each of them."
                ),
                default="0",
                kind="option",
                options=(
                    Option("0", told("never")),
                    Option("1", told("once")),
                    Option("2", told("twice")),
                    Option("3", told("three times")),
                    Option("unlimited", told("without limit")),
                ),
                unless={"stock": ("none", "occupied")},
            ),
            Choice(
                key="shuffle",
                label=told("Shuffle before each redeal"),
                help=told("The stock is shuffled when the cards come back to it."),
                default=NO,
                kind="switch",
                unless={"redeals": ("0",)},
            ),
        ),
    ),
    Section(
        "foundations",
        told("Foundations"),
        (
            Choice(
                key="foundations",
                label=told("The foundations take"),
                help=told(
                    "Cards go up one by one, or thirteen at once when they lie in sequence in the"
                    " tableau, as in games of the Spider family."
                ),
                default="cards",
                kind="option",
                options=(
                    Option("cards", told("single cards")),
                    Option("sequences", told("complete sequences between king and ace")),
                    Option("any-sequences", told("complete sequences that begin with any rank")),
                ),
            ),
            Choice(
                key="base",
                label=told("First card"),
                help=told("The rank with which the foundations begin."),
                default="ace",
                kind="option",
                options=(
                    Option("ace", told("an ace")),
                    Option("king", told("a king")),
                    Option("dealt", told("the card that is dealt to the first foundation")),
                    Option("chosen", told("the card that the player plays first")),
                    Option("each-dealt", told("any card, dealt to each foundation")),
                    Option(
                        "each-chosen", told("any card, for each foundation another if you like")
                    ),
                ),
                unless={"foundations": ("sequences", "any-sequences")},
            ),
            Choice(
                key="laid-out",
                label=told("Lay out the first cards before the deal"),
                help=told("Each foundation begins with its first card."),
                default=NO,
                kind="switch",
                unless={
                    "foundations": ("sequences", "any-sequences"),
                    "base": ("dealt", "chosen", "each-dealt", "each-chosen"),
                },
            ),
            Choice(
                key="foundation-direction",
                label=told("Foundations build"),
                help=told("Whether the next card is one rank higher or lower."),
                default="up",
                kind="option",
                options=(Option("up", told("upwards")), Option("down", told("downwards"))),
                unless={"foundations": ("sequences", "any-sequences")},
            ),
            Choice(
                key="foundation-suits",
                label=told("Each card of a foundation is"),
                help=told("How the suit of a card must fit the card below it."),
                default="suit",
                kind="option",
                options=_SUITS,
            ),
            Choice(
                key="worrying-back",
                label=told("Cards may come back from the foundations"),
                help=told("The top card of a foundation may be built on the tableau again."),
                default=NO,
                kind="switch",
                unless={"foundations": ("sequences", "any-sequences")},
            ),
        ),
    ),
    Section(
        "tableau",
        told("Tableau"),
        (
            Choice(
                key="piles",
                label=told("Piles of the tableau"),
                help=told("The tableau is where the player builds."),
                default="8",
                kind="number",
                least=1,
                most=MOST_PILES,
            ),
            Choice(
                key="suits",
                label=told("Each card of the tableau is"),
                help=told("How the suit of a card must fit the card on which it is laid."),
                default="alternate",
                kind="option",
                options=(*_SUITS, Option("nothing", told("never laid on another"))),
            ),
            Choice(
                key="direction",
                label=told("The tableau builds"),
                help=told("Whether a card is lower or higher than the card on which it is laid."),
                default="down",
                kind="option",
                options=(
                    Option("down", told("downwards")),
                    Option("up", told("upwards")),
                    Option("either", told("upwards or downwards")),
                    Option("same-rank", told("cards of the same rank")),
                ),
                unless={"suits": ("nothing",)},
            ),
            Choice(
                key="corner",
                label=told("Build round the corner"),
                help=told("Kings and aces meet: a king may follow an ace, as a queen a king."),
                default=NO,
                kind="switch",
                unless={"suits": ("nothing",), "direction": ("same-rank",)},
            ),
            Choice(
                key="moves",
                label=told("Cards move"),
                help=told(
                    "Whether several cards of a pile may move together. In games of the Spider"
                    " family, any suit may be laid on any other, but only cards whose suits fit"
                    " move together; in games of the Yukon family, whatever lies on a card moves"
                    " with it."
                ),
                default="single",
                kind="option",
                options=(
                    Option("single", told("one at a time")),
                    Option("sequences", told("in sequences")),
                    Option("spider", told("in sequences, while any suit may be built")),
                    Option("packets", told("with all cards that lie on them")),
                ),
                unless={"suits": ("nothing",), "piles": ("1",)},
            ),
            Choice(
                key="space",
                label=told("A vacancy takes"),
                help=told("Which cards the player may put into a vacant pile of the tableau."),
                default="any",
                kind="option",
                options=(
                    Option("any", told("any card")),
                    Option("king", told("kings")),
                    Option("ace", told("aces")),
                    Option("before-base", told("the rank that ends the foundations")),
                    Option("nothing", told("nothing")),
                ),
            ),
            Choice(
                key="refill",
                label=told("A vacancy is filled at once"),
                help=told("A vacant pile of the tableau gets a card before anything else is done."),
                default="no",
                kind="option",
                options=(
                    Option("no", told("no")),
                    Option("reserve", told("from the reserve")),
                    Option("waste", told("from the waste")),
                    Option("stock", told("from the stock")),
                ),
            ),
        ),
    ),
    Section(
        "reserve",
        told("Reserve"),
        (
            Choice(
                key="reserves",
                label=told("Piles of the reserve"),
                help=told("Places beside the tableau, on which nothing is built."),
                default="2",
                kind="number",
                most=MOST_PILES,
            ),
            Choice(
                key="capacity",
                label=told("Cards that the player may put on each"),
                help=told("1 makes free cells; 0 makes a reserve that only loses cards."),
                default="1",
                kind="number",
                most=20,
                unless={"reserves": ("0",)},
            ),
            Choice(
                key="reserve-deal",
                label=told("Cards dealt to each pile of the reserve"),
                help=told("One number, or one for each pile: 0 1 1 0."),
                default="0",
                kind="numbers",
                most=_MOST_DEALT,
                unless={"reserves": ("0",)},
            ),
            Choice(
                key="reserve-hidden",
                label=told("Only the top cards of the reserve are seen"),
                help=told("The cards below them are turned up, but lie squared."),
                default=NO,
                kind="switch",
                unless={"reserves": ("0",), "capacity": ("1",)},
            ),
        ),
    ),
    Section(
        "deal",
        told("Deal"),
        (
            Choice(
                key="shape",
                label=told("Shape of the tableau"),
                help=told(
                    "A triangle deals one card to the first pile, two to the second and so on; a"
                    " pyramid is highest in the middle."
                ),
                default="rectangle",
                kind="option",
                options=(
                    Option("rectangle", told("rectangle")),
                    Option("triangle", told("triangle")),
                    Option("pyramid", told("pyramid")),
                ),
            ),
            Choice(
                key="face-down",
                label=told("Face-down cards in each pile"),
                help=told(
                    "One number, or one for each pile: 0 1 2 3. In a triangle or a pyramid, the"
                    " number of the highest pile."
                ),
                default="0",
                kind="numbers",
                most=_MOST_DEALT,
            ),
            Choice(
                key="face-up",
                label=told("Face-up cards in each pile"),
                help=told(
                    "One number, or one for each pile. In a triangle or a pyramid, the number of"
                    " the highest pile. Without a stock, the cards that are left follow face up."
                ),
                default="1",
                kind="numbers",
                most=_MOST_DEALT,
            ),
            Choice(
                key="most",
                label=told("Cards dealt to the tableau at most"),
                help=told(
                    "If this is less than the piles would get, the last piles get fewer cards;"
                    " 0 sets no limit."
                ),
                default="0",
                kind="number",
                most=416,
                unless={"stock": ("none",)},
            ),
            Choice(
                key="to-bottom",
                label=told("Cards that go to the bottom of their pile"),
                help=told("They are moved below the others after the deal."),
                default="none",
                kind="option",
                options=(
                    Option("none", told("none")),
                    Option("kings", told("kings")),
                    Option("aces", told("aces")),
                ),
            ),
        ),
    ),
)
"""The choices, by headings."""

CHOICES: Final[Mapping[str, Choice]] = {
    choice.key: choice for section in SECTIONS for choice in section.choices
}
"""The choices by their keys, in order."""
