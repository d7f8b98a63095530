"""Whether the process lives, and whether it takes sessions."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import BaseModel

from mien.serve.refusals import RefusedError
from mien.serve.site import site_of

router = APIRouter(tags=["operation"])


class Health(BaseModel):
    """`sessions`: how many talk, or may come back."""

    status: str = "ok"
    sessions: int = 0


@router.get("/healthz")
async def healthz(request: Request) -> Health:
    """The process lives."""
    return Health(sessions=len(site_of(request).registry))


@router.get("/readyz", responses={503: {"description": "still loading, or about to end"}})
async def readyz(request: Request) -> Health:
    """It takes sessions."""
    site = site_of(request)
    if site.registry.draining:
        raise RefusedError("the server ends", "draining", None, "server_error", 503)
    if not site.ready:
        raise RefusedError("models are being loaded", "loading", None, "server_error", 503)
    return Health(sessions=len(site.registry))
