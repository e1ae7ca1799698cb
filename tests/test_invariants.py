"""Invariants of every game of the catalogue and of every variant.

Hypothesis chooses a deal, how far into the game to go, and the moves to be looked at closely; at
every position on the way all the invariants are checked.
"""

import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from cadogan import (
    Card,
    Game,
    Move,
    Position,
    _kernel,
    load,
    perft,
)
from cadogan.views import FACE_DOWN
from tests.catalogue import all_readings
from tests.conftest import THOROUGH
from tests.invariants import (
    assert_cards_are_kept,
    assert_reasons_are_given_for_all_else,
    assert_texts_read_back,
    assert_the_list_is_what_is_accepted,
    assert_the_outcome_fits,
    assert_the_view_is_honest,
)

EXAMPLES = 150 if THOROUGH else 5
FEW = 400 if THOROUGH else 40
"""How many moves of a position are tried where it has a thousand."""

deals = st.integers(0, 2**64 - 1).map(lambda number: f"cadogan:{number}")
choices = st.integers(0, 2**16)

every_reading = pytest.mark.parametrize("name", all_readings())
tried = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def positions(name: str, deal: str, skip: int, steps: Sequence[int]) -> Iterable[Position]:
    """The positions of a game, from some moves after the deal on; of a short game, fewer moves."""
    chance = random.Random(skip)
    path = [load(name).deal(deal)]
    while len(path) <= skip and (moves := path[-1].moves()):
        path.append(path[-1].play(chance.choice(moves)))
    position = path[skip % len(path)]
    yield position
    for step in steps:
        moves = position.moves()
        if not moves:
            return
        position = position.play(moves[step % len(moves)])
        yield position


def a_few(moves: Sequence[Move], seed: int) -> list[Move]:
    return list(moves) if len(moves) <= FEW else random.Random(seed).sample(list(moves), FEW)


@cache
def classes_of(name: str) -> tuple[int, ...]:
    """For every pile of a game, which piles it may change places with."""
    program = json.loads(load(name)._program.to_bytes())
    return tuple(pile["class"] for pile in program["piles"])


def canonical(name: str, state: _kernel.State) -> object:
    """All that makes a position, with interchangeable piles sorted."""
    groups: dict[int, list[tuple[bytes, bool]]] = {}
    closed = set(state.closed())
    for index, (kind, pile) in enumerate(zip(classes_of(name), state.piles(), strict=True)):
        groups.setdefault(kind, []).append((pile, index in closed))
    sorted_piles = tuple((kind, tuple(sorted(piles))) for kind, piles in groups.items())
    return sorted_piles, tuple(state.counters())


def withdrawn(name: str) -> Counter[Card]:
    """The cards that lie on the table before the pack is dealt."""
    program = json.loads(load(name)._program.to_bytes())
    return Counter(Card(preset["card"]) for preset in program["preset"])


@pytest.mark.costly
@every_reading
@tried
@given(deal=deals, skip=st.integers(0, 250), steps=st.lists(choices, max_size=6), seed=choices)
def test_exactly_the_listed_moves_are_accepted(
    name: str, deal: str, skip: int, steps: list[int], seed: int
) -> None:
    draw = random.Random(seed)
    for position in positions(name, deal, skip, steps):
        assert_the_list_is_what_is_accepted(position, draw)
        assert_texts_read_back(position, a_few(position.moves(), seed))
        assert_reasons_are_given_for_all_else(position, draw)


# Playing, taking back, hashing, saving.


