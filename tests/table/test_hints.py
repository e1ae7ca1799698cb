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


def test_a_move_advised_without_proof_is_legal_and_says_what_speaks_for_it() -> None:
    reasons: set[str | None] = set()
    for name in ("amazons", "klondike", "freecell"):
        game = cadogan.load(name)
        roles = {group.name: group.role for group in game.rulebook.groups}
        for number in range(1, 4):
            position = game.deal(f"cadogan:{number}")
            for _ in range(60):
                hint = Adviser().hint(position, budget=1)
                if hint.move is None:
                    break
                assert hint.move in position.moves()
                after = position.play(hint.move)
                up, down = face_down(after), face_down(position)
                role = roles.get((hint.move.target or "").split(".")[0])
                assert (hint.reason == "foundation") == (role == "foundation")
                assert hint.reason != "uncovers" or up < down
                assert hint.reason != "word" or hint.move.text in game.verbs.values()
                if hint.reason == "vacates":
                    assert not after.piles[hint.move.source or ""]
                reasons.add(hint.reason)
                position = after
    assert reasons >= {"foundation", "uncovers", "vacates", "lays", "word"}


def face_down(position: cadogan.Position) -> int:
    return sum(sum(pile) for pile in position.face_down.values())
