"""Places that lie beside each other, in German."""

from collections.abc import Sequence

from cadogan.i18n.german import join, ordinal
from cadogan.rules.rulebook.neighbours import Direction

_NEXT = {
    "left": "unmittelbar links davon",
    "right": "unmittelbar rechts davon",
    "above": "unmittelbar darüber",
    "below": "unmittelbar darunter",
    "before": "Zeile für Zeile gelesen unmittelbar davor",
    "after": "Zeile für Zeile gelesen unmittelbar danach",
}
_ENDS = {
    "left": "links davon",
    "right": "rechts davon",
    "above": "darüber",
    "below": "darunter",
}
_BESIDE = {
    "left": "links daneben",
    "right": "rechts daneben",
    "above": "darüber",
    "below": "darunter",
    "before": "auf dem Platz davor",
    "after": "auf dem Platz danach",
}


def sides(places: Sequence[Direction]) -> str:
    """Where a place lies from another: ``"unmittelbar links davon"``.

    >>> from cadogan.rules.rulebook.neighbours import read_sides
    >>> sides(read_sides("the left neighbour or the third to the left"))
    'unmittelbar links davon oder an dritter Stelle links davon'
    """
    return join((_side(place) for place in places), "oder")


def _side(place: Direction) -> str:
    if place.single is None:
        corner = ", auch über Eck" if "corners" in place.text else ""
        return f"unmittelbar daneben, darüber oder darunter{corner}"
    far, way = place.single
    return _NEXT[way] if far == 1 else f"an {ordinal(far)}er Stelle {_ENDS[way]}"


def beside(place: Direction) -> str:
    """Where a neighbour lies: ``"links daneben"``."""
    if place.single is None:
        return "daneben"
    far, way = place.single
    return _BESIDE[way] if far == 1 else f"an {ordinal(far)}er Stelle {_ENDS[way]}"


def touching(places: Sequence[Direction]) -> str:
    """How two cards lie to each other, to follow "zwei Karten"."""
    if len(places) == 1 and places[0].single is None:
        corner = ", auch über Eck" if "corners" in places[0].text else ""
        return f"nebeneinander oder untereinander{corner}"
    return f"von denen eine {sides(places)} liegt"
