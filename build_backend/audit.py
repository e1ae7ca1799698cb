"""Asks for known vulnerabilities of all dependencies: of Python, of the kernel, and of the page.

Each ecosystem has its own tool and its own list. Where a list cannot be reached, this says so: then
nothing is known, which is not the same as nothing found. The exit status is 1 if something was
found, and 2 if a list could not be asked and nothing was found in the others.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
UNKNOWN = "not asked"


def main() -> int:
    """Asks all, and prints what they say."""
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
    """What a tool answers as JSON, and what it complains of."""
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
    lock = ["--requirement", "requirements-dev.lock", "--disable-pip", "--no-deps"]
    told, why = _run(
        [str(uv), "tool", "run", "--quiet", "pip-audit", *lock, "--format", "json",
         "--progress-spinner", "off"]
    )  # fmt: skip
    if not isinstance(told, dict):
        return [], why
    packages = told["dependencies"]
    skipped = [each for each in packages if "skip_reason" in each]
    found = [
        f"{each['name']} {each['version']}: {one['id']}, mended in {', '.join(one['fix_versions'])}"
        for each in packages
        for one in each.get("vulns", ())
    ]
    missing = f"{len(skipped)} of {len(packages)} packages are not in the list that was reached"
    return found, missing if skipped else None


def _rust() -> tuple[list[str], str | None]:
    if shutil.which("cargo-audit") is None:
        return [], "there is no cargo-audit; cargo install --locked cargo-audit"
    told, why = _run(["cargo", "audit", "--json"])
    if not isinstance(told, dict) or "vulnerabilities" not in told:
        return [], why
    return [
        f"{each['package']['name']} {each['package']['version']}: {each['advisory']['id']}"
        for each in told["vulnerabilities"]["list"]
    ], None


def _npm() -> tuple[list[str], str | None]:
    if shutil.which("npm") is None:
        return [], "there is no npm"
    told, why = _run(["npm", "audit", "--package-lock-only", "--json"], ROOT / "web")
    if not isinstance(told, dict) or "vulnerabilities" not in told:
        return [], why if not isinstance(told, dict) else "the registry gives no advisories"
    return [
        f"{name}: {each['severity']}, {each['range']}"
        for name, each in told["vulnerabilities"].items()
    ], None


if __name__ == "__main__":
    sys.exit(main())
