"""A throwaway cluster of PostgreSQL, on a socket in its own folder."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy

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


@dataclass(frozen=True)
class Cluster:
    """A cluster that runs, unless it has just been stopped.

    Attributes:
        address: The address of its database.
    """

    address: str
    _control: Callable[..., None]

    def stop(self) -> None:
        """Stops it as a crash does: nobody is waited for, nothing is finished."""
        self._control("-m", "immediate", "stop")

    def start(self) -> None:
        """Starts it again; it recovers what was committed."""
        self._control("start")


@contextmanager
def cluster(*, durable: bool = False) -> Iterator[str]:
    """Runs a cluster in a folder of its own; there is no way to it but through the folder.

    Args:
        durable: Whether what is committed survives a failure of power, which takes time. It
            survives that the server is killed in any case.

    Yields:
        The address of its database.
    """
    with restartable(durable=durable) as running:
        yield running.address


@contextmanager
def restartable(*, durable: bool = False) -> Iterator[Cluster]:
    """Runs a cluster as :func:`cluster` does, to be stopped and started at will."""
    # The path of a socket must be short, so it is no folder of pytest's.
    folder = Path(tempfile.mkdtemp(prefix="cadogan-pg-"))
    try:
        with _running(folder, durable=durable) as found:
            yield found
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def empty(address: str) -> None:
    """Takes everything out of a database."""
    engine = sqlalchemy.create_engine(address.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    engine.dispose()


@contextmanager
def _running(folder: Path, *, durable: bool) -> Iterator[Cluster]:
    programs = {name: find(name) for name in ("initdb", "postgres", "pg_ctl")}
    missing = [name for name, path in programs.items() if path is None]
    if missing:
        lacking = f"PostgreSQL is not installed here: there is no {' nor '.join(missing)}"
        if os.environ.get("CI"):
            pytest.fail(lacking)
        pytest.skip(lacking)
    initdb, pg_ctl = programs["initdb"], programs["pg_ctl"]
    assert initdb is not None
    assert pg_ctl is not None
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
    if not durable:
        options += " -c fsync=off -c full_page_writes=off"
    log = folder / "log"

    def control(*words: str) -> None:
        done = subprocess.run(
            [pg_ctl, "-D", str(data), "-o", options, "-l", str(log), "-w", *words],
            user=user, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            timeout=SECONDS,
        )  # fmt: skip
        assert done.returncode == 0, log.read_text()

    control("start")
    try:
        yield Cluster(f"postgresql://cadogan@/postgres?host={sockets}&port=5433", control)
    finally:
        control("-m", "immediate", "stop")
