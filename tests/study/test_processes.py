"""With real processes: after any kill, the store is the same in the end."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cadogan.study import executors
from cadogan.study.errors import StudyError
from cadogan.study.plan import plan_of
from cadogan.study.run import Progress, run
from cadogan.study.store import Store
from tests.documents import ROOT

from .support import contents, run_here, steady

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(ROOT),
    "DASK_DISTRIBUTED__ADMIN__TICK__LIMIT": "1h",
}
LOOPBACK = "127.0.0.1"


def words(folder: Path, workers: int) -> list[str]:
    return [
        sys.executable, "-m", "cadogan.cli", "study", "run", "beleaguered-castle",
        "--deals", "cadogan:0..39", "--budget", "300,3000", "--out", str(folder),
        "--workers", str(workers), "--quiet",
    ]  # fmt: skip


PLAN = plan_of(
    {
        "study": [
            {"game": "beleaguered-castle", "deals": "cadogan:0..39", "budget": [300, 3000]},
        ]
    },
    "plan",
)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return run_here(PLAN, tmp_path_factory.mktemp("clean") / "s", steady())


def children(pid: int) -> set[int]:
    """The child processes of a process."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        found |= {int(child) for child in task.read_text().split()}
    return found


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks processes up in /proc")
def test_a_command_killed_again_and_again_ends_with_the_same_store(
    tmp_path: Path, clean: Store
) -> None:
    folder, chance = tmp_path / "s", random.Random(4)
    grown = []
    for workers in (2, 1):
        process = subprocess.Popen(words(folder, workers), env=ENVIRONMENT)
        before = len(list(folder.glob("parts/part-*")))
        deadline = time.monotonic() + 60
        while (
            len(list(folder.glob("parts/part-*"))) < before + chance.randrange(2, 5)
            and process.poll() is None
            and time.monotonic() < deadline
        ):
            time.sleep(0.01)
        begun = children(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
        grown.append(len(list(Store(folder).records())))
        gone = time.monotonic() + 20
        while any(map(is_alive, begun)) and time.monotonic() < gone:
            time.sleep(0.05)
        assert not any(map(is_alive, begun)), "workers outlive their parent"
    assert grown == sorted(grown)
    assert grown[-1] > 0
    subprocess.run(words(folder, 2), env=ENVIRONMENT, check=True, capture_output=True)
    assert contents(Store(folder)) == contents(clean)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks processes up in /proc")
@pytest.mark.parametrize("early", [True, False], ids=["early", "late"])
@pytest.mark.parametrize(
    ("end", "kill", "status"),
    [(signal.SIGINT, os.killpg, 130), (signal.SIGTERM, os.kill, 143)],
    ids=["interrupted", "terminated"],
)
def test_a_command_that_is_ended_ends_without_a_traceback(
    end: signal.Signals,
    kill: Callable[[int, int], None],
    status: int,
    early: bool,
    tmp_path: Path,
) -> None:
    more = ["--deals", "cadogan:0..99999"]
    command = [word for word in words(tmp_path / "s", 2) if word != "cadogan:0..39"]
    command.remove("--deals")
    process = subprocess.Popen(
        [*command, *more], env=ENVIRONMENT, stderr=subprocess.PIPE, encoding="utf-8",
        start_new_session=True,
    )  # fmt: skip

    def is_time() -> bool:
        if early:  # its workers are still starting
            return len(children(process.pid)) > 2
        return any((tmp_path / "s").glob("parts/part-*"))

    deadline = time.monotonic() + 60
    while not is_time() and time.monotonic() < deadline:
        time.sleep(0.01)
    # The parent may be the last process to receive the signal.
    process.send_signal(signal.SIGSTOP)
    kill(process.pid, end)
    time.sleep(0.5)
    process.send_signal(signal.SIGCONT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == status, said
    assert said == "the results so far are saved; run it again to continue\n"
    assert early or list(Store(tmp_path / "s").records())


@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
def test_a_full_disk_is_reported_and_nothing_is_lost(tmp_path: Path, clean: Store) -> None:
    """A limit on the size of files looks like a full disk to the writer."""
    import resource

    folder = tmp_path / "s"
    said = subprocess.run(
        words(folder, 1), env=ENVIRONMENT, capture_output=True, encoding="utf-8", check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500)),
    )  # fmt: skip
    assert said.returncode == 2
    assert "the results could not be written" in said.stderr
    assert "hint: all earlier results are saved" in said.stderr
    assert "Traceback" not in said.stderr
    assert list(folder.glob("parts/.*")) == []
    subprocess.run(words(folder, 1), env=ENVIRONMENT, check=True, capture_output=True)
    assert contents(Store(folder)) == contents(clean)


