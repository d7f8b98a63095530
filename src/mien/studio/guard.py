"""Who may ask: programs of this machine that know the token, and pages that came from here."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY = 64 * 1024  # bytes: what a page sends is a few numbers
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


@dataclass(frozen=True, slots=True)
class Guard:
    """Rules for one server: it answers on `port` of this machine under `/TOKEN/`."""

    port: int
    token: str

    def refusal(self, path: str, headers: Sequence[tuple[bytes, bytes]]) -> tuple[int, str] | None:
        """Return status and reason why a request is refused, or None.

        A name that another's DNS points to this machine stands in `Host`, and a foreign page that sends
        stands in `Origin`; both are refused before the token is looked at.
        """
        hosts = [f"127.0.0.1:{self.port}", f"localhost:{self.port}"]
        given = {name.lower(): value.decode("latin-1") for name, value in headers}
        if given.get(b"host", "") not in hosts:
            return 421, f"this server is {hosts[0]} only"
        origin = given.get(b"origin")
        if origin is not None and origin not in [f"http://{host}" for host in hosts]:
            return 403, "other pages may not ask this server"
        if not secrets.compare_digest(path.split("/")[1].encode(), self.token.encode()):
            return 404, "not here; use the whole address that mien printed"
        length = given.get(b"content-length", "0")
        if not length.isdecimal() or int(length) > BODY or b"transfer-encoding" in given:
            return 413, f"a request's body is at most {BODY} bytes, and says how long it is"
        return None


class Guarded:
    """An application behind a `Guard`."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app, self._guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._guard.refusal(scope["path"], scope["headers"])
        if refusal is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4000 + refusal[0], "reason": refusal[1]})
        else:
            from starlette.responses import PlainTextResponse

            await PlainTextResponse(refusal[1] + "\n", refusal[0])(scope, receive, _with_headers(send))


def _with_headers(send: Send) -> Send:
    async def added(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *HEADERS]
        await send(message)

    return added
