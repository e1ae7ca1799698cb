"""``cadogan tune``."""

from pathlib import Path

from .conftest import Run

FREECELL = ("freecell", "--deal", "ms:1")

KLONDIKE = ("klondike", "--deal", "cadogan:1")


def test_weights_are_learned_and_told(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "weights.json"
    words = ("tune", "golf", "--deals", "4", "--nodes", "2000", "--trials", "6", "--out", str(out))
    result = run(*words)
    assert result.out.startswith("before: ")
    assert result.err.startswith("at the beginning: ")
    assert out.exists() == (result.status == 0)
    assert run("tune", "golf", "--deals", "0").status == 2
