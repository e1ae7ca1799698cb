"""The number of lines of play of a given length, for every game of the catalogue.

Every file of ``tests/perft`` has lines of the form ``variant; deal; depth; count``; the variant of
the game as it is loaded is ``-``. Counts beyond a limit wait for ``CADOGAN_THOROUGH=1``;
``UPDATE_GOLDENS=1`` rewrites all counts, and begins the file of a new game.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from cadogan import Position, load, perft
from tests.catalogue import GAMES, readings
from tests.conftest import THOROUGH
from tests.goldens import UPDATE, golden
from tests.oracles import beside
from tests.oracles.beside import Beside

LIMIT = 20_000_000 if THOROUGH else 200_000
BY_PLAYING = 20_000 if THOROUGH else 1_200
BY_ORACLE = 20_000 if THOROUGH else 2_500
BY_PLACE = ("the-queens", "empress-of-india")
BEGUN = 20_000
"""A file is begun with depths that come to no more than this."""
TWICE = (("empress-of-india", "cadogan:2"), ("empress-of-india", "cadogan:3"))


@dataclass(frozen=True)
class Count:
    """A line of a file: the number of lines of play of a length from a deal."""

    game: str
    variant: str
    deal: str
    depth: int
    paths: int

    @property
    def position(self) -> Position:
        name = self.game if self.variant == "-" else f"{self.game}:{self.variant}"
        return load(name).deal(self.deal)


def counts(game: str) -> Iterator[Count]:
    for line in golden("perft", game).read_text(encoding="utf-8").splitlines():
        told, _, _ = line.partition("#")
        if told.strip():
            variant, deal, depth, paths = (part.strip() for part in told.split(";"))
            yield Count(game, variant, deal, int(depth), int(paths))


def by_playing(position: Position, depth: int) -> int:
    """Counts lines of play the slow way: by playing them on the face that players use."""
    moves = position.moves()
    if depth <= 1:
        return len(moves) if depth else 1
    return sum(by_playing(position.play(move), depth - 1) for move in moves)


def by_oracle(both: Beside, other: Any, depth: int) -> int:
    """Counts lines of play by the oracle.

    Of several vacancies, or several equal foundations, that are interchangeable the engine lists
    one, and where an oracle lists them all its successors are counted up to that. In the games of
    ``BY_PLACE`` it lists one, too, but equal cards in two places are two moves on either side.

    An oracle lists positions, so two moves to one position count once: in the Empress, a card is
    paired and its place is refilled with an equal one. Those deals are in ``TWICE``.
    """
    after = both.successors(other)
    if both.game not in BY_PLACE:
        after = {both.canonical(table): state for table, state in after.items()}
    if depth == 1:
        return len(after)
    return sum(by_oracle(both, state, depth - 1) for state in after.values())


@pytest.mark.parametrize("game", GAMES)
def test_the_counts_are_what_they_were(game: str) -> None:
    if UPDATE:
        if not golden("perft", game).is_file():
            begin(game)
        update(game)
    found = list(counts(game))
    assert sum(count.variant == "-" for count in found) >= 3
    variants = {name.partition(":")[2] for name in readings(game)[1:]}
    assert {count.variant for count in found} <= {"-"} | variants
    for count in counts(game):
        if count.paths <= LIMIT:
            assert perft(count.position, count.depth) == count.paths, count


@pytest.mark.parametrize("game", GAMES)
def test_counting_by_playing_comes_to_the_same(game: str) -> None:
    checked = 0
    for count in counts(game):
        if count.paths <= BY_PLAYING:
            assert by_playing(count.position, count.depth) == count.paths, count
            checked += 1
    assert checked


@pytest.mark.parametrize("game", beside.GAMES)
def test_counting_by_the_oracle_comes_to_the_same(game: str) -> None:
    checked = 0
    for count in counts(game):
        if count.paths > BY_ORACLE or (game, count.deal) in TWICE:
            continue
        if count.variant in ("-", *beside.oracle_of(game).VARIANTS):
            both = Beside(game, "" if count.variant == "-" else count.variant)
            _, other = both.start(bytes(card.code for card in count.position.deck))
            assert by_oracle(both, other, count.depth) == count.paths, count
            checked += 1
    assert checked >= 3


def begin(game: str) -> None:
    """Begins a file with three depths from the first deal, or from others if there are too many."""
    places = [(1, 1), (1, 2), (1, 3), (2, 1), (3, 1)]
    lines = []
    too_many = False
    for number, depth in places:
        deal = f"cadogan:{number}"
        if depth > 1 and too_many:
            continue
        paths = perft(load(game).deal(deal), depth)
        too_many = paths * paths > BEGUN
        if depth == 1 or paths <= BEGUN:
            lines.append(f"-; {deal}; {depth}; {paths}")
    golden("perft", game).write_text("\n".join(lines[:3]) + "\n", encoding="utf-8")


def update(game: str) -> None:
    """Rewrites the counts of a file, with its comments."""
    path = golden("perft", game)
    fresh = {(c.variant, c.deal, c.depth): perft(c.position, c.depth) for c in counts(game)}
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        told, hash_, comment = line.partition("#")
        if told.strip():
            variant, deal, depth, _ = (part.strip() for part in told.split(";"))
            told = f"{variant}; {deal}; {depth}; {fresh[variant, deal, int(depth)]}"
            told += "  " if hash_ else ""
        lines.append(told + hash_ + comment)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
