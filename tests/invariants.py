"""What is true of every position of every game, for the games of the catalogue and for others."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from cadogan import AmbiguousMoveError, Card, IllegalMoveError, InvalidMoveError, Move, Position
from cadogan.moves import NO_PILE


def assert_the_list_is_what_is_accepted(position: Position, draw: random.Random) -> None:
    state = position._state
    codes = state.moves()
    listed = set(codes)
    assert len(listed) == len(codes)
    assert all(map(state.is_legal, codes))
    for code in some_codes(position, codes, draw):
        assert state.is_legal(code) == (code in listed), f"{code:#x} in {position}"
        if code not in listed:
            with pytest.raises(ValueError, match="legal"):
                state.play(code)


def some_codes(position: Position, codes: Sequence[int], draw: random.Random) -> list[int]:
    """Moves that are legal or not: made up of legal ones, of piles and of anything at all."""
    piles = [*range(len(position._state.piles())), NO_PILE]
    rules = range(len(position.game.rulebook.rules) + 1)
    counts = [0, 1, 1, 1, 2, 3, 13, 255]
    found = [draw.getrandbits(32) for _ in range(10)]
    for _ in range(60):
        parts = [draw.choice(rules), draw.choice(piles), draw.choice(counts), draw.choice(piles)]
        if codes and draw.random() < 0.6:
            code = draw.choice(codes)
            legal = [code >> 24, code >> 16 & 255, code >> 8 & 255, code & 255]
            kept = draw.sample(range(4), draw.randint(1, 3))
            parts = [legal[i] if i in kept else parts[i] for i in range(4)]
        found.append(parts[0] << 24 | parts[1] << 16 | parts[2] << 8 | parts[3])
    return found


def assert_texts_read_back(position: Position, moves: Sequence[Move]) -> None:
    texts = [move.text for move in position.moves()]
    assert len(set(texts)) == len(texts)
    for move in moves:
        assert position.why_not(move) is None
        assert position.why_not(move.text) is None
        for text in (move.text, move.text.upper(), f"  {move.text.replace(' > ', '->')} "):
            assert position.parse_move(text) == move


def assert_reasons_are_given_for_all_else(position: Position, draw: random.Random) -> None:
    """A text of two piles, any two, is a move that is played or is refused with a reason."""
    names = position.game.pile_names
    legal = position.moves()
    ways = Counter((move.source, move.target) for move in legal if " > " in move.text)
    pairs = [move for move in legal if " + " in move.text and " > " not in move.text]
    either = Counter(
        end for move in pairs for end in {(move.source, move.target), (move.target, move.source)}
    )
    for _ in range(12):
        source, target = draw.choice(names), draw.choice(names)
        text = f"{source} > {target}"
        try:
            reason = position.why_not(text)
        except AmbiguousMoveError as error:
            assert len(error.moves) > 1
            # A card that is laid on another may also leave with it.
            assert ways[source, target] + either[source, target] != 1
            continue
        except InvalidMoveError:
            raise AssertionError(f"{text} cannot be read in {position}") from None
        if reason is None:
            assert position.parse_move(text) in position.moves()
        else:
            assert reason.strip()
            assert not ways[source, target], text
            with pytest.raises(IllegalMoveError) as caught:
                position.play(text)
            assert caught.value.reason == reason


def assert_cards_are_kept(position: Position, all_cards: Counter[Card]) -> None:
    # The kernel's piles include cards that no pile of the game gets.
    lying = Counter(Card(byte & 63) for pile in position._state.piles() for byte in pile)
    assert lying == all_cards, f"cards lost or doubled in {position}"


def assert_the_view_is_honest(position: Position) -> None:
    shown = {
        name: group.shown
        for group in position.game.rulebook.groups
        for name in position.game.pile_names[group.first : group.first + group.count]
    }
    view, piles, face_down = position.visible_piles(), position.piles, position.face_down
    assert view.keys() == piles.keys() == face_down.keys()
    for name, seen in view.items():
        assert len(seen) == len(piles[name]) == len(face_down[name])
        for place, (card, real, down) in enumerate(
            zip(seen, piles[name], face_down[name], strict=True)
        ):
            under = place < len(seen) - 1
            hidden = down or shown[name] == "none" or (shown[name] == "top" and under)
            assert card == (None if hidden else real)


def assert_the_outcome_fits(position: Position) -> None:
    moves = position.moves()
    assert (position.outcome is None) == bool(moves)
    if position.pending_choice is not None:
        assert len(moves) > 1
        assert {move.rule for move in moves} == {position.pending_choice}
