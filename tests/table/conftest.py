"""A server without a network, for the tests of searches."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cadogan.web.state import AppState


@pytest.fixture
def state(tmp_path: Path) -> Iterator[AppState]:
    made = AppState(folder=tmp_path, workers=1)
    yield made
    made.close()
