"""A throwaway cluster of PostgreSQL, on a socket in a folder of its own."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

HOMES = ("/usr/lib/postgresql", "/usr/local/lib/postgresql")
SECONDS = 60


def find(name: str) -> str | None:
    """A program of PostgreSQL; Debian keeps them off the path."""
    found = shutil.which(name)
    if found is not None:
        return found
    for home in HOMES:
        versions = sorted(Path(home).glob(f"*/bin/{name}"), key=lambda path: path.parts[-3])
        if versions:
            return str(versions[-1])
    return None


@contextmanager
def cluster() -> Iterator[str]:
    """Runs a cluster in a folder of its own; there is no way to it but through the folder.

    Yields:
        The address of its database.
    """
    # The path of a socket must be short, so it is no folder of pytest's.
    folder = Path(tempfile.mkdtemp(prefix="cadogan-pg-"))
    try:
        with _running(folder) as address:
            yield address
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _running(folder: Path) -> Iterator[str]:
    programs = {name: find(name) for name in ("initdb", "postgres", "pg_ctl")}
    missing = [name for name, path in programs.items() if path is None]
    if missing:
        lacking = f"PostgreSQL is not installed here: there is no {' nor '.join(missing)}"
        if os.environ.get("CI"):
            pytest.fail(lacking)
        pytest.skip(lacking)
    initdb, control = programs["initdb"], programs["pg_ctl"]
    assert initdb is not None
    assert control is not None
    user = None
    if os.geteuid() == 0:
        # PostgreSQL does not run as root.
        try:
            user = pwd.getpwnam("postgres").pw_name
        except KeyError:
            user = pwd.getpwnam("nobody").pw_name
        shutil.chown(folder, user)
    data, sockets = folder / "data", folder

    def run(*words: str) -> None:
        done = subprocess.run(
            words, user=user, cwd=folder, capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode == 0, done.stderr + done.stdout

    run(initdb, "-D", str(data), "-U", "cadogan", "-A", "trust", "--no-sync", "-E", "UTF8")
    options = f"-c listen_addresses='' -c unix_socket_directories='{sockets}' -c port=5433"
    log = folder / "log"
    started = subprocess.run(
        [control, "-D", str(data), "-o", options, "-l", str(log), "-w", "start"],
        user=user, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        timeout=SECONDS,
    )  # fmt: skip
    assert started.returncode == 0, log.read_text()
    try:
        yield f"postgresql://cadogan@/postgres?host={sockets}&port=5433"
    finally:
        run(control, "-D", str(data), "-m", "immediate", "stop")
