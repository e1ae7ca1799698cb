import pytest

import cadogan
from cadogan.table import Adviser, hints


def test_a_hint_from_a_proved_line_leads_to_the_win_without_another_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    adviser = Adviser()
    position = cadogan.load("freecell").deal("ms:1")
    hint = adviser.hint(position)
    assert hint.proved
    monkeypatch.setattr(hints, "solve", lambda *_, **__: pytest.fail("searched again"))
    while position.outcome is None:
        left = adviser.hint(position)
        assert left.move is not None
        assert left.proved
        position = position.play(left.move)
    assert position.outcome == "won"


def test_without_a_proof_there_is_no_claim_of_one() -> None:
    position = cadogan.load("freecell").deal("ms:1")
    hint = Adviser().hint(position, budget=1)
    assert not hint.proved
    assert hint.verdict is not None
    assert hint.verdict.status == "unknown"


def test_a_move_advised_without_proof_is_legal_and_goes_to_a_foundation() -> None:
    game = cadogan.load("amazons")
    advised = 0
    for number in range(10):
        position = game.deal(f"cadogan:{number}")
        while position.why_not("deal") is None:
            move = Adviser().hint(position, budget=1).move
            if move is not None:
                advised += 1
                assert move in position.moves()
                assert (move.target or "").startswith("foundations")
            position = position.play("deal")
    assert advised
