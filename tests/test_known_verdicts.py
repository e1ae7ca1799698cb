"""Deals whose verdicts are known, from us or from Solvitaire; no search may say the contrary.

They are those of ``bench/results/solvitaire.json``, where wins were played and losses proved. Few
nodes are spent on a deal, so of most games only easy ones are decided here.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.beside.solvitaire import RESULTS, Pair, pairs
from cadogan import solve

ROWS = {row["game"]: row for row in json.loads(RESULTS.read_text(encoding="utf-8"))}
PAIRS = {pair.name: pair for pair in (*pairs(), *pairs("small")) if pair.name in ROWS}
LETTERS = {"winnable": "w", "unwinnable": "l"}


def known(pair: Pair) -> Iterator[tuple[int, str]]:
    """Deals with their verdicts."""
    row = ROWS[pair.name]
    for seed, (ours, theirs) in enumerate(zip(row["ours"], row["theirs"], strict=True)):
        said = {ours, theirs} - {"-"}
        if pair.misses and theirs == "l":
            said = {ours} - {"-"}
        assert len(said) < 2, f"{pair.name} solvitaire:{row['first'] + seed}"
        for letter in said:
            yield row["first"] + seed, letter


@pytest.mark.parametrize("pair", PAIRS.values(), ids=lambda pair: pair.name)
def test_no_verdict_is_contradicted(pair: Pair, tmp_path: Path) -> None:
    game = pair.load(tmp_path)
    is_small = bool(pair.change)
    deals = list(known(pair))[: 60 if is_small else 8]
    decided = 0
    for seed, letter in deals:
        verdict = solve(game.deal(f"solvitaire:{seed}"), 5_000 if is_small else 2_000)
        assert LETTERS.get(verdict.status, letter) == letter, f"solvitaire:{seed}"
        decided += verdict.status != "unknown"
    assert decided >= (len(deals) // 3 if is_small else 0)
