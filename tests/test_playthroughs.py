"""A recorded game of every reading of the catalogue, step by step.

Every file of ``tests/playthroughs`` is one game played at random, with all that a player would see
and more: the table, the legal moves, the move that was made, what it forced, and the hash. The
files are rewritten by ``UPDATE_GOLDENS=1``; a difference is a change of the rules, of the
notation, of the order of moves or of the hash, and has to be meant.
"""

import hashlib
import random
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from cadogan import Position, load
from tests.catalogue import GAMES, all_readings, readings
from tests.goldens import UPDATE, golden

STEPS = 40
SHOWN = 24
"""Of more moves than this only the first are written out, and a digest of all."""

SHORT = 15
"""How many steps the games of variants have."""


def path_of(name: str) -> Path:
    return golden("playthroughs", name.replace(":", "+"))


def playthrough(name: str) -> str:
    """The text of a game."""
    steps = STEPS if ":" not in name else SHORT
    return "\n".join(written(name, steps)) + "\n"


def written(name: str, steps: int) -> Iterator[str]:
    game = load(name)
    chance = random.Random(name)
    position = game.deal("cadogan:1")
    yield f"{game.title}: {position}"
    before: dict[str, str] = {}
    forced = [move for move in position.line if move.forced]
    for step in range(steps + 1):
        yield ""
        yield f"-- {step}"
        yield from (f"forced: {text}" for text in counted(map(str, forced)))
        piles = table(position)
        yield from (f"{pile}: {told}" for pile, told in piles.items() if told != before.get(pile))
        before = piles
        yield from state(position)
        moves = position.moves()
        texts = [str(move) for move in moves]
        yield f"{len(moves)} moves: " + "; ".join(texts[:SHOWN])
        if len(moves) > SHOWN:
            digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
            yield f"and {len(moves) - SHOWN} more, all together {digest}"
        if not moves or step == steps:
            return
        move = chance.choice(moves)
        yield f"> {move}"
        after = position.play(move)
        forced = [other for other in after.line_since(position) if other.forced]
        position = after


def table(position: Position) -> dict[str, str]:
    """The cards of every pile; those that lie face down in brackets."""
    face_down = position.face_down
    return {
        pile: " ".join(
            f"({card})" if down else str(card)
            for card, down in zip(cards, face_down[pile], strict=True)
        )
        or "-"
        for pile, cards in position.piles.items()
    }


def state(position: Position) -> Iterator[str]:
    """Everything in a position except its piles."""
    counters = ", ".join(f"{name} {value}" for name, value in position.counters.items())
    if counters:
        yield f"counters: {counters}"
    if position.closed_piles:
        yield f"closed: {' '.join(sorted(position.closed_piles))}"
    if position.pending_choice:
        yield f"choosing: {position.pending_choice}"
    yield f"outcome: {position.outcome or 'open'}"
    yield f"hash: {position.hash:032x}"


def counted(texts: Iterator[str]) -> Iterator[str]:
    """Texts, each followed by how often it stands there in a row."""
    for text, same in groupby(texts):
        number = len(list(same))
        yield text if number == 1 else f"{text} ({number} times)"


@pytest.mark.parametrize("game", GAMES)
def test_every_reading_of_a_game_has_a_playthrough(game: str) -> None:
    wanted = {path_of(name) for name in readings(game)}
    found = {path_of(game), *path_of(game).parent.glob(f"{game}+*.txt")}
    if UPDATE:
        for path in found - wanted:
            path.unlink()
        return
    assert found == wanted


@pytest.mark.parametrize("name", all_readings())
def test_the_game_is_played_as_it_was(name: str) -> None:
    text = playthrough(name)
    path = path_of(name)
    if UPDATE:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
