"""The manual of environments: its examples do what it shows."""

import importlib.util
from pathlib import Path

import pytest

from tests.documents import ROOT, blocks, follow

MANUAL = ROOT / "docs" / "environment.md"


def test_the_examples_of_the_manual_run(tmp_path: Path) -> None:
    python = [block for block in blocks(MANUAL) if block.language == "pycon"]
    text = "\n".join(f"```pycon\n{block.text}```\n" for block in python)
    document = tmp_path / "environment.md"
    document.write_text(text, encoding="utf-8")
    assert follow(document, tmp_path) == len(python) >= 6


def test_a_policy_is_trained(capsys: pytest.CaptureFixture[str]) -> None:
    place = ROOT / "docs" / "examples" / "train_policy.py"
    spec = importlib.util.spec_from_file_location("train_policy", place)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    # Some deals of this game have no legal move.
    assert example.train("black-hole", wanted=20_000, seed=1, report=print)[0].any()
    weights, steps = example.train("golf", wanted=20_000, seed=1, report=print)
    assert steps >= 20_000
    assert weights.any()
    assert 0 <= example.evaluate("golf", weights, deals=20, seed=1) <= 20
