"""Places that lie beside each other, in English."""

from collections.abc import Sequence

from cadogan.i18n.english import join, ordinal
from cadogan.rules.rulebook.neighbours import Direction

_NEXT = {
    "left": "the next one to the left",
    "right": "the next one to the right",
    "above": "the next one above",
    "below": "the next one below",
    "before": "the next one before, row after row",
    "after": "the next one after, row after row",
}
_ENDS = {
    "left": "to the left of it",
    "right": "to the right of it",
    "above": "above it",
    "below": "below it",
}
_BESIDE = {
    "left": "at its left",
    "right": "at its right",
    "above": "above it",
    "below": "below it",
    "before": "in the place before it",
    "after": "in the place after it",
}


def sides(places: Sequence[Direction]) -> str:
    """What a place is to another, to follow "that is".

    >>> from cadogan.rules.rulebook.neighbours import read_sides
    >>> sides(read_sides("the left neighbour or the third to the left"))
    'the next one to the left or the third to the left'
    """
    return join((_side(place) for place in places), "or")


def _side(place: Direction) -> str:
    if place.single is None:
        corner = "a side or a corner" if "corners" in place.text else "a side"
        return f"next to it, touching at {corner}"
    far, way = place.single
    return _NEXT[way] if far == 1 else f"the {ordinal(far)} to the {way}"


def beside(place: Direction) -> str:
    """Where a neighbour lies: ``"at its left"``."""
    if place.single is None:
        return "beside it"
    far, way = place.single
    return _BESIDE[way] if far == 1 else f"as the {ordinal(far)} {_ENDS[way]}"


def touching(places: Sequence[Direction]) -> str:
    """How two cards lie to each other, to follow "two cards"."""
    if len(places) == 1 and places[0].single is None:
        corner = "a side or a corner" if "corners" in places[0].text else "a side"
        return f"that touch at {corner}"
    return f"of which one is {sides(places)}"
