"""Builds the sdist and, of what is in it, the wheels."""

import importlib.util
import os
import shutil
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

from release.state import State
from release.steps import ROOT, ProblemError, python, run

MANYLINUX = "manylinux_2_17"
"""Rust itself needs a glibc no older than this."""

TARGETS = {
    "x86_64": "x86_64-unknown-linux-gnu",
    "aarch64": "aarch64-unknown-linux-gnu",
}
"""The kinds of machine that get a wheel, and what Rust calls them."""


@dataclass(frozen=True)
class Tools:
    """What builds wheels.

    Attributes:
        machines: The kinds of machine that wheels can be built for.
        missing: For each other kind, what to do to get it.
    """

    machines: tuple[str, ...]
    missing: tuple[str, ...]


def tools() -> Tools:
    """Finds the tools.

    Raises:
        ProblemError: If zig or cargo is missing, or Rust cannot build for any of the machines.
    """
    if importlib.util.find_spec("ziglang") is None:
        raise ProblemError(
            f"wheels are linked with zig, and {sys.prefix} has none",
            "make release installs it; by hand: "
            ".venv/bin/uv pip install -r requirements-release.lock",
        )
    if shutil.which("cargo") is None:
        raise ProblemError("the kernel is built with cargo, and there is none", "see README.md")
    libraries = Path(run(["rustc", "--print", "sysroot"]).splitlines()[-1]) / "lib" / "rustlib"
    there = tuple(machine for machine, target in TARGETS.items() if (libraries / target).is_dir())
    missing = tuple(
        f"no wheel for {machine}: Rust cannot build for it; rustup target add {target}"
        for machine, target in TARGETS.items()
        if machine not in there
    )
    if not there:
        raise ProblemError(missing[0], "add a target")
    return Tools(there, missing)


def build_sdist(state: State, target: Path) -> Path:
    """Builds the sdist, with the page and the translations in it."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(state.epoch)}
    python(
        "uv", "build", "--sdist", "--no-build-isolation", "--quiet", "--out-dir", target, ROOT,
        environment=environment,
    )  # fmt: skip
    return target / f"cadogan-{state.version}.tar.gz"


def build_wheel(
    state: State,
    sdist: Path,
    machine: str,
    work: Path,
    target: Path,
    *,
    cache: Path = ROOT / "target",
) -> Path:
    """Builds the wheel for a kind of machine, from the sdist alone.

    Args:
        state: The sources.
        sdist: What is built.
        machine: A key of ``TARGETS``.
        work: Where the sdist is unpacked. The wheel does not depend on it.
        target: Where the wheel goes.
        cache: The folder of what cargo has compiled.
    """
    sources = work / sdist.name.removesuffix(".tar.gz")
    shutil.rmtree(sources, ignore_errors=True)
    with tarfile.open(sdist) as archive:
        archive.extractall(work, filter="data")
    run(
        [sys.executable, "-m", "maturin", "build", "--release", "--locked", "--strip", "--zig",
         "--compatibility", MANYLINUX, "--target", TARGETS[machine], "--out", target],
        folder=sources, environment=_environment(state, sources, cache),
    )  # fmt: skip
    shutil.rmtree(sources)
    (wheel,) = target.glob(f"cadogan-{state.version}-*_{machine}.whl")
    return wheel


def _environment(state: State, sources: Path, cache: Path) -> dict[str, str]:
    """The environment of a build whose result depends on the sources only."""
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    ours = {name: os.environ[name] for name in os.environ if not name.startswith("PYO3_")}
    return {
        **ours,
        "SOURCE_DATE_EPOCH": str(state.epoch),
        # Messages of Rust name source files, and shall not name folders of this machine.
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(
            (f"--remap-path-prefix={sources}=cadogan", f"--remap-path-prefix={home}=cargo")
        ),
        # maturin asks the first Python of the path for zig.
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), ours["PATH"])),
        "CARGO_TARGET_DIR": str(cache),
    }
