"""Looks for known vulnerabilities in all dependencies of Python, the kernel and the page.

Each ecosystem has its own tool and its own database. If a database cannot be reached, the output
says so, since that is not the same as finding nothing. The exit status is 1 if vulnerabilities were
found, and 2 if none were found but a database could not be reached.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
UNKNOWN = "not checked"


def main() -> int:
    """Checks all ecosystems and prints the results."""
    answers = {"Python": _python(), "Rust": _rust(), "npm": _npm()}
    for name, (found, missing) in answers.items():
        said = f"{len(found)} known vulnerabilities" if missing is None or found else UNKNOWN
        print(f"{name}: {said}" + (f" ({missing})" if missing else ""))
        for each in found:
            print(f"  {each}")
    if any(found for found, _ in answers.values()):
        return 1
    return 2 if any(missing for _, missing in answers.values()) else 0


def _run(words: list[str], folder: Path = ROOT) -> tuple[object, str]:
    """Runs a tool; returns its JSON output and its last error message."""
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=600)
    except (OSError, subprocess.TimeoutExpired) as fault:
        return None, str(fault)
    last = (done.stderr.strip().splitlines() or ["no answer"])[-1]
    try:
        return json.loads(done.stdout), last
    except ValueError:
        return None, last


def _python() -> tuple[list[str], str | None]:
    uv = Path(sys.executable).with_name("uv")
    locks = ("requirements-dev.lock", "requirements-release.lock")
    lock = [word for each in locks for word in ("--requirement", each)]
    lock += ["--disable-pip", "--no-deps"]
    reply, why = _run(
        [str(uv), "tool", "run", "--quiet", "pip-audit", *lock, "--format", "json",
         "--progress-spinner", "off"]
    )  # fmt: skip
    if not isinstance(reply, dict):
        return [], why
    packages = reply["dependencies"]
    skipped = [each for each in packages if "skip_reason" in each]
    found = [
        f"{each['name']} {each['version']}: {one['id']}, fixed in {', '.join(one['fix_versions'])}"
        for each in packages
        for one in each.get("vulns", ())
    ]
    missing = f"{len(skipped)} of {len(packages)} packages are not in the database"
    return found, missing if skipped else None


def _rust() -> tuple[list[str], str | None]:
    if shutil.which("cargo-audit") is None:
        return [], "cargo-audit is not installed; cargo install --locked cargo-audit"
    reply, why = _run(["cargo", "audit", "--json"])
    if not isinstance(reply, dict) or "vulnerabilities" not in reply:
        return [], why
    return [
        f"{each['package']['name']} {each['package']['version']}: {each['advisory']['id']}"
        for each in reply["vulnerabilities"]["list"]
    ], None


def _npm() -> tuple[list[str], str | None]:
    if shutil.which("npm") is None:
        return [], "npm is not installed"
    reply, why = _run(["npm", "audit", "--package-lock-only", "--json"], ROOT / "web")
    if not isinstance(reply, dict) or "vulnerabilities" not in reply:
        return [], why if not isinstance(reply, dict) else "the registry offers no advisories"
    return [
        f"{name}: {each['severity']}, {each['range']}"
        for name, each in reply["vulnerabilities"].items()
    ], None


if __name__ == "__main__":
    sys.exit(main())
