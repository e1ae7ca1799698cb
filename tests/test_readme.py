"""All examples of the README run, with the results that it shows."""

from pathlib import Path

import pytest

from tests.documents import ROOT, blocks, follow

README = ROOT / "README.md"


# Thirty commands, each a process of its own; on a busy machine they take their time.
@pytest.mark.timeout(300)
def test_the_readme_tells_the_truth(tmp_path: Path) -> None:
    assert follow(README, tmp_path) > 10


def test_nothing_in_the_readme_goes_unchecked() -> None:
    assert {block.language for block in blocks(README)} == {"console", "pycon", "toml"}


def test_the_game_at_the_head_of_the_readme_is_the_one_of_the_catalogue() -> None:
    first = next(block for block in blocks(README) if block.language == "toml")
    whole = (ROOT / "python/cadogan/catalogue/flower-garden.toml").read_text(encoding="utf-8")
    lines = whole.splitlines()
    assert [line for line in first.text.splitlines() if line and line not in lines] == []
