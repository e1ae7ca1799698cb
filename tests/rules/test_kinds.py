"""A new kind of rule: mypy names every place that must know it, and CONTRIBUTING lists them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import ROOT

PACKAGE = ROOT / "python/cadogan"
KIND = '''
@dataclass(frozen=True, slots=True)
class PairOff:
    """Two cards are discarded together."""

    piles: PileSet


Action = '''


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_mypy_names_every_place_that_tells_kinds_of_rule_apart(tmp_path: Path) -> None:
    skip = shutil.ignore_patterns("dist", "catalogue", "locale", "__pycache__", "*.so")
    shutil.copytree(PACKAGE, tmp_path / "cadogan", ignore=skip)
    rulebook = tmp_path / "cadogan/rules/rulebook/rulebook.py"
    text = rulebook.read_text(encoding="utf-8")
    (union,) = re.findall(r"^Action = (.*)$", text, re.MULTILINE)
    changed = text.replace(f"Action = {union}", f"{KIND.lstrip()}{union} | PairOff")
    rulebook.write_text(changed, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports",
         "--cache-dir", str(tmp_path / "cache"), "--package", "cadogan"],
        cwd=tmp_path, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    named = re.findall(
        r"^cadogan/(\S+?):\d+: error: .*\"assert_never\".*PairOff", done.stdout, re.MULTILINE
    )
    assert "notation.py" in named, done.stdout
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    walk = page.partition("## Adding a kind of rule")[2].partition("## Goldens")[0]
    assert {name for name in named if f"`{name}`" not in walk} == set()


@pytest.mark.parametrize("folder", ["rules", "table", "web", "."])
def test_kinds_are_never_told_apart_with_a_silent_rest(folder: str) -> None:
    """A match on the kinds of rule ends in assert_never."""
    files = (PACKAGE / folder).glob("*.py") if folder == "." else (PACKAGE / folder).rglob("*.py")
    matches = re.compile(r"^( *)match (?:rule\.)?action:\n((?:\1 +.*\n|\n)+)", re.MULTILINE)
    silent = [
        path.name
        for path in files
        for match in matches.finditer(path.read_text(encoding="utf-8"))
        if "assert_never(" not in match[2]
    ]
    assert silent == []
