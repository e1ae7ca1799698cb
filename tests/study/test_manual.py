"""The manual of studies: its examples have the results that it shows."""

from pathlib import Path

import pytest

from tests.documents import ROOT, follow


@pytest.mark.timeout(120)
def test_the_examples_of_the_manual_run(tmp_path: Path) -> None:
    assert follow(ROOT / "docs" / "studies.md", tmp_path) == 5
