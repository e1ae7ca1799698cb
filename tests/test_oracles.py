"""The six games against independent transcriptions of their rules, move for move.

Each module of ``tests/oracles`` was written from the rules alone, without a look at the engine.
Random games are played on both; at every position the sets of successors and the outcomes must be
equal. The engine lists one move where several would lead to positions that differ only by
interchangeable piles, and an oracle may number such piles otherwise, so positions are compared up
to that.

Two hundred decks a game and ten a variant, which takes two cores between one and two minutes (most
of it for the Empress of India, of which a position has up to a thousand successors).
``make oracles`` plays ten times as many.
"""

import importlib
import random
from collections.abc import Mapping
from operator import itemgetter
from types import ModuleType
from typing import Any

import pytest

from cadogan import _kernel
from cadogan.cards import Card
from cadogan.rules import load_rules
from tests.conftest import THOROUGH

DECKS = 2000 if THOROUGH else 200
LENGTH = 600
SHARES = 8
"""Each game is cut into so many tests, for the sake of several cores."""

GAMES = (
    "amazons",
    "hochzeitszug",
    "the-queens",
    "empress-of-india",
    "besieged-city",
    "flower-garden",
)

Table = bytes
"""The cards of all piles, bottom first, parted by the code 63, which no card has."""

BETWEEN = b"\x3f"
BARE = bytes(code & 63 for code in range(256))
"""What lies face down is compared like all else: the oracles do not tell."""


def oracle_of(game: str) -> ModuleType:
    return importlib.import_module(f"tests.oracles.{game.replace('-', '_')}")


VARIANTS = [(game, variant) for game in GAMES for variant in oracle_of(game).VARIANTS]


class Codes(dict[tuple[str, ...], bytes]):
    """The oracles' piles of names as the kernel's piles of codes, each worked out once."""

    def __init__(self, cards: list[str]) -> None:
        self.card_codes = {name: code for code, name in enumerate(cards)}

    def __missing__(self, pile: tuple[str, ...]) -> bytes:
        self[pile] = found = bytes(self.card_codes[card] for card in pile)
        return found


class Walk:
    """One game on both sides."""

    def __init__(self, game: str, variant: str) -> None:
        self.oracle = oracle_of(game)
        self.variant = variant
        rules = load_rules(f"{game}:{variant}" if variant else game)
        self.program = _kernel.Program(rules.program.to_bytes())
        self.deck = rules.rulebook.deck
        self.names = rules.rulebook.pile_names
        self.groups = [
            (group.first, group.first + group.count, group.name in self.oracle.INTERCHANGEABLE)
            for group in rules.rulebook.groups
        ]
        self.cards = [str(Card(code)) for code in range(52)]
        self.codes = Codes(self.cards)
        self.in_order = itemgetter(*self.names)

    def engine_table(self, state: _kernel.State) -> Table:
        return BETWEEN.join(state.piles()[: len(self.names)]).translate(BARE)

    def oracle_table(self, other: Any) -> Table:
        piles: Mapping[str, tuple[str, ...]] = self.oracle.piles(other)
        return BETWEEN.join(map(self.codes.__getitem__, self.in_order(piles)))

    def canonical(self, table: Table) -> Table:
        piles = table.split(BETWEEN)
        return BETWEEN.join(
            pile
            for first, last, even in self.groups
            for pile in (sorted(piles[first:last]) if even else piles[first:last])
        )

    def play(self, seed: int, length: int) -> int:
        """Plays one random game; returns how many positions were compared."""
        chooser = random.Random(seed)
        deck = list(self.deck)
        chooser.shuffle(deck)
        state = self.program.deal(bytes(deck))
        other = self.oracle.start([self.cards[card] for card in deck], self.variant)
        assert self.canonical(self.engine_table(state)) == self.canonical(self.oracle_table(other))
        for turn in range(length):
            where = f"deck {seed}, move {turn}"
            moves = state.moves()
            tables = [self.engine_table(state.play(move)[0]) for move in moves]
            others = {self.oracle_table(after): after for after in self.oracle.successors(other)}
            if tables and others and turn % 8:
                # An oracle works all successors out again to find that a game is open.
                assert state.outcome() == 0, where
            else:
                assert (None, "won", "lost")[state.outcome()] == self.oracle.outcome(other), where
            if others.keys() != set(tables):
                mine, theirs = (set(map(self.canonical, some)) for some in (tables, others))
                assert mine == theirs, f"{where}: {self.difference(state, mine, theirs)}"
            if not tables:
                return turn + 1
            index = chooser.randrange(len(tables))
            state, table = state.play(moves[index])[0], tables[index]
            if table in others:
                other = others[table]
            else:
                wanted = self.canonical(table)
                other = next(o for t, o in others.items() if self.canonical(t) == wanted)
        return length

    def words(self, pile: bytes) -> str:
        return " ".join(self.cards[code] for code in pile) or "-"

    def difference(self, state: _kernel.State, mine: set[Table], theirs: set[Table]) -> str:
        """What one side has and the other has not, for a person to read."""
        here = self.canonical(self.engine_table(state)).split(BETWEEN)

        def told(table: Table) -> str:
            changed = [
                f"{name}: {self.words(old)} -> {self.words(new)}"
                for name, old, new in zip(self.names, here, table.split(BETWEEN), strict=True)
                if old != new
            ]
            return "; ".join(changed)

        return (
            f"only in the engine: {[told(t) for t in list(mine - theirs)[:3]]}; "
            f"only in the oracle: {[told(t) for t in list(theirs - mine)[:3]]}"
        )


@pytest.mark.timeout(7200 if THOROUGH else 600)
@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_and_the_oracle_agree(game: str, share: int) -> None:
    walk = Walk(game, "")
    compared = sum(walk.play(seed, LENGTH) for seed in range(share, DECKS, SHARES))
    assert compared >= DECKS // SHARES


@pytest.mark.timeout(7200 if THOROUGH else 600)
@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_the_engine_and_the_oracle_agree_on_variants(game: str, variant: str) -> None:
    walk = Walk(game, variant)
    compared = sum(walk.play(seed, LENGTH) for seed in range(DECKS // 20))
    assert compared >= DECKS // 20
