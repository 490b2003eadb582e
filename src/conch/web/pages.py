"""The built browser app: files of `dist`, and its index for every address of the app."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from conch.web.problems import Refused

DIST = Path(__file__).parent / "dist"
NOT_BUILT = (
    "The browser app was not built yet, so there is nothing to show here.\n"
    "From a checkout, run: make web\n"
    "The gateway itself runs; the terminal works: conch chat\n"
)
router = APIRouter(include_in_schema=False)


@router.get("/{path:path}")
def page(request: Request, path: str) -> Response:
    """A built file, or the app's index."""
    if path == "api" or path.startswith("api/"):
        raise Refused(404, "There is no such route.", "Nothing was done.")
    dist: Path = request.app.state.dist
    index = dist / "index.html"
    if not index.is_file():
        return PlainTextResponse(NOT_BUILT, status_code=503)
    found = (dist / path).resolve()
    if path and found.is_relative_to(dist.resolve()) and found.is_file():
        lasting = "public, max-age=31536000, immutable"
        cached = lasting if path.startswith("assets/") else "no-cache"
        return FileResponse(found, headers={"cache-control": cached})
    if "." in path.rsplit("/", 1)[-1]:
        raise Refused(404, "There is no such file.")
    return FileResponse(index, headers={"cache-control": "no-cache"})
