"""The page at `/`: what `make web` built from `web/`, with the headers that keep it to itself."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, PlainTextResponse, Response

router = APIRouter(include_in_schema=False)

FOLDER = Path(__file__).parent / "page"
UNBUILT = "The page is not built: install Node.js and run `make web`. Everything else is served.\n"
# WebAssembly opens meshopt heads; their pictures become blobs; styles are set by script alone.
_POLICY = "; ".join(
    (
        "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
        "img-src 'self' data: blob:", "connect-src 'self' data: blob:", "worker-src 'self' blob:",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    )
)  # fmt: skip
_HEADERS = {
    "content-security-policy": _POLICY,
    "permissions-policy": "microphone=(self), camera=(), geolocation=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
_ASSET = re.compile(r"[\w-]+(\.[\w-]+)*\.(js|css)")
_YEAR = "public, max-age=31536000, immutable"


@router.api_route("/", methods=["GET", "HEAD"])
async def index() -> Response:
    """Return the page."""
    if not (FOLDER / "index.html").is_file():
        return PlainTextResponse(UNBUILT, 503)
    return _file("index.html", "no-cache")


@router.api_route("/icon.svg", methods=["GET", "HEAD"])
async def icon() -> Response:
    """Return the page's icon."""
    return _file("icon.svg", "no-cache")


@router.api_route("/viewer.js", methods=["GET", "HEAD"])
async def viewer() -> Response:
    """Return the module that shows a head, for pages of one's own."""
    return _file("viewer.js", "no-cache")


@router.api_route("/assets/{name}", methods=["GET", "HEAD"])
async def asset(name: str) -> Response:
    """Return what the page is made of; a name tells the content."""
    if not _ASSET.fullmatch(name):
        raise HTTPException(404)
    return _file(f"assets/{name}", _YEAR)


def _file(name: str, kept: str) -> Response:
    path = FOLDER / name
    if not path.is_file():
        raise HTTPException(404)
    return FileResponse(path, headers=_HEADERS | {"cache-control": kept})
