"""HTTP requests by route and status."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

UNKNOWN = "unknown"
_METHODS = ("GET", "HEAD", "POST", "DELETE", "OPTIONS")
Observe = Callable[[str, str, int, float], None]
"""`observe(method, route, status, seconds)`"""


class Counted:
    """An application whose answers are observed, those of refused requests too.

    A route is its template (`/v1/avatars/videos/{name}`), so that no client can make up new ones.
    """

    def __init__(self, app: ASGIApp, observe: Observe) -> None:
        self._app, self._observe = app, observe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, and observe."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, began = 500, time.perf_counter()

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            method = scope["method"] if scope["method"] in _METHODS else UNKNOWN
            self._observe(method, _route(scope), status, time.perf_counter() - began)


def _route(scope: Scope) -> str:
    return str(getattr(scope.get("route"), "path", UNKNOWN))
