"""Safe moves lose no win, whatever is hidden, and an older proof finds no others.

``tests/safe_moves`` says of every game whether it has some, in any variant.
"""

import random

import pytest

from cadogan import Position, load, solve
from cadogan.rules import catalogue
from tests.catalogue import readings
from tests.conftest import THOROUGH
from tests.goldens import UPDATE, golden
from tests.oracles.safe_moves import safe_move

DEALS = 40 if THOROUGH else 3
LENGTH = 70


def wander(position: Position, chance: random.Random) -> list[Position]:
    """Positions of random play that goes to foundations more often than chance would."""
    roles, met = position.game.rulebook.roles, [position]
    while (moves := met[-1].moves()) and met[-1].outcome is None and len(met) < LENGTH:
        ups = [move for move in moves if move.target and roles[move.target] == "foundation"]
        met.append(met[-1].play(chance.choice(ups if ups and chance.random() < 0.6 else moves)))
    return met


@pytest.mark.parametrize("name", catalogue())
def test_the_older_proof_finds_no_other_moves(name: str) -> None:
    found = 0
    for reading in readings(name):
        for number in range(1, DEALS + 1):
            chance = random.Random(f"{reading} {number}")
            for position in wander(load(reading).deal(f"cadogan:{number}"), chance):
                safe, older = position.safe_moves(), safe_move(position)
                assert older is None or older in safe, f"{reading}, {position}"
                assert all(move.count == 1 and move in position.moves() for move in safe)
                found += len(safe)
    # Games that deal their fans or piles again have them once they cannot deal again.
    text = "some\n" if found else "none\n"
    path = golden("safe-moves", name)
    if UPDATE:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    [
        "bakers-dozen",
        "beleaguered-castle",
        "canfield",
        "double-klondike",
        "flower-garden:worrying-back",
        "freecell",
        "good-measure",
        "klondike",
        "ocean-towers",
        "triple-freecell",
        "yukon",
    ],
)
def test_a_safe_move_loses_no_game_that_can_be_won(name: str) -> None:
    tried = 0
    for seed in range(1, 5):
        position = load(name).deal(f"cadogan:{seed}")
        # Along a line that wins every position can be won, and so it must be after a safe move.
        for move in solve(position, budget=20_000).line:
            for safe in position.safe_moves():
                if safe.text != move.text and tried < 12:
                    tried += 1
                    after = position.play(safe)
                    assert (
                        after.outcome == "won" or solve(after, budget=50_000).status == "winnable"
                    )
            position = position.play(move)
    assert tried > 3


@pytest.mark.parametrize("name", ["klondike", "klondike:draw-three", "yukon:worrying-back"])
def test_safe_moves_are_the_same_however_hidden_cards_lie(name: str) -> None:
    game, found = load(name), 0
    for number in range(1, 31):
        dealt = game.deal(f"cadogan:{number}")
        covered = {
            card
            for pile, faces in dealt.face_down.items()
            for card, is_hidden in zip(dealt.piles[pile], faces, strict=True)
            if is_hidden
        }
        assert covered
        places = [place for place, card in enumerate(dealt.deck) if card in covered]
        hidden = [dealt.deck[place] for place in places]
        random.Random(number).shuffle(hidden)
        deck = list(dealt.deck)
        for place, card in zip(places, hidden, strict=True):
            deck[place] = card
        other = game.deal(deck=deck)
        assert other.visible_piles() == dealt.visible_piles()
        safe = [move.text for move in dealt.safe_moves()]
        assert [move.text for move in other.safe_moves()] == safe
        found += len(safe)
    assert found > 3


@pytest.mark.parametrize(
    ("reading", "has_some"), [("east-haven", True), ("east-haven:kings", False)]
)
def test_rows_that_ask_for_vacancies_leave_no_move_safe(reading: str, has_some: bool) -> None:
    game, chance = load(reading), random.Random(reading)
    deals = [game.deal(f"cadogan:{number}") for number in range(1, 11)]
    met = [position for deal in deals for position in wander(deal, chance)]
    assert any(position.safe_moves() for position in met) == has_some
