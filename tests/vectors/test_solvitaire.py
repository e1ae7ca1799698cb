"""Tables that Solvitaire has laid out, and ours of the same deals.

``solvitaire.json`` holds what that program printed: by game and seed the piles of each kind, bottom
card first, with all cards turned up. A stock is one pile; what is dealt from it next is its last.
"""

import json
from pathlib import Path

import pytest

from cadogan import Game, load
from cadogan.deals import shuffled
from cadogan.exchange.boards import deck_of, read_solvitaire, write_solvitaire

TABLES: dict[str, dict[str, dict[str, list[str]]]] = json.loads(
    Path(__file__).with_name("solvitaire.json").read_text(encoding="utf-8")
)
ROLES = {
    "Foundations": "foundation",
    "Cells": "cell",
    "Tableau Piles": "tableau",
    "Reserve": "reserve",
    "Stock": "stock",
    "Hole Card": "waste",
}


def laid_out(game: Game, deal: str) -> dict[str, list[str]]:
    """Our table, told as theirs."""
    position = game.deal(deal)
    table: dict[str, list[str]] = {}
    for kind, role in ROLES.items():
        piles = [
            " ".join(map(str, position.piles[group.pile_name(index)]))
            for group in game.rulebook.groups
            if group.role == role
            for index in range(group.count)
        ]
        if any(piles):
            table[kind] = piles
    return table


def same_piles(ours: dict[str, list[str]], theirs: dict[str, list[str]]) -> None:
    assert ours.keys() == theirs.keys()
    for kind, piles in theirs.items():
        if kind == "Foundations":  # Theirs have their suits, ours take them as they come.
            assert sorted(ours[kind]) == sorted(piles)
            continue
        assert sorted(filter(None, ours[kind])) == sorted(filter(None, piles))
        lengths = [len(pile.split()) for pile in piles]
        if [len(pile.split()) for pile in ours[kind]] == lengths:
            assert ours[kind] == piles


@pytest.mark.parametrize(
    ("name", "seed"), [(game, seed) for game, seeds in TABLES.items() for seed in seeds]
)
def test_the_table_is_that_of_solvitaire(name: str, seed: str) -> None:
    same_piles(laid_out(load(name), f"solvitaire:{seed}"), TABLES[name][seed])


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_solvitaire_can_be_read_as_a_deal(name: str) -> None:
    game = load(name)
    for seed, table in TABLES[name].items():
        keys = {"Hole Card": "hole"}
        told: dict[str, object] = {
            keys.get(kind, kind.lower()): [pile.split() for pile in piles]
            for kind, piles in table.items()
        }
        if "Stock" in table:
            told["stock"] = table["Stock"][0].split()
        if "Hole Card" in table:
            told["hole"] = table["Hole Card"][0]
        position = game.deal(deck=deck_of(read_solvitaire(json.dumps(told)), game))
        same = game.deal(f"solvitaire:{seed}")
        assert position.deck == same.deck
        if not told.keys() & {"cells"}:
            assert deck_of(read_solvitaire(write_solvitaire(same)), game) == list(same.deck)


def test_shuffle_is_that_of_solvitaire_before_anything_is_laid_out() -> None:
    row = [pile.split()[0] for pile in TABLES["freecell"]["1"]["Tableau Piles"]]
    assert list(map(str, shuffled("solvitaire:1", load("freecell").pack)[: len(row)])) == row
