"""The manuals of studies: their examples do what they show."""

from pathlib import Path

import pytest

from tests.documents import ROOT, follow

pytestmark = pytest.mark.takes_turns(3)


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("name", "steps"), [("studies", 5), ("data", 5), ("notebook", 5)])
def test_the_examples_of_the_manual_run(tmp_path: Path, name: str, steps: int) -> None:
    assert follow(ROOT / "docs" / f"{name}.md", tmp_path) == steps