@every_reading
@tried
@given(deal=deals, skip=st.integers(0, 250), steps=st.lists(choices, max_size=6), seed=choices)
def test_positions_are_sound(name: str, deal: str, skip: int, steps: list[int], seed: int) -> None:
    game = load(name)
    all_cards = Counter(game.pack) + withdrawn(name)
    for position in positions(name, deal, skip, steps):
        state = position._state
        before = state.piles(), state.counters(), state.closed(), state.hash128(), state.moves()
        assert_cards_are_kept(position, all_cards)
        assert_the_view_is_honest(position)
        assert_the_outcome_fits(position)
        assert state.hash128() == state.hash_from_scratch()
        for move in a_few(position.moves(), seed):
            after = position.play(move)
            assert after.undo() is position
            assert after.move_count == position.move_count + 1
            assert after.last_move == move
            assert after._state.hash128() == after._state.hash_from_scratch()
            assert_cards_are_kept(after, all_cards)
            line = after.line_since(position)
            assert line[0] == move
            assert all(other.forced for other in line[1:])
        # Playing from the position has not changed it.
        now = state.piles(), state.counters(), state.closed(), state.hash128(), state.moves()
        assert now == before
    assert Position.from_json(position.to_json()) == position
    again = Position.from_json(position.to_json(), game)
    assert (dict(again.piles), again.line) == (dict(position.piles), position.line)
    assert again.moves() == position.moves()


@every_reading
@tried
@given(deal=deals, skip=st.integers(0, 250), seed=choices)
def test_the_kernel_takes_back_what_it_plays(name: str, deal: str, skip: int, seed: int) -> None:
    *_, position = positions(name, deal, skip, ())
    state = position._state
    before = state.piles(), state.hash128()
    if len(state.moves()) <= 200:
        two = sum(len(state.play(move)[0].moves()) for move in state.moves())
        assert perft(position, 2) == two
    _kernel.benchmark(state, 500)
    assert (state.piles(), state.hash128()) == before


