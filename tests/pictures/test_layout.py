"""Where the piles of a game lie."""

import pytest

from cadogan import load
from cadogan.pictures.layout import lay_out
from cadogan.rules import catalogue


@pytest.mark.parametrize("name", catalogue())
def test_every_pile_has_a_place_of_its_own(name: str) -> None:
    game = load(name)
    layout = lay_out(game.rulebook)
    assert [place.pile for place in layout.places] == list(game.pile_names)
    assert len({(place.row, place.column) for place in layout.places}) == len(layout.places)
    for place in layout.places:
        assert 0 <= place.row < layout.rows
        assert 0 <= place.column <= layout.columns - 1


def test_the_ramparts_stand_round_the_reserve() -> None:
    layout = lay_out(load("besieged-city").rulebook)
    assert layout.pictured
    reserve = [place for place in layout.places if place.group == "reserve"]
    ramparts = [place for place in layout.places if place.group == "ramparts"]
    for place in reserve:
        row = [other.column for other in ramparts if other.row == place.row]
        assert min(row) < place.column < max(row)


def test_what_lies_beside_each_other_stays_there() -> None:
    fixed = {game for game in ("montana", "monte-carlo", "accordion", "golf", "the-queens")
             if lay_out(load(game).rulebook).fixed}  # fmt: skip
    assert fixed == {"montana", "monte-carlo"}
