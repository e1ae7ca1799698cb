"""``python -m release``: builds the files of a release into ``dist`` and checks them."""

import argparse
import hashlib
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from release import build, check, state
from release.steps import DIST, ROOT, WORK, ProblemError


def main(words: Sequence[str] | None = None) -> int:
    """Makes a release; returns the exit status."""
    parser = argparse.ArgumentParser(prog="make release", description=__doc__)
    parser.add_argument("--draft", action="store_true", help="build even if the tree is dirty")
    parser.add_argument(
        "--again", action="store_true",
        help="build this machine's wheel twice, the second time elsewhere, and compare the bytes",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path, default=DIST, help="the folder for the files; it is emptied first"
    )
    wish = parser.parse_args(words)
    began = time.monotonic()
    try:
        open_ends = make(wish.out.resolve(), draft=wish.draft, again=wish.again)
    except ProblemError as problem:
        print(f"error: {problem}\nhint: {problem.hint}", file=sys.stderr)
        return 1
    print(f"Built and checked in {time.monotonic() - began:.0f} seconds; published nothing.")
    for each in open_ends:
        print(f"Before it can be published: {each}")
    return 0


def make(out: Path, *, draft: bool, again: bool) -> list[str]:
    """Builds and checks all files.

    Args:
        out: The folder into which they go; what was in it is removed.
        draft: Whether a dirty tree is accepted.
        again: Whether a wheel is built twice and compared.

    Returns:
        What must still be done before they can be published.

    Raises:
        ProblemError: If anything is not as it must be.
    """
    sources = state.inspect(ROOT, draft=draft)
    tools = build.tools()
    shutil.rmtree(out, ignore_errors=True)
    for folder in (out, WORK):
        folder.mkdir(parents=True, exist_ok=True)
    print(f"Building Cadogan {sources.version}: the sdist ...", flush=True)
    sdist = build.build_sdist(sources, out)
    (out / ".gitignore").unlink(missing_ok=True)
    wheels = []
    for machine in tools.machines:
        print(f"Building the wheel for {machine} of what is in the sdist ...", flush=True)
        wheels.append(build.build_wheel(sources, sdist, machine, WORK, out))
    print("Checking metadata, contents and what the wheels need of a system ...", flush=True)
    files = [sdist, *wheels]
    check.check_form(files)
    for file in files:
        check.check_contents(file)
    for wheel in wheels:
        check.check_tag(wheel)
    open_ends = [*sources.open_ends, *tools.missing, *_try_out(wheels, sources)]
    if again:
        _compare(sdist, sources, wheels)
    _list(files)
    return open_ends


def _try_out(wheels: list[Path], sources: state.State) -> list[str]:
    """Tries the wheel of this machine with every Python here; returns what was not tried."""
    untried = [f"try {wheel.name} on such a machine" for wheel in wheels if not check.fits(wheel)]
    for wheel in filter(check.fits, wheels):
        for version, place in check.pythons().items():
            name = ".".join(map(str, version))
            print(f"Trying it in an empty environment of Python {name} ...", flush=True)
            said, bill = check.try_out(wheel, place)
            print(f"  {said}")
            target = wheel.parent / f"cadogan-{sources.version}-python{name}.cdx.json"
            target.write_text(bill, encoding="utf-8")
    return untried


def _compare(sdist: Path, sources: state.State, wheels: list[Path]) -> None:
    """Builds the wheels of this machine again, in another folder and from nothing."""
    for wheel in filter(check.fits, wheels):
        print("Building the wheel again, elsewhere and from nothing ...", flush=True)
        machine = wheel.stem.rpartition(f"{build.MANYLINUX}_")[2]
        with tempfile.TemporaryDirectory(prefix="cadogan-again-") as folder:
            place = Path(folder)
            (place / "dist").mkdir()
            second = build.build_wheel(
                sources, sdist, machine, place, place / "dist", cache=place / "target"
            )
            if second.read_bytes() != wheel.read_bytes():
                raise ProblemError(
                    f"a second build of {wheel.name} gives other bytes",
                    "compare the two with diffoscope",
                )
        print("  the same bytes")


def _list(files: list[Path]) -> None:
    """Prints the sizes of the files, and writes their checksums beside them."""
    lines = []
    for file in files:
        sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
        print(f"{file.stat().st_size / 1e6:7.2f} MB  {file.name}")
        lines.append(f"{sha256}  {file.name}\n")
    (files[0].parent / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
