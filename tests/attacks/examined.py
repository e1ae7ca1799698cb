"""What a rules file that the checks accept must keep: each promise, on some of its positions.

Every sound file is dealt and played; what costs more is asked of some of the cases.
"""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Final

from cadogan import Card, Game, IllegalMoveError, Move, Position, _kernel
from cadogan.certificates.interpreter import Interpreter, piles_of
from cadogan.certificates.interpreter import Move as SecondMove
from cadogan.certificates.interpreter import Position as Second
from cadogan.certificates.tables import read_tables
from cadogan.deals.errors import RestlessError
from cadogan.pictures.layout import lay_out
from cadogan.rules.check.extent import MAX_MOVES, most_moves
from cadogan.rules.compile.compile import compile_rulebook
from cadogan.rules.compile.program import Program
from cadogan.rules.expand.write import write_core
from cadogan.rules.explain import explain
from cadogan.rules.faults.report import Report
from cadogan.rules.pipeline import Rules, exclusions, read_rulebook
from cadogan.rules.read.read import read_document
from cadogan.rules.rulebook.rulebook import Rulebook
from tests.invariants import (
    assert_cards_are_kept,
    assert_reasons_are_given_for_all_else,
    assert_texts_read_back,
    assert_the_list_is_what_is_accepted,
    assert_the_outcome_fits,
    assert_the_view_is_honest,
)

MOVES: Final = 8
MANY: Final = 150
"""Moves of a position from which on the slow checks leave it out."""
FEW: Final = 12
NODES: Final = 1500


def examine(text: str, readings: list[tuple[Rulebook, Program]], case: int) -> None:
    """Checks the promises of one reading of a sound file.

    Args:
        text: The file.
        readings: The game without variants, and with each of them.
        case: The number of the case, which decides what is looked at.

    Raises:
        Exception: If a promise is broken.
    """
    chance = random.Random(case)
    # The plain game as often as one of its variants.
    at = 0 if chance.random() < 0.5 else chance.randrange(len(readings))
    book, compiled = readings[at]
    game = Game("a", Rules(book, compiled, Report(read_document(text, "a.toml")), text, "a"))
    last = play(game, compiled, chance)
    if case % 2 == 0:
        for language in ("en", "de"):
            assert explain(book, language)
        lay_out(book)
    if case % 3 == 0:
        expand(text, book, compiled)
    if case % 4 == 0 and last is not None:
        decide(last, chance)
    if case % 4 == 1 and book.variants:
        exclusions(text, "a.toml")


def play(game: Game, compiled: Program, chance: random.Random) -> Position | None:
    """Deals a game and makes some moves; what is promised of each position is asserted."""
    deck = list(game.pack)
    chance.shuffle(deck)
    try:
        position = game.deal(deck=deck)
    except RestlessError:
        return None
    book = game.rulebook
    most = most_moves(book)
    cards = Counter(Card(code) for code in (*book.deck, *(card for card, _ in book.preset)))
    other = Interpreter(read_tables(compiled.data))
    second = other.deal(bytes(card.code for card in deck))
    texts = chance.random() < 0.2
    for _ in range(MOVES):
        state = position._state
        moves = state.moves()
        assert len(moves) <= MAX_MOVES, f"{len(moves)} moves"
        for rule, number in Counter(move >> 24 for move in moves).items():
            assert number <= most[rule], (
                f"{book.rules[rule].name}: {number} moves, not {most[rule]}"
            )
        assert_cards_are_kept(position, cards)
        assert state.hash128() == state.hash_from_scratch()
        assert_same(second, state)
        assert len(set(moves)) == len(moves), "a move is listed twice"
        assert all(map(state.is_legal, moves))
        if len(moves) <= MANY and chance.random() < 0.4:
            listed = [move.code for move in other.moves(second)]
            assert listed == moves, f"{position}: {listed} are listed a second time"
        if len(moves) <= MANY and texts:
            assert_the_outcome_fits(position)
            assert_the_view_is_honest(position)
            assert_the_list_is_what_is_accepted(position, chance)
            assert_texts_read_back(position, a_few(position.moves(), chance))
            assert_reasons_are_given_for_all_else(position, chance)
        if not moves:
            break
        code = chance.choice(moves)
        (move,) = (move for move in position.moves() if move.code == code)
        state.transfers(code)
        before = state.piles(), state.counters(), state.closed(), state.hash128()
        try:
            after = position.play(move)
        except IllegalMoveError as error:
            assert "come to rest" in error.reason
            return position
        assert before == (state.piles(), state.counters(), state.closed(), state.hash128())
        assert after.undo() is position
        second = other.play(second, move_of(code, other, second))
        position = after
    moves = position._state.moves()
    if 0 < len(moves) <= 40:
        try:
            two = sum(len(position._state.play(move)[0].moves()) for move in moves)
            assert _kernel.perft(position._state, 2) == two
        except RuntimeError as error:
            assert "come to rest" in str(error)
    return position


def a_few(moves: Sequence[Move], chance: random.Random) -> Sequence[Move]:
    return moves if len(moves) <= FEW else chance.sample(moves, FEW)


def move_of(code: int, other: Interpreter, second: Second) -> SecondMove:
    """A move of the checker of certificates."""
    rule, source, count, target = code.to_bytes(4, "big")
    if count < 255:
        return SecondMove(rule, source, count, target)
    return next(move for move in other.moves(second) if move.code == code)


def assert_same(second: Second, state: _kernel.State) -> None:
    """The checker of certificates has played to the same position."""
    assert second.piles == [bytes(pile) for pile in state.piles()]
    assert second.counters == list(state.counters())
    assert piles_of(second.closed) == list(state.closed())
    assert (None if second.choice is None else second.choice.rule) == state.choosing()


def expand(text: str, book: Rulebook, compiled: Program) -> None:
    """Written out as core rules, it is the same game."""
    document = read_document(text, "a.toml")
    reading, again = read_rulebook(document, "a", book.chosen, Report(document))
    assert again == book, "what is checked is read again alike"
    core = read_document(write_core(reading.data), "a.toml")
    report = Report(core)
    once_more, same = read_rulebook(core, "a", (), report)
    assert same is not None, report.render()
    assert compile_rulebook(same).to_bytes() == compiled.to_bytes()
    assert write_core(once_more.data) == write_core(reading.data)


def decide(position: Position, chance: random.Random) -> None:
    """No pruning changes a verdict, and a line that wins does."""
    found = {}
    for without in ((), _kernel.prunings):
        report = _kernel.solve(
            position._state,
            NODES,
            memory=64 << 20,
            threads=1,
            without=without,
            weights=[],
            shares=[],
            observer=None,
            checkpoint=None,
        )
        found[report.status] = without
        if report.status == "winnable":
            state = position._state
            for code in report.line:
                state = state.play(code)[0]
            assert state.outcome() == 1
    assert not {"winnable", "unwinnable"} <= found.keys(), found
