"""The server as a user starts it, in its own process with its own data folder."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx

from cadogan import Position

QUIET = {"language": "en", "theme": "light", "speed": 0, "autoplay": False, "verdict": "none"}
"""The default settings of tests: no animation, nothing happens automatically."""


class Server:
    """A server that runs, and a client of its routes.

    Attributes:
        address: Where it is, without a slash at the end.
    """

    def __init__(self, address: str, client: httpx.Client) -> None:
        self.address = address
        self._client = client
        self._settings = self.ask("GET", "/settings")

    def ask(self, how: str, path: str, body: object = None) -> Any:
        """The server's answer to a valid request."""
        answer = self._client.request(how, f"/api{path}", json=body)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    def set(self, **body: object) -> None:
        """Sets the default settings of tests, except for the given ones.

        The server then answers in the language of the page.
        """
        settings = {**self._settings, **QUIET, **body}
        self.ask("PUT", "/settings", settings)
        self._client.headers["Accept-Language"] = settings["language"]

    def deal(self, position: Position, line: list[str] | None = None) -> str:
        """Opens a table at which the deal of a position lies, and plays a line.

        Returns:
            The key of the table.
        """
        body = {"game": position.game.name, "deal": position.deal_name, "line": line or []}
        key: str = self.ask("POST", "/tables", body)["id"]
        return key

    def play(self, key: str, *line: str) -> None:
        """Makes moves at a table, as its player does."""
        version = self.table(key)["version"]
        for text in line:
            body = {"version": version, "text": text}
            version = self.ask("POST", f"/tables/{key}/moves", body)["table"]["version"]

    def text(self, path: str) -> str:
        """A file of the page."""
        return self._client.get(path).raise_for_status().text

    def table(self, key: str) -> dict[str, Any]:
        """A table as the server has it."""
        found: dict[str, Any] = self.ask("GET", f"/tables/{key}")
        return found


@contextmanager
def serving(
    folder: Path, workers: int = 0, program: Sequence[str] = (sys.executable, "-m", "cadogan.cli")
) -> Iterator[Server]:
    """Runs ``cadogan serve`` on a free port of loopback.

    Args:
        folder: The data folder.
        workers: How many processes look for verdicts.
        program: What ``cadogan`` is.

    Yields:
        The server, when it answers.
    """
    with subprocess.Popen(
        [*program, "serve", "--port", "0", "--no-browser", "--no-token", "--workers", str(workers)],
        env={**os.environ, "CADOGAN_HOME": str(folder), "PYTHONUNBUFFERED": "1"},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        try:
            said = ""
            for line in process.stderr:
                said += line
                found = re.search(r"http://[\d.]+:\d+", line)
                if found is not None:
                    break
            else:
                raise AssertionError(f"cadogan serve did not start:\n{said}")
            with httpx.Client(base_url=found[0], timeout=60) as client:
                yield Server(found[0], client)
        finally:
            process.terminate()
            process.wait(20)
