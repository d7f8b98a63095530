"""Who may come in: tokens, origins, hosts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mien.serve.options import ServeOptions, is_loopback
from mien.serve.refusals import RefusedError
from mien.serve.tokens import Tokens, refusal

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

SUBPROTOCOL = "realtime"
_IN_SUBPROTOCOL = "openai-insecure-api-key."
OPEN = ("/healthz", "/readyz")


@dataclass(frozen=True, slots=True, eq=False)
class Door:
    """`tokens` None: nobody needs one."""

    options: ServeOptions
    tokens: Tokens | None = None

    @classmethod
    def of(cls, options: ServeOptions) -> Door:
        """Return the door of a server; raises what `Tokens.load` raises."""
        key = options.jwt_key
        return cls(options, None if key is None else Tokens.load(key, options.audience))

    def enter(self, request: HTTPConnection, *, once: bool = False, unused: bool = False) -> str:
        """Return who asks, empty when nobody needs to say; raises `RefusedError`.

        `once` uses up a token that is good once; `unused` wants one that is not used up yet.
        """
        self.check_place(request)
        if self.tokens is None:
            return ""
        token = _token(request)
        if not token:
            raise refusal("a token is needed: send it as Authorization: Bearer TOKEN")
        return str(self.tokens.check(token, once=once, unused=unused).get("sub", ""))

    @contextmanager
    def entering(self, request: HTTPConnection) -> Iterator[str]:
        """Do as `enter` and use up a token that is good once, unless the block raises `RefusedError`."""
        owner = self.enter(request, once=True)
        try:
            yield owner
        except RefusedError:
            if self.tokens is not None:
                with suppress(RefusedError):  # it has expired meanwhile
                    self.tokens.give_back(_token(request))
            raise

    def check_place(self, request: HTTPConnection) -> None:
        """Raise `RefusedError` for a foreign page, and for a name that another's DNS points here."""
        host = request.headers.get("host", "")
        name = urlsplit(f"//{host}").hostname or ""
        if is_loopback(self.options.host) and not is_loopback(name):
            raise RefusedError(f"this server is not {name!r}", "wrong_host", status=421)
        origin = request.headers.get("origin")
        if origin is None or origin in self.options.origins or "*" in self.options.origins:
            return
        if urlsplit(origin).netloc != host:
            raise RefusedError(
                f"pages of {origin} may not connect; allow them with --allow-origin",
                "wrong_origin",
                status=403,
            )


def _token(request: HTTPConnection) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and token:
        return token.strip()
    offered: list[Any] = request.scope.get("subprotocols", [])
    for each in offered:
        if str(each).startswith(_IN_SUBPROTOCOL):
            return str(each).removeprefix(_IN_SUBPROTOCOL)
    return request.query_params.get("token", "")
