"""Tries an installed Cadogan: ``python -I smoke.py`` in an environment that has nothing else.

It runs outside the repository and needs only the standard library. It fails with a traceback.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from importlib import metadata
from pathlib import Path

import cadogan
from cadogan.rules import catalogue

PROGRAM = Path(sys.executable).with_name("cadogan")


def _library() -> str:
    assert Path(cadogan.__file__).is_relative_to(sys.prefix), cadogan.__file__
    for name in catalogue():
        assert cadogan.load(name).deal("cadogan:1").moves(), name
    position = cadogan.load("flower-garden").deal("cadogan:1")
    verdict = cadogan.solve(position, budget=100_000)
    for move in verdict.line:
        position = position.play(move)
    assert (verdict.status, position.outcome) == ("winnable", "won")
    return f"{len(catalogue())} games dealt, one solved"


def _metadata() -> str:
    files = [str(path) for path in metadata.files("cadogan") or ()]
    for ending in ("sboms/cadogan.cdx.json", "THIRD_PARTY_LICENSES.txt", "licenses/LICENSE"):
        assert any(path.endswith(ending) for path in files), ending
    return metadata.version("cadogan")


def _program(environment: dict[str, str]) -> str:
    done = subprocess.run(
        [PROGRAM, "games"], env=environment, check=True, capture_output=True, encoding="utf-8"
    )
    assert len(done.stdout.splitlines()) >= len(catalogue())
    return "cadogan games"


def _server(environment: dict[str, str]) -> str:
    words = [str(PROGRAM), "serve", "--port", "0", "--no-token", "--no-browser", "--workers", "0"]
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    ) as server:
        try:
            assert server.stdout is not None
            address = None
            for line in server.stdout:
                address = re.search(r"http://[\d.]+:\d+", line)
                if address is not None:
                    break
            assert address is not None, "the server did not say where it is"
            page = _get(f"{address[0]}/")
            assets = re.findall(r'(?:src|href)="(?:\.?/)(assets/[^"]+)"', page)
            assert {Path(each).suffix for each in assets} >= {".js", ".css"}, page
            assert all(_get(f"{address[0]}/{each}") for each in assets)
            games = json.loads(_get(f"{address[0]}/api/games?lang=de"))
            assert {game["name"] for game in games} == set(catalogue())
            assert "Der Blumengarten" in {game["title"] for game in games}
        finally:
            server.terminate()
    return "a page served"


def _get(address: str) -> str:
    with urllib.request.urlopen(address, timeout=120) as reply:
        text: str = reply.read().decode()
    return text


def main() -> None:
    """Tries everything and says what worked."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "CADOGAN_HOME": home}
        os.environ["CADOGAN_HOME"] = home
        parts = [_metadata(), _library(), _program(environment), _server(environment)]
    print(", ".join(parts))


if __name__ == "__main__":
    main()
