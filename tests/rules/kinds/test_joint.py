"""Cards that go up at the same time."""

import pytest

from cadogan import load
from cadogan.rules.kinds import Joint
from tests.rules.reading import rule_codes, rule_of

BOTH = 'together = [{ from = "garden" }, { from = "waste", holds = 2 }]'


def test_reading() -> None:
    action = rule_of(f'{BOTH}\nto = "foundations"\nonly = "if blocked"').action
    assert isinstance(action, Joint)
    assert [part.size for part in action.parts] == [1, 2]
    assert (action.to.piles, action.only_if_blocked) == ((0, 1, 2, 3), True)


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ("together = []", ["out-of-range"]),
        (BOTH, ["missing-key"]),
        (f'{BOTH}\nto = "garden"', ["not-a-foundation"]),
        (f'{BOTH}\nto = "foundations"\nfrom = "waste"', ["key-does-not-fit"]),
        (f'{BOTH}\nto = "foundations"\nexchange = "garden"', ["key-does-not-fit"]),
    ],
)
def test_faults(keys: str, codes: list[str]) -> None:
    assert rule_codes(keys) == codes


def test_cards_that_go_up_together_tell_where_to() -> None:
    position = load("empress-of-india").deal("cadogan:1")
    couple = next(move for move in position.moves() if move.rule == "couple")
    first, second = str(couple).split(" + ")
    assert first.startswith("army.")
    assert second.startswith("navy.")
    assert " > generals." in first
    assert " > admirals." in second
    assert position.transfers(couple) == [
        (first.split(" > ")[0], 1, first.split(" > ")[1]),
        (second.split(" > ")[0], 1, second.split(" > ")[1]),
    ]


def test_joint_moves_are_read_leniently() -> None:
    position = load("empress-of-india").deal("cadogan:1")
    couple = next(move for move in position.moves() if move.rule == "couple")
    first, second = str(couple).split(" + ")
    army, navy = first.split(" > ")[0], second.split(" > ")[0]
    for text in (f"{second}+{first}", f"{army} + {navy}", f"{army} > generals + {navy} > adm"):
        assert position.play(text).line_since(position)[0] == couple


def test_cards_that_do_not_go_up_together() -> None:
    position = load("empress-of-india").deal("cadogan:1")
    couple = next(move for move in position.moves() if move.rule == "couple")
    army, navy = (part.split(" > ")[0] for part in str(couple).split(" + "))
    assert position.why_not(f"{army} > generals.1") == (
        "the army and the generals: cards go up only together (couple)"
    )
    assert position.why_not(f"{army} > admirals.1 + {navy} > generals.1") == (
        f"these cards go so: {couple}"
    )
    assert position.why_not("army.1 + army.2") == (
        "no rule takes cards from army.1 and army.2 together"
    )
    legal = {(m.source, str(m).split(" + ")[-1].split(" > ")[0]) for m in position.moves()}
    stuck = next(n for n in range(1, 25) if (f"army.{n}", navy) not in legal)
    card = position.piles[f"army.{stuck}"][0]
    assert position.why_not(f"army.{stuck} + {navy}") == f"{card} cannot go up now"
    told = position.why_not(f"army.{stuck} > generals.1 + {navy} > admirals.1")
    assert told is not None
    assert told.startswith("generals.1 wants Q")
    paired = position.play("army.1 > navy.1")
    assert paired.why_not("army.2 + navy.1") == (
        "'couple' takes only from piles of one card: navy.1 holds 2"
    )
