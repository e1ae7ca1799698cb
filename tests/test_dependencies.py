"""The dependencies: locked to versions and hashes, with compatible licences."""

import json
import re
import subprocess
import tomllib
from importlib import metadata

import pytest

from tests.documents import ROOT

LOCK = ROOT / "requirements-dev.lock"
RELEASE_LOCK = ROOT / "requirements-release.lock"
ALLOWED = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD", "BSD-2-Clause", "BSD-3-Clause",
    "BlueOak-1.0.0", "CC0-1.0", "ISC", "MIT", "MIT-0", "MIT-CMU", "PSF-2.0", "Public Domain",
    "Python-2.0", "Unicode-3.0", "Unlicense", "Zlib",
}  # fmt: skip
"""Licences that ask for no more than that they are named."""
USED_AS_IT_IS = {
    # These ask that changes of their own sources stay free; we change none and copy none.
    "LGPL-3.0-only": {"psycopg", "psycopg-binary"},
    "MPL-2.0": {"certifi", "fqdn", "hypothesis", "pathspec", "lightningcss", "axe-core"},
}
NAMED_IN_TEXT_ONLY = {"resvg-py": "MIT"}
"""Packages whose metadata name no licence; the text in the package is that of this one."""
OLD_NAMES = {
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 3-Clause": "BSD-3-Clause",
    "BSD License": "BSD",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}


def locked() -> dict[str, str]:
    text = RELEASE_LOCK.read_text() + LOCK.read_text()
    return dict(re.findall(r"^([\w.-]+)(?:\[.*?\])?==([^ ;\\]+)", text, re.MULTILINE))


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_python_package_is_locked_with_its_hashes() -> None:
    for lock in (LOCK, RELEASE_LOCK):
        text = lock.read_text()
        assert "://" not in text
        assert str(ROOT) not in text
        entries = re.split(r"^(?=[\w])", text, flags=re.MULTILINE)[1:]
        assert len(entries) > 60
        assert all("--hash=sha256:" in entry for entry in entries)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        wanted += extra
    for requirement in wanted:
        name, least = re.match(r"([\w.-]+)(?:\[.*\])?(?:>=([\d.]+))?", requirement).groups()  # type: ignore[union-attr]
        if name == "cadogan":
            continue
        assert plain(name) in locked(), "run make lock"
        if least is not None:
            has = [int(part) for part in re.findall(r"\d+", locked()[plain(name)])]
            assert has >= [int(part) for part in least.split(".")], "run make lock"


def test_make_takes_what_is_locked() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert "--require-hashes --requirements $(LOCK)" in makefile
    assert "LOCKED := --locked" in makefile
    for tool in ("cargo test", "cargo clippy", "cargo doc"):
        calls = re.findall(rf"{tool} --(?!version).*", makefile)
        assert calls
        assert all("$(LOCKED)" in call for call in calls)
    assert "ignore-scripts=true" in (ROOT / "web/.npmrc").read_text().splitlines()


def test_no_lock_file_names_a_registry() -> None:
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    assert not [name for name, each in packages.items() if "resolved" in each]
    assert not [name for name, each in packages.items() if each.get("hasInstallScript")]
    sources = set(re.findall(r'^source = "(.*)"', (ROOT / "Cargo.lock").read_text(), re.MULTILINE))
    assert sources == {"registry+https://github.com/rust-lang/crates.io-index"}


def check(name: str, licence: str) -> None:
    """Says whether a licence, as SPDX writes it, goes with ours."""
    for old, new in OLD_NAMES.items():
        licence = licence.replace(old, new)
    for part in licence.replace("/", " OR ").split(" AND "):
        choices = {each.strip("() ") for each in part.split(" OR ")}
        users = {user for each in choices for user in USED_AS_IT_IS.get(each, ())}
        used = any(plain(name) == user or plain(name).startswith(f"{user}-") for user in users)
        assert choices & ALLOWED or used, f"{name} is under {licence}"


def test_licences_of_python_packages() -> None:
    found = 0
    for name in locked():
        try:
            about = metadata.distribution(name).metadata.json
        except metadata.PackageNotFoundError:
            continue  # for another system
        licence = about.get("license_expression") or " OR ".join(
            each.rpartition(" :: ")[2]
            for each in about.get("classifier", [])
            if each.startswith("License :: ") and not each.endswith("DFSG approved")
        )
        licence = licence or NAMED_IN_TEXT_ONLY.get(plain(name), "")
        check(name, str(licence) or str(about.get("license") or "none").splitlines()[0])
        found += 1
    assert found > 60


def test_licences_of_crates() -> None:
    done = subprocess.run(
        ["cargo", "metadata", "--locked", "--offline", "--format-version", "1"],
        cwd=ROOT, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    packages = json.loads(done.stdout)["packages"]
    assert len(packages) > 10
    for each in packages:
        check(each["name"], each["license"])


def test_licences_of_the_packages_of_the_page() -> None:
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    found = {name.rpartition("node_modules/")[2]: each for name, each in packages.items() if name}
    assert len(found) > 100
    for name, each in found.items():
        check(name, each.get("license", "none"))


@pytest.mark.parametrize(
    "licence", ["GPL-3.0-only", "none", "", "MIT AND GPL-2.0", "LGPL-3.0-only"]
)
def test_other_licences_are_refused(licence: str) -> None:
    with pytest.raises(AssertionError):
        check("some-package", licence)
