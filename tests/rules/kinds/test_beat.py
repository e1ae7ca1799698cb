"""Cards that beat a pile."""

from pathlib import Path

import pytest

from cadogan import load
from cadogan.rules.kinds import Beat
from tests.games import deal_with, write_game
from tests.rules.reading import book_of, rule_codes

GAME = """
name    = "A small wall"
packs   = 1
ranks   = "A 2 3 4"
suits   = "hearts spades"
aim     = "keep is empty"

[keep]
role = "reserve"

[wall]
role  = "reserve"
piles = 2

[waste]
piles = 2

[stock]

[discard]

[[layout]]
deal = 1
from = "stock"
to   = "keep"
face = "down"

[[layout]]
deal = 1
from = "stock"
to   = ["wall", "waste"]

[[rule]]
name = "attack the wall"
beat = "wall"
with = "waste"
to   = "discard"

[[rule]]
name  = "attack the keep"
beat  = "keep"
with  = "waste"
blind = true
to    = "discard"
when  = "some wall is vacant"

[[rule]]
name  = "deal"
verb  = "deal"
when  = "stock is not empty"
steps = [{ gather = "waste", to = "discard" }, { deal = 1, from = "stock", to = "waste" }]
"""


def test_reading() -> None:
    action = book_of(GAME).rules[0].action
    assert isinstance(action, Beat)
    assert (action.beat.piles, action.with_.piles) == ((1, 2), (3, 4))
    assert (action.least, action.most, action.backing, action.to) == (1, 2, None, 6)
    assert not action.blind


def test_what_stands_behind() -> None:
    """Two places above; at the edge the one above and the next straight above; at the top none."""
    book = load("wall").rulebook
    action = next(rule.action for rule in book.rules if rule.name == "attack the wall")
    assert isinstance(action, Beat)
    assert action.backing is not None
    first = action.beat.piles[0] - 1
    behind = {
        place: [pile - first for pile in piles]
        for place, piles in enumerate(action.backing.piles, start=1)
    }
    assert behind[1] == behind[8] == []
    assert (behind[9], behind[15]) == ([1, 2], [7, 8])
    assert (behind[16], behind[17], behind[23]) == ([9, 1], [9, 10], [15, 8])
    assert (behind[31], behind[45]) == ([24, 16], [37, 38])


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ('beat = "garden"\nto = "waste"', ["missing-key"]),
        ('beat = "garden"\nwith = "waste"', ["missing-key"]),
        ('beat = "garden"\nwith = "garden"\nto = "waste"', ["onto-itself"]),
        ('beat = "garden"\nwith = "waste"\nto = "waste"', ["onto-itself"]),
        ('beat = "garden"\nwith = "waste"\nto = "foundations.1"', ["mixed-targets"]),
        ('beat = "garden"\nwith = "waste"\nnumber = 2\nto = "stock"', ["out-of-range"]),
        ('beat = "garden"\nwith = "waste"\nnumber = 0\nto = "stock"', ["out-of-range"]),
        (
            'beat = "garden"\nwith = "waste"\nbacked_by = "friends"\nto = "stock"',
            ["unknown-phrase"],
        ),
        (
            'beat = "garden"\nwith = "waste"\nbacked_by = "those above"\nto = "stock"',
            ["not-in-picture"],
        ),
        ('beat = "garden"\nwith = "waste"\nadding_to = 3\nto = "stock"', ["key-does-not-fit"]),
    ],
)
def test_faults(keys: str, codes: list[str]) -> None:
    assert rule_codes(keys) == codes


def test_cards_that_add_up_to_more_win(tmp_path: Path) -> None:
    position = deal_with(write_game(tmp_path, GAME), "3H 2H 4H 2S 4S")
    assert [str(move) for move in position.moves()] == [
        "waste.1 + waste.2 > wall.1",
        "waste.1 + waste.2 > wall.2",
        "waste.2 > wall.1",
        "deal",
    ]
    after = position.play("waste.2 + waste.1 > wall.2")
    assert after.piles["wall.2"] == after.piles["waste.1"] == after.piles["waste.2"] == ()
    assert [str(card) for card in after.piles["discard"]] == ["2S", "4S", "4H"]
    assert str(position.parse_move("wall.1 + waste.1 + waste.2")) == "waste.1 + waste.2 > wall.1"


def test_an_attack_on_hidden_cards_may_fail(tmp_path: Path) -> None:
    position = deal_with(write_game(tmp_path, GAME), "3H 2H 4H 2S 4S").play("waste.2 > wall.1")
    (attack, _) = position.moves()
    # The moves are the same whether it succeeds or fails.
    assert str(attack) == "waste.1 > keep"
    assert position.transfers(attack) == [("waste.1", 1, "discard"), ("keep", 1, "discard")]
    failed = position.play(attack)
    assert failed.face_down["keep"] == (False,)
    assert [str(card) for card in failed.piles["discard"]] == ["4S", "2H", "2S"]
    dealt = failed.play("deal")
    assert dealt.why_not("waste.1 + waste.2 > keep") == "2 (AH and AS) is not more than 3 (keep)"
    lucky = deal_with(write_game(tmp_path, GAME), "AH 2H 4H 2S 4S").play("waste.2 > wall.1")
    assert lucky.transfers(lucky.moves()[0]) == position.transfers(attack)
    assert lucky.play("waste.1 > keep").outcome == "won"


def test_why_cards_do_not_beat_a_pile(tmp_path: Path) -> None:
    position = deal_with(write_game(tmp_path, GAME), "3H 2H 4H 2S 4S")
    assert position.why_not("waste.1 > wall.1") == "2 (2S) is not more than 2 (wall.1)"
    assert "allowed only when" in str(position.why_not("waste.1 > keep"))
    after = position.play("waste.2 > wall.1")
    assert after.why_not("waste.1 > wall.1") == "wall.1 is empty"
    assert after.why_not("waste.2 > wall.2") == "waste.2 is empty"
    assert "only when they beat a pile" in str(after.why_not("wall.2 > discard"))
    three = load("wall").deal("cadogan:1")
    assert "is not open" in str(three.why_not("waste.1 > wall.9"))
    assert "with wall.32 and wall.33" in str(three.why_not("waste.1 > wall.40"))
