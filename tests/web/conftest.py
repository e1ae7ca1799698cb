"""A server without a socket, with its own data folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from cadogan.web.app import create_app
from cadogan.web.state import AppState


@pytest.fixture
def state(tmp_path: Path) -> Iterator[AppState]:
    made = AppState(folder=tmp_path, workers=0)
    yield made
    made.close()


@pytest.fixture
def client(state: AppState) -> Iterator[TestClient]:
    with TestClient(create_app(state), base_url="http://127.0.0.1:7617") as made:
        yield made
