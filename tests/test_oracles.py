"""The six games against independent transcriptions of their rules, move for move.

Each module of ``tests/oracles`` was written from the rules alone, without a look at the engine. Random
games are played on both; at every position the sets of successors and the outcomes must be equal.
The engine lists one move where several would lead to positions that differ only by interchangeable
piles, and an oracle may number such piles otherwise, so positions are compared up to that.

Two thousand decks a game instead of two hundred: ``make oracles``.
"""

import importlib
import os
import random
from collections.abc import Mapping
from types import ModuleType

import pytest

from cadogan import _kernel
from cadogan.cards import Card
from cadogan.rules import load_rules

DECKS = 2000 if os.environ.get("CADOGAN_THOROUGH") else 200
LENGTH = 600
SHARES = 4
"""Each game is cut into so many tests, for the sake of several cores."""

GAMES = (
    "amazons",
    "hochzeitszug",
    "the-queens",
    "empress-of-india",
    "besieged-city",
    "flower-garden",
)
Table = tuple[bytes, ...]


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
        self.bare = bytes(code & 63 for code in range(256))
        self.codes = Codes(self.cards)

    def engine_table(self, state: _kernel.State) -> Table:
        bare = self.bare
        return tuple([pile.translate(bare) for pile in state.piles()[: len(self.names)]])

    def oracle_table(self, piles: Mapping[str, tuple[str, ...]]) -> Table:
        return tuple([self.codes[piles[name]] for name in self.names])

    def canonical(self, table: Table) -> Table:
        return tuple(
            pile
            for first, last, even in self.groups
            for pile in (sorted(table[first:last]) if even else table[first:last])
        )

    def play(self, seed: int, length: int, every: int = 1) -> int:
        """Plays one random game; returns how many positions were compared."""
        chooser = random.Random(seed)
        deck = list(self.deck)
        chooser.shuffle(deck)
        state = self.program.deal(bytes(deck))
        other = self.oracle.start([self.cards[card] for card in deck], self.variant)
        compared = 0
        for turn in range(length):
            where = f"deck {seed}, move {turn}"
            assert self.canonical(self.engine_table(state)) == self.canonical(
                self.oracle_table(self.oracle.piles(other))
            ), where
            outcome = ("won", "lost")[state.outcome() - 1] if state.outcome() else None
            assert outcome == self.oracle.outcome(other), where
            moves = state.moves()
            others = {self.oracle_table(self.oracle.piles(o)): o for o in self.oracle.successors(other)}
            if turn % every == 0:
                tables = {self.engine_table(state.play(move)[0]) for move in moves}
                if tables != others.keys():
                    mine, theirs = (set(map(self.canonical, some)) for some in (tables, others))
                    assert mine == theirs, f"{where}: {self.difference(state, mine, theirs)}"
                compared += 1
            if not moves:
                break
            state = state.play(chooser.choice(moves))[0]
            table = self.engine_table(state)
            if table in others:
                other = others[table]
            else:
                wanted = self.canonical(table)
                other = next(o for t, o in others.items() if self.canonical(t) == wanted)
        return compared

    def words(self, pile: bytes) -> str:
        return " ".join(self.cards[code] for code in pile) or "-"

    def difference(self, state: _kernel.State, mine: set[Table], theirs: set[Table]) -> str:
        """What one side has and the other has not, for a person to read."""
        here = self.canonical(self.engine_table(state))

        def told(table: Table) -> str:
            changed = [
                f"{name}: {self.words(old)} -> {self.words(new)}"
                for name, old, new in zip(self.names, here, table, strict=True)
                if old != new
            ]
            return "; ".join(changed)

        return (
            f"only in the engine: {[told(t) for t in list(mine - theirs)[:3]]}; "
            f"only in the oracle: {[told(t) for t in list(theirs - mine)[:3]]}"
        )


@pytest.mark.timeout(600)
@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_and_the_oracle_agree(game: str, share: int) -> None:
    walk = Walk(game, "")
    compared = sum(walk.play(seed, LENGTH) for seed in range(share, DECKS, SHARES))
    assert compared >= DECKS // SHARES


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_the_engine_and_the_oracle_agree_on_variants(game: str, variant: str) -> None:
    walk = Walk(game, variant)
    compared = sum(walk.play(seed, LENGTH) for seed in range(DECKS // 20))
    assert compared >= DECKS // 20
