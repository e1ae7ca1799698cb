"""The families of games, and the books that the catalogue has a shelf for."""

from collections.abc import Mapping
from typing import Final

from cadogan.i18n.text import Translatable, gettext

FAMILIES: Final[Mapping[str, Translatable]] = {
    "klondike": gettext("Klondike"),
    "raglan": gettext("King Albert and Raglan"),
    "freecell": gettext("FreeCell"),
    "spider": gettext("Spider"),
    "yukon": gettext("Yukon"),
    "gypsy": gettext("Gypsy and Miss Milligan"),
    "forty-thieves": gettext("Forty Thieves"),
    "canfield": gettext("Canfield"),
    "fan": gettext("Fans"),
    "bakers-dozen": gettext("Baker's Dozen and Cruel"),
    "beleaguered-castle": gettext("Beleaguered Castle"),
    "golf": gettext("Golf and Black Hole"),
    "pairing": gettext("Pyramid and other pairings"),
    "montana": gettext("Montana and other games of gaps"),
    "numerica": gettext("Sir Tommy and Calculation"),
    "picture-gallery": gettext("Picture Gallery"),
    "terrace": gettext("Terrace"),
    "napoleon": gettext("Napoleon and Braid"),
    "osmosis": gettext("Osmosis"),
    "accordion": gettext("Accordion and other lines"),
    "aces-up": gettext("Aces Up"),
    "one-pack": gettext("Other games of one pack"),
    "two-pack": gettext("Other games of two packs or more"),
}
"""The families, in the order of lists, and their titles."""

OTHERS: Final = ("one-pack", "two-pack")
"""The families of games that belong to no other; a game's own text need not name them."""

BOOKS: Final[Mapping[str, Translatable]] = {
    "lady-cadogan": gettext("Lady Cadogan's book"),
}
"""The books, and their titles."""
