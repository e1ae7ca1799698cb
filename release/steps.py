"""What all steps of a release share: problems, tools, places."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
WORK = ROOT / "build" / "release"


class ProblemError(Exception):
    """Something that prevents the release, in words for its maker.

    Attributes:
        hint: What to do about it.
    """

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what)
        self.hint = hint


def run(
    words: Sequence[str | Path],
    *,
    folder: Path = ROOT,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Runs a tool and returns what it prints.

    Args:
        words: The tool and its arguments.
        folder: Where it runs.
        environment: Its environment; ours by default.

    Raises:
        ProblemError: If it fails.
    """
    name = Path(words[0]).name if words[0] != sys.executable else " ".join(map(str, words[1:3]))
    try:
        done = subprocess.run(
            [str(word) for word in words], cwd=folder, env=environment or os.environ,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False,
        )  # fmt: skip
    except OSError as fault:
        raise ProblemError(f"{name} cannot be run: {fault.strerror}", "install it") from fault
    if done.returncode != 0:
        raise ProblemError(f"{name} failed:\n{done.stdout.strip()}", "repair what it reports")
    return done.stdout


def python(module: str, *words: str | Path, environment: Mapping[str, str] | None = None) -> str:
    """Runs a module of this Python, as :func:`run` does."""
    return run([sys.executable, "-m", module, *words], environment=environment)
