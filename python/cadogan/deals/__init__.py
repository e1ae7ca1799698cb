"""Deals: named shuffles that are the same on every machine and in every release.

A deal is named ``scheme:number``, as in ``cadogan:1`` or ``ms:617``. A scheme is a shuffling
algorithm; ``docs/deals.md`` specifies each of them bit by bit, with test vectors.

    >>> from cadogan.cards import format_cards, pack
    >>> format_cards(shuffled("ms:1", pack())[:8])
    'JD 2D 9H JC 5D 7H 7C 5H'
"""

from cadogan.deals.arrangement import arrangements
from cadogan.deals.decks import check_deck, deck_for, shuffled
from cadogan.deals.errors import DealError, DeckError, RestlessError
from cadogan.deals.names import RANDOM_DEALS, DealName, exact, parse_deal, random_deal
from cadogan.deals.scheme import Scheme
from cadogan.deals.schemes import SCHEMES

__all__ = [
    "RANDOM_DEALS",
    "SCHEMES",
    "DealError",
    "DealName",
    "DeckError",
    "RestlessError",
    "Scheme",
    "arrangements",
    "check_deck",
    "deck_for",
    "exact",
    "parse_deal",
    "random_deal",
    "shuffled",
]
