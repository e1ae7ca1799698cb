"""Faults of the environment are recognized by their codes, and nothing else is."""

import errno
import sqlite3
from pathlib import Path

import pytest

from cadogan.trouble import BusyError, DamagedError, trouble


@pytest.mark.parametrize(
    ("fault", "key", "status", "passes"),
    [
        (OSError(errno.ENOSPC, "full"), "disk.full", 507, False),
        (OSError(errno.EDQUOT, "quota"), "disk.full", 507, False),
        (OSError(errno.EIO, "I/O"), "disk.fault", 503, False),
        (OSError(errno.EMFILE, "files"), "files", 503, True),
        (MemoryError(), "memory", 503, False),
        (BusyError(), "database.busy", 503, True),
        (DamagedError(), "database.damaged", 503, False),
    ],
)
def test_a_fault_is_known_by_its_code(
    fault: Exception, key: str, status: int, passes: bool
) -> None:
    found = trouble(fault)
    assert found is not None
    assert (found.key, found.status, found.passes) == (key, status, passes)
    assert found.hint


def test_other_faults_of_the_system_are_told_as_it_tells_them() -> None:
    found = trouble(FileNotFoundError(errno.ENOENT, "No such file or directory", "a.db"))
    assert found is not None
    assert (found.key, found.text) == (
        "system",
        "the system refused: a.db: no such file or directory",
    )


def test_what_sqlite_raises_is_known(tmp_path: Path) -> None:
    def of(statement: str, path: Path = tmp_path / "a.db") -> str | None:
        try:
            with sqlite3.connect(path, timeout=0) as connection:
                connection.execute(statement)
        except sqlite3.Error as fault:
            found = trouble(fault)
            return None if found is None else found.key
        raise AssertionError("it did not fail")

    (tmp_path / "text").write_text("no database " * 200)
    assert of("SELECT * FROM nowhere") == "database.unknown"
    assert of("SELECT 1", tmp_path / "no folder" / "a.db") == "database.unopened"
    assert of("CREATE TABLE a (b)", tmp_path / "text") == "database.none"
    with sqlite3.connect(tmp_path / "a.db") as other:
        other.execute("CREATE TABLE a (b)")
        other.execute("BEGIN EXCLUSIVE")
        assert of("INSERT INTO a VALUES (1)") == "database.busy"
    # A mistake of ours is no fault of the environment.
    assert of("SELEKT") is None
    assert trouble(ValueError("a bug")) is None
