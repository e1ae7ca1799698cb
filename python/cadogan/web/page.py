"""The built page: files of the package, and nothing else of the disk."""

import mimetypes
from functools import lru_cache
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from starlette.exceptions import HTTPException

from cadogan.web.problems import allowed

DIST: Final = Path(__file__).parent / "dist"
"""Where ``make web`` puts the page. Git ignores it; the wheel has it."""
INDEX: Final = "index.html"

router = APIRouter()


# Otherwise the first file of the page would have it read, when there may be no file to be had.
mimetypes.init()


def is_built() -> bool:
    """Whether the page was built."""
    return (DIST / INDEX).is_file()


@router.get("/{path:path}", include_in_schema=False)
def page(path: str, request: Request) -> Response:
    """A file of the page; any other address is one of the page's own, and gets its index."""
    if path.startswith("api/"):
        if allowed(request):
            raise HTTPException(405, "this route is not for reading")
        raise HTTPException(404, "there is no such route")
    if not is_built():
        return PlainTextResponse("the web table is not built\nhint: make web\n", 503)
    found = _inside(path) if path else None
    if found is not None:
        # Vite names what is under assets/ by its contents, so it never changes.
        forever = path.startswith("assets/")
        age = "public, max-age=31536000, immutable" if forever else "no-cache"
        return _file(found, age)
    if "." in path.rpartition("/")[2]:
        return PlainTextResponse("there is no such file\n", 404)
    return _file(DIST / INDEX, "no-cache")


def _file(path: Path, age: str) -> Response:
    """A file as an answer, which was read before: perhaps no more files can be opened now."""
    try:
        status = path.stat()
        contents = _read(path, status.st_mtime_ns, status.st_size)
    except OSError:
        return PlainTextResponse("the server has no room for more\nhint: try again soon\n", 503)
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
    """A file of the page by its path, if it is there and really within the folder."""
    try:
        found = (DIST / path).resolve()
        within = found.is_relative_to(DIST.resolve()) and found.is_file()
    except (OSError, ValueError):
        return None
    return found if within else None
