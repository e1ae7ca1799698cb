"""All choices of the form, in the order in which they are asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cadogan.i18n.text import Translatable, gettext
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
    label: Translatable
    choices: tuple[Choice, ...]


_SUITS: Final = (
    Option("suit", gettext("of the same suit")),
    Option("alternate", gettext("of the other colour")),
    Option("colour", gettext("of the same colour")),
    Option("another", gettext("of another suit")),
    Option("any", gettext("of any suit")),
)
_ALL_STOCKS: Final = ("none", "waste", "tableau", "occupied", "full", "first", "reserve")


def _stock_but(*stocks: str) -> tuple[str, ...]:
    return tuple(stock for stock in _ALL_STOCKS if stock not in stocks)


SECTIONS: Final = (
    Section(
        "game",
        gettext("The game"),
        (
            Choice(
                key="name",
                label=gettext("Name"),
                help=gettext("The name of the game."),
                default=gettext("A game of my own"),
                kind="text",
            ),
            Choice(
                key="packs",
                label=gettext("Packs"),
                help=gettext("The number of packs of 52 cards."),
                default="1",
                kind="number",
                least=1,
                most=4,
            ),
        ),
    ),
    Section(
        "stock",
        gettext("Stock"),
        (
            Choice(
                key="stock",
                label=gettext("The stock is dealt"),
                help=gettext(
                    "Where the cards go that are not dealt at the beginning. If it is not dealt at"
                    " all, there is no stock: all cards are dealt at the beginning."
                ),
                default="none",
                kind="option",
                options=(
                    Option("none", gettext("not at all")),
                    Option("waste", gettext("to a waste")),
                    Option("tableau", gettext("to all piles of the tableau")),
                    Option("occupied", gettext("to the piles of the tableau that hold cards")),
                    Option("full", gettext("to all piles of the tableau, if none is vacant")),
                    Option("first", gettext("to the first pile of the tableau")),
                    Option("reserve", gettext("to all piles of the reserve")),
                ),
            ),
            Choice(
                key="at-a-time",
                label=gettext("Cards at a time"),
                help=gettext("How many cards are turned over to the waste at a time."),
                default="1",
                kind="number",
                least=1,
                most=5,
                unless={"stock": _stock_but("waste")},
            ),
            Choice(
                key="empty-waste",
                label=gettext("Deal only while the waste is empty"),
                help=gettext("The cards on the waste must be played before more are turned over."),
                default=NO,
                kind="switch",
                unless={"stock": _stock_but("waste")},
            ),
            Choice(
                key="redeals",
                label=gettext("Redeals"),
                help=gettext(
                    "How often the cards dealt become the stock again when it is empty. A waste is"
                    " turned over; other piles are gathered, and a card is dealt to each of them."
                ),
                default="0",
                kind="option",
                options=(
                    Option("0", gettext("never")),
                    Option("1", gettext("once")),
                    Option("2", gettext("twice")),
                    Option("3", gettext("three times")),
                    Option("unlimited", gettext("without limit")),
                ),
                unless={"stock": ("none", "occupied")},
            ),
            Choice(
                key="shuffle",
                label=gettext("Shuffle before each redeal"),
                help=gettext("The stock is shuffled when the cards come back to it."),
                default=NO,
                kind="switch",
                unless={"redeals": ("0",)},
            ),
        ),
    ),
    Section(
        "foundations",
        gettext("Foundations"),
        (
            Choice(
                key="foundations",
                label=gettext("The foundations take"),
                help=gettext(
                    "Cards go up one by one, or thirteen at once when they lie in sequence in the"
                    " tableau, as in games of the Spider family."
                ),
                default="cards",
                kind="option",
                options=(
                    Option("cards", gettext("single cards")),
                    Option("sequences", gettext("complete sequences between king and ace")),
                    Option("any-sequences", gettext("complete sequences that begin with any rank")),
                ),
            ),
            Choice(
                key="base",
                label=gettext("First card"),
                help=gettext("The rank with which the foundations begin."),
                default="ace",
                kind="option",
                options=(
                    Option("ace", gettext("an ace")),
                    Option("king", gettext("a king")),
                    Option("dealt", gettext("the card that is dealt to the first foundation")),
                    Option("chosen", gettext("the card that the player plays first")),
                    Option("each-dealt", gettext("any card, dealt to each foundation")),
                    Option(
                        "each-chosen", gettext("any card, for each foundation another if you like")
                    ),
                ),
                unless={"foundations": ("sequences", "any-sequences")},
            ),
            Choice(
                key="laid-out",
                label=gettext("Lay out the first cards before the deal"),
                help=gettext("Each foundation begins with its first card."),
                default=NO,
                kind="switch",
                unless={
                    "foundations": ("sequences", "any-sequences"),
                    "base": ("dealt", "chosen", "each-dealt", "each-chosen"),
                },
            ),
            Choice(
                key="foundation-direction",
                label=gettext("Foundations build"),
                help=gettext("Whether the next card is one rank higher or lower."),
                default="up",
                kind="option",
                options=(Option("up", gettext("upwards")), Option("down", gettext("downwards"))),
                unless={"foundations": ("sequences", "any-sequences")},
            ),
            Choice(
                key="foundation-suits",
                label=gettext("Each card of a foundation is"),
                help=gettext("How the suit of a card must fit the card below it."),
                default="suit",
                kind="option",
                options=_SUITS,
            ),
            Choice(
                key="worrying-back",
                label=gettext("Cards may come back from the foundations"),
                help=gettext("The top card of a foundation may be built on the tableau again."),
                default=NO,
                kind="switch",
                unless={"foundations": ("sequences", "any-sequences")},
            ),
        ),
    ),
    Section(
        "tableau",
        gettext("Tableau"),
        (
            Choice(
                key="piles",
                label=gettext("Piles of the tableau"),
                help=gettext("The tableau is where the player builds."),
                default="8",
                kind="number",
                least=1,
                most=MOST_PILES,
            ),
            Choice(
                key="suits",
                label=gettext("Each card of the tableau is"),
                help=gettext("How the suit of a card must fit the card on which it is laid."),
                default="alternate",
                kind="option",
                options=(*_SUITS, Option("nothing", gettext("never laid on another"))),
            ),
            Choice(
                key="direction",
                label=gettext("The tableau builds"),
                help=gettext(
                    "Whether a card is lower or higher than the card on which it is laid."
                ),
                default="down",
                kind="option",
                options=(
                    Option("down", gettext("downwards")),
                    Option("up", gettext("upwards")),
                    Option("either", gettext("upwards or downwards")),
                    Option("same-rank", gettext("cards of the same rank")),
                ),
                unless={"suits": ("nothing",)},
            ),
            Choice(
                key="corner",
                label=gettext("Build round the corner"),
                help=gettext("Kings and aces meet: a king may follow an ace, as a queen a king."),
                default=NO,
                kind="switch",
                unless={"suits": ("nothing",), "direction": ("same-rank",)},
            ),
            Choice(
                key="moves",
                label=gettext("Cards move"),
                help=gettext(
                    "Whether several cards of a pile may move together. In games of the Spider"
                    " family, any suit may be laid on any other, but only cards whose suits fit"
                    " move together; in games of the Yukon family, whatever lies on a card moves"
                    " with it."
                ),
                default="single",
                kind="option",
                options=(
                    Option("single", gettext("one at a time")),
                    Option("sequences", gettext("in sequences")),
                    Option("spider", gettext("in sequences, while any suit may be built")),
                    Option("packets", gettext("with all cards that lie on them")),
                ),
                unless={"suits": ("nothing",), "piles": ("1",)},
            ),
            Choice(
                key="space",
                label=gettext("A vacancy takes"),
                help=gettext("Which cards the player may put into a vacant pile of the tableau."),
                default="any",
                kind="option",
                options=(
                    Option("any", gettext("any card")),
                    Option("king", gettext("kings")),
                    Option("ace", gettext("aces")),
                    Option("before-base", gettext("the rank that ends the foundations")),
                    Option("nothing", gettext("nothing")),
                ),
            ),
            Choice(
                key="refill",
                label=gettext("A vacancy is filled at once"),
                help=gettext(
                    "A vacant pile of the tableau gets a card before anything else is done."
                ),
                default="no",
                kind="option",
                options=(
                    Option("no", gettext("no")),
                    Option("reserve", gettext("from the reserve")),
                    Option("waste", gettext("from the waste")),
                    Option("stock", gettext("from the stock")),
                ),
            ),
        ),
    ),
    Section(
        "reserve",
        gettext("Reserve"),
        (
            Choice(
                key="reserves",
                label=gettext("Piles of the reserve"),
                help=gettext("Places beside the tableau, on which nothing is built."),
                default="2",
                kind="number",
                most=MOST_PILES,
            ),
            Choice(
                key="capacity",
                label=gettext("Cards that the player may put on each"),
                help=gettext("1 makes free cells; 0 makes a reserve that only loses cards."),
                default="1",
                kind="number",
                most=20,
                unless={"reserves": ("0",)},
            ),
            Choice(
                key="reserve-deal",
                label=gettext("Cards dealt to each pile of the reserve"),
                help=gettext("One number, or one for each pile: 0 1 1 0."),
                default="0",
                kind="numbers",
                most=_MOST_DEALT,
                unless={"reserves": ("0",)},
            ),
            Choice(
                key="reserve-hidden",
                label=gettext("Only the top cards of the reserve are seen"),
                help=gettext("The cards below them are turned up, but lie squared."),
                default=NO,
                kind="switch",
                unless={"reserves": ("0",), "capacity": ("1",)},
            ),
        ),
    ),
    Section(
        "deal",
        gettext("Deal"),
        (
            Choice(
                key="shape",
                label=gettext("Shape of the tableau"),
                help=gettext(
                    "A triangle deals one card to the first pile, two to the second and so on; a"
                    " pyramid is highest in the middle."
                ),
                default="rectangle",
                kind="option",
                options=(
                    Option("rectangle", gettext("rectangle")),
                    Option("triangle", gettext("triangle")),
                    Option("pyramid", gettext("pyramid")),
                ),
            ),
            Choice(
                key="face-down",
                label=gettext("Face-down cards in each pile"),
                help=gettext(
                    "One number, or one for each pile: 0 1 2 3. In a triangle or a pyramid, the"
                    " number of the highest pile."
                ),
                default="0",
                kind="numbers",
                most=_MOST_DEALT,
            ),
            Choice(
                key="face-up",
                label=gettext("Face-up cards in each pile"),
                help=gettext(
                    "One number, or one for each pile. In a triangle or a pyramid, the number of"
                    " the highest pile. Without a stock, the cards that are left follow face up."
                ),
                default="1",
                kind="numbers",
                most=_MOST_DEALT,
            ),
            Choice(
                key="most",
                label=gettext("Cards dealt to the tableau at most"),
                help=gettext(
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
                label=gettext("Cards that go to the bottom of their pile"),
                help=gettext("They are moved below the others after the deal."),
                default="none",
                kind="option",
                options=(
                    Option("none", gettext("none")),
                    Option("kings", gettext("kings")),
                    Option("aces", gettext("aces")),
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
