"""What is checked of every request before anything of it is read."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mien.serve.door import Door
from mien.serve.refusals import RefusedError

BODY = 256 << 10  # bytes
FILE = 64 << 20  # of a recording
FILES = ("/v1/audio/transcriptions",)
_HEADERS = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"))


class Guarded:
    """An application that only those reach whom `Door` lets in by host and origin, with bodies of a size."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app, self._door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] != "http":  # a WebSocket is let in by its route
            await self._app(scope, receive, send)
            return
        try:
            request = HTTPConnection(scope)
            if request.headers.get("access-control-request-method") is None:
                self._door.check_place(request)
            _check_body(request)
        except RefusedError as error:
            await JSONResponse({"error": error.table()}, error.status)(scope, receive, _with_headers(send))
        else:
            await self._app(scope, receive, _with_headers(send))


def _check_body(request: HTTPConnection) -> None:
    most = FILE if request.url.path in FILES else BODY
    length = request.headers.get("content-length", "0")
    if "transfer-encoding" in request.headers:
        raise RefusedError("say how long the body is (content-length)", "length_required", status=411)
    if not length.isdecimal() or int(length) > most:
        raise RefusedError(f"the body has {length[:20]} bytes; up to {most:,} are read", status=413)


def _with_headers(send: Send) -> Send:
    async def added(message: Message) -> None:
        if message["type"] == "http.response.start":
            had = {name.lower() for name, _ in message.get("headers", ())}
            more = [pair for pair in _HEADERS if pair[0] not in had]
            message["headers"] = [*message.get("headers", ()), *more]
        await send(message)

    return added
