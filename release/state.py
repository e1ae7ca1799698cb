"""Whether the sources are ready: a clean tree, and one version wherever a version stands."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import yaml

from release.steps import ProblemError, run

SECTION = re.compile(
    r"^## \[(?P<version>[^]]+)\](?: - (?P<date>\d{4}-\d{2}-\d{2}))?$", re.MULTILINE
)


@dataclass(frozen=True)
class State:
    """The sources of which a release is made.

    Attributes:
        version: The version, of ``Cargo.toml``.
        epoch: When the last commit was made, in seconds; all files bear this time.
        open_ends: What must still be done before the release can be published.
    """

    version: str
    epoch: int
    open_ends: tuple[str, ...]


def version_of(root: Path) -> str:
    """The version of the sources in a folder. It is written in ``Cargo.toml``, and nowhere else."""
    cargo = tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8"))
    return str(cargo["workspace"]["package"]["version"])


def inspect(root: Path, *, draft: bool) -> State:
    """Inspects the sources.

    Args:
        root: The folder of the sources.
        draft: Whether a dirty tree is only noted.

    Raises:
        ProblemError: If the tree is dirty or versions contradict each other.
    """
    version = version_of(root)
    open_ends = _tree(root, draft=draft)
    open_ends += _changelog(root, version)
    _citation(root, version)
    if _git(root, "tag", "--list", f"v{version}"):
        tagged = _git(root, "rev-list", "-n", "1", f"v{version}")
        if tagged != _git(root, "rev-parse", "HEAD"):
            raise ProblemError(
                f"version {version} is released already: the tag v{version} is on another commit",
                "raise the version in Cargo.toml and CITATION.cff",
            )
    epoch = _git(root, "log", "-1", "--format=%ct")
    return State(version, int(epoch) if epoch else 0, tuple(open_ends))


def _git(root: Path, *words: str) -> str | None:
    """What git says of a folder; None if the folder is not a repository or git is missing."""
    try:
        return run(["git", "-C", root, *words]).strip()
    except ProblemError:
        return None


def _tree(root: Path, *, draft: bool) -> list[str]:
    changed = _git(root, "status", "--porcelain")
    if changed is None:
        return ["the sources are not in a git repository, so no commit names them"]
    if not changed:
        return []
    files = [line.split(maxsplit=1)[1] for line in changed.splitlines()]
    what = f"{len(files)} files are not committed: {', '.join(files[:5])}"
    what += ", ..." if len(files) > 5 else ""
    if not draft:
        raise ProblemError(what, "commit them, or try with: make release ARGS=--draft")
    return [what]


def _citation(root: Path, version: str) -> None:
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    if str(citation["version"]) != version:
        raise ProblemError(
            f"CITATION.cff is of version {citation['version']}, Cargo.toml of {version}",
            "the version is in Cargo.toml; write the same into CITATION.cff",
        )
    newest = next(iter(_sections(root)), ("Unreleased", None))
    stated = citation.get("date-released")
    if newest[0] == version and newest[1] != str(stated):
        raise ProblemError(
            f"CHANGELOG.md dates {version} {newest[1]}, CITATION.cff dates it {stated or 'never'}",
            "write the same day into both",
        )


def _sections(root: Path) -> list[tuple[str, str | None]]:
    """The versions and days of the change log, without what is not released yet."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    found = [(match["version"], match["date"]) for match in SECTION.finditer(text)]
    return [each for each in found if each[0] != "Unreleased"]


def _changelog(root: Path, version: str) -> list[str]:
    sections = _sections(root)
    if (version, None) in sections:
        raise ProblemError(
            f"CHANGELOG.md does not say when {version} was released",
            f"the heading must be: ## [{version}] - YEAR-MONTH-DAY",
        )
    if version not in {name for name, _ in sections}:
        return [f"CHANGELOG.md has no section for {version} yet; its changes are under Unreleased"]
    if sections[0][0] != version:
        raise ProblemError(
            f"the newest version in CHANGELOG.md is {sections[0][0]}, but Cargo.toml has {version}",
            "raise the version in Cargo.toml and CITATION.cff",
        )
    return []
