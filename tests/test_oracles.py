"""Games against independent transcriptions of their rules, move for move.

Each module of ``tests/oracles`` was written from the rules alone, without a look at the engine.
Random games are played on both; at every position the sets of successors and the outcomes must be
equal. The engine lists one move where several would lead to positions that differ only by
interchangeable piles, and an oracle may number such piles otherwise, so positions are compared up
to that.

Most of the time goes to the Empress of India, of which a position has up to a thousand successors.
So ``make test`` plays forty-eight decks a game and three a variant, ``make test-all`` sixty-four
and three, and ``make oracles`` two thousand and a hundred. Of the games that came later, ``make
test`` plays some each day, six decks of each, half of them with a player who is keen to win.
"""

import random

import pytest

from tests.conftest import ALL, THOROUGH
from tests.oracles.beside import CARDS, GAMES, MORE_GAMES, Beside, oracle_of

DECKS = 2000 if THOROUGH else 64 if ALL else 48
VARIANT_DECKS = max(3, DECKS // 20)
LATER_DECKS = DECKS // 8
LENGTH = 600
OUTCOMES = (None, "won", "lost", "over")
SHARES = 8
"""Each game is cut into so many tests, for the sake of several cores."""

VARIANTS = [(game, variant) for game in GAMES for variant in oracle_of(game).VARIANTS]
LATER = [(game, variant) for game in MORE_GAMES for variant in ("", *oracle_of(game).VARIANTS)]

pytestmark = [pytest.mark.takes_turns(6), pytest.mark.timeout(7200 if THOROUGH else 600)]


def walk(both: Beside, seed: int, *, keen: bool = False) -> int:
    """Plays one random game on both sides; returns at how many positions they were compared.

    A keen player mostly plays cards to the foundations or out of the game, when that is possible,
    and so comes to positions that a random one never sees.
    """
    chooser = random.Random(seed)
    deck = list(both.deck)
    chooser.shuffle(deck)
    state, other = both.start(bytes(deck))
    for turn in range(LENGTH):
        where = f"deck {seed}, move {turn}"
        moves = state.moves()
        after = [state.play(move)[0] for move in moves]
        tables = list(map(both.engine_table, after))
        others = both.successors(other)
        if tables and others and turn % 8:
            # To find that a game is open an oracle works out all successors again.
            assert state.outcome() == 0, where
        else:
            assert OUTCOMES[state.outcome()] == both.oracle.outcome(other), where
        if others.keys() != set(tables):
            mine, theirs = (set(map(both.canonical, some)) for some in (tables, others))
            assert mine == theirs, f"{where}: {both.difference(state, mine, theirs)}"
        if hasattr(both.oracle, "points"):
            assert state.score() == both.oracle.points(other), where
        if not tables:
            return turn + 1
        choice = list(range(len(moves)))
        if keen and chooser.randrange(10):
            gains = list(map(both.gone, after))
            best = max(gains)
            if best > both.gone(state):
                choice = [place for place in choice if gains[place] == best]
        index = chooser.choice(choice)
        state = after[index]
        other = both.same(tables[index], others)
    return LENGTH


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_and_the_oracle_agree(game: str, share: int) -> None:
    both = Beside(game)
    compared = sum(walk(both, seed) for seed in range(share, DECKS, SHARES))
    assert compared >= DECKS // SHARES


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_the_engine_and_the_oracle_agree_on_variants(game: str, variant: str) -> None:
    both = Beside(game, variant)
    compared = sum(walk(both, seed) for seed in range(VARIANT_DECKS))
    assert compared >= VARIANT_DECKS


@pytest.mark.sample(4)
@pytest.mark.parametrize(("game", "variant"), LATER)
def test_the_engine_and_the_oracle_agree_on_later_games(game: str, variant: str) -> None:
    both = Beside(game, variant)
    compared = sum(walk(both, seed, keen=seed % 2 == 0) for seed in range(LATER_DECKS))
    assert compared >= LATER_DECKS


@pytest.mark.parametrize("variant", ["", "english"])
def test_the_engine_and_the_oracle_count_the_same_hands(variant: str) -> None:
    """Random squares hold no more than pairs: here the best packs are played, a little mixed."""
    both = Beside("poker-square", variant)
    seen: set[str] = set()
    outcomes: set[str] = set()
    for seed in range(80):
        chooser = random.Random(seed)
        suits = chooser.sample("CDHS", 4)
        by_suit = [rank + suit for suit in suits for rank in "TJQKA98765432"]
        by_rank = [rank + suit for rank in "TJQKA98765432" for suit in suits]
        deck = chooser.choice((by_suit, by_rank))
        for _ in range(chooser.randrange(10)):
            one, other = chooser.sample(range(26), 2)
            deck[one], deck[other] = deck[other], deck[one]
        state, oracle_state = both.start(bytes(map(CARDS.index, deck)))
        while state.outcome() == 0:
            move = state.moves()[0]
            others = both.successors(oracle_state)
            state = state.play(move)[0]
            oracle_state = both.same(both.engine_table(state), others)
        assert state.score() == both.oracle.points(oracle_state), seed
        outcomes.add(both.oracle.outcome(oracle_state))
        assert OUTCOMES[state.outcome()] == both.oracle.outcome(oracle_state), seed
        for line in both.oracle.LINES:
            seen.add(both.oracle.hand_of([oracle_state.square[place] for place in line]))
    assert seen == {*both.oracle.HANDS, "nothing"}
    assert outcomes == {"won", "lost"}
