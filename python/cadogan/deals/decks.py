"""Decks: shuffled, laid out as other programs do, or given card by card."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING, Final

from cadogan.cards import Card, CardError, quoted
from cadogan.deals.errors import DealError, DeckError
from cadogan.deals.names import DealName, parse_deal
from cadogan.deals.own import shuffles
from cadogan.deals.schemes import SCHEMES
from cadogan.i18n.text import gettext, in_a_row

if TYPE_CHECKING:
    from cadogan.rules.rulebook.rulebook import Rulebook

MAX_TRIES: Final = 1000
"""The most shuffles of a deal that are tried; the kernel has the same number."""


def shuffled(name: DealName | str, deck: Iterable[Card]) -> list[Card]:
    """Shuffles a deck.

    The cards are in the order in which the program of the scheme deals them. :func:`deck_for`
    converts this to the order of our rules.

    Args:
        name: The name of the deal.
        deck: The cards of the game; their order does not matter.

    Returns:
        The cards in the order in which they are dealt, the first dealt first.

    Raises:
        DealError: If the name is not the name of a deal, or its scheme cannot deal such a deck.

    Examples:
        >>> from cadogan.cards import format_cards, pack
        >>> format_cards(shuffled("cadogan:1", pack(ranks="A23")))
        '2S AC 2C AD AH 3S 2D 3H AS 3D 3C 2H'
    """
    if isinstance(name, str):
        name = parse_deal(name)
    return SCHEMES[name.scheme].deal(name.number, sorted(deck))


def deck_for(
    name: DealName | str, book: "Rulebook", *, again: Callable[[bytes], bool] | None = None
) -> list[Card]:
    """Returns the deck from which our rules lay out the table of a deal.

    A scheme that is named after a program gives the same table as that program, even if the
    program deals in another order than our rules: see :mod:`cadogan.layouts`.

    Args:
        name: The name of the deal.
        book: The rules of the game.
        again: Whether the rules ask for another deal after a deck, given as codes in dealing order.
            Only Cadogan's own deals then go on to their next shuffle.

    Returns:
        The cards in the order in which our rules deal them, the first dealt first.

    Raises:
        DealError: If the name is not the name of a deal, or its scheme cannot deal this game.

    Examples:
        >>> from cadogan import load
        >>> from cadogan.cards import format_cards
        >>> garden = load("flower-garden").rulebook
        >>> format_cards(deck_for("solvitaire:1", garden)[:6])
        '4S 6C QD JS 8S 2C'
    """
    if isinstance(name, str):
        name = parse_deal(name)
    deck = [Card(code) for code in book.deck]
    if book.deal_again and again is not None and name.scheme == "cadogan":
        for cards in islice(shuffles(name.number, sorted(deck)), MAX_TRIES):
            if not again(bytes(card.code for card in cards)):
                return cards
        raise DealError(
            gettext(
                "none of the first {number} shuffles of {deal} may be played: the rules ask for "
                "another deal each time",
                number=MAX_TRIES,
                deal=str(name),
            )
        )
    scheme = SCHEMES[name.scheme]
    if not scheme.whole:
        return shuffled(name, deck)
    from cadogan.layouts import UnsupportedLayoutError, places

    before = [Card(code) for code, _ in book.preset]
    cards = shuffled(name, [*deck, *before])
    packs = (
        scheme.packs(name.number, sorted([*deck, *before])) if scheme.packs else [0] * len(cards)
    )
    for card in before:
        equal = (place for place, other in enumerate(cards) if other is card)
        taken = max(equal, key=lambda place: (-packs[place], place))
        del cards[taken], packs[taken]
    try:
        order = places(name.scheme, book)
    except UnsupportedLayoutError as error:
        raise DealError(
            gettext(
                "{scheme} {error}: this game has no {deal}; use {other}",
                scheme=name.scheme,
                error=error.args[0],
                deal=str(name),
                other=f"cadogan:{name.number}",
            )
        ) from None
    if order is None:
        return cards
    laid = dict(zip(order, cards, strict=True))
    return [laid[place] for place in range(len(laid))]


def check_deck(deck: Iterable[Card | str], expected: Iterable[Card]) -> list[Card]:
    """Checks that an explicit deck has exactly the cards of a game.

    Args:
        deck: The deck in dealing order: cards, or their texts.
        expected: The cards of the game, in any order.

    Returns:
        The deck as cards, in dealing order.

    Raises:
        DeckError: If cards are missing, too many or unknown; the message names every fault.

    Examples:
        >>> from cadogan.cards import pack
        >>> check_deck(["AS", "ah"], pack(ranks="A", suits="HS"))
        [Card('AS'), Card('AH')]
        >>> check_deck(["AS", "AS", "2H", "zz"], pack(ranks="A"))
        Traceback (most recent call last):
            ...
        cadogan.deals.errors.DeckError: this deck is not the pack of the game: missing AC, AD, AH; \
too many AS (2 instead of 1); not in this game 2H; not a card 'zz'
    """
    cards: list[Card] = []
    unknown: list[str] = []
    for item in deck:
        if isinstance(item, Card):
            cards.append(item)
            continue
        try:
            cards.append(Card.parse(item))
        except CardError:
            unknown.append(item)
    have, want = Counter(cards), Counter(expected)
    missing, surplus = want - have, have - want
    if not (missing or surplus or unknown):
        return cards
    doubled = {card for card in surplus if want[card]}
    many = [
        gettext(
            "{card} ({number} instead of {wanted})",
            card=str(card),
            number=have[card],
            wanted=want[card],
        )
        for card in sorted(doubled)
    ]
    lacking = [_times(card, missing[card]) for card in sorted(missing)]
    strange = [_times(card, surplus[card]) for card in sorted(surplus.keys() - doubled)]
    unread = in_a_row(map(quoted, unknown))
    faults = [
        *([gettext("missing {cards}", cards=in_a_row(lacking))] if lacking else []),
        *([gettext("too many {cards}", cards=in_a_row(many))] if many else []),
        *([gettext("not in this game {cards}", cards=in_a_row(strange))] if strange else []),
        *([gettext("not a card {cards}", cards=unread)] if len(unknown) == 1 else []),
        *([gettext("not cards {cards}", cards=unread)] if len(unknown) > 1 else []),
    ]
    found: str = faults[0]
    for fault in faults[1:]:
        found = gettext("{head}; {next}", head=found, next=fault)
    raise DeckError(
        gettext("this deck is not the pack of the game: {faults}", faults=found),
        missing=sorted(missing.elements()),
        surplus=sorted(surplus.elements()),
        unknown=unknown,
    )


def _times(card: Card, number: int) -> str:
    return (
        str(card)
        if number == 1
        else gettext("{card} ({number} times)", card=str(card), number=number)
    )
