"""Serves the built page: files of the package and no others."""

import mimetypes
from functools import lru_cache
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException

from cadogan.web.problems import allowed

DIST: Final = Path(__file__).parent / "dist"
"""The output of ``make web``. Git ignores it; the wheel contains it."""
INDEX: Final = "index.html"

router = APIRouter()


# Read the MIME types now: later there may be no free file descriptor.
mimetypes.init()


def is_built() -> bool:
    """Whether the page has been built."""
    return (DIST / INDEX).is_file()


@router.get("/{path:path}", include_in_schema=False)
def page(path: str, request: Request) -> Response:
    """Serves a file of the page; other addresses are routes of the page and get its index."""
    if path.startswith("api/"):
        if allowed(request):
            raise HTTPException(405, "this route does not support GET")
        raise HTTPException(404, "no such route")
    if not is_built():
        return PlainTextResponse("the web table is not built\nhint: make web\n", 503)
    found = _inside(path) if path else None
    if found is not None:
        # Vite names files under assets/ by a hash of their content, so they never change.
        forever = path.startswith("assets/")
        age = "public, max-age=31536000, immutable" if forever else "no-cache"
        return _file(found, age)
    if "." in path.rpartition("/")[2]:
        return PlainTextResponse("no such file\n", 404)
    return index()


def index(head: str = "") -> Response:
    """The page.

    Args:
        head: More elements for its head, as HTML.
    """
    if not is_built():
        return PlainTextResponse("the web table is not built\nhint: make web\n", 503)
    found = _file(DIST / INDEX, "no-cache")
    if not head or found.status_code != 200:
        return found
    text = bytes(found.body).decode().replace("</head>", f"  {head}\n  </head>", 1)
    return HTMLResponse(text, headers={"Cache-Control": "no-cache"})


def _file(path: Path, age: str) -> Response:
    """Answers with a file that was read earlier: there may be no free file descriptor now."""
    try:
        status = path.stat()
        contents = _read(path, status.st_mtime_ns, status.st_size)
    except OSError:
        return PlainTextResponse("the server is overloaded\nhint: try again soon\n", 503)
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Response(contents, media_type=kind, headers={"Cache-Control": age})


@lru_cache(maxsize=200)
def _read(path: Path, _changed: int, _size: int) -> bytes:
    return path.read_bytes()


def preload() -> None:
    """Reads the files of the page."""
    for path in DIST.rglob("*"):
        if path.is_file():
            _file(path, "no-cache")


def _inside(path: str) -> Path | None:
    """The file of a path, if it exists inside the folder of the page."""
    try:
        found = (DIST / path).resolve()
        within = found.is_relative_to(DIST.resolve()) and found.is_file()
    except (OSError, ValueError):
        return None
    return found if within else None
