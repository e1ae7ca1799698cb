"""Structured logs: one JSON object a line, without secrets."""

import json
import logging
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final, Literal, TextIO

Kind = Literal["text", "json"]
LONGEST: Final = 20_000
"""The largest number of characters of a message or of a traceback."""

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The identifier of the current request; empty outside of requests."""


class JsonLines(logging.Formatter):
    """Writes a record of the log as one line of JSON.

    The fields are ``time`` (UTC), ``level``, ``logger`` and ``message``, ``request`` if it belongs
    to a request, ``error`` and ``traceback`` for an exception, and the ``fields`` of the record.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage()[:LONGEST],
        }
        if name := request_id.get():
            line["request"] = name
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            text = "".join(traceback.format_exception(*record.exc_info))
            line["traceback"] = text[-LONGEST:]
        line.update(getattr(record, "fields", {}))
        return json.dumps(line, ensure_ascii=False, default=str)


def log_json(stream: TextIO | None = None) -> None:
    """Writes the log of this process as lines of JSON.

    Args:
        stream: Where to; by default the standard error.
    """
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("cadogan").setLevel(logging.INFO)
    logging.captureWarnings(True)
