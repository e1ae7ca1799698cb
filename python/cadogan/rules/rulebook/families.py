"""The families of games, and the books that the catalogue has a shelf for."""

from collections.abc import Mapping
from typing import Final

from cadogan.i18n.text import Told, told

FAMILIES: Final[Mapping[str, Told]] = {
    "klondike": told("Klondike"),
    "raglan": told("King Albert and Raglan"),
    "freecell": told("FreeCell"),
    "spider": told("Spider"),
    "yukon": told("Yukon"),
    "gypsy": told("Gypsy and Miss Milligan"),
    "forty-thieves": told("Forty Thieves"),
    "canfield": told("Canfield"),
    "fan": told("Fans"),
    "bakers-dozen": told("Baker's Dozen and Cruel"),
    "beleaguered-castle": told("Beleaguered Castle"),
    "golf": told("Golf and Black Hole"),
    "pairing": told("Pyramid and other pairings"),
    "montana": told("Montana and other games of gaps"),
    "numerica": told("Sir Tommy and Calculation"),
    "picture-gallery": told("Picture Gallery"),
    "terrace": told("Terrace"),
    "napoleon": told("Napoleon and Braid"),
    "osmosis": told("Osmosis"),
    "accordion": told("Accordion and other lines"),
    "aces-up": told("Aces Up"),
    "one-pack": told("Other games of one pack"),
    "two-pack": told("Other games of two packs or more"),
}
"""The families, in the order of lists, and their titles."""

OTHERS: Final = ("one-pack", "two-pack")
"""The families of games that belong to no other; a game's own text need not name them."""

BOOKS: Final[Mapping[str, Told]] = {
    "lady-cadogan": told("Lady Cadogan's book"),
}
"""The books, and their titles."""
