"""``cadogan perft``."""

import json

import cadogan

from .conftest import Run

FREECELL = ("freecell", "--deal", "ms:1")

KLONDIKE = ("klondike", "--deal", "cadogan:1")


def test_perft_counts_for_every_length(run: Run) -> None:
    position = cadogan.load("klondike").deal("cadogan:1")
    counts = [cadogan.perft(position, depth) for depth in range(5)]
    rows = [
        tuple(map(int, line.split()))
        for line in run("perft", *KLONDIKE, "-n", "4").out.splitlines()
    ]
    assert rows == list(enumerate(counts))
    facts = json.loads(run("perft", *KLONDIKE, "--depth", "4", "--json").out)
    assert facts == {"depth": 4, "paths": counts[4], "depths": counts}


def test_perft_divided_by_first_moves(run: Run) -> None:
    facts = json.loads(run("perft", *KLONDIKE, "--depth", "3", "--divide", "--json").out)
    position = cadogan.load("klondike").deal("cadogan:1")
    assert list(facts["moves"]) == [move.text for move in position.moves()]
    assert sum(facts["moves"].values()) == facts["paths"] == cadogan.perft(position, 3)
    last = run("perft", *KLONDIKE, "--depth", "3", "--divide").out.splitlines()[-1]
    assert last.split() == [str(facts["paths"]), "total"]