@every_reading
@tried
@given(deal=deals, skip=st.integers(0, 250), seed=choices)
def test_hashes_are_equal_just_for_equal_positions(
    name: str, deal: str, skip: int, seed: int
) -> None:
    *_, position = positions(name, deal, skip, ())
    hashes: dict[object, int] = {}
    draw = random.Random(seed)
    near = [position._state]
    for state in near:
        moves = state.moves()
        if len(near) < 4 * FEW:
            near += [state.play(move)[0] for move in draw.sample(moves, min(len(moves), 12))]
        kind = canonical(name, state)
        assert hashes.setdefault(kind, state.hash128()) == state.hash128()
    assert len(set(hashes.values())) == len(hashes)


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("flower-garden", [6] * 6 + [1] * 16),
        ("freecell", None),
        ("beleaguered-castle", [6] * 8),
    ],
)
@given(deal=deals, seed=choices)
def test_interchanged_piles_make_no_difference(
    name: str, sizes: list[int] | None, deal: str, seed: int
) -> None:
    game = load(name)
    deck = list(game.deal(deal).deck)
    draw = random.Random(seed)
    if sizes is None:
        # Dealt in rounds: four columns of seven cards and four of six.
        columns = [deck[column::8] for column in range(8)]
        long, short = columns[:4], columns[4:]
        draw.shuffle(long)
        draw.shuffle(short)
        columns = long + short
        other = [columns[place % 8][place // 8] for place in range(52)]
    else:
        starts = [sum(sizes[:index]) for index in range(len(sizes))]
        piles = [deck[start : start + size] for start, size in zip(starts, sizes, strict=True)]
        order = list(range(len(piles)))
        for size in set(sizes):
            places = [index for index in order if sizes[index] == size]
            mixed = places[:]
            draw.shuffle(mixed)
            for place, source in zip(places, mixed, strict=True):
                piles[place] = deck[starts[source] : starts[source] + size]
        other = [card for pile in piles for card in pile]
    one, two = game.deal(deck=deck), game.deal(deck=other)
    assert one == two
    assert one.hash == two.hash
    assert len(one.moves()) == len(two.moves())
    assert perft(one, 2) == perft(two, 2)


@every_reading
def test_hidden_cards_are_hidden(name: str) -> None:
    position = load(name).deal("cadogan:7")
    for pile, cards in position.visible_piles().items():
        if pile == "stock":
            assert set(cards) <= {None}
    assert all(byte < FACE_DOWN + 53 for pile in position._state.piles() for byte in pile)


@every_reading
def test_the_same_moves_lead_to_the_same_position(name: str) -> None:
    *_, one = positions(name, "cadogan:11", 60, ())
    two = load(name).deal("cadogan:11")
    for move in one.line:
        if not move.forced:
            two = two.play(move.text)
    assert one == two
    assert dict(one.piles) == dict(two.piles)
    assert one.line == two.line


# A machine that plays, takes back, saves and loads.


class Table(RuleBasedStateMachine):
    """One game as a player might handle it; the model is the list of positions so far."""

    game: Game

    @initialize(deal=deals)
    def deal(self, deal: str) -> None:
        self.path = [self.game.deal(deal)]
        self.piles = [dict(self.path[0].piles)]
        self.saved: tuple[str, int] | None = None
        self.all_cards = Counter(card for pile in self.path[0].piles.values() for card in pile)

    @property
    def now(self) -> Position:
        return self.path[-1]

    @precondition(lambda self: self.now.moves())
    @rule(choice=choices)
    def play(self, choice: int) -> None:
        moves = self.now.moves()
        move = moves[choice % len(moves)]
        self.put(self.now.play(move if choice % 2 else move.text))

    def put(self, position: Position) -> None:
        self.path.append(position)
        self.piles.append(dict(position.piles))

    @precondition(lambda self: self.now.moves())
    @rule(choice=choices)
    def play_some(self, choice: int) -> None:
        chance = random.Random(choice)
        for _ in range(choice % 30):
            if moves := self.now.moves():
                self.put(self.now.play(chance.choice(moves)))

    @precondition(lambda self: len(self.path) > 1)
    @rule(choice=choices)
    def take_back(self, choice: int) -> None:
        for _ in range(1 + choice % min(5, len(self.path) - 1)):
            before = self.now.undo()
            self.path.pop()
            self.piles.pop()
            assert before is self.now

    @precondition(lambda self: len(self.path) == 1)
    @rule()
    def take_back_the_deal(self) -> None:
        with pytest.raises(ValueError, match="no move to undo"):
            self.now.undo()

    @rule()
    def save(self) -> None:
        self.saved = self.now.to_json(), len(self.path)

    @precondition(lambda self: self.saved is not None and self.saved[1] <= len(self.path))
    @rule()
    def load(self) -> None:
        assert self.saved is not None
        text, length = self.saved
        loaded = Position.from_json(text)
        assert loaded.to_json() == text
        assert loaded.move_count == length - 1
        if self.path[length - 1].to_json() == text:
            assert loaded == self.path[length - 1]
            assert dict(loaded.piles) == self.piles[length - 1]
        # Continue from the loaded position; undo gives the earlier ones.
        self.path = [loaded]
        while self.path[0].move_count:
            self.path.insert(0, self.path[0].undo())
        self.piles = [dict(position.piles) for position in self.path]

    @rule()
    def write_down(self) -> None:
        assert Position.parse(str(self.now)) == self.now

    @invariant()
    def all_is_well(self) -> None:
        if not hasattr(self, "path"):
            return
        position = self.now
        assert dict(position.piles) == self.piles[-1]
        assert position.hash == position._state.hash_from_scratch()
        assert position.move_count == len(self.path) - 1
        assert_cards_are_kept(position, self.all_cards)
        assert_the_view_is_honest(position)
        assert_the_outcome_fits(position)


@pytest.mark.parametrize(
    "name", ["klondike:draw-three", "the-queens", "hochzeitszug", "spider", "empress-of-india"]
)
def test_a_game_may_be_handled_in_any_way(name: str) -> None:
    class OneTable(Table):
        game = load(name)

    run_state_machine_as_test(
        OneTable,
        settings=settings(
            max_examples=300 if THOROUGH else 8,
            stateful_step_count=40 if THOROUGH else 15,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
