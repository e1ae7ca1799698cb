"""A wheel has everything for users without cargo and without these sources."""

import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from cadogan.rules import catalogue
from tests.browser.server import serving
from tests.documents import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of what lies here. The kernel is built again only if it was not built before."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "uv", "build", "--wheel", "--no-build-isolation", "--quiet",
         "--out-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYO3_PYTHON": os.environ.get("PYO3_PYTHON", sys.executable)},
        check=True,
        capture_output=True,
    )  # fmt: skip
    (built,) = folder.glob("*.whl")
    return built


def test_the_rules_files_and_types_are_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    wanted = {f"cadogan/catalogue/{game}.toml" for game in catalogue()}
    wanted |= {"cadogan/_kernel.pyi", "cadogan/py.typed", "cadogan/_kernel.abi3.so"}
    wanted |= {
        str(path.relative_to(ROOT / "python"))
        for ending in ("*.py", "*.toml", "*.json")
        for path in (ROOT / "python").rglob(ending)
    }
    about = "-".join(wheel.name.split("-")[:2]) + ".dist-info"
    wanted |= {f"{about}/sboms/cadogan.cdx.json", f"{about}/licenses/LICENSE"}
    wanted |= {f"{about}/licenses/packed/THIRD_PARTY_LICENSES.txt"}
    if sys.platform != "linux":
        wanted.discard("cadogan/_kernel.abi3.so")
    assert wanted - names == set()
    assert [name for name in names if name.startswith("tests/")] == []


def test_the_page_and_the_translations_are_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    translations = (ROOT / "python/cadogan").rglob("*.po")
    wanted = {str(path.with_suffix(".mo").relative_to(ROOT / "python")) for path in translations}
    assert wanted
    if (ROOT / "web/package.json").exists():
        dist = ROOT / "python/cadogan/web/dist"
        built = {
            str(path.relative_to(ROOT / "python")) for path in dist.rglob("*") if path.is_file()
        }
        assert "cadogan/web/dist/index.html" in built
        assert any(name.startswith("cadogan/web/dist/assets/") for name in built)
        wanted |= built
    assert wanted - names == set()


def test_what_is_in_the_wheel_solves_a_deal(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    result = subprocess.run(
        [sys.executable, "-m", "cadogan.cli", "solve", "flower-garden", "--deal", "cadogan:1"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        check=True,
        capture_output=True,
        encoding="utf-8",
    )
    assert result.stdout.startswith("winnable in ")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a virtual environment in which nothing but the wheel is installed.

    What it depends on is taken from here: the tests do not need the network.
    """
    place = tmp_path_factory.mktemp("fresh") / "venv"
    uv = [sys.executable, "-m", "uv"]
    for words in (
        ["venv", "--quiet", "--python", sys.executable, str(place)],
        ["pip", "install", "--quiet", "--offline", "--no-deps", "--python", str(place), str(wheel)],
    ):
        subprocess.run([*uv, *words], check=True, capture_output=True)
    (packages,) = place.glob("[Ll]ib/**/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return place / ("Scripts" if sys.platform == "win32" else "bin")


def test_an_installed_wheel_serves_the_table(installed: Path, tmp_path: Path) -> None:
    where = subprocess.run(
        [installed / "python", "-c", "import cadogan; print(cadogan.__file__)"],
        cwd=tmp_path, check=True, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert Path(where.stdout.strip()).is_relative_to(installed.parent)
    with serving(tmp_path / "home", program=[str(installed / "cadogan")]) as server:
        page = server.text("/")
        parts = re.findall(r'(?:src|href)="(?:\.?/)(assets/[^"]+)"', page)
        assert all(server.text(f"/{part}") for part in parts)
        assert {Path(part).suffix for part in parts} >= {".js", ".css"}
        games = {game["name"]: game for game in server.ask("GET", "/games?lang=de")}
        assert set(games) == set(catalogue())
        assert games["flower-garden"]["title"] == "Der Blumengarten"
        assert games["flower-garden"]["chances"] is not None
        assert "## Das Ziel" in server.ask("GET", "/games/klondike/rules?lang=de")["markdown"]
        key = server.ask("POST", "/tables", {"game": "flower-garden", "deal": "cadogan:1"})["id"]
        assert server.ask("POST", f"/tables/{key}/hint", {"version": 0})["kind"] == "proved"
