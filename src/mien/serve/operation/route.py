"""`GET /metrics`: what Prometheus asks for."""

from __future__ import annotations

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import Response

from mien.serve.site import site_of

router = APIRouter(tags=["operation"])


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(request: Request) -> Response:
    """Return the server's figures; like all else they need a token, unless the server says otherwise."""
    site = site_of(request)
    if not site.options.open_metrics:
        site.door.enter(request)
    return Response(site.metrics.page(), media_type=CONTENT_TYPE_LATEST)
