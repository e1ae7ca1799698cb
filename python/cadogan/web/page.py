"""The built page: files of the package, and nothing else of the disk."""

from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException

from cadogan.web.problems import allowed

DIST: Final = Path(__file__).parent / "dist"
"""Where ``make web`` puts the page. Git ignores it; the wheel has it."""
INDEX: Final = "index.html"

router = APIRouter()


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
        return FileResponse(found, headers={"Cache-Control": age})
    if "." in path.rpartition("/")[2]:
        return PlainTextResponse("there is no such file\n", 404)
    return FileResponse(DIST / INDEX, headers={"Cache-Control": "no-cache"})


def _inside(path: str) -> Path | None:
    """A file of the page by its path, if it is there and really within the folder."""
    try:
        found = (DIST / path).resolve()
        within = found.is_relative_to(DIST.resolve()) and found.is_file()
    except (OSError, ValueError):
        return None
    return found if within else None