class Dask:
    """A separate scheduler and its workers on loopback."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.begin("scheduler", "--port", "0", "--scheduler-file", str(self.file))
        deadline = time.monotonic() + 60
        while not self.file.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)

    @property
    def address(self) -> str:
        import json

        address: str = json.loads(self.file.read_text())["address"]
        return address

    def begin(self, *more: str) -> "subprocess.Popen[bytes]":
        with (self.folder / f"log-{len(self.processes)}.txt").open("w") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *more, "--host", LOOPBACK, "--no-dashboard"],
                env=ENVIRONMENT, stdout=log, stderr=log, cwd=self.folder,
            )  # fmt: skip
        self.processes.append(process)
        return process

    def worker(self) -> "subprocess.Popen[bytes]":
        return self.begin("worker", self.address, "--nthreads", "1", "--no-nanny")

    def end(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    made = Dask(tmp_path_factory.mktemp("dask"))
    try:
        yield made
    finally:
        made.end()


def test_a_cluster_without_workers_is_reported(dask: Dask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "PATIENCE", 1.0)
    with pytest.raises(StudyError, match="has no workers"), executors.cluster(dask.address):
        pass


def test_a_cluster_whose_workers_are_killed_finds_out_the_same(
    dask: Dask, tmp_path: Path, clean: Store
) -> None:
    workers = [dask.worker(), dask.worker()]
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        if len(killed) < 2 and progress.done > 8 * (len(killed) + 1):
            victim = workers[len(killed)]
            dask.worker()
            victim.kill()
            killed.append(victim.pid)

    store = Store(tmp_path / "s", create=True)
    with executors.cluster(dask.address) as engine:
        result = run(PLAN, store, engine, report=kill, target=0.05)
    assert len(killed) == 2
    assert result.done > 40
    assert contents(store) == contents(clean)


def test_an_unreachable_cluster_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "PATIENCE", 0.5)
    for address in (f"tcp://{LOOPBACK}:9", "nonsense://x", "tcp://"):
        with (
            pytest.raises(StudyError, match="cannot reach a cluster at") as error,
            executors.cluster(address),
        ):
            pass
        assert "dask scheduler" in (error.value.hint or "")


@pytest.mark.filterwarnings("ignore")  # dask warns if its port is taken, and uses another.
def test_a_batch_system_is_asked_as_dask_jobqueue_does() -> None:
    import dask.config
    import dask_jobqueue  # Importing it loads its default settings.

    assert dask_jobqueue.__name__ in sys.modules
    with (
        dask.config.set({"jobqueue.slurm.cores": None, "jobqueue.slurm.memory": None}),
        pytest.raises(StudyError, match="the jobs of slurm are not configured"),
    ):
        executors.queue("slurm")
    settings = {
        "jobqueue.slurm.cores": 4,
        "jobqueue.slurm.memory": "8GB",
        "jobqueue.slurm.walltime": "01:00:00",
        "jobqueue.slurm.scheduler-options": {"host": LOOPBACK, "dashboard_address": ":0"},
    }
    with dask.config.set(settings), executors.queue("slurm") as jobs:
        script = jobs.job_script()
    assert "#SBATCH" in script
    assert "dask" in script
