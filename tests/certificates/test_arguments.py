"""No argument ever gives up a position that can be won: small games, examined completely."""

import random
from pathlib import Path

import pytest

import cadogan
from cadogan import Card, load
from cadogan.certificates import check
from cadogan.certificates.dead_ends import DeadEnds
from cadogan.certificates.game import Keys, easier_program, interpreter_of, with_equal_cards
from cadogan.certificates.interchange import may_be_exchanged, verified
from cadogan.certificates.interpreter import Interpreter
from cadogan.certificates.locks import Locks
from cadogan.certificates.relaxations import equal_cards, piles_named, rules_in_play, suits_fault
from cadogan.certificates.safe_play import SafePlay
from cadogan.certificates.tables import read_tables
from cadogan.rules.pipeline import load_rules
from cadogan.solver.certificate import NoCertificateError, certify
from tests.catalogue import GAMES
from tests.certificates.small import SMALL, explore, game_of, shuffled
from tests.conftest import THOROUGH

pytestmark = pytest.mark.takes_turns(5)

DEALS = {"garden": 12, "cells": 4, "fans": 20, "runs": 8, "key": 40}
TIMES = 12 if THOROUGH else 1


@pytest.mark.parametrize("name", SMALL)
def test_arguments_never_give_up_a_win(name: str, tmp_path: Path) -> None:
    _, data = game_of(tmp_path, name)
    tables = read_tables(data)
    play, keys = Interpreter(tables), Keys(tables)
    locks, dead_ends, safe = Locks(tables), DeadEnds(tables), SafePlay(tables)
    chance = random.Random(name)
    used = {"locks": 0, "dead ends": 0, "safe": 0}
    won = 0
    for _ in range(DEALS[name] * TIMES):
        graph = explore(play, play.deal(shuffled(data, chance)))
        if graph is None:
            continue
        won += graph.start in graph.winnable
        for key, position in graph.positions.items():
            can_win = key in graph.winnable
            for kind, lost in ("locks", locks.is_stuck), ("dead ends", dead_ends.is_dead):
                if lost(position):
                    used[kind] += 1
                    assert not can_win, (kind, position.piles)
            if not can_win:
                continue
            for move in play.moves(position):
                up = play.rules[move.rule].action.build_order
                if up and safe.is_safe(position, move.source):
                    used["safe"] += 1
                    after = keys.key(play.play(position, move))
                    assert after in graph.winnable, position.piles
    expected = {
        "garden": {"dead ends", "safe"},
        "cells": {"dead ends", "safe"},
        "fans": {"dead ends", "safe"},
        "runs": {"safe"},
        "key": {"locks", "dead ends"},
    }[name]
    assert {kind for kind, number in used.items() if number} == expected, used
    assert won, "no deal can be won, so the test says nothing"


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name == "fans" else ()) for name in SMALL],
)
def test_what_is_lost_in_an_easier_game_is_lost(name: str, tmp_path: Path) -> None:
    """Of every position, not only of the first."""
    _, data = game_of(tmp_path, name)
    play = interpreter_of(data)
    keys = Keys(play.tables)
    chance = random.Random(name)
    for _ in range(DEALS[name] * TIMES // 3):
        start = play.deal(shuffled(data, chance))
        graph = explore(play, start)
        if graph is None:
            continue
        assert suits_fault(play.tables, start) is None
        for height in (1, 2, 3):
            easier = easier_program(data, [], height, [])
            equal = equal_cards(read_tables(easier))
            looser = interpreter_of(easier_program(data, [], height, equal))
            found = explore(looser, with_equal_cards(start, equal))
            if found is None:
                continue
            other = Keys(looser.tables)
            for key in graph.winnable:
                easy = other.key(with_equal_cards(graph.positions[key], equal))
                # Won positions have no moves, so not everything behind them is reached.
                assert easy not in found.positions or easy in found.winnable
            assert keys.key(start) not in graph.winnable or found.start in found.winnable


@pytest.mark.parametrize("name", SMALL)
def test_certificates_exist_for_losses_and_for_nothing_else(name: str, tmp_path: Path) -> None:
    game, data = game_of(tmp_path, name)
    play = interpreter_of(data)
    chance = random.Random(name)
    seen = set()
    for _ in range(DEALS[name] * TIMES):
        deck = shuffled(data, chance)
        graph = explore(play, play.deal(deck))
        if graph is None:
            continue
        position = game.deal(deck=[Card(code) for code in deck])
        if graph.start in graph.winnable:
            with pytest.raises(NoCertificateError) as told:
                certify(position)
            assert told.value.reason == "won"
            seen.add("won")
        else:
            assert check(certify(position), game=game.name).certificate.deal is None
            seen.add("lost")
    assert "lost" in seen


def test_winning_lines_are_never_given_up() -> None:
    """Along winning lines of real games, in every easier game that would be tried."""
    for name in ("freecell:two-cells", "fan", "flower-garden", "bakers-game", "the-queens"):
        deal = "cadogan:4358" if name == "the-queens" else "cadogan:100"
        position = load(name).deal(deal)
        verdict = cadogan.solve(position)
        if verdict.status != "winnable":
            continue
        data = load_rules(name).program.data
        real = interpreter_of(data)
        table = real.deal(bytes(card.code for card in position.deck))
        tables = [table]
        for move in verdict.line:
            table = real.play(table, next(m for m in real.moves(table) if m.code == move.code))
            tables.append(table)
        assert real.is_won(table)
        for height in (None, 1, 3, 6):
            if height is not None and suits_fault(real.tables, tables[0]) is not None:
                continue
            easier = easier_program(data, [], height, [])
            equal = equal_cards(read_tables(easier))
            looser = read_tables(easier_program(data, [], height, equal))
            locks, ends = Locks(looser), DeadEnds(looser)
            for table in tables:
                easy = with_equal_cards(table, equal)
                assert not locks.is_stuck(easy)
                assert not ends.is_dead(easy)


NAMED_ONE_BY_ONE = {"anno-domini", "fire-and-ice"}
"""Games that name piles one by one: the compiler does not ask whether they are alike."""


@pytest.mark.parametrize("name", sorted({*GAMES} - NAMED_ONE_BY_ONE))
def test_piles_that_differ_are_not_exchanged(name: str) -> None:
    """What the checker accepts, the compiler found interchangeable by an argument of its own."""
    tables = read_tables(load_rules(name).program.data)
    classes = [pile.exchange_class for pile in tables.piles]
    # Of piles that only the layout uses, the checker sees that they are alike.
    used = [piles_named(rule) for rule in rules_in_play(tables)]
    idle = set(range(len(classes))).difference(*used)
    for one in range(len(classes)):
        for other in range(one):
            if classes[one] != classes[other] and not {one, other} <= idle:
                assert not may_be_exchanged(tables, other, one), (one, other)


def test_exchanges_are_symmetries_of_play(tmp_path: Path) -> None:
    """Exchanged positions have the same moves, up to the exchange, in games with all kinds."""
    for name in ("the-queens", "klondike", "hochzeitszug", "canfield", "freecell", "spider"):
        tables = read_tables(load_rules(name).program.data)
        play = Interpreter(tables)
        groups: dict[int, list[int]] = {}
        for pile, place in enumerate(tables.piles):
            groups.setdefault(place.exchange_class, []).append(pile)
        accepted = [g for g in groups.values() if len(g) > 1 and verified(tables, [g]) is None]
        assert accepted
        chance = random.Random(name)
        deck = list(tables.deck)
        chance.shuffle(deck)
        position = play.deal(bytes(deck))
        keys = Keys(tables)
        for _ in range(40):
            exchanged = position.copy()
            for group in accepted:
                order = chance.sample(group, len(group))
                for place, pile in zip(group, order, strict=True):
                    exchanged.piles[place] = position.piles[pile]
            if position.choice is None and not position.closed:
                here, there = (
                    {keys.key(play.play(p, move)) for move in play.moves(p)}
                    for p in (position, exchanged)
                )
                assert here == there
            moves = play.moves(position)
            if not moves:
                break
            position = play.play(position, chance.choice(moves))
