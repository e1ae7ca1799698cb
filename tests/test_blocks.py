"""Studies of very many deals, block by block."""

from pathlib import Path

import pytest

from bench import blocks
from bench.blocks import SIZE, Block
from cadogan.study.record import Record
from cadogan.study.store import Store
from tests.documents import ROOT

GAME = "klondike:draw-three"


def test_the_sum_of_the_blocks_is_in_the_document() -> None:
    found = blocks.read(blocks.path_of(GAME))
    firsts = [block.first for block in found]
    assert firsts == sorted({*firsts})
    assert all(block.won + block.lost == SIZE and block.first % SIZE == 1 for block in found)
    document = (ROOT / "bench" / "README.md").read_text(encoding="utf-8")
    assert blocks.total(found) in document
    assert f" {len(found)} blocks of ten thousand deals" in document


def test_complete_blocks_of_a_study_are_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "SIZE", 5)
    monkeypatch.setattr(blocks, "path_of", lambda game: tmp_path / "blocks.csv")
    study = tmp_path / "study"
    verdicts = {number: "winnable" if number % 3 else "unwinnable" for number in range(1, 13)}
    Store(study, create=True).write(
        Record("golf", "0", "thoughtful", "cadogan", number, 9, verdict, 7, 0, b"", "1", "0", "")
        for number, verdict in verdicts.items()
    )
    monkeypatch.setattr("sys.argv", ["blocks", "golf", str(study)])
    assert blocks.main() == 0
    found = blocks.read(tmp_path / "blocks.csv")
    assert [(block.first, block.won, block.lost, block.nodes) for block in found] == [
        (1, 4, 1, 35),
        (6, 3, 2, 35),
    ]
    # Added again they are the same, and other verdicts are refused.
    assert blocks.main() == 0
    assert blocks.read(tmp_path / "blocks.csv") == found
    blocks.write(tmp_path / "blocks.csv", [Block(1, 5, 0, 9, "another"), found[1]])
    assert blocks.main() == 1
    assert blocks.read(tmp_path / "blocks.csv")[0].digest == "another"
