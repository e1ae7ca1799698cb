"""Checks built files: their form, what is in them, and whether they work where nothing else is."""

import json
import os
import platform
import re
import shutil
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from release.build import MANYLINUX
from release.steps import ROOT, ProblemError, python, run

SMOKE = Path(__file__).with_name("smoke.py")
OLDEST = (3, 11)


def check_form(files: list[Path]) -> None:
    """Checks the metadata of sdist and wheels as an index of packages does."""
    python("twine", "check", "--strict", *files)


def check_contents(file: Path) -> None:
    """Checks that a wheel or an sdist has all it needs, and no path of this machine in it.

    Raises:
        ProblemError: If something is missing, or a file names a folder of this machine.
    """
    contents = dict(_contents(file))
    missing = sorted(_wanted(file) - set(contents))
    if missing:
        raise ProblemError(f"{file.name} lacks {', '.join(missing[:5])}", "see pyproject.toml")
    folders = {str(ROOT), str(Path.home()), sysconfig.get_path("purelib")} - {"/"}
    for name, data in contents.items():
        found = [folder for folder in folders if f"{folder}/".encode() in data]
        if found:
            raise ProblemError(
                f"{name} in {file.name} names {found[0]}, a folder of this machine",
                "find out what writes it",
            )
    (bill,) = (data for name, data in contents.items() if name.endswith("/cadogan.cdx.json"))
    check_bill(bill.decode())


def _contents(file: Path) -> Iterator[tuple[str, bytes]]:
    """The files in a wheel or an sdist; those of a sdist without its folder."""
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as wheel:
            yield from ((name, wheel.read(name)) for name in wheel.namelist())
        return
    with tarfile.open(file) as archive:
        for member in archive:
            opened = archive.extractfile(member)
            if opened is not None:
                yield member.name.partition("/")[2], opened.read()


def _wanted(file: Path) -> set[str]:
    """The files of the Python package that are neither built nor ignored, and those that are."""
    folder = ROOT / "python"
    endings = {".py", ".pyi", ".toml", ".json", ".mo", ".html", ".js", ".css", ".typed", ".ttf"}
    found = {
        path.relative_to(folder).as_posix()
        for path in (folder / "cadogan").rglob("*")
        if path.suffix in endings or path.name in ("py.typed", "LICENSE.txt")
    }
    if file.suffix == ".whl":
        about = "-".join(file.name.split("-")[:2]) + ".dist-info"
        licences = {
            f"{about}/licenses/LICENSE",
            f"{about}/licenses/packed/THIRD_PARTY_LICENSES.txt",
        }
        return found | licences | {"cadogan/_kernel.abi3.so", f"{about}/sboms/cadogan.cdx.json"}
    built = {"packed/cadogan.cdx.json", "packed/THIRD_PARTY_LICENSES.txt"}
    return {f"python/{name}" for name in found} | built | {"Cargo.lock", "LICENSE", "README.md"}


def check_bill(text: str) -> None:
    """Checks a bill of materials against the schema of CycloneDX, and that it is complete.

    Raises:
        ProblemError: If it is not valid, or has no crates or no packages of the page.
    """
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if fault is not None:
        raise ProblemError(f"the bill of materials is not valid: {fault}", "see packed.py")
    names = [each["purl"] for each in json.loads(text)["components"]]
    for kind in ("pkg:cargo/", "pkg:npm/"):
        if not any(name.startswith(kind) for name in names):
            raise ProblemError(
                f"the bill of materials names no {kind}",
                "build the page again: touch web/index.html",
            )


def check_tag(wheel: Path) -> None:
    """Lets auditwheel find out what a wheel needs of a system, and compares that with its name.

    Raises:
        ProblemError: If the wheel needs more than its name says.
    """
    shown = " ".join(python("auditwheel", "show", wheel).split())
    found = re.search(r'following platform tag: "(\w+)"', shown)
    machine = wheel.stem.rpartition(f"{MANYLINUX}_")[2]
    if found is None or found[1] != f"{MANYLINUX}_{machine}":
        raise ProblemError(
            f"{wheel.name} needs {found[1] if found else 'more than any manylinux'}",
            "the compiler has linked against a newer system; is zig used?",
        )


def fits(wheel: Path) -> bool:
    """Whether a wheel is for machines like this one."""
    return sys.platform == "linux" and wheel.stem.endswith(f"_{platform.machine()}")


def pythons() -> dict[tuple[int, int], Path]:
    """The supported Pythons on this machine, one for each minor version. None is downloaded."""
    home = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    places = {Path(sys.executable).resolve(), *home.glob("versions/*/bin/python3")}
    for folder in os.get_exec_path():
        if "shims" not in Path(folder).parts:
            places |= {path.resolve() for path in Path(folder).glob("python3.[0-9]*")}
    found: dict[tuple[int, int], Path] = {}
    for place in sorted(places):
        if re.fullmatch(r"python3(\.\d+)?", place.name) is None:
            continue
        asked = "import sys, sysconfig as s; print(sys.implementation.name, *sys.version_info[:2], "
        asked += "s.get_config_var('Py_GIL_DISABLED') or 0)"
        try:
            name, major, minor, free = run([place, "-I", "-c", asked]).split()
        except ProblemError:
            continue
        version = (int(major), int(minor))
        # Wheels of the limited API do not fit a Python without the global lock.
        if name == "cpython" and version >= OLDEST and free == "0":
            found.setdefault(version, place)
    return dict(sorted(found.items()))


def try_out(wheel: Path, place: Path) -> tuple[str, str]:
    """Installs a wheel into an empty environment of a Python and tries it there.

    Returns:
        What worked, and the bill of materials of the environment.

    Raises:
        ProblemError: If something does not work.
    """
    with tempfile.TemporaryDirectory(prefix="cadogan-release-") as folder:
        uv = [sys.executable, "-m", "uv"]
        venv = Path(folder) / "venv"
        run([*uv, "venv", "--quiet", "--no-python-downloads", "--python", place, venv])
        run([*uv, "pip", "install", "--quiet", "--python", venv, wheel])
        own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        shutil.copyfile(SMOKE, Path(folder) / "smoke.py")
        said = run(
            [venv / "bin" / "python", "-I", "smoke.py"], folder=Path(folder), environment=own
        )
        bill = python(
            "cyclonedx_py", "environment", "--output-reproducible", "--output-format", "JSON",
            venv / "bin" / "python",
        )  # fmt: skip
    return said.strip(), bill
