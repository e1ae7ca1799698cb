"""The token is made once, for its owner only, and stays the same."""

import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cadogan.table.token import FILE, saved_token


def test_a_token_stays_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    first = saved_token(folder)
    assert len(first) >= 32
    assert saved_token(folder) == first
    assert [path.name for path in folder.iterdir()] == [FILE]
    assert saved_token(tmp_path / "other") != first


def test_a_torn_token_is_replaced(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("short\n")
    made = saved_token(tmp_path)
    assert len(made) >= 32
    assert saved_token(tmp_path) == made


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    saved_token(tmp_path)
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_a_saved_token_is_read_by_many_at_once(tmp_path: Path) -> None:
    first = saved_token(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(saved_token, [tmp_path] * 40)) == {first}
