"""Records for other programs."""

import csv
import json
from pathlib import Path

import pytest

from cadogan import load
from cadogan.study.errors import StudyError
from cadogan.study.export import export
from cadogan.study.store import Store


def test_records_are_exported(store: Store, tmp_path: Path) -> None:
    records = list(store.records())
    assert export(store, tmp_path / "x.jsonl", lines=True) == len(records)
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert [row["nodes"] for row in rows] == [each.nodes for each in records]
    won = next(row for row in rows if row["verdict"] == "winnable")
    position = load(won["game"]).deal(f"{won['scheme']}:{won['number']}")
    for move in won["line"].split("; "):
        position = position.play(move)
    assert position.outcome == "won"
    export(store, tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(newline="") as file:
        assert [row["verdict"] for row in csv.DictReader(file)] == [r.verdict for r in records]
    assert export(store, tmp_path / "x.parquet") == len(records)
    with pytest.raises(StudyError, match="is not a known format"):
        export(store, tmp_path / "x.doc")
